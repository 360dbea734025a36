"""Who is asked what."""

from __future__ import annotations

from typing import Any

from titan_env.contract import rule
from titan_env.games.titan_race.rules.board import owner


@rule
def ask(state: Any, what: int, who: int) -> None:
    """Ask the owner of a Titan for a decision."""
    state.ask = what
    state.asked = who
    state.seat = owner(state, who)
