"""The constant agent: ``constant:<action>`` plays one action wherever it is legal, and elsewhere any, each as likely.

A yardstick for what is learned: its share of wins has nothing to do with the position.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from titan_env.agents import Agent
from titan_env.agents.uniform import best
from titan_env.contract import Game


def make(game: Game, action: str) -> Agent:
    """Return the agent that plays the action with this text. Raises ValueError for a text that no action has."""
    preferred = np.zeros(len(game.rules.actions), np.float32)
    preferred[game.rules.actions.read(action)] = 1

    def act(observations: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        """Return one legal action for each row."""
        return best(np.broadcast_to(preferred, masks.shape), masks, rng)

    return act
