"""Update the translation catalogues, one for each language and each part of the package with texts::

    python -m tools.languages

The texts are extracted from Python, JavaScript, HTML and data into ``languages/en.po``; every other catalogue next to
it, such as ``fr.po``, keeps its translations, loses texts that are gone, and lists texts still to be translated. A new
language begins as an empty file, ``languages/es.po``.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer

from titan_env.extras import extra, told_in_one_line
from titan_env.records.files import write_whole

if __name__ == "__main__":
    told_in_one_line("web")
with extra("web"):
    from babel.messages.catalog import Catalog
    from babel.messages.extract import extract_from_dir
    from babel.messages.pofile import read_po, write_po

PACKAGE = Path(__file__).resolve().parents[1] / "titan_env"
KEYWORDS = {"_": None, "mark": None, "many": (1, 2)}
"""The functions whose first text, or first two texts, are translated."""

_HERE = "tools.languages"
METHODS = [
    ("**.py", "python"),
    ("**.js", "javascript"),
    ("**.html", f"{_HERE}:in_html"),
    ("data/**.toml", f"{_HERE}:in_data"),
    ("data/**.txt", f"{_HERE}:in_data"),
]
_HTML = re.compile(r"\{\{(.+?)\}\}")
_DATA = re.compile(r'^(?:(?:when|effect|ability) = "(.+)"|title: (.+))$')

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


def said(part: Path) -> Catalog:
    """Return the catalogue template of a part: all its texts."""
    catalog = Catalog(project="titan_env", fuzzy=False)
    for path, number, message, comments, context in extract_from_dir(part, METHODS, keywords=KEYWORDS):
        catalog.add(message, None, [(path, number)], auto_comments=comments, context=context)
    return catalog


def read(path: Path) -> Catalog:
    """Return the catalogue in a file."""
    with path.open("rb") as file:
        return read_po(file, locale=path.stem)


def as_text(catalog: Catalog) -> str:
    """Return a catalogue as its file's text: in alphabetical order, without dates and places."""
    written = io.BytesIO()
    write_po(written, catalog, width=120, omit_header=False, no_location=True, sort_output=True, ignore_obsolete=True)
    dated = re.compile(
        r'^"(?:POT-Creation-Date|PO-Revision-Date|Last-Translator|Language-Team|Report-Msgid-Bugs-To'
        r"|Generated-By|Project-Id-Version): .*\n",
        re.MULTILINE,
    )
    return dated.sub("", written.getvalue().decode("utf-8"))


def updated(path: Path, template: Catalog) -> Catalog:
    """Return the catalogue at a path, updated to the part's current texts."""
    catalog = read(path) if path.stem != "en" else Catalog(locale="en", fuzzy=False)
    catalog.update(template, no_fuzzy_matching=True)
    catalog.header_comment = "# What is said, written by `python -m tools.languages`."
    catalog.fuzzy = False
    return catalog


def main() -> None:
    """Update every catalogue, and print the texts still to be translated."""
    for part in parts():
        template = said(part)
        for name in sorted({"en", *(path.stem for path in (part / "languages").glob("*.po"))}):
            path = part / "languages" / f"{name}.po"
            catalog = updated(path, template)
            write_whole(path, as_text(catalog))
            missing = sum(not message.string for message in catalog if message.id)
            print(
                f"{path.relative_to(PACKAGE)}: {len(catalog)} texts, {0 if name == 'en' else missing} to be translated"
            )


if __name__ == "__main__":
    typer.run(main)
