"""The page that compares learners tells each learner, budget and game apart, and says what was not run."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from tools.learners_page import NOT_RUN, by_game, by_reduced_game, read_losses, read_runs, rows_of

pytestmark = pytest.mark.thorough


def runs(game: str, wins: list[float], learner: str = "PPO", budget: int = 100) -> list[dict[str, Any]]:
    """Return a run for each share of wins against random."""
    about = {"game": game, "learner": learner, "budget": budget, "decisions": budget, "seconds": 7.0}
    return [{**about, "wins": {"random": share}} for share in wins]


def test_budgets_of_a_learner_are_rows_of_their_own_the_untrained_network_first() -> None:
    known = runs("titan_race", [0.2]) + runs("titan_race", [0.9], "MMD") + runs("titan_race", [0.1], budget=0)
    assert list(rows_of(known)) == [("PPO", 0), ("PPO", 100), ("MMD", 100)]


def test_a_learner_that_lacks_a_game_has_no_number_of_all_games() -> None:
    known = (
        runs("titan_race", [0.2, 0.4]) + runs("titan_race", [0.5, 0.5], "MMD") + runs("titan_war", [0.7, 0.7], "MMD")
    )
    headings, (ppo, mmd, constant) = by_game(known, "random")
    assert headings == ["learner", "decisions", "seconds", "seeds", "all games", "Titan Race", "Titan: war"]
    assert ppo[:5] == ["PPO", "100", "7", "2", NOT_RUN]
    assert ppo[5].startswith("30.0 (")
    assert ppo[6] == NOT_RUN
    assert mmd[4].startswith("60.0 (")
    assert mmd[5:] == ["50.0 (50.0 to 50.0)", "70.0 (70.0 to 70.0)"]
    assert constant[0] == "best constant action"


def test_an_opponent_whom_nobody_met_has_no_rows() -> None:
    assert by_game(runs("titan_race", [0.5, 0.6]), "expert")[1] == []


def test_every_number_of_the_page_is_of_five_seeds() -> None:
    seeds = Counter((run["game"], run["learner"], run["budget"]) for run in read_runs())
    assert set(seeds.values()) == {5}


def test_losses_in_reduced_games_are_hundredths_of_a_payoff_on_average_of_both_seats() -> None:
    races = "titan_env.games.titan_race.solver.last_turns:"
    about = {"learner": "PPO", "budget": 100, "decisions": 100}
    played = [{**about, "game": f"{races}HIDDEN_HANDS", "losses": [lost, 0.0]} for lost in (0.1, 0.3)]
    agent = {"learner": "`random`", "budget": 0, "decisions": 0, "game": f"{races}OPEN_HANDS", "losses": [0.5, 0.25]}
    headings, (ppo, random) = by_reduced_game([*played, agent])
    assert headings[3:] == ["Titan Race, last turns, hidden hands", "Titan Race, last turns, open hands"]
    assert ppo[:3] == ["PPO", "100", "2"]
    assert ppo[3].startswith("10.0 (0.0 to ")
    assert ppo[4] == NOT_RUN
    assert random == ["`random`", "", "", NOT_RUN, "37.5"]


def test_every_learner_of_the_table_of_reduced_games_has_three_seeds() -> None:
    seeds = Counter((run["game"], run["learner"], run["budget"]) for run in read_losses() if "`" not in run["learner"])
    assert set(seeds.values()) == {3}
