"""Questions in secret: only the seat that is asked knows of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.games.titan_war.rules.state import NOBODY, PRIVATE_ASKS, STATE, Ask, Stage


def copy_of(state: Any) -> Any:
    """Return a copy of a position that can be changed."""
    return np.frombuffer(bytearray(state.tobytes()), STATE).view(np.recarray)[0]


def is_secret(state: Any) -> bool:
    """Return whether only the seat that is asked may know of the question."""
    return int(state.ask) in PRIVATE_ASKS


def public_view(state: Any) -> Any:
    """Return the war as those see it who may not know of the question: as of the turn around it; None in the open."""
    if not is_secret(state):
        return None
    seen = copy_of(state)
    seen.seat = state.mover
    seen.ask = Ask.NOTHING
    seen.land = seen.teleporting = seen.destination = seen.wanted = 0
    seen.picked = seen.donor = NOBODY
    seen.split[:] = 0
    if seen.stage == Stage.BATTLE:
        seen.battle.ask = Ask.NOTHING
    return seen
