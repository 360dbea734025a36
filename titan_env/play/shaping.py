"""Potential-based reward shaping: additional rewards that leave the optimal policies as they are.

Each step of a learner from s to s' is worth ``gamma * potential(s') - potential(s)`` more, and the end has potential
0 (Ng, Harada, Russell 1999: "Policy Invariance Under Reward Transformations"). Over one episode the discounted extra
rewards add up to minus the potential of its first observation. A truncated game keeps the potential of its last
observation, for it is not over.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from titan_env import registry
from titan_env.contract import Game
from titan_env.contract.options import brief, near

Weights: TypeAlias = Mapping[str, ArrayLike]
"""Name of an observation field -> one weight for the whole field, or weights in the field's shape."""


class Potential:
    """A potential function that is linear in named observation fields: the weighted sum of their float32 values.

    The sum is taken in float64, and rounded it is the same in any order, in `GameTorchEnv` too. It takes a game's whole
    observations, (..., F), whatever of them a learner sees; with `whole` they are the integers that the game counts in.
    Raises TypeError unless the weights are a mapping, ValueError for an unknown field, or for weights that are neither
    one number nor of the field's shape.
    """

    def __init__(self, game: Game | str, weights: Weights, whole: bool = False) -> None:
        fields = registry.game_of(game).rules.fields
        vector = np.zeros(fields.size, np.float32)
        if not isinstance(weights, Mapping):
            raise TypeError(f"expected shaping as weights by field such as {{'name': 0.5}}, got {brief(weights)}")
        shapes = {part.name: part.shape for part in fields.parts}
        for name, weight in weights.items():
            if name not in shapes:
                known = f"there are: {', '.join(shapes)}{near(name, list(shapes))}"
                raise ValueError(f"expected names of observation fields, got {brief(name)}; {known}")
            values = np.asarray(weight, np.float32)
            if values.shape not in ((), shapes[name]):
                raise ValueError(f"expected one weight for {name!r} or shape {shapes[name]}, got shape {values.shape}")
            vector[fields.slices[name]] = np.broadcast_to(values, shapes[name]).ravel()
        self.columns = np.flatnonzero(vector)
        """The columns of an observation that have a weight, int64 (K,)."""
        self.divisors = fields.divisors[self.columns] if whole else np.ones(len(self.columns), np.float32)
        """The numbers that make them fractions, float32 (K,)."""
        self.weights = vector[self.columns].astype(np.float64)

    def __call__(self, observations: NDArray[Any]) -> NDArray[np.float32]:
        """Compute the potentials of observations (..., F): float32 (...)."""
        numbers = observations[..., self.columns].astype(np.float32) / self.divisors
        potentials: NDArray[np.float32] = (numbers.astype(np.float64) @ self.weights).astype(np.float32)
        return potentials


class RewardShaping:
    """The shaped rewards of N rows: the potential of each row's latest observation, and what a step adds.

    Raises what `Potential` raises, and ValueError for a discount `gamma` outside of [0, 1].
    """

    def __init__(self, game: Game | str, num_games: int, weights: Weights, gamma: float, whole: bool) -> None:
        if isinstance(gamma, bool) or not isinstance(gamma, int | float) or not 0 <= gamma <= 1:
            raise ValueError(f"expected gamma between 0 and 1, the discount of the learner, got {brief(gamma)}")
        self.gamma, self.potential = float(gamma), Potential(game, weights, whole)
        self.potentials = np.zeros(num_games, np.float32)
        """Potential of each row's latest observation, float32 (N,)."""

    def begin(self, observations: NDArray[Any], rows: NDArray[np.bool_]) -> None:
        """Take the first observations (N, F) of new games in these rows (N,)."""
        self.potentials[rows] = self.potential(observations[rows])

    def step(
        self, observations: NDArray[Any], terminated: NDArray[np.bool_], rows: NDArray[np.bool_]
    ) -> NDArray[np.float64]:
        """Return what a step adds to the rewards, float64 (N,), 0 outside of these rows (N,)."""
        after = np.zeros(len(rows), np.float32)
        on = rows & ~terminated
        after[on] = self.potential(observations[on])
        extra = np.where(rows, self.gamma * after.astype(np.float64) - self.potentials, 0.0)
        self.potentials[rows] = after[rows]
        return extra
