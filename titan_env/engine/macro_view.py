"""Candidates of macro-actions beside an observation, and what a policy over candidates means for single actions."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import NO_ACTION, Candidates, Fields, Game
from titan_env.contract.options import near
from titan_env.engine.observation_view import ObservationView

_FORBIDDEN = -1e8
"""The logit of an action that is not allowed, or that no candidate begins with; as in a policy's file."""


class MacroView:
    """The view of macro-actions: the fields of an `ObservationView`, then those that tell of the candidates.

    `layout` is the `Fields` of both. Raises ValueError for macro-actions that the game does not have.
    """

    def __init__(self, game: Game, macro: str, view: ObservationView) -> None:
        known = game.rules.macros
        if macro not in known:
            listed = ", ".join(known) or "none"
            reason = f"{listed}; got {macro!r}{near(macro, [*known])}"
            raise ValueError(f"expected macro among those of {game.metadata.title}: {reason}")
        self.name, self.macro, self.view = macro, known[macro], view
        self._fields = game.rules.fields
        self._macro_fields = Fields(self.macro.parts, self._fields.whole)
        self.layout = Fields((*view.layout.parts, *self.macro.parts), self._fields.whole)
        self.choice = {**view.choice, "macro": macro}
        """The keywords that make this view again."""

    def propose(self, observations: NDArray[Any]) -> Candidates:
        """Return the candidates of observations (B, F), in fractions or in integers as the view takes them."""
        return self.macro.propose(self._fields.split(self._fractions(observations)))

    def observe(self, observations: NDArray[Any], candidates: Candidates) -> NDArray[Any]:
        """Return what is seen (B, V) of observations (B, F) with their candidates."""
        numbers = candidates.numbers if self.view.whole else self._macro_fields.to_float(candidates.numbers)
        dtype = self.layout.dtype if self.view.whole else np.dtype(np.float32)
        return np.concatenate([self.view(observations), numbers], axis=1).astype(dtype, copy=False)

    def _fractions(self, observations: NDArray[Any]) -> NDArray[np.float32]:
        """Return observations in fractions."""
        return self._fields.to_float(observations) if self.view.whole else observations


def candidate_masks(candidates: Candidates, masks: NDArray[np.int8]) -> NDArray[np.int8]:
    """Return which candidates can be begun, int8 (B, K): those whose first action the masks (B, A) allow."""
    first = candidates.sequences[:, :, 0].astype(np.int64)
    legal = np.take_along_axis(masks, np.maximum(first, 0), axis=1) != 0
    return (legal & (first != NO_ACTION)).astype(np.int8)


def action_logits(logits: NDArray[np.float32], candidates: Candidates, masks: NDArray[np.int8]) -> NDArray[np.float32]:
    """Return logits of actions (B, A) from those of candidates (B, K): of each action the best that begins with it."""
    first = candidates.sequences[:, :, 0].astype(np.int64)
    rows, places = np.nonzero(candidate_masks(candidates, masks))
    actions = np.full(masks.shape, _FORBIDDEN, np.float32)
    np.maximum.at(actions, (rows, first[rows, places]), logits[rows, places])
    return actions
