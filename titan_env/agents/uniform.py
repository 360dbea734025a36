"""The random agent: any legal action, each as likely."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from titan_env.agents import Agent
from titan_env.contract import Game
from titan_env.play.best_actions import best_actions


def make(game: Game) -> Agent:
    """Return the random agent of any game."""
    return act


def act(observations: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return one legal action for each row."""
    return best(np.zeros(masks.shape, np.float32), masks, rng)


def best(scores: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the legal action with the highest score in each row; among equals any, each as likely."""
    counted = best_actions(scores, masks).cumsum(axis=1)
    chosen = rng.random((len(masks), 1)) * counted[:, -1:]
    return np.argmax(counted > chosen, axis=1)
