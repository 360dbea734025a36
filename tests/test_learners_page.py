"""The page that compares learners counts seeds and games as it says."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tools.learners_page import chosen, estimate_wins, read_runs

pytestmark = pytest.mark.thorough


def runs(game: str, wins: list[float], seconds: int = 15, learner: str = "PPO") -> list[dict[str, Any]]:
    """Return a run for each share of wins against random."""
    return [{"game": game, "learner": learner, "seconds": seconds, "wins": {"random": share}} for share in wins]


def test_the_best_and_the_worst_quarter_of_all_games_and_seeds_do_not_count() -> None:
    known = runs("one", [0.0, 0.4, 0.5, 0.6]) + runs("two", [0.4, 0.5, 0.6, 1.0])
    found = estimate_wins(known, "random")
    assert round(found.value, 6) == 50.0
    assert 0 < found.low < 50.0 < found.high < 100


def test_runs_that_agree_leave_no_doubt() -> None:
    found = estimate_wins(runs("one", [0.25] * 5) + runs("two", [0.75] * 5), "random")
    assert (found.low, found.value, found.high) == (50.0, 50.0, 50.0)


def test_a_learner_without_untrained_runs_begins_as_a_plain_network() -> None:
    known = runs("one", [0.1], seconds=0) + runs("one", [0.2], learner="double DQN")
    assert chosen(known, "double DQN", 0) == chosen(known, "PPO", 0) == known[:1]
    assert chosen(known, "double DQN", 15) == known[1:]
    assert chosen(known, "PPO", 15) == []


def test_every_learner_has_as_many_seeds_in_every_game() -> None:
    seeds = Counter((run["game"], run["learner"], run["seconds"]) for run in read_runs())
    assert set(seeds.values()) == {5}
