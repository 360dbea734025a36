"""RULES.md and the data files keep up with the code."""

from __future__ import annotations

import importlib
import re
import tomllib
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from titan_env.games.titan_battle import GAME
from titan_env.games.titan_battle.rules.characters import CHARACTERS, ENTRIES, NATIVE, POWER, SKILL, SUPPLY
from titan_env.games.titan_battle.rules.lands import ENTRY_HEXES, ENTRY_NAMES, HAZARDS, LAND_NAMES
from titan_env.games.titan_battle.rules.musters import LADDERS, NEEDS, NO_KIND
from titan_env.games.titan_battle.rules.state import Ask, Event, Hazard, Land
from titan_env.games.titan_battle.rules.strikes import strike_number
from titan_env.games.titan_battle.rules.ways import BY_AIR, FORBIDDEN, ON_FOOT

FOLDER = Path(GAME.metadata.folder)
PAGE = (FOLDER / "RULES.md").read_text("utf-8")
HEADINGS = re.findall(r"^## (.+): `(\w+)\.(\w+)`$", PAGE, re.MULTILINE)
RULES = "titan_env.games.titan_battle.rules"
CLASSES = {"lord": ["lord"], "demilord": ["demi-lord"], "creature": []}


@pytest.mark.parametrize(("heading", "module", "name"), HEADINGS)
def test_each_heading_names_what_carries_the_rule_out(heading: str, module: str, name: str) -> None:
    assert hasattr(importlib.import_module(f"{RULES}.{module}"), name), heading


def test_no_heading_lacks_its_function() -> None:
    assert len(HEADINGS) == len(re.findall("^## ", PAGE, re.MULTILINE)) > 40


@pytest.mark.parametrize("event", Event)
def test_the_rule_behind_each_event_is_on_the_page(event: Event) -> None:
    assert f"`{GAME.text.rule_of[event]}`" in PAGE


@pytest.mark.parametrize("ask", [ask for ask in Ask if ask], ids=lambda ask: ask.name)
def test_the_rule_behind_each_question_is_on_the_page(ask: Ask) -> None:
    assert f"`{GAME.text.rule_of_question[ask]}`" in PAGE


@pytest.mark.parametrize("note", GAME.text.glossary().values(), ids=lambda note: note.name)
def test_the_rule_behind_each_note_is_on_the_page(note: object) -> None:
    assert f"`{note.rule}`" in PAGE


@pytest.mark.parametrize("file", ["characters", "musters"])
def test_each_entry_of_the_data_has_a_source(file: str) -> None:
    entries = tomllib.loads((FOLDER / "data" / f"{file}.toml").read_text("utf-8"))
    assert all(entry["source"] for entry in entries.values())


@pytest.mark.parametrize("kind", range(len(CHARACTERS)), ids=CHARACTERS)
def test_the_page_says_of_each_character_what_its_data_say(kind: int) -> None:
    entry, power, skill = ENTRIES[CHARACTERS[kind]], int(POWER[kind]), int(SKILL[kind])
    else_ = [*CLASSES[entry["class"]], *(["flies"] if entry["flies"] else [])]
    else_ += [f"rangestrikes with {power // 2}"] if entry["ranged"] != "none" else []
    cells = [CHARACTERS[kind], power, skill, power * skill, SUPPLY[kind], ", ".join(else_), ", ".join(entry["native"])]
    assert f"| {' | '.join(map(str, cells))} |\n" in PAGE


def test_the_page_has_the_strike_numbers_that_are_computed() -> None:
    for target in (2, 3, 4):
        numbers = " | ".join(str(strike_number(skill, target)) for skill in range(1, 6))
        assert f"| {target} | {numbers} |\n" in PAGE


GROUND = {
    row[0].strip(): [cell.strip() for cell in row[1:]]
    for row in (line.strip("|").split("|") for line in PAGE.splitlines() if line.count("|") == 4)
}


def cost(hazard: Hazard, costs: Any) -> str:
    """What entering such a hex costs natives and others, as the page says it, from the costs that are laid out."""
    land, number = np.argwhere(hazard == HAZARDS)[0]
    home = NATIVE[:, hazard]
    natives, others = set(costs[land, home, number].tolist()), set(costs[land, ~home, number].tolist())
    if not natives or natives == others:
        (same,) = others
        return "nobody" if same == FORBIDDEN else str(same)
    (theirs,) = others
    return f"natives {natives.pop()}, others {'not' if theirs == FORBIDDEN else theirs}"


@pytest.mark.parametrize("hazard", Hazard)
def test_the_page_says_what_each_hazard_costs(hazard: Hazard) -> None:
    assert GROUND[hazard.name.lower()] == [cost(hazard, ON_FOOT), cost(hazard, BY_AIR)]


@pytest.mark.parametrize("land", list(Land)[:-1], ids=LAND_NAMES[:-1])
def test_the_page_has_the_ladder_of_each_terrain(land: Land) -> None:
    rungs = [
        (int(need), CHARACTERS[kind])
        for need, kind in zip(NEEDS[0, land], LADDERS[0, land], strict=True)
        if kind != NO_KIND
    ]
    message = ", ".join(f"{need} {name}" if need else name for need, name in rungs)
    assert f"| {LAND_NAMES[land]} | {message} |\n" in PAGE


def test_the_page_says_where_each_side_enters() -> None:
    for entry, (attacker, defender) in ENTRY_HEXES.items():
        assert re.search(rf"^\| {ENTRY_NAMES[entry]} \(\w+\) \| {attacker} \| {defender} \|$", PAGE, re.MULTILINE)
