"""A seat that is out before the game ends: let go at once by every API, with its reward, while the others play on."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.games.frontier import GAME
from tests.policies import settled, some_legal
from titan_env.contract import Status
from titan_env.envs.aec import GameAEC
from titan_env.envs.single_agent import GameEnv
from titan_env.envs.vector import GameVectorEnv
from titan_env.play.transitions import Transitions

FALLEN = {"win": -0.5, "rank": -1.0}
"""What it is worth to fall first of three."""


def until_somebody_is_out(reward: str) -> GameAEC:
    """A war of three in which somebody has just fallen, and the others go on."""
    env = GameAEC(GAME, reward=reward)
    rng = np.random.default_rng(0)
    for seed in range(100):
        env.reset(seed=seed)
        while env.batch.states[0].over == Status.RUNNING:
            if env.batch.states[0].out.any():
                return env
            mask = env.observe(env.agent_selection)["action_mask"]
            env.step(int(rng.choice(np.flatnonzero(mask))))
    raise AssertionError("expected somebody to fall in a hundred wars")


@pytest.mark.parametrize("reward", FALLEN)
def test_an_agent_that_is_out_hears_its_reward_and_is_gone_while_the_others_play_on(reward: str) -> None:
    env = until_somebody_is_out(reward)
    fallen = env.possible_agents[int(env.batch.states[0].out.argmax())]
    asked = env.possible_agents[int(env.batch.states[0].seat)]
    assert env.agent_selection == fallen
    assert env.terminations == {agent: agent == fallen for agent in env.possible_agents}
    observation, paid, terminated, truncated, info = env.last()
    assert observation is not None
    assert (paid, terminated, truncated, info["ask"]) == (FALLEN[reward], True, False, 0)
    assert not observation["action_mask"].any()
    with pytest.raises(ValueError, match=f"expected None from {fallen}, whose game is over, got 0"):
        env.step(0)
    env.step(None)
    assert env.agents == [agent for agent in env.possible_agents if agent != fallen]
    assert env.agent_selection == asked
    assert env.infos[asked]["ask"]
    observation, paid, terminated, *_ = env.last()
    assert observation is not None
    assert (paid, terminated) == (0, False)
    assert observation["action_mask"].any()
    rng, total = np.random.default_rng(1), {fallen: FALLEN[reward]}
    for agent in env.agent_iter():
        assert agent != fallen
        observation, paid, terminated, *_ = env.last()
        assert observation is not None
        total[agent] = total.get(agent, 0.0) + paid
        env.step(None if terminated else int(rng.choice(np.flatnonzero(observation["action_mask"]))))
    assert sum(total.values()) == pytest.approx(0, abs=1e-6)


def test_a_snapshot_between_the_fall_and_the_farewell_goes_on_there() -> None:
    env = until_somebody_is_out("win")
    moment, fallen = env.snapshot(), env.agent_selection
    env.step(None)
    env.restore(moment)
    assert env.agent_selection == fallen
    env.step(None)
    assert fallen not in env.agents


def test_by_points_nobody_is_let_go_before_the_end() -> None:
    env = until_somebody_is_out("score")
    assert env.agents == env.possible_agents
    assert not any(env.terminations.values())
    assert env.agent_selection == env.possible_agents[int(env.batch.states[0].seat)]


def episodes(env: GameEnv, count: int) -> list[tuple[float, bool]]:
    """The return of each episode, and whether the others were still playing when it ended."""
    rng, ends = np.random.default_rng(0), []
    for seed in range(count):
        _, info = env.reset(seed=seed)
        over, total = False, 0.0
        while not over:
            _, reward, terminated, truncated, info = env.step(int(some_legal(info["action_mask"][None], rng)[0]))
            total += reward
            over = terminated or truncated
        assert not info["action_mask"].any()
        ends.append((total, bool(env.batch.states[0].over == Status.RUNNING)))
    return ends


@pytest.mark.parametrize("opponents", ["random", settled], ids=["random", "agent"])
@pytest.mark.parametrize("reward", FALLEN)
def test_a_learner_that_is_out_has_reached_its_end(reward: str, opponents: Any) -> None:
    ends = episodes(GameEnv(GAME, seat=1, reward=reward, opponents=opponents), 40)
    early = [total for total, is_running in ends if is_running]
    assert early
    assert set(early) == {FALLEN[reward]}


@pytest.mark.parametrize("opponents", ["random", settled], ids=["random", "agent"])
def test_by_points_a_learner_that_is_out_waits_for_the_others(opponents: Any) -> None:
    ends = episodes(GameEnv(GAME, seat=1, reward="score", opponents=opponents), 20)
    assert not any(is_running for _, is_running in ends)
    assert any(total for total, _ in ends)


def test_rows_whose_learner_is_out_begin_anew_beside_others() -> None:
    env = GameVectorEnv(GAME, 16, reward="rank", autoreset_mode="SAME_STEP")
    _, infos = env.reset(seed=1)
    rng, early = np.random.default_rng(1), 0
    for _ in range(60):
        before = env.batch.states.copy()
        _, rewards, terminations, truncations, infos = env.step(some_legal(infos["action_mask"], rng))
        assert not truncations.any()
        assert not rewards[~terminations].any()
        early += int((rewards[terminations] == -1).sum())
        assert (env.batch.states["decisions"][terminations] <= before["decisions"][terminations] + 16).all()
        assert infos["action_mask"].any(axis=1).all()
    assert early


def test_self_play_settles_each_seat_when_it_is_out_and_ends_its_last_decision_there() -> None:
    env = GameVectorEnv(GAME, 8, seats="all", autoreset_mode="SAME_STEP")
    _, infos = env.reset(seed=2)
    rng, steps, early = np.random.default_rng(2), 200, 0
    links, latest = Transitions(steps, 8), np.full((8, 6), -1)
    for step in range(steps):
        seats = infos["seat"].copy()
        latest[np.arange(8), seats] = step
        _, _, terminations, truncations, infos = env.step(some_legal(infos["action_mask"], rng))
        links.add(seats, infos["rewards"], terminations, truncations, settled=infos["settled"])
        for row, seat in np.argwhere(infos["settled"]):
            if latest[row, seat] >= 0:
                assert links.ended[latest[row, seat], row]
                assert links.rewards[latest[row, seat], row] == infos["rewards"][row, seat]
            early += not terminations[row]
            latest[row, seat] = -1
        latest[terminations] = -1
    assert early


def test_stable_baselines_learners_that_are_out_are_done() -> None:
    pytest.importorskip("sb3_contrib")
    from titan_env.envs.sb3 import GameVecEnv

    env = GameVecEnv(GAME, 8, reward="rank")
    env.seed(3)
    env.reset()
    rng, ends = np.random.default_rng(3), []
    for _ in range(60):
        _, rewards, dones, infos = env.step(some_legal(env.action_masks(), rng))
        assert not rewards[~dones].any()
        ends += [(info["episode"]["r"], info["TimeLimit.truncated"]) for info in infos if info]
    assert (-1.0, False) in ends
