"""The Gymnasium spaces of a game, made from its tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete

from titan_env.contract import Game

METADATA: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 4}
RENDER_MODES = (None, *METADATA["render_modes"])
BATCH_RENDER_MODES = (None, "ansi", "rgb_array")
"""Many games have no window."""

_INT8 = np.dtype(np.int8)
_AHEAD = 256


class Actions(Discrete):
    """A `Discrete` that draws among the actions of a mask as fairly as Gymnasium's does, ten times faster."""

    _ahead: Iterator[float] = iter(())  # fractions drawn ahead: to ask for one takes as long as to ask for many
    _drawn_by: np.random.Generator | None = None

    def __init__(self, actions: int, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(actions, seed=seed)
        self._count = actions  # a Python number, unlike `n`: quicker to compare

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """An action: any, one of the int8 `mask` (A,), each as likely, or with its `probability` (A,) float64."""
        if probability is None and isinstance(mask, np.ndarray) and mask.dtype is _INT8 and mask.ndim == 1:
            numbers = mask.tobytes()
            legal = numbers.count(1)
            if legal and legal + numbers.count(0) == len(numbers) == self._count:
                return mask.nonzero()[0][int(self._fraction() * legal)]  # type: ignore[no-any-return]
        return super().sample(mask, probability)

    def _fraction(self) -> float:
        """A number from 0 to below 1 of the space's own generator, which `seed` changes."""
        fraction = next(self._ahead, None) if self._drawn_by is self._np_random else None
        if fraction is None:
            self._drawn_by = self.np_random
            self._ahead = iter(self._drawn_by.random(_AHEAD).tolist())
            fraction = next(self._ahead)
        return fraction


def action_space(game: Game) -> Actions:
    """Every action of the game by number."""
    return Actions(len(game.rules.actions))


def observation_space(game: Game, whole: bool = False) -> Box:
    """The flat observation, with the bounds of its fields: float32, or in `whole` numbers."""
    low, high = game.rules.fields.bounds(whole)
    return Box(low, high, dtype=low.dtype.type)
