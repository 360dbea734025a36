"""Flat Monte Carlo: every legal action in the same imagined worlds, each played on from there.

``flat:256`` plays 256 games out by chance, which all legal actions share (each gets at least one); in
``flat:64,by=greedy`` an agent decides for every seat in them;
``flat:256,prior=ppo@<game>-v0`` lets a trained policy play on for `depth` decisions and say what the
position is then worth (Tesauro, Galperin 1996: "On-line Policy Improvement using Monte-Carlo Search").
``flat:seconds=1`` thinks for a second. Actions are compared in the same worlds with the same dice, which
takes most of the luck out of the comparison; the worse half of them is dropped after each round (Karnin,
Koren, Somekh 2013).
"""

from __future__ import annotations

import math
import time
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from titan_env.agents import Agent, load
from titan_env.agents.planning import Budget, budget, load_prior
from titan_env.agents.policy import Policy
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.play.agent_calls import ask_in_batch, needs_of
from titan_env.play.determinization import Determinizations
from titan_env.play.opinions import Opinion
from titan_env.play.play_outs import play_out

_ROUND = 1024  # play-outs of a round where the budget is in seconds

MOST_DEPTH = 100_000


class Flat:
    """The flat Monte-Carlo planner."""

    plans = True

    def __init__(self, limit: Budget, prior: Policy | None, depth: int, by: Agent | None = None) -> None:
        self._budget, self._prior, self._depth, self._by = limit, prior, depth, by

    def __call__(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        rng: np.random.Generator,
        worlds: Determinizations,
    ) -> NDArray[np.int64]:
        """Return the action that was worth most in imagined worlds, for each decision."""
        return np.array([self._decide(np.flatnonzero(mask), row, rng, worlds) for row, mask in enumerate(masks)])

    def _decide(self, actions: NDArray[np.int64], row: int, rng: np.random.Generator, worlds: Determinizations) -> int:
        """Return the best of the legal actions in one decision."""
        began, done = time.monotonic(), 0
        sums, counts = np.zeros(len(actions)), np.zeros(len(actions))
        left = np.arange(len(actions))
        limit, share = self._shared(len(actions))
        while len(left) > 1:
            each = limit.left(done, began, share) // len(left)
            if each == 0:
                break
            sums[left] += self._worth(actions[left], each, row, rng, worlds)
            counts[left] += each
            done += each * len(left)
            if self._budget.simulations is not None:
                left = left[np.argsort(-sums[left] / counts[left], kind="stable")][: math.ceil(len(left) / 2)]
        worth = sums / np.maximum(counts, 1)
        chosen = int(left[np.argmax(worth[left])])
        if counts.any():
            values = np.where(counts > 0, worth, np.nan)
            worlds.leave(row, Opinion(actions, visits=counts, values=values, value=float(worth[chosen])))
        return int(actions[chosen])

    def _shared(self, actions: int) -> tuple[Budget, int]:
        """Return the budget, enough to try each action once, and a round's share, enough for all that are left."""
        if self._budget.simulations is None:
            return self._budget, _ROUND
        most = max(self._budget.simulations, actions)
        rounds = min(math.ceil(math.log2(actions)), most // actions)
        return replace(self._budget, simulations=most), most // max(1, rounds)

    def _worth(
        self, actions: NDArray[np.int64], each: int, row: int, rng: np.random.Generator, worlds: Determinizations
    ) -> NDArray[np.float64]:
        """Return the sum of each action's values over the same `each` worlds, with the same luck, (len(actions),)."""
        seat = int(worlds.seats[row])
        if self._prior is None and self._by is None:
            worth = play_out(worlds.imagine_records(each, rng, row), actions, seat)
        else:
            batch = worlds.imagine(each, rng, row).select(np.tile(np.arange(each), len(actions)))
            batch.step(np.repeat(actions, each))
            worth = self._play_on(batch, seat, rng).reshape(len(actions), each)
        sums: NDArray[np.float64] = worth.sum(axis=1, dtype=np.float64)
        return sums

    def _play_on(self, batch: Batch, seat: int, rng: np.random.Generator) -> NDArray[np.float32]:
        """Let the agent play to the end for everybody, or the policy some decisions; return the values for the seat."""
        actions = np.zeros(batch.num_games, np.int64)
        if self._prior is None:
            while len(running := np.flatnonzero(~batch.over)):
                actions[running] = ask_in_batch(self._by, batch, running, rng).actions
                batch.step(actions)
            return batch.payoffs()[:, seat]
        for _ in range(self._depth):
            if not len(running := np.flatnonzero(~batch.over)):
                break
            actions[running] = self._prior(batch.observations[running], batch.masks[running], rng)
            batch.step(actions)
        seen = batch.observe(np.full(batch.num_games, seat, np.int8))
        _, values = self._prior.policy(seen, np.ones_like(batch.masks))
        return np.where(batch.over, batch.payoffs()[:, seat], values)


def make(
    game: Game,
    simulations: float | None = None,
    seconds: float | None = None,
    prior: str = "",
    depth: float = 24,
    by: str = "",
) -> Flat:
    """Make the planner with a budget per decision. Raises ValueError for an impossible one, or an unknown prior.

    `by` is the agent that decides for every seat in the play-outs; ValueError for one that plans, or beside a prior.
    """
    if not 0 <= depth <= MOST_DEPTH or depth % 1:
        raise ValueError(f"expected depth to be a number of decisions from 0 to {MOST_DEPTH}, got {depth:g}")
    player = load(by, game) if by else None
    if player is not None and (prior or needs_of(player).plans):
        raise ValueError(f"expected by to be an agent that does not plan, and no prior beside it, got by={by}")
    return Flat(budget(simulations, seconds), load_prior(prior, game), int(depth), player)
