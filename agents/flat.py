"""Flat Monte Carlo: every legal action in the same imagined worlds, each played out by chance.

Half of the actions, those that did worst, are dropped after each round, and the rest share the next
one (Karnin, Koren, Somekh 2013: "Almost Optimal Exploration in Multi-Armed Bandits").
``flat:256`` thinks for 256 play-outs, ``flat:seconds=1`` for a second.
"""

from __future__ import annotations

import math
import time

import numpy as np
from numpy.typing import NDArray

from agents.budget import Budget, budget
from titan_env.contract import Game
from titan_env.worlds import Worlds

_ROUND = 1024  # play-outs of a round where the budget is in seconds
_WHOLE_GAME = 2**31 - 1


class Flat:
    """The flat Monte-Carlo planner."""

    plans = True

    def __init__(self, limit: Budget) -> None:
        self._budget = limit

    def __call__(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        rng: np.random.Generator,
        worlds: Worlds,
    ) -> NDArray[np.int64]:
        """The action that won most often in imagined worlds, for each decision."""
        return np.array([self._decide(np.flatnonzero(mask), row, rng, worlds) for row, mask in enumerate(masks)])

    def _decide(self, actions: NDArray[np.int64], row: int, rng: np.random.Generator, worlds: Worlds) -> int:
        """The best of the legal actions in one decision."""
        began, done = time.monotonic(), 0
        sums, counts = np.zeros(len(actions)), np.zeros(len(actions))
        left = np.arange(len(actions))
        rounds = max(1, math.ceil(math.log2(len(actions))))
        while len(left) > 1:
            share = _ROUND if self._budget.simulations is None else self._budget.simulations // rounds
            runs = self._budget.left(done, began, share)
            if runs == 0:
                break
            each = max(1, runs // len(left))
            sums[left] += _worth(actions[left], each, row, rng, worlds)
            counts[left] += each
            done += each * len(left)
            if self._budget.simulations is not None:
                left = left[np.argsort(-sums[left] / counts[left], kind="stable")][: math.ceil(len(left) / 2)]
        return int(actions[left[np.argmax((sums / np.maximum(counts, 1))[left])]])


def _worth(
    actions: NDArray[np.int64], each: int, row: int, rng: np.random.Generator, worlds: Worlds
) -> NDArray[np.float64]:
    """What each action was worth in sum over the same `each` worlds, with the same luck, (len(actions),)."""
    batch = worlds.imagine(each, rng, row).select(np.tile(np.arange(each), len(actions)))
    batch.step(np.repeat(actions, each))
    batch.play_out(_WHOLE_GAME, restart=False, look=False)
    payoffs = batch.payoffs()[:, worlds.seats[row]]
    sums: NDArray[np.float64] = payoffs.reshape(len(actions), each).sum(axis=1, dtype=np.float64)
    return sums


def make(game: Game, simulations: float | None = None, seconds: float | None = None) -> Flat:
    """The planner with a budget for each decision. Raises ValueError for an impossible one."""
    return Flat(budget(simulations, seconds))
