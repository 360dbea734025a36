"""Opinions of agents on a decision: what they found of the actions that looked best, and how the game may go on.

An agent that scores actions or is a policy has them already; a planner leaves them with its imagined worlds, as
``worlds.leave(row, Opinion(...))``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

MOST_CHOICES = 6
"""The bound on the actions of an opinion that are kept."""
LONGEST_LINE = 8
"""The bound on the decisions of a line of play that are kept."""


@dataclass(frozen=True)
class Opinion:
    """An agent's opinion of one decision: `actions` int64 (n,), and any of four columns (n,) that say what it found."""

    actions: NDArray[np.int64]
    chances: NDArray[Any] | None = None
    """A policy's probability of each action."""
    scores: NDArray[Any] | None = None
    """An agent's own score of each action, in units of its own."""
    visits: NDArray[Any] | None = None
    """The simulations or imagined worlds in which a planner tried each action."""
    values: NDArray[Any] | None = None
    """The mean payoff to the seat to act after each action; nan for one that was not tried."""
    value: float | None = None
    """The payoff that the seat to act can expect."""
    line: Sequence[int] = ()
    """The decisions that a planner expects next, whoever takes them; the first is its own."""

    def best(self) -> Opinion:
        """Return the opinion of the best actions alone, the best first, with a line of bounded length.

        Scores or visits decide which are best; where these are equal, values, and then probabilities.
        """
        columns = (self.scores, self.visits, self.values, self.chances)
        given = [np.asarray(column, np.float64) for column in columns if column is not None]
        order = np.lexsort([np.where(np.isnan(column), np.inf, -column) for column in reversed(given)])
        kept = order[np.isfinite(given[0][order])][:MOST_CHOICES]
        found = {
            name: None if (column := getattr(self, name)) is None else column[kept]
            for name in ("chances", "scores", "visits", "values")
        }
        return Opinion(self.actions[kept], **found, value=self.value, line=tuple(self.line[:LONGEST_LINE]))


def opinions_of_scores(scores: NDArray[np.float32], masks: NDArray[np.int8]) -> list[Opinion]:
    """Return the opinion of each decision from scores of all actions (B, A)."""
    legal = map(np.flatnonzero, masks)
    return [Opinion(actions, scores=row[actions]) for row, actions in zip(scores, legal, strict=True)]


def opinions_of_policy(
    chances: NDArray[np.float32], values: NDArray[np.float32], masks: NDArray[np.int8]
) -> list[Opinion]:
    """Return the opinion of each decision from probabilities of all actions (B, A) and values (B,)."""
    legal = map(np.flatnonzero, masks)
    rows = zip(chances, values, legal, strict=True)
    return [Opinion(actions, chances=row[actions], value=float(value)) for row, value, actions in rows]
