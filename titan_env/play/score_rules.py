"""Scores of actions as a rule over one observation: compiled for the processor, and a kernel on a device."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import COMPILED, inline_rule, specialize

_HALF = 0.5

score: Any = None
"""Bound by `ScoreRule`."""


def score_rows(first: int, last: int, observations: Any, scratch: Any, weights: Any, scores: Any) -> None:
    """Write the scores (N, A) of rows from observations (N, F); rows share the records `scratch` (M,) in turn."""
    for i in range(first, last):
        score(observations[i], scratch[i % len(scratch)], weights, scores[i])


@dataclass(frozen=True)
class ScoreRule:
    """Scores of actions by ``score(seen, scratch, weights, scores)``, a rule that makes no arrays.

    It writes all scores, float32 (A,), from one observation in fractions, float32 (F,). `scratch` is the dtype of the
    record that it works in, all zero at first, and `weights` the named tuple of floats that it takes.
    """

    score: Callable[..., None]
    scratch: np.dtype[Any]
    weights: Callable[..., tuple[float, ...]]
    actions: int

    def counted(self, weights: Mapping[str, float]) -> tuple[float, ...]:
        """Return weights by name as the rule takes them."""
        return self.weights(**{name: float(weight) for name, weight in weights.items()})

    @property
    def loop(self) -> Callable[..., None]:
        """`score_rows` with the rule bound to it."""
        return specialize(score_rows, {"score": self.score}, counts=False)

    def __call__(self, observations: NDArray[np.float32], weights: Mapping[str, float]) -> NDArray[np.float32]:
        """Return the scores (B, A) of observations (B, F)."""
        seen = np.ascontiguousarray(observations, np.float32)
        scores, scratch = np.empty((len(seen), self.actions), np.float32), np.zeros(1, self.scratch)
        self.loop(0, len(seen), seen, scratch if COMPILED else scratch.view(np.recarray), self.counted(weights), scores)
        return scores


@inline_rule
def index_in(seen: Any, first: int, size: int) -> int:
    """Return which of so many numbers of an observation is the first above 0; -1 if none is."""
    for index in range(size):
        if seen[first + index] > 0:
            return index
    return -1


@inline_rule
def whole(share: float, scale: int) -> int:
    """Return the number from 0 on that a share of a scale stands for."""
    return int(share * scale + _HALF)
