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
    chance = observations.astype(np.float64) @ np.cos(np.arange(observations.shape[1])) * 1e3 % 1
    return (masks.cumsum(axis=1) > (chance * masks.sum(axis=1)).astype(int)[:, None]).argmax(axis=1)


def gymnasium_id(game: Game) -> str:
    """The name under which Gymnasium knows a game."""
    return f"titan_env/{game.name.title().replace('_', '')}-v{game.version}"
