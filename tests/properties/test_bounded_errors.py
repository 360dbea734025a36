"""Errors about what a caller gives are one line that can be read, however long or odd the value is; so are reprs."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import titan_env
from titan_env import Batch, GameAEC, GameEnv, GameVectorEnv, MacroVectorEnv, agents, registry
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup

MOST = 450
"""Letters of an error: some list every name that there is."""


def nested(levels: int) -> list[Any]:
    """A list within so many lists."""
    return [nested(levels - 1)] if levels else []


ODD: tuple[Any, ...] = (
    *("x" * 10_000, ["x"] * 5000, {str(number): number for number in range(3000)}, b"x" * 10_000, nested(50)),
    *("generated:" + "9" * 5000, "", "a\nb", [], ["a", 1, None], [["a" * 9000]], {1, 2}, {"a": np.array([1, 2])}),
    *(-1, 1.5, float("nan"), True, 2**63, 10**3000, 10**5000, object(), len, GameEnv, {"pool": np.array([1, 2])}),
    *(np.array([1, 2]), np.array(1), np.array(["a", "b"]), np.zeros((2, 2)), np.arange(100_000)),
)
APIS: dict[str, tuple[type, Callable[..., Any]]] = {
    "Batch": (Batch, lambda **options: Batch("goofspiel", 2, **options)),
    "GameAEC": (GameAEC, lambda **options: GameAEC("goofspiel", **options)),
    "GameEnv": (GameEnv, lambda **options: GameEnv("goofspiel", **options)),
    "GameVectorEnv": (GameVectorEnv, lambda **options: GameVectorEnv("goofspiel", 2, **options)),
    "MacroVectorEnv": (MacroVectorEnv, lambda **options: MacroVectorEnv("goofspiel", 2, **options)),
}


def check(message: str, call: Callable[[], Any]) -> None:
    """Check that a call is taken, or is refused in one line."""
    complaint = "expected"
    try:
        call()
    except (TypeError, ValueError) as error:
        complaint = str(error)
    assert "expected" in complaint, f"{message}: {complaint:.300}"
    assert len(complaint) <= MOST, f"{message}: {len(complaint)} letters: {complaint:.300}"
    assert len(complaint.splitlines()) == 1, f"{message}: {complaint!r:.300}"


@pytest.mark.parametrize("name", registry.names())
def test_an_option_of_a_game_is_refused_in_one_line(name: str) -> None:
    game = registry.load(name)
    for option in game.rules.options:
        for odd in ODD:
            check(f"{option}={type(odd)}", lambda: GameSetup.of_keywords(game, {option: odd}))  # noqa: B023  # called at once


@pytest.mark.parametrize("api", APIS)
def test_a_keyword_of_an_environment_is_refused_in_one_line(api: str) -> None:
    kind, make = APIS[api]
    names = [each.name for each in inspect.signature(kind).parameters.values() if each.kind is each.KEYWORD_ONLY]
    assert len(names) > 3 or api == "MacroVectorEnv"
    for name in names:
        for odd in ODD:
            check(f"{name}={type(odd)}", lambda: make(**{name: odd}))  # noqa: B023  # called at once


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: type(odd).__name__)
def test_a_game_an_agent_and_a_number_of_games_are_refused_in_one_line(odd: Any) -> None:
    for make in (Batch, GameVectorEnv):
        check("num_games", lambda: make("goofspiel", odd))  # noqa: B023  # called at once
    check("game", lambda: Batch(odd, 1))
    check("agent", lambda: agents.load(odd, "goofspiel"))


def test_a_game_says_which_it_is_in_a_few_letters(game: Game) -> None:
    assert repr(game) == f"<Game {game.id}>"
    parts = (game.rules, game.text, game.presentation, game.metadata)
    assert all(len(repr(part)) < 100 for part in parts)
    assert repr(GameSetup.of(game, {})).count(repr(game)) == 1


def test_the_package_lists_what_it_offers_and_nothing_else() -> None:
    listed = [name for name in dir(titan_env) if not name.startswith("__")]
    assert listed == sorted([*titan_env.FRONT_DOORS, "agents", "evaluation", "training"])
