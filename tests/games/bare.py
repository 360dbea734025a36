"""A game with nothing that it need not have: no chance, no events, no words, everything allowed, often no winner."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import (
    HEADER,
    LOG,
    LUCK,
    SILENT,
    ActionTable,
    Field,
    Fields,
    Game,
    Over,
    begin,
    observer,
    pointer,
    row,
    rule,
)

LEAVE, TAKE = 0, 1

STATE = np.dtype([*HEADER, ("takers", np.int8), ("taker", np.int8)])
FIELDS = Fields((Field("takers", (), 0, 3, "how many have taken it"),))


@rule
def set_up(state: Any, luck: Any) -> None:
    """The first seat begins."""
    begin(luck)
    state.ask = 1


@rule
def legal(state: Any, mask: Any) -> None:
    """Leave it or take it, always."""
    mask[:] = state.over == 0


@rule
def decide(state: Any, action: int, luck: Any, log: Any) -> None:
    """Everybody is asked once; who alone has taken it has won."""
    begin(luck)
    if log.count != SILENT:
        log.count = 0
    if action == TAKE:
        state.takers += 1
        state.taker = state.seat
    state.decisions += 1
    state.seat = (state.seat + 1) % state.seats
    if state.decisions == state.seats:
        state.over = Over.TERMINATED
        state.ask = 0
        if state.takers == 1:
            state.won[state.taker] = 1


@rule
def observe(state: Any, seat: int, vector: Any) -> None:
    """How many have taken it."""
    vector[0] = state.takers


GAME = Game(
    name="bare",
    state=STATE,
    seats=(2, 3),
    actions=ActionTable(("leave", "take")),
    fields=FIELDS,
    setup=pointer(set_up, STATE, LUCK),
    legal=pointer(legal, STATE, row(np.int8)),
    step=pointer(decide, STATE, np.int64, LUCK, LOG),
    observe=observer(observe, STATE, FIELDS),
)
