"""The options of the games of a run are dealt from its config in rotation, every combination as often."""

from __future__ import annotations

from collections import Counter

import pytest

from titan_env.training.ppo_config import Config


def test_options_that_vary_are_dealt_in_every_combination() -> None:
    dealt = Config(vary={"titans": [2, 4], "circuit": ["a", "b"]}, num_envs=8).dealt()
    combinations = Counter((options["titans"], options["circuit"]) for options in dealt)
    assert combinations == {(2, "a"): 2, (2, "b"): 2, (4, "a"): 2, (4, "b"): 2}


def test_a_value_that_is_given_twice_is_dealt_twice_as_often() -> None:
    dealt = Config(vary={"titans": [2, 4, 4]}, num_envs=6).dealt()
    assert [options["titans"] for options in dealt] == [2, 4, 4, 2, 4, 4]


def test_tables_besides_have_one_option_each() -> None:
    dealt = Config(vary={"titans": [2, 4]}, also={"variant": ["2v2", "3v3"], "circuit": ["a"]}, num_envs=5).dealt()
    assert dealt == [{"titans": 2}, {"titans": 4}, {"variant": "2v2"}, {"variant": "3v3"}, {"circuit": "a"}]


def test_without_options_every_game_is_the_usual_one() -> None:
    assert Config(num_envs=2).dealt() == [{}, {}]


def test_fewer_games_than_combinations_are_refused() -> None:
    with pytest.raises(ValueError, match="expected at least 4 games, one for each combination, got 3"):
        Config(vary={"titans": [2, 4], "circuit": ["a", "b"]}, num_envs=3).dealt()
