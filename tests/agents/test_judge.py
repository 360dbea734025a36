"""The judge of an analysis: a game's smallest policy with its values, or the default agent without any."""

from __future__ import annotations

import importlib.util

import numpy as np
import pytest

from titan_env import agents, registry
from titan_env.agents.judge import critic_of, judge_of
from titan_env.contract import Status
from titan_env.engine.batch import Batch


def test_a_policy_judges_where_a_game_has_one_and_it_can_be_played(monkeypatch: pytest.MonkeyPatch) -> None:
    assert judge_of(registry.load("titan_race")) == "ppo@titan_race-v3"
    assert judge_of(registry.load("titan_battle")) == "greedy"
    assert judge_of(registry.load("pig")) == "random"
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    assert judge_of(registry.load("titan_race")) == "greedy"


def test_a_critic_says_chances_that_add_up_and_those_of_the_end_are_its_result() -> None:
    game = registry.load("titan_race")
    assert critic_of(agents.load("greedy", game)) is None
    critic, batch = critic_of(agents.load("ppo@titan_race-v3", game)), Batch(game, 8, titans=3)
    assert critic is not None
    batch.start()
    chances = critic(batch)
    assert chances.shape == (8, 3)
    assert (chances >= 0).all()
    np.testing.assert_allclose(chances.sum(axis=1), 1, atol=0.05)
    batch.restarts = False
    while not batch.over.all():
        batch.rollout(1000)
    assert (batch.states["over"] != Status.RUNNING).all()
    won = batch.states["won"][:, :3] != 0
    one = won.sum(axis=1) == 1
    np.testing.assert_allclose(critic(batch)[one], won[one], atol=1e-6)
