"""Draw the layers of the package from the import contracts in ``setup.cfg``.

``python -m tools.tables`` writes the page. ``lint-imports --config setup.cfg`` checks the same contracts, so that
picture and code agree.
"""

from __future__ import annotations

import ast
import configparser
import re
from collections.abc import Iterator, Sequence
from pathlib import Path
from xml.sax.saxutils import escape

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "titan_env"
CONTRACT = "importlinter:contract:"
WIDTH, HEIGHT, GAP, MARGIN = 760, 40, 8, 56  # pixels

_HEAD = """\
# Architecture

Made by `python -m tools.tables` from the import contracts in `setup.cfg` and from docstrings;
`lint-imports --config setup.cfg` holds the code to the same contracts.

![The layers of titan_env, from the scripts on top down to what needs nothing](../pictures/layers.svg)

A package may import packages on lower layers only. Packages side by side do not know each other.
"""


def contracts() -> configparser.ConfigParser:
    """Return the settings with the import contracts."""
    setup = configparser.ConfigParser()
    setup.read(ROOT / "setup.cfg", "utf-8")
    return setup


def layers() -> list[list[str]]:
    """Return the layers of the package from the top down: the names of the modules side by side in each."""
    lines = contracts()[f"{CONTRACT}layers"]["layers"].strip().splitlines()
    return [[name.strip().removeprefix("titan_env.") for name in line.split("|")] for line in lines]


def sentence(module: str) -> str:
    """Return the first sentence of a module's docstring, on one line."""
    file = PACKAGE / f"{module}.py"
    source = file if file.exists() else PACKAGE / module / "__init__.py"
    docstring = ast.get_docstring(ast.parse(source.read_text("utf-8"))) or ""
    return docstring.partition("\n\n")[0].replace("\n", " ").replace("``", "`").rstrip(":")


def picture(rows: Sequence[Sequence[str]]) -> str:
    """Return the layers as an SVG: a row of boxes for each, an arrow that says which way imports go."""
    total = len(rows) * (HEIGHT + GAP) - GAP
    lines = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {total + 2 * GAP}" font-family="sans-serif">',
        "<title>The layers of titan_env</title>",
        f'<path d="M 28 {GAP} V {total} m -7 -9 l 7 9 l 7 -9" fill="none" stroke="#888888" stroke-width="2"/>',
        f'<text x="16" y="{total / 2:g}" transform="rotate(-90 16 {total / 2:g})" text-anchor="middle" '
        'font-size="13" fill="#888888">may import</text>',
    ]
    for row, names in enumerate(rows):
        width = (WIDTH - MARGIN - GAP * len(names)) / len(names)
        for column, name in enumerate(names):
            x, y = MARGIN + column * (width + GAP), GAP + row * (HEIGHT + GAP)
            lines += [
                f'<rect x="{x:g}" y="{y}" width="{width:g}" height="{HEIGHT}" rx="6" fill="#dce8f2" stroke="#4a6d8c"/>',
                f'<text x="{x + width / 2:g}" y="{y + HEIGHT / 2 + 5:g}" text-anchor="middle" font-size="15" '
                f'fill="#1c2f40">{escape(name)}</text>',
            ]
    return "\n".join([*lines, "</svg>"]) + "\n"


def layers_picture() -> str:
    """Return the picture of the package's layers."""
    return picture(layers())


def architecture_page() -> str:
    """Return the page of the architecture, as Markdown."""
    rows = [f"| {number} | `{name}` | {sentence(name)} |" for number, names in enumerate(layers(), 1) for name in names]
    return "\n".join(
        [
            _HEAD,
            "| layer | module | what it is |",
            "| --- | --- | --- |",
            *rows,
            "",
            "## Within and between games",
            "",
            *_other_contracts(),
            "",
            "## A game's folder",
            "",
            *_folders(),
            "",
        ]
    )


def _other_contracts() -> Iterator[str]:
    """Yield an item for each contract beside that of the layers: its name and whom it binds."""
    setup = contracts()
    for section in setup.sections():
        if section.startswith(CONTRACT) and section != f"{CONTRACT}layers":
            yield f"- **{setup[section]['name']}.** {_bound(setup[section])}"


def _bound(contract: configparser.SectionProxy) -> str:
    """Return what a contract forbids, in a sentence."""
    if contract["type"] == "layers":
        inner = ", then ".join(
            re.sub(r"[()]", "", line).strip().replace(" | ", " and ") for line in contract["layers"].split("\n") if line
        )
        return f"Layers within `{contract['containers'].strip()}`, from the top down: {inner}."
    if contract["type"] == "forbidden":
        who = ", ".join(f"`{name}`" for name in contract["source_modules"].split())
        what = ", ".join(f"`{name.removeprefix('titan_env.')}`" for name in contract["forbidden_modules"].split())
        return f"{who} may not import {what}."
    excepted = contract.get("ignore_imports", "").strip()
    return f"Excepted: `{excepted}`." if excepted else ""


def _folders() -> Iterator[str]:
    """Yield the files that every game has, and those that some have, as two lists."""
    games = [path for path in sorted((PACKAGE / "games").iterdir()) if (path / "__init__.py").exists()]
    kinds = ("*.py", "*.md")
    files = [{path.relative_to(game).as_posix() for kind in kinds for path in game.rglob(kind)} for game in games]
    common = set.intersection(*files)
    yield f"Each of the {len(games)} games is a folder in `titan_env/games/`; the same thing has the same name in all:"
    yield ""
    for name in sorted(common - {name for name in common if name.endswith("__init__.py")}):
        yield f"- `{name}`"
