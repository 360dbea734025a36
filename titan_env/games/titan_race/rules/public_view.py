"""Questions in silence: only the seat that is asked for a reaction knows of it."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.games.titan_race.rules.state import STATE, Ask


def public_view(state: Any) -> Any:
    """Return the race as those see it who are not asked for a reaction: as of the turn in which it happens."""
    if state.ask not in (Ask.SHIELD, Ask.THORNS):
        return None
    seen = np.frombuffer(bytearray(state.tobytes()), STATE).view(np.recarray)[0]
    seen.ask, seen.asked, seen.seat = Ask.NOTHING, state.titan, state.titans[state.titan].seat
    seen.agenda[:] = seen.due = 0
    return seen
