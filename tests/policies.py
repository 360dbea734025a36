"""Ways to choose legal actions, and the names of games, for tests."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.engine.batch import Batch


def some_legal(masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    """One legal action for each row, each as likely."""
    return (rng.random(masks.shape) * masks).argmax(axis=1)


def settled(observations: NDArray[np.float32], masks: NDArray[Any], rng: np.random.Generator) -> NDArray[np.int64]:
    """An agent without chance, whose choice looks like one: equal observations, equal actions."""
    chance = observations.astype(np.float64) @ np.cos(np.arange(observations.shape[1])) * 1e3 % 1
    return (masks.cumsum(axis=1) > (chance * masks.sum(axis=1)).astype(int)[:, None]).argmax(axis=1)


def forbidden(mask: NDArray[Any]) -> int:
    """An illegal action. Where all are legal there is nothing to test."""
    if mask.all():
        pytest.skip("nothing is illegal here")
    return int(np.argmin(mask))


def has_chance(game: Game) -> bool:
    """Whether chance is ever asked in a game."""
    batch = Batch(game, 8)
    before = batch.luck["stream"].copy()
    batch.start()
    batch.rollout(100)
    return bool((batch.luck["stream"] != before).any())


def gymnasium_id(game: Game) -> str:
    """The name under which Gymnasium knows a game."""
    return f"titan_env/{game.name.title().replace('_', '')}-v{game.metadata.version}"
