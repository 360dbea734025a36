"""The greedy agent: the action that looks best by a few weights on named observation fields.

What is worth looking at differs from game to game; each game has its own page beside this one,
with ``WEIGHTS`` (name -> weight) and ``score(fields, weights) -> (B, A)``.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping

import numpy as np
from numpy.typing import NDArray

from titan_env.agents import Agent
from titan_env.agents.uniform import best
from titan_env.contract import Game

MOST = 1e6  # what a weight may be at most: scores stay finite


def make(game: Game, **weights: float) -> Agent:
    """The greedy agent of a game, with some weights changed.

    Raises ValueError for a weight that the game's page does not have, or a game without a page.
    """
    return by_score("greedy", game, weights)


def by_score(kind: str, game: Game, changed: Mapping[str, float]) -> Agent:
    """The agent that takes the action with the best score, as the game's page of this kind of agent reckons it."""
    try:
        page = importlib.import_module(f"titan_env.agents.{kind}.{game.name}")
    except ModuleNotFoundError:
        raise ValueError(f"expected a game with weights for the {kind} agent, got {game.name!r}") from None
    unknown = sorted(set(changed) - set(page.WEIGHTS))
    if unknown:
        raise ValueError(f"expected weights among {', '.join(page.WEIGHTS)}, got {', '.join(unknown)}")
    wild = [f"{name}={value:g}" for name, value in changed.items() if not abs(value) <= MOST]
    if wild:
        raise ValueError(f"expected weights from -{MOST:g} to {MOST:g}, got {', '.join(wild)}")
    return Scorer(game, page.score, {**page.WEIGHTS, **changed})


class Scorer:
    """An agent that takes the legal action with the best score, and says its `scores` to whoever asks."""

    def __init__(self, game: Game, score: Callable[..., NDArray[np.float32]], weights: Mapping[str, float]) -> None:
        self._game, self._score, self._weights = game, score, weights

    def scores(self, observations: NDArray[np.float32]) -> NDArray[np.float32]:
        """How good each action looks, (B, A), legal or not, from observations (B, F)."""
        return self._score(self._game.fields.named(observations), self._weights)

    def __call__(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator
    ) -> NDArray[np.int64]:
        """The best-looking legal action of each row."""
        return best(self.scores(observations), masks, rng)
