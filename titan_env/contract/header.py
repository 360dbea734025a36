"""The header that every state begins with, and the log of one step."""

from __future__ import annotations

from enum import IntEnum
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.jit import rule

MOST_SEATS = 6
MOST_EVENTS = 96

State = Any
"""One game: a record of the game's state dtype (an element of a ``np.recarray``)."""


class Status(IntEnum):
    """The status of a game."""

    RUNNING = 0
    TERMINATED = 1
    TRUNCATED = 2


HEADER: list[Any] = [
    ("decisions", np.int32),  # decisions taken so far, by all seats
    ("scores", np.int32, (MOST_SEATS,)),  # points of each seat, in a game for points
    ("over", np.int8),  # Status
    ("seats", np.int8),  # players at the table
    ("seat", np.int8),  # the seat that is asked
    ("ask", np.int8),  # what it is asked: the game's own enum, 0 when the game is over
    ("won", np.int8, (MOST_SEATS,)),  # 1 for each seat that has won; several in a draw, and in a team
    ("place", np.int8, (MOST_SEATS,)),  # final place from 1 on, equals share the better one; 0: open, or none kept
    ("out", np.int8, (MOST_SEATS,)),  # 1: the seat has won or lost, at its `place`, and is asked no more
]
"""The fields that every state starts with."""

SILENT = -1


def log_dtype(events: int) -> np.dtype[Any]:
    """Return the dtype of a log with room for so many events in one step."""
    return np.dtype(
        [
            ("count", np.int16),  # events so far in this step; SILENT: nobody listens; more than there is room: lost
            ("events", np.int32, (events, 4)),  # kind, who, whom or where, how much
        ]
    )


LOG = log_dtype(MOST_EVENTS)
"""The dtype of an event log: the events of one step, for callers that keep them."""


@rule
def log_event(log: Any, kind: int, who: int, whom: int, amount: int) -> None:
    """Write one event down, if anybody listens. The numbers mean what the game's `Event` says.

    An event for which there is no room is counted all the same, so that `events_of` finds out.
    """
    if log.count == SILENT or log.count > len(log.events):
        return
    if log.count < len(log.events):
        event = log.events[log.count]
        event[0] = kind
        event[1] = who
        event[2] = whom
        event[3] = amount
    log.count += 1


def events_of(log: Any) -> NDArray[np.int32]:
    """Return the events (n, 4) that one log holds, int32, as a copy.

    Raises OverflowError where a step had more of them than there is room for.
    """
    count, room = int(log["count"]), len(log["events"])
    if count > room:
        raise OverflowError(f"expected at most {room} events in one step; declare log=log_dtype(more) in the Game")
    events: NDArray[np.int32] = log["events"][: max(count, 0)].copy()
    return events
