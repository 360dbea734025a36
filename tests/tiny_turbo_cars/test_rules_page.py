"""RULES.md keeps up with the code."""

import importlib
import re
from pathlib import Path

import pytest

from titan_env.games.tiny_turbo_cars import GAME

PAGE = (Path(GAME.metadata.folder) / "RULES.md").read_text("utf-8")
HEADINGS = re.findall(r"^## (.+): `(\w+)\.(\w+)`$", PAGE, re.MULTILINE)


@pytest.mark.parametrize(("heading", "module", "name"), HEADINGS)
def test_each_heading_names_what_carries_the_rule_out(heading: str, module: str, name: str) -> None:
    assert hasattr(importlib.import_module(f"titan_env.games.tiny_turbo_cars.rules.{module}"), name), heading


def test_no_heading_lacks_its_function() -> None:
    assert len(HEADINGS) == len(re.findall("^## ", PAGE, re.MULTILINE)) > 40


@pytest.mark.parametrize("kind", GAME.rules.events)
def test_each_event_leads_to_a_heading(kind: int) -> None:
    assert any(f"{module}.{name}" == GAME.text.rule_of[kind] for _, module, name in HEADINGS)
