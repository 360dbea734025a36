"""The speed of planners and policies as the ratios and times that goals are set for, each measured in some seconds.

All in CPU time of one thread, at positions of real games that have a choice.
"""

from __future__ import annotations

from statistics import median

import numpy as np
from numpy.typing import NDArray

from titan_env import agents, registry
from titan_env.agents.policy import Policy
from titan_env.engine.batch import Batch
from titan_env.play.agent_calls import ask_in_batch
from tools.speed_cases import cpu_seconds

TABLES = 16
PLANNERS = ("flat:256", "mcts:256", "rollout:32,prior=ppo@titan_race-v2")
"""The agents whose `tables_together` is measured."""

_GAME = "titan_race"
_POLICY = "ppo@titan_race-v2"
_ROUNDS = 5
_CALLS = 100  # of a network in one measurement


def tables_together(agent_name: str) -> float:
    """Return the decisions per CPU second of 16 tables asked at once, beside the same ones asked one by one."""
    batch = positions(TABLES)
    agent = agents.load(agent_name, batch.game)

    def ask(parts: list[NDArray[np.int64]]) -> None:
        for part in parts:
            ask_in_batch(agent, batch, part, np.random.default_rng(0))

    every = np.arange(batch.num_games)
    singly = list(every[:, None])
    ask([every, singly[0]])
    return median(cpu_seconds(lambda: ask(singly)) / cpu_seconds(lambda: ask([every])) for _ in range(_ROUNDS))


def microseconds_a_row(bits: int, rows: int = 64) -> float:
    """Return the CPU microseconds of the policy of Titan Race for each of so many rows asked at once."""
    batch = positions(rows)
    policy = Policy(batch.game, agents.shipped(batch.game)[_POLICY], bits=bits)

    def ask() -> None:
        for _ in range(_CALLS):
            policy.logits(batch.observations, batch.masks)

    ask()
    return median(cpu_seconds(ask) for _ in range(_ROUNDS)) / _CALLS / rows * 1e6


def positions(count: int) -> Batch:
    """Return games in which the seat to act has a choice, each another number of random decisions old."""
    game = registry.load(_GAME)
    batch = Batch(game, 4 * count, **game.metadata.benchmark_options)
    batch.seed(0)
    batch.start()
    for taken in range(60):
        batch.step(batch.sample(), ~batch.over & (np.arange(batch.num_games) % 60 > taken))
    return batch.select(np.flatnonzero(batch.masks.sum(axis=1) > 1)[:count])
