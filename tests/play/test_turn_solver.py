"""The best chance of winning within a turn, in a game where a formula says it."""

from __future__ import annotations

from typing import Any

import pytest

from tests.games import pig
from titan_env import registry
from titan_env.play.turn_solver import TurnSolver

PIG = registry.load("pig")


def position(points: int, heap: int, goal: int = 20) -> Any:
    """A game of Pig in which seat 0 is to roll or hold."""
    state = pig.configure(2, goal)[0]
    state.points[0], state.heap, state.ask = points, heap, pig.Ask.ROLL_OR_HOLD
    return state


def chance_to_reach(needed: int) -> float:
    """How likely it is to roll so many points in one turn of Pig, in which a 1 takes all."""
    return 1.0 if needed <= 0 else sum(chance_to_reach(needed - face) for face in range(2, 7)) / 6


@pytest.mark.parametrize(("points", "heap"), [(14, 5), (15, 1), (12, 3), (19, 0)])
def test_the_best_chance_in_pig_is_what_a_formula_says(points: int, heap: int) -> None:
    state = position(points, heap)
    assert TurnSolver(PIG, state).value(state) == pytest.approx(chance_to_reach(20 - points - heap))
