"""The Gymnasium spaces of a game, made from its action and observation tables."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
from gymnasium.spaces import Box, Discrete

from titan_env.contract import Fields, Game

METADATA: dict[str, Any] = {"render_modes": ["ansi", "rgb_array", "human"], "render_fps": 4}
RENDER_MODES = (None, *METADATA["render_modes"])
BATCH_RENDER_MODES = (None, "ansi", "rgb_array")
"""Render modes of batched environments, which have no window."""

_INT8 = np.dtype(np.int8)
_AHEAD = 256


class MaskedDiscrete(Discrete):
    """A `Discrete` space whose `sample` of a mask is uniform like Gymnasium's and ten times as fast."""

    _ahead: Iterator[float] = iter(())  # fractions drawn ahead: to ask for one takes as long as to ask for many
    _drawn_by: np.random.Generator | None = None

    def __init__(self, actions: int, seed: int | np.random.Generator | None = None) -> None:
        super().__init__(actions, seed=seed)
        self._count = actions  # a Python number, unlike `n`: quicker to compare

    def sample(self, mask: Any = None, probability: Any = None) -> np.int64:
        """Draw an action: uniform over all, uniform over the int8 `mask` (A,), or by `probability` (A,) float64."""
        if probability is None and isinstance(mask, np.ndarray) and mask.dtype is _INT8 and mask.ndim == 1:
            numbers = mask.tobytes()
            legal = numbers.count(1)
            if legal and legal + numbers.count(0) == len(numbers) == self._count:
                return mask.nonzero()[0][int(self._fraction() * legal)]  # type: ignore[no-any-return]
        return super().sample(mask, probability)

    def _fraction(self) -> float:
        """Draw a float in [0, 1) from the space's own generator, the one that `seed` sets."""
        fraction = next(self._ahead, None) if self._drawn_by is self._np_random else None
        if fraction is None:
            self._drawn_by = self.np_random
            self._ahead = iter(self._drawn_by.random(_AHEAD).tolist())
            fraction = next(self._ahead)
        return fraction


def action_space(game: Game) -> MaskedDiscrete:
    """Return the `Discrete` space of the game's A actions."""
    return MaskedDiscrete(len(game.rules.actions))


def observation_space(fields: Fields, whole: bool = False) -> Box:
    """Return the `Box` (F,) of flat observations with the bounds of these fields: float32, or integers for `whole`."""
    low, high = fields.bounds(whole)
    return Box(low, high, dtype=low.dtype.type)
