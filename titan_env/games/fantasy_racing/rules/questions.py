"""Who is asked what."""

from __future__ import annotations

from typing import Any

from titan_env.contract import rule


@rule
def ask(state: Any, what: int, who: int) -> None:
    """Ask the player of a racer for a decision."""
    state.ask = what
    state.seat = who
