"""The French of rules pages and catalogues: the rulebooks' own words, and sentences as they are written in French."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.test_rulebooks import GAMES
from tools.languages import PACKAGE, forms, read

PAGES = {path.parent.name: path for path in sorted(GAMES.glob("*/RULES.fr.md"))}
CATALOGUES = sorted(PACKAGE.rglob("languages/fr.po"))
GLOSSARY = Path(__file__).parents[1] / "docs" / "how-to" / "translate.md"
GAME_OF = {
    "Titan Race": "titan_race",
    "Tiny Turbo Cars": "tiny_turbo_cars",
    "Fantasy Racing": "fantasy_racing",
}
"""The games whose rulebooks are French, by title."""
NOT_OF_THE_RULEBOOK = {
    "titan_race": ("brun", "rangée", "terrain"),
    "tiny_turbo_cars": ("batterie", "ronde", "voiture"),
    "fantasy_racing": ("choquent", "rechange", "terrain", "voiture"),
    "titan_battle": ("ronde", "bord"),
    "titan_war": ("ronde",),
}
"""Words that stand for a thing which the rulebook, or the rest of the page, calls otherwise."""
LOOSE = re.compile(r"[^\s`]+[^\s`:;!?][:;!?](?=\s|$)")
"""A sign that has no space before it as French wants."""
TITLES = ("Titan: battle", "Titan: war")


def prose(text: str) -> str:
    """A text without code, drawings, titles of games and what is generated for tools."""
    text = re.sub(r"^```\n.*?^```$|`[^`]*`|^\[.*$", "", text, flags=re.MULTILINE | re.DOTALL)
    for title in TITLES:
        text = text.replace(title, "")
    return text


def french() -> Iterator[tuple[str, str]]:
    """What is written in French: where, and the text."""
    for game, page in PAGES.items():
        yield f"{game}, RULES.fr.md", prose(page.read_text("utf-8"))
    for path in CATALOGUES:
        for message in read(path):
            for text in forms(message.string) if message.id else ():
                yield str(path.relative_to(PACKAGE)), prose(text)


def rulebook_words() -> list[tuple[str, str]]:
    """The words that the glossary has from a French rulebook: its game's title, and a word."""
    found, book = [], ""
    for line in GLOSSARY.read_text("utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 4:
            book = book if cells[3] == "the same" else cells[3]
            title = book.removeprefix("the French rulebook of ")
            found += [(title, word.strip()) for word in cells[1].split(",") if title in GAME_OF]
    return found


@pytest.mark.parametrize(("title", "word"), rulebook_words())
def test_the_rulebooks_own_words_are_those_of_the_rules_page(title: str, word: str) -> None:
    assert word.lower() in " ".join(PAGES[GAME_OF[title]].read_text("utf-8").lower().split())


@pytest.mark.parametrize("name", NOT_OF_THE_RULEBOOK)
def test_a_thing_has_one_name_on_the_rules_page(name: str) -> None:
    words = "|".join(NOT_OF_THE_RULEBOOK[name])
    assert re.findall(rf"\b(?:{words})s?\b", prose(PAGES[name].read_text("utf-8"))) == []


def test_no_sentence_begins_as_a_translated_whoever() -> None:
    """Headings such as ``## Qui attaque`` are questions."""
    begun = re.compile(r"(?:(?<=[.:;] )|(?<=^- )|(?<=\n\n)|\A)Qui [^.#]*?\.", re.MULTILINE)
    assert [f"{where}: {found}" for where, text in french() for found in begun.findall(text)] == []


def test_high_signs_have_a_space_before_them() -> None:
    assert [f"{where}: {found}" for where, text in french() for found in LOOSE.findall(text)] == []
