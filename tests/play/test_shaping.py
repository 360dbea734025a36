"""Shaped rewards add up to nothing but the potential of the first observation, in every environment that shapes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.policies import some_legal
from titan_env.contract import Game
from titan_env.envs.single_agent import GameEnv
from titan_env.envs.vector import GameVectorEnv
from titan_env.play.shaping import Potential

pytest.importorskip("sb3_contrib")

from titan_env.envs.sb3 import GameVecEnv

pytestmark = pytest.mark.one_preset_per_seating

GAMMA = 0.9


@pytest.fixture
def weights(game: Game) -> dict[str, Any]:
    """A weight for some fields: one for all its numbers, or one for each, as lists that JSON can hold."""
    rng = np.random.default_rng(0)
    parts = game.rules.fields.parts
    return {parts[0].name: 0.5, parts[-1].name: rng.normal(size=parts[-1].shape).tolist()}


def test_solo_telescopes(game: Game, options: dict[str, Any], weights: dict[str, Any]) -> None:
    """Over an episode the discounted extra is minus the first potential, plus a truncated end's."""
    env = GameEnv(game, shaping=weights, gamma=GAMMA, **options)
    potential, rng = Potential(game, weights), np.random.default_rng(0)
    for seed in range(6):
        observation, info = env.reset(seed=seed)
        extra, discount, over, first = 0.0, 1.0, False, float(potential(observation))
        while not over:
            action = int(some_legal(info["action_mask"][None], rng)[0])
            observation, reward, terminated, truncated, info = env.step(action)
            extra += discount * (reward - info["unshaped_reward"])
            discount *= GAMMA
            over = terminated or truncated
        last = discount * float(potential(observation)) if truncated else 0.0
        assert extra == pytest.approx(last - first, abs=1e-5)


@pytest.mark.parametrize("mode", list(AutoresetMode))
def test_vector_telescopes(game: Game, options: dict[str, Any], weights: dict[str, Any], mode: AutoresetMode) -> None:
    """The same in each row, whatever the autoreset mode."""
    env = GameVectorEnv(game, 4, autoreset_mode=mode, shaping=weights, gamma=GAMMA, **options)
    potential, rng = Potential(game, weights), np.random.default_rng(0)
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


def rewards_of(env: Any, steps: int = 40) -> Any:
    """Return the rewards (steps, N) of two games in any environment, each with the first legal action."""
    if isinstance(env, GameVecEnv):
        env.seed(3)
        env.reset()
        return np.stack([env.step(env.action_masks().argmax(axis=1))[1] for _ in range(steps)])
    _, infos = env.reset(seed=3)
    received = []
    for _ in range(steps):
        _, rewards, _, _, infos = env.step(infos["action_mask"].argmax(axis=1))
        received.append(rewards)
    return np.stack(received)


def test_whatever_is_observed_rewards_are_shaped_alike(
    game: Game, options: dict[str, Any], weights: dict[str, Any]
) -> None:
    """The potential is of the game's own observation: in whole numbers, in a choice of fields, and for each library."""
    shaped: dict[str, Any] = {"shaping": weights, "gamma": GAMMA, "autoreset_mode": "SAME_STEP", **options}
    usual = rewards_of(GameVectorEnv(game, 2, **shaped))
    one_field = [game.rules.fields.parts[0].name]
    np.testing.assert_array_equal(rewards_of(GameVectorEnv(game, 2, fields=one_field, **shaped)), usual)
    if game.rules.fields.whole:
        np.testing.assert_array_equal(rewards_of(GameVectorEnv(game, 2, whole=True, **shaped)), usual)
    del shaped["autoreset_mode"]
    np.testing.assert_allclose(rewards_of(GameVecEnv(game, 2, **shaped)), usual, atol=1e-6)


def test_a_snapshot_keeps_the_potentials(game: Game, options: dict[str, Any], weights: dict[str, Any]) -> None:
    env = GameVectorEnv(game, 2, shaping=weights, **options)
    _, infos = env.reset(seed=1)
    moment, actions = env.batch.snapshot(), infos["action_mask"].argmax(axis=1)
    first = env.step(actions)[1]
    env.batch.restore(moment)
    np.testing.assert_array_equal(env.step(actions)[1], first)


@pytest.mark.parametrize("api", [GameEnv, GameVectorEnv, lambda game, **more: GameVecEnv(game, 2, **more)])
def test_bad_input_gets_one_clear_error(game: Game, options: dict[str, Any], api: Any) -> None:
    """Unknown fields, wrong shapes, discounts and environments say what was expected."""
    name = game.rules.fields.parts[0].name
    with pytest.raises(ValueError, match="names of observation fields"):
        api(game, shaping={"no such field": 1.0}, **options)
    with pytest.raises(ValueError, match="one weight"):
        api(game, shaping={name: np.zeros(1000)}, **options)
    with pytest.raises(TypeError, match="expected shaping as weights by field"):
        api(game, shaping=[name], **options)
    with pytest.raises(ValueError, match="gamma"):
        api(game, shaping={name: 1.0}, gamma=2, **options)
    with pytest.raises(ValueError, match="different seats"):
        GameVectorEnv(game, 2, seats="all", shaping={name: 1.0}, **options)
