"""RULES.md and the data files keep up with the code."""

import importlib
import re
import tomllib
from pathlib import Path

import pytest

from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.actions import CARDS
from titan_env.games.titan_race.rules.circuits import CARD_ENTRIES, TITANS, circuit_drawing
from titan_env.games.titan_race.rules.setup import TITAN_NAMES
from titan_env.games.titan_race.rules.state import CIRCUIT_NAMES, Card, Titan
from titan_env.games.titan_race.words.translation import card_name
from titan_env.registry import load

FOLDER = Path(load("titan_race").metadata.folder)
PAGE = (FOLDER / "RULES.md").read_text("utf-8")
HEADINGS = re.findall(r"^## (.+): `(\w+)\.(\w+)`$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("heading", "module", "name"), HEADINGS)
def test_each_heading_names_what_carries_the_rule_out(heading: str, module: str, name: str) -> None:
    assert hasattr(importlib.import_module(f"titan_env.games.titan_race.rules.{module}"), name), heading


def test_no_heading_lacks_its_function() -> None:
    assert len(HEADINGS) == len(re.findall("^## ", PAGE, re.MULTILINE)) > 40


@pytest.mark.parametrize("card", Card)
def test_the_page_says_of_each_card_what_its_data_say(card: Card) -> None:
    entry = CARD_ENTRIES[card]
    assert f"| {card_name(card)} | {entry['when']} | {entry['effect']} |\n" in PAGE


@pytest.mark.parametrize("titan", Titan)
def test_the_page_names_the_rider_of_each_titan(titan: Titan) -> None:
    rider = TITANS[titan]["rider"]
    assert f"| {titan.name.capitalize()} | {rider} |" in PAGE
    assert rider in GAME.text.glossary()[f"titan:{titan.name.lower()}"].text


@pytest.mark.parametrize(("file", "names"), [("cards.toml", CARDS), ("titans.toml", TITAN_NAMES)])
def test_each_entry_of_the_data_has_a_source(file: str, names: list[str]) -> None:
    entries = tomllib.loads((FOLDER / "data" / file).read_text("utf-8"))
    assert list(entries) == list(names)
    assert all(entry["source"] for entry in entries.values())


@pytest.mark.parametrize("circuit", CIRCUIT_NAMES)
def test_each_circuit_says_what_is_rulebook_and_what_is_reconstruction(circuit: str) -> None:
    heading = circuit_drawing(circuit)
    assert "rulebook: " in heading
    assert "reconstruction: " in heading
