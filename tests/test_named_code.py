"""Names of code in files that people copy are those of code that is there; environments take a game by its name."""

from __future__ import annotations

import ast
import re
from pathlib import Path
from typing import Any

import pytest

from titan_env import GameAEC, GameEnv, GameVectorEnv, registry
from titan_env.envs import sb3

ROOT = Path(__file__).parents[1]
COPIED = [*sorted((ROOT / "agents").glob("*.py")), *sorted((ROOT / "tests" / "games").glob("*.py"))]
GAME = registry.load("titan_race")


def named(path: Path) -> set[str]:
    """Names such as `game.rules.fields.split` in docstrings and comments of a file."""
    text = path.read_text("utf-8")
    parts = [ast.get_docstring(node) or "" for node in ast.walk(ast.parse(text)) if isinstance(node, WITH_WORDS)]
    parts += re.findall(r"#(.*)", text)
    return {name for part in parts for name in re.findall(r"`+(game(?:\.\w+)+)", part)}


WITH_WORDS = (ast.Module, ast.FunctionDef, ast.ClassDef)


@pytest.mark.parametrize("path", COPIED, ids=lambda path: path.stem)
def test_what_a_file_to_copy_names_of_a_game_is_there(path: Path) -> None:
    for name in named(path):
        found: Any = GAME
        for part in name.split(".")[1:]:
            assert hasattr(found, part), f"{path.name} names {name}"
            found = getattr(found, part)


def test_the_agent_to_copy_names_something() -> None:
    assert named(ROOT / "agents" / "my_agent.py")


@pytest.mark.parametrize("make", [GameAEC, GameEnv, GameVectorEnv, lambda game: sb3.GameVecEnv(game, 2)])
def test_environments_take_a_game_by_its_name_and_say_what_is_none(make: Any) -> None:
    assert make("titan_race").game is GAME
    with pytest.raises(ValueError, match="did you mean titan_race"):
        make("titan_rase")
    with pytest.raises(TypeError, match="expected a game or its name"):
        make(7)
