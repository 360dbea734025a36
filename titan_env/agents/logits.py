"""Choices by a network's logits, in which illegal actions are masked."""

from __future__ import annotations

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Float = TypeVar("Float", bound=np.floating)


def chances_of(logits: NDArray[Float]) -> NDArray[Float]:
    """Return the probability of each action, (B, A), from masked logits (B, A)."""
    chances: NDArray[Float] = np.exp(logits - logits.max(axis=1, keepdims=True))
    return chances / chances.sum(axis=1, keepdims=True)


def chosen_by(logits: NDArray[np.float32], temperature: float, rng: np.random.Generator) -> NDArray[np.int64]:
    """Return the best actions by masked logits (B, A), int64 (B,), or ones drawn at a `temperature` above 0."""
    if temperature > 0:
        logits = logits / temperature + rng.gumbel(size=logits.shape).astype(np.float32)
    chosen: NDArray[np.int64] = logits.argmax(axis=1)
    return chosen
