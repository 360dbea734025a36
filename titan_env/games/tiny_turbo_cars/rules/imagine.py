"""What a seat cannot know, drawn anew: the controllers of the others while programming."""

from __future__ import annotations

from typing import Any

from titan_env.contract import rule
from titan_env.games.tiny_turbo_cars.rules.controller import is_dealt, shuffle
from titan_env.games.tiny_turbo_cars.rules.state import Ask


@rule
def imagine(state: Any, seat: int, luck: Any) -> None:
    """Shuffle every other controller that has been dealt; each order is as likely.

    What finishing after few slides betrays about a program is not reckoned with.
    """
    if state.ask == Ask.PROGRAM:
        for other in range(state.seats):
            if other != seat and is_dealt(state.drivers[other]):
                shuffle(state.drivers[other], luck)
