"""Truncated rollouts with a policy: try what it would consider, let it play for everybody, and ask it how that looks.

``rollout:32,prior=ppo@<game>-v0`` tries the actions that the policy does not rule out in the same imagined worlds with
the same chance, lets the policy play every seat on to one's own next turn, and compares what it then says the game is
worth (Tesauro, Galperin 1996: "On-line Policy Improvement using Monte-Carlo Search"). ``rollout:seconds=1,prior=...``
does so for a second. After half of the budget the worse half of the actions is dropped (sequential halving: Karnin,
Koren, Somekh 2013): 32 worlds are what the better ones get. Decisions that are asked at once are searched at once.
"""

from __future__ import annotations

import itertools
import math
import time
from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.planning import Budget, budget, leaf_values, load_prior, play_on
from titan_env.agents.policy import Policy
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.play.determinization import Determinizations
from titan_env.play.opinions import Opinion

LEAST = 1e-3  # the policy rules out what it is less likely to do
STAGES = (0.5, 1.0)  # shares of the budget: after the first the worse half of the actions is dropped

_ALIKE = 4  # decimals of what actions are worth: networks round otherwise when asked about more positions at once
_ROUND = 16  # worlds tried at a time where the budget is in seconds
_ROWS = 8192  # games played on beside each other, at most


class RolloutPlanner:
    """The planner. `worth` is by what the policy was trained for: to win, by rank, or by points."""

    plans = at_once = True

    def __init__(self, limit: Budget, prior: Policy) -> None:
        self._budget, self._prior = limit, prior

    def __call__(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        rng: np.random.Generator,
        worlds: Determinizations,
    ) -> NDArray[np.int64]:
        """Return the action that led to the best positions, for each decision."""
        chances, values = self._prior.policy(observations, masks)
        likely = (chances >= LEAST) & (masks != 0)
        likely[likely.sum(axis=1) == 1] = False
        decision, action = np.nonzero(likely)
        sums, counts = np.zeros(len(action)), np.zeros(len(action))
        left, reached = np.arange(len(action)), 0
        for stage, batch, tried in self._worlds(worlds, len(np.unique(decision)), rng):
            if stage > reached:
                left, reached = better_half(left, decision, sums / counts), stage
            rows = decision[left, None] * (batch.num_games // len(masks)) + tried
            sums[left] += self._worth(batch, rows, action[left], rng)
            counts[left] += len(tried)
        chosen: NDArray[np.int64] = chances.argmax(axis=1)
        mean = np.round(sums / np.maximum(counts, 1), _ALIKE)
        likelier = chances[decision, action]
        for one in left[np.lexsort((likelier[left], mean[left], decision[left]))]:  # the best of a decision comes last
            chosen[decision[one]] = action[one]
        visits, worth = np.zeros(masks.shape), np.full(masks.shape, np.nan)
        visits[decision, action], worth[decision, action] = counts, mean
        for row, (mask, best) in enumerate(zip(masks, chosen, strict=True)):
            legal = np.flatnonzero(mask)
            found = {"chances": chances[row, legal], "visits": visits[row, legal], "values": worth[row, legal]}
            value = float(worth[row, best] if visits[row, best] else values[row])
            worlds.leave(row, Opinion(legal, **found, value=value))
        return chosen

    def _worlds(
        self, worlds: Determinizations, decisions: int, rng: np.random.Generator
    ) -> Iterator[tuple[int, Batch, NDArray[np.int64]]]:
        """Yield the next trials: the stage of the search, worlds of all decisions, and the actions to try in each."""
        if self._budget.simulations is not None:
            ends = [math.ceil(share * self._budget.simulations) for share in STAGES]
            batch = worlds.imagine(self._budget.simulations, rng)  # drawn for all, whether there is a choice or not
            for stage, (first, last) in enumerate(itertools.pairwise((0, *ends))):
                if first < last and decisions:
                    yield stage, batch, np.arange(first, last)
            return
        assert self._budget.seconds is not None
        began, seconds = time.monotonic(), self._budget.seconds * decisions
        for stage, share in enumerate(STAGES if decisions else ()):
            yield stage, worlds.imagine(_ROUND, rng), np.arange(_ROUND)
            while time.monotonic() - began < share * seconds:
                yield stage, worlds.imagine(_ROUND, rng), np.arange(_ROUND)

    def _worth(
        self, worlds: Batch, rows: NDArray[np.int64], actions: NDArray[np.int64], rng: np.random.Generator
    ) -> NDArray[np.float64]:
        """Return each action's value to the seat to act, summed over its rows of the worlds."""
        at_once = max(1, _ROWS // rows.shape[1])
        parts = [slice(first, first + at_once) for first in range(0, len(rows), at_once)]
        return np.concatenate([self._play_on(worlds.select(rows[part].ravel()), actions[part], rng) for part in parts])

    def _play_on(self, batch: Batch, actions: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.float64]:
        """Play each action in its share of the rows, and on to the own next turn; what that is worth in sum."""
        seats = batch.states["seat"].astype(np.int64)
        began = batch.states[batch.game.rules.chance_clock].copy()
        batch.step(np.repeat(actions, batch.num_games // len(actions)))
        play_on(batch, seats, began, self._prior, rng)
        worth = leaf_values(batch, self._prior)[np.arange(batch.num_games), seats]
        sums: NDArray[np.float64] = worth.reshape(len(actions), -1).sum(axis=1)
        return sums


def better_half(left: NDArray[np.int64], decision: NDArray[np.int64], mean: NDArray[np.float64]) -> NDArray[np.int64]:
    """Keep the better half of each decision's remaining actions (n,), at least two; return their indices (m,)."""
    order = left[np.lexsort((-mean[left], decision[left]))]
    _, first, counts = np.unique(decision[order], return_index=True, return_counts=True)
    rank = np.arange(len(order)) - np.repeat(first, counts)
    kept: NDArray[np.int64] = np.sort(order[rank < np.repeat(np.maximum(2, -(-counts // 2)), counts)])
    return kept


def make(game: Game, worlds: float | None = None, seconds: float | None = None, prior: str = "") -> RolloutPlanner:
    """Make the planner with a budget per decision. Raises ValueError for an impossible one, or without a policy."""
    policy = load_prior(prior, game)
    if policy is None:
        raise ValueError("expected the policy that plays on, as in rollout:32,prior=ppo@<game>-v0")
    return RolloutPlanner(budget(worlds, seconds), policy)
