"""A game with nothing that it need not have: no chance, no events, no words, everything allowed, often no winner."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import (
    HEADER,
    ActionTable,
    Field,
    Fields,
    Game,
    Rules,
    Status,
    rule,
)

LEAVE, TAKE = 0, 1

STATE = np.dtype([*HEADER, ("takers", np.int8), ("taker", np.int8)])
FIELDS = Fields((Field("takers", (), 0, 3, "seats that have taken it"),))


@rule
def set_up(state: Any, luck: Any) -> None:
    """The first seat begins."""
    state.ask = 1


@rule
def legal(state: Any, mask: Any) -> None:
    """Leave it or take it, always."""
    mask[:] = state.over == 0


@rule
def decide(state: Any, action: int, luck: Any, log: Any) -> None:
    """Everybody is asked once; who alone has taken it has won."""
    if action == TAKE:
        state.takers += 1
        state.taker = state.seat
    state.seat = (state.seat + 1) % state.seats
    if state.decisions == state.seats:
        state.over = Status.TERMINATED
        state.ask = 0
        if state.takers == 1:
            state.won[state.taker] = 1


@rule
def observe(state: Any, seat: int, vector: Any) -> None:
    """How many have taken it."""
    vector[0] = state.takers


GAME = Game(
    name="bare",
    rules=Rules(
        state=STATE,
        seats=(2, 3),
        actions=ActionTable(("leave", "take")),
        fields=FIELDS,
        setup=set_up,
        legal=legal,
        step=decide,
        observe=observe,
    ),
)
