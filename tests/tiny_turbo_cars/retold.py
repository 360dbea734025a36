"""A second telling of a turn, from its events alone: how the cars stand at each command, as far as they say."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.games.tiny_turbo_cars.rules.state import STATE, Event, Gain

_COMMANDS = (Event.COMMAND, Event.IGNORED)
_AFTERWARDS = (Event.ROUND, Event.WON)

Told = tuple[int, int, int, int]


def retold(before: Any, events: Any) -> list[tuple[int, Any]]:
    """After each command of a turn but the last: how many events are told by then, and the position.

    A step without commands is told at once.
    """
    rows: list[Told] = [(kind, who, n, m) for kind, who, n, m in np.asarray(events, np.int64).reshape(-1, 4).tolist()]
    if not any(event[0] in _COMMANDS for event in rows):
        return []
    state = np.array([before], STATE).view(np.recarray)
    found = []
    for number, event in enumerate(rows):
        if number and _begins_a_stage(event):
            found.append((number, state.copy()[0]))
        if _is_afterwards(event):
            break
        _happen(state[0], event)
    return found


def _begins_a_stage(event: Told) -> bool:
    """Each command is told by itself, and so is what comes after the last one."""
    return event[0] in (*_COMMANDS, Event.FLEW) or _is_afterwards(event)


def _is_afterwards(event: Told) -> bool:
    """Whether the turn is over: the round ends, shields are gained."""
    return event[0] in _AFTERWARDS or (event[0] == Event.GAINED and event[3] == Gain.POSITION)


def _happen(state: Any, event: Told) -> None:
    """Let an event be seen in a position."""
    kind, who, second, third = event
    driver = state.drivers[who]
    if kind in (Event.MOVED, Event.FLEW):
        driver.row, driver.lane = second, third
    elif kind in (Event.LOST, Event.CHARGED):
        driver.batteries = second
    elif kind in (Event.SHIELDED, Event.SPENT):
        driver.shields = second
    elif kind == Event.GAINED:
        driver.shields += second
    elif kind in (Event.LAY_DOWN, Event.STOOD_UP):
        driver.lying = kind == Event.LAY_DOWN
    elif kind == Event.SLIPPING:
        driver.slipping = 1
