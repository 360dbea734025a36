"""An action that is out of range is an illegal one: every API treats it as it is told to treat those."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.engine.illegal_actions import IllegalAction
from titan_env.envs import aec, openspiel, sb3, single_agent, vector

BEYOND: tuple[Any, ...] = (-1, None, 10**6, 2**31, 2**63 - 1, 2**63, 2**70, -(2**70), np.uint64(2**64 - 1), np.int8(-5))
"""Numbers of no action; None stands for the first after the last."""


def beyond(game: Game) -> list[Any]:
    """Return numbers of no action of a game."""
    return [len(game.rules.actions) if number is None else number for number in BEYOND]


def row(number: Any, games: int) -> Any:
    """Return an action for each game, of which the last is this one."""
    return [0] * (games - 1) + [number]


@pytest.mark.parametrize("name", ["aec", "solo", "vector", "every seat", "sb3", "batch"])
def test_raise_refuses_it_and_nothing_has_changed(game: Game, name: str) -> None:
    if name == "aec":
        env: Any = aec.make(game=game, on_illegal="raise")
    elif name == "solo":
        env = single_agent.make(game=game, on_illegal="raise")
    elif name in ("vector", "every seat"):
        env = vector.make(1, game=game, on_illegal="raise", seats="all" if name == "every seat" else "one")
    elif name == "sb3":
        env = sb3.make(1, game=game, on_illegal="raise")
    else:
        env = Batch(game, 1)
        env.start()
    if name not in ("sb3", "batch"):
        env.reset(seed=1)
    elif name == "sb3":
        env.reset()
    rows = env if name == "batch" else getattr(env, "batch", None) or env.batch
    for number in beyond(game):
        before = (rows.states.tobytes(), rows.masks.tobytes(), rows.luck.tobytes())
        with pytest.raises(IllegalAction, match=f"expected an action from 0 to {len(game.rules.actions) - 1}, got"):
            env.step(number if name in ("aec", "solo") else row(number, 1))
        assert (rows.states.tobytes(), rows.masks.tobytes(), rows.luck.tobytes()) == before


def test_random_plays_a_legal_one_instead_and_counts_it(game: Game) -> None:
    for number in beyond(game):
        agents = aec.make(game=game, on_illegal="random")
        single = single_agent.make(game=game)
        many = vector.make(2, game=game, autoreset_mode="DISABLED")
        agents.reset(seed=1)
        single.reset(seed=1)
        many.reset(seed=1)
        agent = agents.agent_selection
        agents.step(number)
        assert agents.infos[agent]["illegal"] == 1
        assert agents.batch.states[0].decisions == 1
        assert single.step(number)[-1]["illegal"] == 1
        assert many.step(row(number, 2))[-1]["illegal"][1] == 1
        stable = sb3.make(2, game=game)
        stable.reset()
        stable.step(row(number, 2))  # type: ignore[arg-type]
        assert stable.batch.illegal[1] == 1 or stable.batch.steps[1] == 0


def test_terminate_ends_the_game_and_says_why(game: Game) -> None:
    for number in beyond(game):
        env = aec.make(game=game)
        env.reset(seed=1)
        agent = env.agent_selection
        env.step(number)
        assert env.infos[agent]["why_not"].startswith(
            f"expected an action from 0 to {len(game.rules.actions) - 1}, got"
        )
        assert env.rewards[agent] == aec.ILLEGAL_REWARD
        assert all(env.terminations.values())


def test_openspiel_refuses_it(game: Game) -> None:
    state = openspiel.load(game.name).new_initial_state()
    for number in beyond(game):
        before = str(state), state.history()
        with pytest.raises((ValueError, TypeError, RuntimeError)):
            state.apply_action(number)
        assert (str(state), state.history()) == before
