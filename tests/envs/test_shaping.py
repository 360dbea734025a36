"""Shaped rewards add up to nothing but the potential of the first observation."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.policies import some_legal
from titan_env.contract import Game
from titan_env.envs.shaping import Potential, ShapedEnv, ShapedVectorEnv
from titan_env.envs.single_agent import GameEnv
from titan_env.envs.vector import GameVectorEnv

pytestmark = pytest.mark.one_preset_per_seating

GAMMA = 0.9


@pytest.fixture
def weights(game: Game) -> dict[str, Any]:
    """A weight for some fields: one for all its numbers, or one for each."""
    rng = np.random.default_rng(0)
    parts = game.rules.fields.parts
    return {parts[0].name: 0.5, parts[-1].name: rng.normal(size=parts[-1].shape)}


def test_solo_telescopes(game: Game, options: dict[str, Any], weights: dict[str, Any]) -> None:
    """Over an episode the discounted extra is minus the first potential, plus a truncated end's."""
    env = ShapedEnv(GameEnv(game, **options), weights, GAMMA)
    potential, rng = Potential(game.rules.fields, weights), np.random.default_rng(0)
    for seed in range(6):
        observation, info = env.reset(seed=seed)
        extra, discount, over, first = 0.0, 1.0, False, float(potential(observation))
        while not over:
            np.testing.assert_array_equal(env.action_masks(), info["action_mask"] == 1)
            observation, reward, terminated, truncated, info = env.step(
                int(some_legal(info["action_mask"][None], rng)[0])
            )
            extra += discount * (reward - info["unshaped_reward"])
            discount *= GAMMA
            over = terminated or truncated
        last = discount * float(potential(observation)) if truncated else 0.0
        assert extra == pytest.approx(last - first, abs=1e-5)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_vector_telescopes(game: Game, options: dict[str, Any], weights: dict[str, Any], mode: AutoresetMode) -> None:
    """The same in each row, whatever the autoreset mode."""
    env = ShapedVectorEnv(GameVectorEnv(game, 4, autoreset_mode=mode, **options), weights, GAMMA)
    potential, rng = Potential(game.rules.fields, weights), np.random.default_rng(0)
    observations, infos = env.reset(seed=1)
    first, extra, discount, games = potential(observations), np.zeros(4), np.ones(4), 0
    fresh = np.zeros(4, np.bool_)
    while games < 12:
        actions = some_legal(infos["action_mask"], rng)
        observations, rewards, terminations, truncations, infos = env.step(actions)
        if mode == AutoresetMode.NEXT_STEP:
            assert not rewards[fresh].any()
            first[fresh] = potential(observations)[fresh]
        extra += discount * (rewards - infos["unshaped_reward"])
        discount = np.where(fresh & (mode == AutoresetMode.NEXT_STEP), discount, discount * GAMMA)
        finished = terminations | truncations
        for row in np.flatnonzero(finished):
            final = infos["final_obs"][row] if mode == AutoresetMode.SAME_STEP else observations[row]
            last = discount[row] * potential(final) if truncations[row] else 0.0
            assert extra[row] == pytest.approx(last - first[row], abs=1e-5)
            games += 1
        if mode == AutoresetMode.DISABLED and finished.any():
            observations, infos = env.reset(options={"reset_mask": finished})
        extra[finished], discount[finished] = 0, 1
        if mode != AutoresetMode.NEXT_STEP:
            first[finished] = potential(observations)[finished]
        fresh = finished


def test_bad_input_gets_one_clear_error(game: Game, options: dict[str, Any]) -> None:
    """Unknown fields, wrong shapes, discounts and environments say what was expected."""
    name = game.rules.fields.parts[0].name
    with pytest.raises(ValueError, match="names of observation fields"):
        Potential(game.rules.fields, {"no such field": 1.0})
    with pytest.raises(ValueError, match="one weight"):
        Potential(game.rules.fields, {name: np.zeros(1000)})
    with pytest.raises(ValueError, match="gamma"):
        ShapedEnv(GameEnv(game, **options), {name: 1.0}, gamma=2)
    with pytest.raises(TypeError, match="different seats"):
        ShapedVectorEnv(GameVectorEnv(game, 2, seats="all", **options), {name: 1.0})
