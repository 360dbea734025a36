"""Agents that take the legal action with the highest score, by named weights: greedy and expert agents of games."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.uniform import best
from titan_env.contract import Game
from titan_env.contract.options import near
from titan_env.play.score_rules import ScoreRule

MOST = 1e6  # what a weight may be at most: scores stay finite

Score = Callable[[Mapping[str, NDArray[np.float32]], Mapping[str, float]], NDArray[np.float32]]
"""``score(fields, weights)``: the scores (B, A) from the observation's fields by name, each (B, ...)."""


def make_scorer(
    game: Game,
    score: Score | ScoreRule,
    weights: Mapping[str, float],
    changed: Mapping[str, float],
) -> Scorer:
    """Return the agent that takes the legal action with the highest score.

    Raises ValueError for a changed weight that is not among `weights`, or beyond `MOST`.
    """
    unknown = sorted(set(changed) - set(weights))
    if unknown:
        raise ValueError(
            f"expected weights among {', '.join(weights)}, got {', '.join(unknown)}{near(unknown[0], list(weights))}"
        )
    wild = [f"{name}={value:g}" for name, value in changed.items() if not abs(value) <= MOST]
    if wild:
        raise ValueError(f"expected weights from -{MOST:g} to {MOST:g}, got {', '.join(wild)}")
    return Scorer(game, score, {**weights, **changed})


class Scorer:
    """An agent that takes the legal action with the best score, and says its `scores` and `weights` to whoever asks."""

    def __init__(self, game: Game, score: Score | ScoreRule, weights: Mapping[str, float]) -> None:
        self._game, self._score, self.weights = game, score, weights

    @property
    def rule(self) -> ScoreRule | None:
        """The rule that scores actions; None where NumPy does."""
        return self._score if isinstance(self._score, ScoreRule) else None

    def scores(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """Return the score of each action, (B, A), legal or not, for observations (B, F)."""
        if isinstance(self._score, ScoreRule):
            return self._score(observations, self.weights)
        return self._score(self._game.rules.fields.split(observations), self.weights)

    def __call__(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Return the best-looking legal action of each row."""
        return self.choose(self.scores(observations), masks, rng)

    def choose(
        self, scores: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """Return the legal action with the best score in each row."""
        return best(scores, masks, rng)
