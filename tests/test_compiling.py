"""What is compiled is kept: a second process that does the same compiles nothing, whatever agents and APIs it uses."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from titan_env import agents, registry
from titan_env.contract import COMPILED, Game

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")

USE = """
import sys

import numpy as np
from numba.core import event

from titan_env import registry

place, *names = sys.argv[1:]
with event.install_recorder("numba:compile") as heard:
    from titan_env import GameAEC, GameEnv, GameVectorEnv, agents
    from titan_env.engine.batch import Batch
    from titan_env.engine.outcomes import chance
    from titan_env.engine.tally import play
    from titan_env.engine.worlds import decide

    game = registry.load(place)
    for name in names:
        batch = Batch(game, 2, **game.full)
        batch.seed(1)
        batch.start()
        for _ in range(3):
            actions, rows = np.zeros(2, int), np.flatnonzero(~batch.over)
            if len(rows):
                actions[rows] = decide(agents.load(name, game), batch, rows, np.random.default_rng(0))
                batch.step(actions, ~batch.over)
    play(game, agents.load("random", game), 2, 1)
    chance(game, batch.states[0], int(batch.sample()[0])) if not batch.over[0] else None
    batch.payoffs()
    batch.rollout(3)
    env = GameAEC(game)
    env.reset(seed=1)
    env.step(int(env.last()[0]["action_mask"].argmax()))
    env.state()
    for solo in (GameEnv(game), GameVectorEnv(game, 2), GameVectorEnv(game, 2, seats="all")):
        solo.reset(seed=1)
        solo.step(solo.action_space.sample())
for _, one in heard.buffer:
    if one.is_start:
        print(one.data["dispatcher"].py_func.__module__, one.data["dispatcher"].py_func.__qualname__)
"""
"""A program that decides with each of these agents of a game, uses every API, and prints each function it compiled."""

PLANNERS = ("flat:2", "mcts:2", "mcts:2,prior={policy}", "rollout:2,prior={policy}")


def every_agent(game: Game) -> list[str]:
    """The agents that can play a game, planners with as little thought as they can have."""
    known = agents.names(game)
    at_once = [name for name in known if name.partition(":")[0] not in ("flat", "mcts")]
    policies = [name for name in known if agents.shipped().get(name) == "policy"]
    planners = [name.format(policy=policies[0]) if policies else name for name in PLANNERS]
    return at_once + [name for name in planners if "{" not in name]


def compiled_by(game: Game) -> list[str]:
    """The functions that a process of its own compiles to use this game and all of its agents."""
    done = subprocess.run(
        [sys.executable, "-c", USE, registry.address(game), *every_agent(game)],
        cwd=Path(__file__).parents[1],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_a_second_process_compiles_nothing(game: Game) -> None:
    if compiled_by(game):
        assert compiled_by(game) == []
