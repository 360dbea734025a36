"""The Stable-Baselines3 environment: many games, batched masks, one process."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.envs.arrays import assert_same_games, overwrite
from tests.policies import settled, some_legal
from titan_env.contract import Game
from titan_env.envs.single_agent import GameEnv
from titan_env.envs.vector import GameVectorEnv

pytest.importorskip("sb3_contrib")

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3.common.monitor import Monitor

from titan_env.envs import sb3
from titan_env.envs.sb3 import GameVecEnv

pytestmark = pytest.mark.one_preset_per_seating


@pytest.mark.parametrize("opponents", ["random", settled], ids=["random", "agent"])
def test_same_seed_same_game_in_every_api(game: Game, options: dict[str, Any], opponents: Any) -> None:
    """Row i with seed s + i is the same game with one agent, as a vector and for Stable-Baselines3."""
    ours = GameVecEnv(game, 3, opponents=opponents, **options)
    batch = GameVectorEnv(game, 3, opponents=opponents, autoreset_mode="SameStep", **options)
    single = GameEnv(game, opponents=opponents, **options)
    ours.seed(40)
    observations = ours.reset()
    theirs, infos = batch.reset(seed=40)
    mine, info = single.reset(seed=42)
    games, rng = 0, np.random.default_rng(0)
    while games < 1:
        np.testing.assert_array_equal(observations, theirs)
        np.testing.assert_array_equal(observations[2], mine)
        masks = get_action_masks(ours)
        assert masks.dtype == np.bool_
        np.testing.assert_array_equal(masks, infos["action_mask"] == 1)
        actions = some_legal(masks, rng)
        observations, rewards, dones, news = ours.step(actions)
        theirs, vector_rewards, terminations, truncations, infos = batch.step(actions)
        mine, reward, terminated, truncated, info = single.step(actions[2])
        np.testing.assert_array_equal(rewards, vector_rewards.astype(np.float32))
        np.testing.assert_array_equal(dones, terminations | truncations)
        assert rewards[2] == np.float32(reward)
        for row in np.flatnonzero(dones):
            np.testing.assert_array_equal(news[row]["terminal_observation"], infos["final_obs"][row])
            assert news[row]["TimeLimit.truncated"] == truncations[row]
        if terminated or truncated:
            games += 1
            mine, info = single.reset()
    assert info["seat"] == ours.batch.learners[2]


def test_vec_env_contract(game: Game, options: dict[str, Any]) -> None:
    """Masks, attributes, infos and episode statistics are as the algorithms expect them."""
    env = sb3.make(4, game=game, **options)
    assert is_masking_supported(env)
    assert not env.has_attr("no_such_thing")
    assert env.env_is_wrapped(Monitor) == [True] * 4
    assert env.get_attr("num_envs", [0, 1]) == [4, 4]
    env.set_attr("mark", 3)
    assert env.get_attr("mark") == [3] * 4
    with pytest.raises(ValueError, match="share"):
        env.set_attr("mark", 4, [0])
    env.seed(1)
    kept = observations = env.reset()
    copy = kept.copy()
    returns, lengths, games, rng = np.zeros(4), np.zeros(4, int), 0, np.random.default_rng(0)
    while games < 8:
        masks = env.env_method("action_masks")
        np.testing.assert_array_equal(env.env_method("action_masks", indices=[2]), masks[2:3])
        actions = some_legal(masks, rng)
        observations, rewards, dones, infos = env.step(actions)
        assert rewards.dtype == np.float32
        assert observations.dtype == np.float32
        returns += rewards
        lengths += 1
        for row, info in enumerate(infos):
            assert bool(info) == dones[row]
            if info:
                assert info["episode"]["r"] == pytest.approx(returns[row])
                assert info["episode"]["l"] == lengths[row]
        returns[dones] = 0
        lengths[dones] = 0
        games += dones.sum()
    np.testing.assert_array_equal(kept, copy)
    assert env.env_method("set_opponents", settled, indices=[0, 1]) == [None, None]
    env.close()


@pytest.mark.thorough
def test_maskable_ppo_trains_and_is_evaluated(game: Game) -> None:
    """MaskablePPO learns, plays itself as the opponent, predicts and is evaluated, all in one process."""
    env = GameVecEnv(game, 4, **game.metadata.benchmark_options)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=64, n_epochs=1, seed=0, device="cpu")
    model.learn(128)

    def itself(observations: Any, masks: NDArray[np.int8], rng: np.random.Generator) -> Any:
        return model.predict(observations, action_masks=masks.astype(np.bool_))[0]

    env.set_opponents(itself)
    model.learn(128)
    assert env.batch.illegal.sum() == 0
    env.set_opponents("random")
    returns, lengths = evaluate_policy(model, env, n_eval_episodes=2, return_episode_rewards=True)
    assert len(returns) == len(lengths) >= 2


@pytest.mark.thorough
def test_nobody_else_needs_it() -> None:
    """The other APIs are imported without Stable-Baselines3 and torch."""
    code = (
        "import sys, titan_env.envs.vector, titan_env.envs.single_agent, titan_env.play.shaping\n"
        "import titan_env.play.transitions\n"
        "assert not {'stable_baselines3', 'torch'} & set(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


def test_writing_into_what_was_returned_changes_no_game(game: Game, options: dict[str, Any]) -> None:
    """Two equal environments are played by actions out of their true states, 60 steps, past the end of a small game."""
    clean, overwritten = (sb3.make(3, game=game, **options) for _ in range(2))
    clean.seed(5)
    clean.reset()
    overwritten.seed(5)
    overwrite((overwritten.reset(), overwritten.action_masks()))
    for step in range(60):
        actions = some_legal(clean.batch.masks, np.random.default_rng(step))
        clean.step(actions)
        overwrite((overwritten.step(actions.copy()), overwritten.action_masks()))
        assert_same_games(clean.batch, overwritten.batch)


def test_an_environment_is_used_after_its_first_reset_only(game: Game) -> None:
    with pytest.raises(ValueError, match=r"not begun.*reset it first"):
        sb3.make(2, game=game).step(np.zeros(2, int))


def test_copy_is_no_keyword(game: Game) -> None:
    """Stable-Baselines3 keeps what it is given."""
    with pytest.raises(TypeError, match="got 'copy'"):
        sb3.make(2, game=game, copy=False)
