"""What every game needs around its rules stands once, around them: no game keeps these books itself."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.games import game_with, pig
from tests.games.pig import GAME as PIG
from titan_env.contract import LOG, SILENT, Game, events_of, outcomes, preset, seeded
from titan_env.contract.frame import FRAMES, written_by_the_game


@pytest.fixture
def begun() -> tuple[Any, Any, Any]:
    """A game of Pig in which nobody has rolled yet, with its luck and its log."""
    states, luck = PIG.rules.configure(goal=6), seeded([1])
    PIG.rules.setup(states[0], luck[0])
    return states[0], luck[0], np.zeros(1, LOG).view(np.recarray)[0]


def test_a_step_counts_one_decision_and_begins_with_an_empty_log_and_no_answers(begun: tuple[Any, Any, Any]) -> None:
    state, luck, log = begun
    for decision in (1, 2, 3):
        preset(luck, [4])  # a five
        PIG.rules.step(state, pig.ROLL, luck, log)
        assert (state.decisions, len(events_of(log)), outcomes(luck).tolist()) == (decision, 1, [[4, 6]])
        assert luck.given == 0, "an answer that was set beforehand is used up"


def test_nobody_is_asked_anything_when_the_game_is_over(begun: tuple[Any, Any, Any]) -> None:
    state, luck, log = begun
    preset(luck, [5])
    PIG.rules.step(state, pig.ROLL, luck, log)
    assert state.ask == pig.Ask.ROLL_OR_HOLD
    PIG.rules.step(state, pig.HOLD, luck, log)
    assert (state.over, state.ask) == (1, 0)


def test_a_log_to_which_nobody_listens_stays_silent(begun: tuple[Any, Any, Any]) -> None:
    state, luck, log = begun
    log.count = SILENT
    PIG.rules.step(state, pig.ROLL, luck, log)
    assert log.count == SILENT


def test_every_caller_gets_the_framed_rule(game: Game) -> None:
    for name, frame in FRAMES.items():
        framed = getattr(game.rules, name)
        if framed is not None:
            assert getattr(framed, "py_func", framed).__code__ is frame.__code__
            assert game.rules.functions.get(name, framed) is framed
            written = written_by_the_game(framed)
            assert getattr(written, "py_func", written).__code__ is not frame.__code__


def test_a_game_that_is_made_from_another_is_framed_once(begun: tuple[Any, Any, Any]) -> None:
    state, luck, log = begun
    twice = game_with(game_with(PIG, title="Twice"), version=1)
    twice.rules.step(state, pig.ROLL, luck, log)
    assert state.decisions == 1
