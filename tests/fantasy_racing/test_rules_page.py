"""RULES.md and the data files keep up with the code."""

import importlib
import re
import tomllib
from pathlib import Path

import pytest

from titan_env.games.fantasy_racing import GAME
from titan_env.games.fantasy_racing.rules.state import Event

FOLDER = Path(GAME.metadata.folder)
PAGE = (FOLDER / "RULES.md").read_text("utf-8")
HEADINGS = re.findall(r"^## (.+): `(\w+)\.(\w+)`$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("heading", "module", "name"), HEADINGS)
def test_each_heading_names_what_carries_the_rule_out(heading: str, module: str, name: str) -> None:
    assert hasattr(importlib.import_module(f"titan_env.games.fantasy_racing.rules.{module}"), name), heading


def test_no_heading_lacks_its_function() -> None:
    assert len(HEADINGS) == len(re.findall("^## ", PAGE, re.MULTILINE)) > 40


@pytest.mark.parametrize("event", Event)
def test_the_rule_behind_each_event_is_on_the_page(event: Event) -> None:
    assert f"`{GAME.text.rule_of[event]}`" in PAGE


@pytest.mark.parametrize("file", ["characters", "dice", "objects", "rules"])
def test_each_entry_of_the_data_has_a_source(file: str) -> None:
    entries = tomllib.loads((FOLDER / "data" / f"{file}.toml").read_text("utf-8"))
    assert all(entry["source"] for entry in entries.values() if isinstance(entry, dict))
