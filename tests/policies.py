"""Ways to choose legal actions, and the names of games, for tests."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game


def some_legal(masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    """One legal action for each row, each as likely."""
    return (rng.random(masks.shape) * masks).argmax(axis=1)


def settled(observations: NDArray[np.float32], masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    """An agent without chance, whose choice looks like one: equal observations, equal actions."""
    weights = np.random.default_rng(0).random((observations.shape[1], masks.shape[1]))
    scores = observations[:, :, None].astype(np.float64) * weights
    return ((scores.sum(axis=1) * 1e3 % 1) * masks + masks).argmax(axis=1)


def gymnasium_id(game: Game) -> str:
    """The name under which Gymnasium knows a game."""
    return f"titan_env/{game.name.title().replace('_', '')}-v{game.version}"
