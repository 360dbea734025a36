"""Actions with the highest score, for agents that score actions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray


def scores_actions(agent: Any) -> bool:
    """Return whether an agent takes the legal action with the highest of its scores."""
    return hasattr(agent, "scores") and hasattr(agent, "choose")


def best_actions(scores: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return which actions are legal and have the highest score of their row, (B, A).

    Raises ValueError for scores of another shape than the masks, or for NaN as the score of a legal action.
    """
    if np.shape(scores) != masks.shape:
        raise ValueError(f"expected scores of shape {masks.shape}, one for each action, got {np.shape(scores)}")
    legal = np.where(masks != 0, scores, -np.inf)
    highest = legal.max(axis=1, keepdims=True)
    if np.isnan(highest).any():
        raise ValueError("expected numbers as scores of legal actions, got NaN")
    return np.asarray((legal == highest) & (masks != 0))
