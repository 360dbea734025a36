"""The bare game with a step that asks chance, or logs events, more often than the records have room for."""

from __future__ import annotations

from typing import Any

from tests.games import bare, game_with
from titan_env.contract import draw, log_event, rule

ASK_CHANCE, LOG_EVENTS = 0, 1
"""The actions, which the bare game calls leave and take."""


@rule
def overflow(state: Any, action: int, luck: Any, log: Any) -> None:
    """Ask chance a hundred times, or log a hundred events."""
    for number in range(100):
        if action == ASK_CHANCE:
            draw(luck, 2)
        else:
            log_event(log, 0, number, 0, 0)


TOO_MUCH = game_with(bare.GAME, "too_much", step=overflow)
