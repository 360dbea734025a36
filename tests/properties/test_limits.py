"""Limits of steps at every API: the game is cut where it is told to be, the same one everywhere, and is truncated."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.vector import AutoresetMode

from tests.policies import gymnasium_id, settled, some_legal
from titan_env import registry
from titan_env.contract import Game
from titan_env.engine.validation import MOST
from titan_env.envs import aec, sb3, single_agent, vector

DECISIONS = 9
STEPS = 3


def learner(observation: Any, mask: Any) -> int:
    """What every seat decides here, from what it sees alone."""
    return int(settled(observation[None], mask[None], np.random.default_rng(0))[0])


def played_as_aec(game: Game, seed: int, limit: int | None) -> tuple[list[tuple[int, int]], dict[str, Any]]:
    """Play a game by `learner`; who decided what, and how it ended for each agent: reward and both flags."""
    env = aec.make(game=game, max_cycles=limit)
    env.reset(seed=seed)
    decisions, ends = [], {}
    for agent in env.agent_iter(100_000):
        seen, reward, terminated, truncated, _ = env.last()
        if terminated or truncated:
            ends[agent] = (reward, terminated, truncated)
            env.step(None)
        else:
            assert seen is not None
            action = learner(seen["observation"], seen["action_mask"])
            decisions.append((int(agent.removeprefix("player_")), action))
            env.step(action)
        if len(decisions) > 200:
            break
    return decisions, ends


def test_a_game_is_cut_at_the_same_decision_in_every_api(game: Game) -> None:
    for seed in range(6):
        decisions, ends = played_as_aec(game, seed, DECISIONS)
        assert len(decisions) <= DECISIONS
        asked = dict.fromkeys(seat for seat, _ in decisions)
        for seat in asked:
            options: dict[str, Any] = {"seat": seat, "opponents": settled, "max_cycles": DECISIONS}
            env = single_agent.make(game=game, **options)
            seen, info = env.reset(seed=seed)
            mine, done = [], False
            while not done:
                mine.append(learner(seen, info["action_mask"]))
                seen, reward, terminated, truncated, info = env.step(mine[-1])
                done = terminated or truncated
            assert mine == [action for who, action in decisions if who == seat]
            assert (reward, terminated, truncated) == pytest.approx(ends[f"player_{seat}"])
            assert not info["action_mask"].any()


def test_the_learner_of_every_seat_is_cut_as_the_agents_are(game: Game) -> None:
    env = vector.make(1, game=game, seats="all", max_cycles=DECISIONS, autoreset_mode="DISABLED")
    for seed in range(6):
        decisions, ends = played_as_aec(game, seed, DECISIONS)
        seen, infos = env.reset(seed=seed)
        for number, (seat, action) in enumerate(decisions, 1):
            assert (infos["seat"][0], learner(seen[0], infos["action_mask"][0])) == (seat, action)
            seen, _, terminated, truncated, infos = env.step(np.array([action]))
            assert (terminated | truncated)[0] == (number == len(decisions))
        assert any(end[2] for end in ends.values()) == truncated[0]
        assert infos["settled"][0].any()


def test_nobody_is_cut_before_the_learner_has_decided(game: Game) -> None:
    for opponents in ("random", settled):
        env = vector.make(32, game=game, max_cycles=1, opponents=opponents, autoreset_mode="SAME_STEP")
        _, infos = env.reset(seed=0)
        for _ in range(3):
            assert infos["action_mask"].any(axis=1).all()
            actions = some_legal(infos["action_mask"], np.random.default_rng(0))
            _, _, terminated, truncated, infos = env.step(actions)
            assert (terminated | truncated).all()


@pytest.mark.parametrize("opponents", ["random", settled], ids=["random", "agent"])
def test_max_episode_steps_is_what_gymnasiums_time_limit_does(game: Game, opponents: Any) -> None:
    ours: Any = gymnasium.make_vec(
        gymnasium_id(game), num_envs=4, max_episode_steps=STEPS, opponents=opponents, autoreset_mode="SameStep"
    )
    theirs: Any = gymnasium.make_vec(
        gymnasium_id(game),
        num_envs=4,
        max_episode_steps=STEPS,
        vectorization_mode="sync",
        opponents=opponents,
        vector_kwargs={"autoreset_mode": AutoresetMode.SAME_STEP},
    )
    (seen, infos), (other, others) = ours.reset(seed=3), theirs.reset(seed=3)
    rng, cut = np.random.default_rng(2), 0
    for _ in range(4 * STEPS):
        np.testing.assert_array_equal(seen, other)
        actions = some_legal(infos["action_mask"], rng)
        seen, *results, infos = ours.step(actions)
        other, *expected, others = theirs.step(actions)
        for one, another in zip(results, expected, strict=True):
            np.testing.assert_array_equal(one, another)
        cut += int(results[2].sum())
        for row in np.flatnonzero(results[1] | results[2]):
            np.testing.assert_array_equal(infos["final_obs"][row], others["final_obs"][row])
    assert cut or (infos["_final_info"] if "_final_info" in infos else np.ones(1)).any()


@pytest.mark.parametrize("mode", AutoresetMode)
@pytest.mark.parametrize("limit", ["max_cycles", "max_episode_steps"])
@pytest.mark.parametrize("seats", vector.FACES)
def test_cut_games_begin_anew_in_every_mode(game: Game, mode: AutoresetMode, limit: str, seats: str) -> None:
    env = vector.make(3, game=game, seats=seats, autoreset_mode=mode, **{limit: STEPS})
    _, infos = env.reset(seed=1)
    steps = np.zeros(3, int)
    finished = np.zeros(3, np.bool_)
    for _ in range(20):
        if mode == AutoresetMode.DISABLED and finished.any():
            _, infos = env.reset(options={"reset_mask": finished})
            steps[finished], finished = 0, np.zeros(3, np.bool_)
        anew = finished if mode == AutoresetMode.NEXT_STEP else np.zeros(3, np.bool_)
        actions = some_legal(infos["action_mask"], np.random.default_rng(1))
        _, _, terminated, truncated, infos = env.step(actions)
        steps[~anew] += 1
        steps[anew] = 0
        finished = terminated | truncated
        assert (steps <= STEPS).all()
        assert (finished | (steps < STEPS)).all()
        if mode == AutoresetMode.SAME_STEP:
            steps[finished] = 0


def test_stable_baselines_is_told_that_a_cut_game_is_no_end(game: Game) -> None:
    for limit in ("max_cycles", "max_episode_steps"):
        env = sb3.make(4, game=game, **{limit: STEPS})
        env.seed(2)
        env.reset()
        timeouts = []
        for _ in range(3 * STEPS):
            actions = some_legal(env.action_masks(), np.random.default_rng(0))
            _, rewards, dones, infos = env.step(actions)
            timeouts += [(infos[row], rewards[row]) for row in np.flatnonzero(dones)]
        assert timeouts
        for info, reward in timeouts:
            assert info["episode"]["l"] <= STEPS
            assert reward == 0 or not info["TimeLimit.truncated"]


def test_shaped_rewards_keep_the_potential_of_a_cut_game() -> None:
    name = registry.load("titan_race").rules.fields.parts[0].name
    cut = {"max_episode_steps": 2, "autoreset_mode": "SAME_STEP"}
    env = vector.make(2, game="titan_race", shaping={name: 1.0}, **cut)
    _, infos = env.reset(seed=0)
    for _ in range(2):
        _, _, _, truncated, infos = env.step(some_legal(infos["action_mask"], np.random.default_rng(0)))
    assert truncated.all()


MAKERS: dict[str, Callable[..., Any]] = {
    "aec": aec.make,
    "solo": single_agent.make,
    "vector": lambda **options: vector.make(2, **options),
    "sb3": lambda **options: sb3.make(2, **options),
}


@pytest.mark.parametrize("wrong", [0, -1, True, 1.5, "x", float("nan")])
@pytest.mark.parametrize("name", MAKERS)
def test_a_limit_that_is_none_is_refused_where_it_is_given(name: str, wrong: Any) -> None:
    limits = {"max_cycles": "decisions", "max_episode_steps": "steps"}
    for limit, of in limits.items() if name in ("vector", "sb3") else [("max_cycles", "decisions")]:
        with pytest.raises(ValueError, match=f"expected {limit} to be a number of {of} from 1 to {MOST}, or None, got"):
            MAKERS[name](game="pig", **{limit: wrong})
