"""Libraries that ask every agent for an action play games with eliminations to their end."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from pettingzoo import AECEnv
from pettingzoo.utils.conversions import turn_based_aec_to_parallel

from tests.games.frontier import GAME
from titan_env.envs.aec import GameAEC
from titan_env.envs.dead_steps import DeadSteps


def mask_of(env: AECEnv[str, Any, Any], agent: str) -> Any:
    """The mask that an agent observes."""
    observation = env.observe(agent)
    assert observation is not None
    return observation["action_mask"]


def choose(mask: Any, rng: np.random.Generator) -> int:
    """Any legal action."""
    return int(rng.choice(np.flatnonzero(mask)))


@pytest.mark.parametrize("reward", ["win", "rank"])
def test_who_is_asked_is_in_the_game_and_everybody_is_paid_once(reward: str) -> None:
    game = GameAEC(GAME, reward=reward)
    env = DeadSteps(game)
    rng, early = np.random.default_rng(0), 0
    for seed in range(20):
        env.reset(seed=seed)
        total = dict.fromkeys(env.possible_agents, 0.0)
        while not all(env.terminations.values()):
            out = [agent for agent, is_out in env.terminations.items() if is_out]
            assert env.agent_selection not in out
            assert [agent in env.agents for agent in env.possible_agents] == [
                agent not in out for agent in env.possible_agents
            ]
            assert not any(mask_of(env, agent).any() for agent in out)
            assert set(env.infos) == set(env.possible_agents)
            early += len(out)
            env.step(choose(mask_of(env, env.agent_selection), rng))
            assert not any(env.rewards[agent] for agent in out)
            for agent, paid in env.rewards.items():
                total[agent] += paid
        payoffs = game.batch.payoffs(reward)[0]
        assert list(total.values()) == pytest.approx(payoffs[: len(total)].tolist())
    assert early


def test_a_game_that_is_cut_short_ends_for_those_in_it() -> None:
    env = DeadSteps(GameAEC(GAME, max_cycles=3))
    env.reset(seed=0)
    for _ in range(3):
        env.step(int(np.flatnonzero(mask_of(env, env.agent_selection))[0]))
    assert all(env.truncations.values())
    *_, truncated, _ = env.last()
    assert truncated


def test_pettingzoos_own_conversion_plays_on_after_somebody_is_out() -> None:
    game = GameAEC(GAME)
    env = turn_based_aec_to_parallel(game)
    rng, early = np.random.default_rng(0), 0
    for seed in range(10):
        env.reset(seed=seed)
        total = dict.fromkeys(env.possible_agents, 0.0)
        while env.agents:
            early += len(env.agents) < len(total)
            asked = game.agent_selection
            actions: dict[str, Any] = dict.fromkeys(env.agents, 0) | {asked: choose(mask_of(game, asked), rng)}
            _, rewards, *_ = env.step(actions)
            for agent, paid in rewards.items():
                total[agent] += paid
        assert sum(total.values()) == pytest.approx(0, abs=1e-6)
    assert early
