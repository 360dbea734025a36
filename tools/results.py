"""Put the measured tables of a game together on its page of results; ``python -m tools.tables`` writes the pages.

A table is a file ``docs/measured/<game>/<table>.md`` and stands there as the command in it wrote it (``--out``);
``about.md`` beside the tables begins the page. A new table needs its file only.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from titan_env.contract import Game

MEASURED = Path(__file__).parents[1] / "docs" / "measured"
ABOUT = "about"
OPTIONS = "options of all rows"


def is_measured(name: str) -> bool:
    """Return whether there are measured tables of a game."""
    return (MEASURED / name).is_dir()


def results_page(game: Game) -> str:
    """Return the page of results of a game, as Markdown; links in the tables lead on from `docs/reference/games`."""
    folder = MEASURED / game.name
    lines = [
        f"# Results of {game.metadata.title}",
        "",
        f"Made by `python -m tools.tables` from the files in `docs/measured/{game.name}/`.",
    ]
    for path in sorted(folder.glob("*.md"), key=lambda path: (path.stem != ABOUT, path.name)):
        lines += ["", *_section(path)]
    return "\n".join(lines) + "\n"


def measured_rows(name: str, table: str) -> list[dict[str, str]]:
    """Return the rows of the first table in a game's file, each by its headings; none where it has not been measured.

    Under `OPTIONS` stand the options that all rows have, as the table says them.
    """
    path = MEASURED / name / f"{table}.md"
    if not path.exists():
        return []
    text = path.read_text("utf-8")
    fixed = re.search(rf"; {name}_v\d+, (.*), titan_env ", text)
    lines = re.search(r"(?:^\|.*\n)+", text, re.M)
    headings, _, *rows = [line.strip("| ").split(" | ") for line in lines[0].splitlines()] if lines else [[], []]
    return [{OPTIONS: fixed[1] if fixed else "", **dict(zip(headings, row, strict=True))} for row in rows]


def training_rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a game's agents that were trained with several seeds, as cards of each were compared."""
    tables = sorted((MEASURED / name).glob("*_by_training.md"))
    return [row for path in tables for row in measured_rows(name, path.stem) if int(row["runs"]) > 1]


def _section(path: Path) -> Iterator[str]:
    """Yield a file's lines, its headings one level down; the file's name tells tables of one agent apart."""
    text = path.read_text("utf-8").strip()
    if path.stem == ABOUT:
        yield text
        return
    title, _, body = text.partition("\n")
    _, _, divided = path.stem.partition("_")
    yield f"#{title}{f', {divided}'.replace('_', ' ') if divided else ''}"
    yield re.sub(r"^#", "##", body, flags=re.M)
