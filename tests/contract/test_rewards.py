"""What a result is worth to each seat, by hand: ties, draws, teams, and seats that have left before the end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from titan_env import registry
from titan_env.contract import HEADER, MOST_SEATS, Reward, Status, payoff, result_is_final

STATE = np.dtype(HEADER)


def ended(
    won: list[int],
    place: list[int] | None = None,
    scores: list[int] | None = None,
    out: list[int] | None = None,
    over: Status = Status.TERMINATED,
) -> Any:
    """The end of a game of as many seats as there are in `won`."""
    state = np.zeros(1, STATE).view(np.recarray)[0]
    state.seats, state.over = len(won), over
    for name, values in (("won", won), ("place", place), ("scores", scores), ("out", out)):
        state[name][: len(values or [])] = values or []
    return state


def worth(state: Any, reward: Reward, scale: float = 1.0) -> list[float]:
    """What it is worth to each seat."""
    return [round(float(payoff(state, seat, reward, scale)), 6) for seat in range(state.seats)]


@pytest.mark.parametrize(
    ("won", "worths"),
    [
        ([0, 1], [-1, 1]),
        ([1, 1], [0, 0]),
        ([0, 0, 1], [-0.5, -0.5, 1]),
        ([1, 0, 1, 0], [1, -1, 1, -1]),
        ([1, 0, 0, 1, 1], [1, -1.5, -1.5, 1, 1]),
        ([1, 1, 1, 1, 1, 1], [0] * 6),
    ],
)
def test_winners_get_one_each_and_a_draw_of_all_is_worth_nothing(won: list[int], worths: list[float]) -> None:
    assert worth(ended(won), Reward.WIN) == worths


@pytest.mark.parametrize(
    ("won", "out", "worths"),
    [
        ([1, 0, 0], [0, 1, 1], [1, -0.5, -0.5]),
        ([1, 1, 0], [0, 0, 1], [0.25, 0.25, -0.5]),
        ([1, 1, 0, 0], [1, 1, 1, 0], [1 / 3, 1 / 3, -1 / 3, -1 / 3]),
    ],
)
def test_who_leaves_before_the_end_has_lost_what_one_of_all_others_loses(
    won: list[int], out: list[int], worths: list[float]
) -> None:
    assert worth(ended(won, out=out), Reward.WIN) == pytest.approx(worths, abs=1e-6)


@pytest.mark.parametrize(
    ("place", "worths"),
    [
        ([2, 1], [-1, 1]),
        ([1, 1], [0, 0]),
        ([3, 1, 2], [-1, 1, 0]),
        ([1, 3, 1], [0.5, -1, 0.5]),
        ([1, 2, 2, 4], [1, 0, 0, -1]),
        ([5, 1, 3, 2, 3], [-1, 1, -0.25, 0.5, -0.25]),
    ],
)
def test_places_are_worth_even_steps_and_equals_share_the_mean(place: list[int], worths: list[float]) -> None:
    won = [int(number == 1) for number in place]
    assert worth(ended(won, place), Reward.RANK) == worths


def test_without_places_all_winners_come_first() -> None:
    assert worth(ended([0, 1]), Reward.RANK) == [-1, 1]
    assert worth(ended([1, 0, 1, 0]), Reward.RANK) == pytest.approx([2 / 3, -2 / 3, 2 / 3, -2 / 3], abs=1e-6)
    assert worth(ended([1, 1, 1]), Reward.RANK) == [0, 0, 0]


def test_points_count_against_the_mean_of_the_others() -> None:
    assert worth(ended([1, 0], scores=[70_000, 50_000]), Reward.SCORE, 10_000.0) == [2, -2]
    assert worth(ended([1, 0, 0], scores=[9, 3, 0]), Reward.SCORE, 3.0) == [2.5, -0.5, -2]


def test_an_open_result_is_worth_nothing_but_to_who_has_left() -> None:
    running = ended([0, 0, 0], [0, 3, 0], [5, 6, 7], [0, 1, 0], Status.RUNNING)
    assert worth(running, Reward.WIN) == [0, -0.5, 0]
    assert worth(running, Reward.RANK) == [0, -1, 0]
    assert worth(running, Reward.SCORE) == [0, 0, 0], "the others go on, and their points with them"


def test_a_game_cut_short_leaves_results_open_but_its_open_places_are_shared() -> None:
    cut = ended([0, 0, 0], [0, 3, 0], [5, 6, 7], [0, 1, 0], Status.TRUNCATED)
    assert [worth(cut, reward) for reward in Reward] == [[0, -0.5, 0], [0.5, -1, 0.5], [0, 0, 0]]
    nobody_left = ended([0, 0, 0], scores=[5, 6, 7], over=Status.TRUNCATED)
    assert [worth(nobody_left, reward) for reward in Reward] == [[0, 0, 0]] * 3


@pytest.mark.parametrize("over", [Status.RUNNING, Status.TRUNCATED])
def test_once_somebody_has_won_all_others_have_lost(over: Status) -> None:
    state = ended([0, 1, 0], [0, 1, 0], out=[0, 1, 0], over=over)
    assert worth(state, Reward.WIN) == [-0.5, 1, -0.5]
    assert all(result_is_final(state, seat, Reward.WIN) for seat in range(3))
    assert [bool(result_is_final(state, seat, Reward.RANK)) for seat in range(3)] == [False, True, False]


@pytest.mark.parametrize(
    ("place", "worths"), [([1, 0, 0, 2], [1, -2 / 3, -2 / 3, 1 / 3]), ([0, 4, 0, 3], [2 / 3, -1, 2 / 3, -1 / 3])]
)
def test_seats_that_a_limit_stops_share_the_places_that_nobody_took(place: list[int], worths: list[float]) -> None:
    out = [int(number > 0) for number in place]
    won = [int(number == 1) for number in place]
    cut = ended(won, place, out=out, over=Status.TRUNCATED)
    assert worth(cut, Reward.RANK) == pytest.approx(worths, abs=1e-6)


@pytest.mark.thorough
@settings(max_examples=200, deadline=None, derandomize=True, database=None)
@given(st.lists(st.integers(0, 4), min_size=2, max_size=MOST_SEATS), st.data())
def test_every_reward_sums_to_zero(points: list[int], data: st.DataObject) -> None:
    place = [1 + sum(other > own for other in points) for own in points]
    won = [int(number == 1) for number in place]
    out = [0 if number == 1 else data.draw(st.integers(0, 1)) for number in place]
    for state in (ended(won, place, points, out), ended(won, None, points, out)):
        for reward in Reward:
            assert sum(worth(state, reward, 2.0)) == pytest.approx(0, abs=1e-4)


def test_a_reward_that_a_game_does_not_have_is_refused() -> None:
    pig, orchard = registry.load("pig"), registry.load("orchard")
    assert orchard.rules.reward_scale("score") == (Reward.SCORE, 10.0)
    with pytest.raises(ValueError, match="expected reward to be one of win, rank, score, got 'money'"):
        pig.rules.reward_scale("money")
    with pytest.raises(ValueError, match="the game has no points; it has no score_scale"):
        pig.rules.reward_scale("score")
