"""The error for an illegal action: the reason, and the actions that are legal."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game


class IllegalAction(ValueError):
    """An action that the rules forbid in this position; nothing has changed."""


def illegal_action_error(
    game: Game, state: Any, action: int, mask: NDArray[np.int8], row: int | None = None
) -> IllegalAction:
    """Return the IllegalAction for an action, with the reason and the legal actions in its text."""
    where = "" if row is None else f" in row {row}"
    if not 0 <= action < len(game.rules.actions):
        return IllegalAction(f"expected an action from 0 to {len(game.rules.actions) - 1}, got {action}{where}")
    if not mask.any():
        return IllegalAction(f"expected a game that has begun, got one{where} in which nobody is asked; begin it first")
    texts, reason = game.rules.actions.texts, game.text.why_not(state, action)
    legal = ", ".join(texts[other] for other in np.flatnonzero(mask))
    return IllegalAction(f"expected a legal action{where}, got {action} ({texts[action]}): {reason} Legal are: {legal}")


def refuse_illegal(game: Game, state: Any, action: int, mask: NDArray[np.int8] | None = None) -> None:
    """Raise IllegalAction unless the action is legal in this state; `mask` (A,) is the state's, if already computed."""
    mask = game.rules.mask(state) if mask is None else mask
    if not 0 <= action < len(mask) or not mask[action]:
        raise illegal_action_error(game, state, action, mask)
