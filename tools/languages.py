"""Update the translation catalogues: one for each language and each part of the package with texts::

    python -m tools.languages

Runs `pybabel extract` with ``babel.cfg`` on each part, and `pybabel update` on each of its catalogues, such as
``languages/fr.po``: translations are kept, texts that are gone go, and texts still to be translated are printed. A new
language begins as an empty file, ``languages/es.po``.
"""

from __future__ import annotations

import re
import shutil
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from titan_env.extras import extra, told_in_one_line
from titan_env.records.atomic_files import write_atomically

if __name__ == "__main__":
    told_in_one_line("docs")
with extra("docs"):
    from babel.messages.catalog import Catalog
    from babel.messages.frontend import CommandLineInterface
    from babel.messages.pofile import read_po

ROOT = Path(__file__).resolve().parents[1]
PACKAGE = ROOT / "titan_env"

EXTRACT = ["--mapping-file", str(ROOT / "babel.cfg"), "--keyword", "mark", "--keyword", "many:1,2"]
EXTRACT += ["--sort-output", "--no-location", "--omit-header"]
"""The keywords by which `pybabel extract` finds texts: the first one of `_` and `mark`, the first two of `many`."""
UPDATE = ["--no-fuzzy-matching", "--ignore-obsolete", "--ignore-pot-creation-date", "--width", "120"]
"""The options with which `pybabel update` writes catalogues: without guesses, and without texts that are gone."""

_HTML = re.compile(r"\{\{(.+?)\}\}")
_DATA = re.compile(r'^(?:(?:when|effect|ability) = "(.+)"|title: (.+))$')
_CHANGING = re.compile(
    r'^"(?:POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Report-Msgid-Bugs-To'
    r"|Generated-By|Project-Id-Version): .*\n",
    re.MULTILINE,
)
_FIRST_LINE = "# Translations, kept up to date by `python -m tools.languages`.\n"

Found = Iterator[tuple[int, str, str, list[str]]]


def in_html(file: Any, keywords: Any, comment_tags: Any, options: Any) -> Found:
    """Yield the texts of an HTML page: ``{{text}}``."""
    for number, line in enumerate(file.read().decode("utf-8").splitlines(), 1):
        for gap in _HTML.finditer(line):
            yield number, "_", gap[1], []


def in_data(file: Any, keywords: Any, comment_tags: Any, options: Any) -> Found:
    """Yield the texts of a data file: cards' occasions and effects, abilities, titles of boards."""
    for number, line in enumerate(file.read().decode("utf-8").splitlines(), 1):
        if found := _DATA.match(line):
            yield number, "_", found[1] or found[2], []


def parts() -> list[Path]:
    """Return the folders of the parts that have catalogues."""
    return sorted(folder.parent for folder in PACKAGE.rglob("languages") if folder.is_dir())


def catalogues(part: Path) -> list[Path]:
    """Return the files of a part's catalogues, one for each language."""
    return sorted((part / "languages").glob("*.po"))


def read(path: Path) -> Catalog:
    """Return the catalogue in a file; its name says the language, a template has none."""
    with path.open("rb") as file:
        return read_po(file, locale=path.stem if path.suffix == ".po" else None)


def pybabel(command: str, *arguments: str) -> None:
    """Run a command of babel's `pybabel`."""
    CommandLineInterface().run(["pybabel", "--quiet", command, *arguments])


def template(part: Path, folder: Path) -> Path:
    """Extract a part's texts from the sources into a file in a folder, and return its path."""
    path = folder / "messages.pot"
    pybabel("extract", *EXTRACT, "--output-file", str(path), str(part))
    return path


def texts(part: Path) -> Catalog:
    """Return a part's texts in the sources, as a catalogue without translations."""
    with tempfile.TemporaryDirectory() as folder:
        return read(template(part, Path(folder)))


def updated(part: Path) -> dict[Path, str]:
    """Return what `pybabel update` makes of each of a part's catalogues, its header without dates and versions."""
    with tempfile.TemporaryDirectory() as folder:
        sources, made = template(part, Path(folder)), {}
        for path in catalogues(part):
            copy = Path(shutil.copy(path, folder))
            files = ["--input-file", str(sources), "--output-file", str(copy), "--locale", path.stem]
            pybabel("update", *UPDATE, *files)
            text = copy.read_text("utf-8")
            made[path] = _FIRST_LINE + _CHANGING.sub("", text[text.index("msgid") :])
        return made


def gaps(path: Path, sources: Catalog) -> list[str]:
    """Return the complaints about a catalogue: texts of the sources that it lacks, and texts that are gone."""
    spoken = {message.id: message for message in read(path) if message.id}
    wanted = {message.id for message in sources if message.id}
    lacking = sorted(str(text) for text in wanted if text not in spoken or not all(forms(spoken[text].string)))
    gone = sorted(str(text) for text in spoken.keys() - wanted)
    return [f"to be translated: {text}" for text in lacking] + [f"no longer in the sources: {text}" for text in gone]


def forms(text: Any) -> tuple[str, ...]:
    """Return the forms of a translation: one, or singular and plural."""
    return (text,) if isinstance(text, str) else tuple(text)


def main() -> None:
    """Update every catalogue, and print the texts still to be translated."""
    for part in parts():
        sources = texts(part)
        for path, text in updated(part).items():
            write_atomically(path, text)
            print(f"{path.relative_to(PACKAGE)}: {len(sources)} texts")
            for gap in gaps(path, sources):
                print("   ", gap)


if __name__ == "__main__":
    typer.run(main)
