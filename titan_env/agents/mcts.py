"""Monte-Carlo tree search over imagined worlds.

``mcts:256`` plays every simulation out by chance; ``mcts:256,prior=ppo@<game>-v0`` asks a trained
policy which actions to try (Silver et al. 2017), and what a position is worth after a round of the policy's own play:
asked one decision on, it says what it said before. ``mcts:seconds=1`` thinks for a second. Every simulation has a
world of its own: hidden cards and the dice to come are drawn anew. The tree of a decision takes at most 64 MB
(`tree_search.MOST_BYTES`: 20,000 to 200,000 nodes); once it is full, simulations end at its leaves and add none.
"""

from __future__ import annotations

import time

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.planning import Budget, budget, leaf_values, load_prior, play_on
from titan_env.agents.policy import Policy
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.play.determinization import Determinizations
from titan_env.play.opinions import Opinion
from titan_env.play.tree_search import Tree

MOST_EXPLORING = 1e6

_AT_ONCE = 32  # simulations beside each other


class TreeSearch:
    """The planner; `explore` is how much it tries what promises less."""

    plans = True

    def __init__(self, limit: Budget, explore: float, prior: Policy | None) -> None:
        self._budget, self._explore, self._prior = limit, explore, prior

    def __call__(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        rng: np.random.Generator,
        worlds: Determinizations,
    ) -> NDArray[np.int64]:
        """Return the action that was tried most often, for each decision."""
        return np.array([self._decide(mask, row, rng, worlds) for row, mask in enumerate(masks)])

    def _decide(self, mask: NDArray[np.int8], row: int, rng: np.random.Generator, worlds: Determinizations) -> int:
        """Return the action tried most in one decision; among equals the one that was worth more."""
        legal = np.flatnonzero(mask)
        if len(legal) == 1:
            return int(legal[0])
        tree = self.search(row, rng, worlds)
        visits, worth = tree.root_visits(), tree.root_values(int(worlds.seats[row]))
        chosen = int(max(legal, key=lambda action: (visits[action], np.nan_to_num(worth[action], nan=-2.0))))
        expected, line = float(worth[chosen]), tree.line(chosen)
        worlds.leave(row, Opinion(legal, visits=visits[legal], values=worth[legal], value=expected, line=line))
        return chosen

    def search(self, row: int, rng: np.random.Generator, worlds: Determinizations) -> Tree:
        """Return the tree after the whole budget has been spent on one decision."""
        began, done = time.monotonic(), 0
        tree = Tree(len(worlds.game.rules.actions), (self._budget.simulations or 100_000) + 1)
        if self._prior is not None:
            self._plant(tree, worlds.imagine(1, rng, row))
        while runs := self._budget.left(done, began, _AT_ONCE):
            if self._prior is None:
                walks = tree.descend(worlds.imagine_records(runs, rng, row), self._explore, play_on=True)
            else:
                batch = worlds.imagine(runs, rng, row)
                walks = tree.descend(batch, self._explore, play_on=False)
                leaves = walks.paths[np.arange(runs), walks.lengths - 1]
                self._evaluate(tree, batch, leaves, walks.results, int(worlds.seats[row]), rng)
            tree.backup(walks)
            done += runs
        return tree

    def _plant(self, tree: Tree, batch: Batch) -> None:
        """Give the root its priors."""
        assert self._prior is not None
        tree.priors[0] = self._prior.policy(batch.observations, batch.masks)[0][0]

    def _evaluate(
        self,
        tree: Tree,
        batch: Batch,
        leaves: NDArray[np.int32],
        results: NDArray[np.float64],
        seat: int,
        rng: np.random.Generator,
    ) -> None:
        """Ask the policy which actions to try in each new leaf, and what it is worth after a round of its own play."""
        assert self._prior is not None
        batch.refresh()
        new = np.flatnonzero((tree.visits[leaves] == 0) & ~batch.over)  # not where a full tree has ended a path
        if len(new):
            tree.priors[leaves[new]] = self._prior.policy(batch.observations[new], batch.masks[new])[0]
        seats = np.full(batch.num_games, seat)
        play_on(batch, seats, batch.states[batch.game.rules.chance_clock].copy(), self._prior, rng)
        results[:] = leaf_values(batch, self._prior)


def make(
    game: Game,
    simulations: float | None = None,
    seconds: float | None = None,
    explore: float = 1.5,
    prior: str = "",
) -> TreeSearch:
    """Make the planner with a budget per decision. Raises ValueError for an impossible one, or an unknown prior."""
    if not 0 <= explore <= MOST_EXPLORING:
        raise ValueError(f"expected explore to be from 0 to {MOST_EXPLORING:g}, got {explore:g}")
    return TreeSearch(budget(simulations, seconds), explore, load_prior(prior, game))
