"""Estimates of chances: play-outs and a critic's values added up, and errors that are never too sure."""

from __future__ import annotations

import numpy as np

from tests.records.test_analysis import pig
from titan_env.contract import Status
from titan_env.records.estimates import CRITIC_WORLDS, ChanceEstimate

WON = np.array([[1.0, 0.0]])


def test_play_outs_are_added_up_and_nothing_is_told_before_the_first() -> None:
    nothing = ChanceEstimate(pig(100, 0, 0).states, np.zeros(2))
    assert nothing.expected is None
    some = nothing.with_play_outs(np.repeat(WON, 6, axis=0)).with_play_outs(np.repeat(1 - WON, 2, axis=0))
    assert some.expected is not None
    assert (some.expected.chances.tolist(), some.expected.worlds) == ([0.75, 0.25], 8)


def test_a_critic_counts_as_a_few_play_outs() -> None:
    judged = ChanceEstimate(pig(100, 0, 0).states, np.zeros(2)).with_critic(np.array([0.5, 0.5]))
    assert judged.expected is not None
    assert (judged.expected.chances.tolist(), judged.expected.worlds) == ([0.5, 0.5], 0)
    refined = judged.with_play_outs(np.repeat(WON, CRITIC_WORLDS, axis=0))
    assert refined.expected is not None
    assert refined.expected.chances.tolist() == [0.75, 0.25]
    assert (refined.expected.errors < judged.expected.errors).all()


def test_eight_play_outs_that_were_all_won_leave_a_doubt_and_the_end_leaves_none() -> None:
    states = pig(100, 0, 0).states
    found = ChanceEstimate(states, np.zeros(2)).with_play_outs(np.repeat(WON, 8, axis=0)).expected
    assert found is not None
    assert (found.errors > 0.05).all()
    states["over"] = Status.TERMINATED
    end = ChanceEstimate(states, np.zeros(2)).with_play_outs(WON).expected
    assert end is not None
    assert not end.errors.any()


def test_the_intervals_of_eight_play_outs_hold_the_chance_in_19_of_20_cases() -> None:
    rng, states = np.random.default_rng(0), pig(100, 0, 0).states
    for chance in (0.02, 0.1, 0.3, 0.5):
        won = (rng.random((2000, 8)) < chance).astype(float)
        held = 0
        for row in won:
            found = ChanceEstimate(states, np.zeros(2)).with_play_outs(np.stack([row, 1 - row], axis=1)).expected
            assert found is not None
            held += abs(found.chances[0] - chance) <= 1.96 * found.errors[0]
        assert held / len(won) > 0.93
