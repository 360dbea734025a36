"""RULES.md keeps up with the code and the data."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest

from titan_env.games.titan_war import GAME
from titan_env.games.titan_war.rules.lands import ENTRIES, LAND_NUMBERS, land_number
from titan_env.games.titan_war.rules.state import Event

PAGE = (Path(GAME.metadata.folder) / "RULES.md").read_text("utf-8")
HEADINGS = re.findall(r"^## (.+): `(\w+)\.(\w+)`$", PAGE, re.MULTILINE)
RULES = "titan_env.games.titan_war.rules"


@pytest.mark.parametrize(("heading", "module", "name"), HEADINGS)
def test_each_heading_names_what_carries_the_rule_out(heading: str, module: str, name: str) -> None:
    assert hasattr(importlib.import_module(f"{RULES}.{module}"), name), heading


def test_no_heading_lacks_its_function_and_none_has_that_of_another() -> None:
    assert len(HEADINGS) == len(re.findall("^## ", PAGE, re.MULTILINE)) > 40
    assert len({(module, name) for _heading, module, name in HEADINGS}) == len(HEADINGS)


@pytest.mark.parametrize("event", Event)
def test_the_rule_behind_each_event_is_on_the_page(event: Event) -> None:
    assert f"`{GAME.text.rule_of[event]}`" in PAGE


@pytest.mark.parametrize("note", GAME.text.glossary().values(), ids=lambda note: note.name)
def test_the_rule_behind_each_note_is_on_the_page(note: object) -> None:
    assert f"`{note.rule}`" in PAGE  # type: ignore[attr-defined]


@pytest.mark.parametrize("number", [*range(1, 8), *range(101, 108), 100, 1000])
def test_the_page_has_the_signs_of_each_land_of_the_first_part(number: int) -> None:
    signs = ", ".join(f"{sign} to {there}" for sign, there in ENTRIES[land_number(number)].signs)
    assert f"| {number} | {signs} |\n" in PAGE


def in_part(number: int, part: int) -> int:
    """The land that lies in another sixth of the board as this one does in its own, `part` sixths further on."""
    if number <= 42:
        return (number - 1 + 7 * part) % 42 + 1
    if number in range(101, 143):
        return (number - 101 + 7 * part) % 42 + 101
    unit = 1000 if number >= 1000 else 100
    return ((number // unit - 1 + part) % 6 + 1) * unit


@pytest.mark.parametrize("part", range(1, 6))
def test_every_part_of_the_board_has_the_signs_and_sides_of_the_first(part: int) -> None:
    for number in LAND_NUMBERS:
        here, there = ENTRIES[land_number(number)], ENTRIES[land_number(in_part(number, part))]
        assert {(sign, in_part(other, part)) for sign, other in here.signs} == set(there.signs)
        assert {in_part(other, part): side for other, side in here.enter.items()} == there.enter
