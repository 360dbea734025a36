"""An agent of one's own: any legal action, each as likely. Copy the file, and make it better.

    python -m titan_env.evaluation.ratings.rate_agent python:agents/my_agent.py

rates it against the published agents; ``python:agents/my_agent.py`` is its name in every command. It runs with your
rights: load your own files only.
"""

from __future__ import annotations

import numpy as np

from titan_env.agents import Agent
from titan_env.contract import Game


def make(game: Game) -> Agent:
    """Return the agent for a game: `game.rules.fields.split(observations)` are the fields of observations by name."""

    def act(observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        """Return one action a row: observations float32 (B, F), masks int8 (B, A), actions int64 (B,)."""
        return (masks * rng.random(masks.shape)).argmax(axis=1)

    return act
