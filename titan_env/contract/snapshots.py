"""Copies of a game's state in the middle of a step: as it stood when each event was logged.

The log holds the address of the state and of the room for its copies, and `log_event` makes them: so the rules are
played once, by the same machine code, whether anybody wants copies or not.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np


@contextmanager
def keep_snapshots(states: Any, log: Any) -> Iterator[Any]:
    """Yield room (events,) in which a step at `states` (1,) that writes a `log` (1,) leaves a copy for each event.

    The first of them are those of the events in the log; what lies behind is empty.
    """
    room = np.zeros(len(log[0].events), states.dtype).view(np.recarray)
    log["state"], log["copies"], log["size"] = states.ctypes.data, room.ctypes.data, states.dtype.itemsize
    try:
        yield room
    finally:
        log["state"] = log["copies"] = log["size"] = 0
