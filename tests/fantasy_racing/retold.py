"""A second telling of a chain, from its events alone: how the board stands at each link, as far as they say."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.games.fantasy_racing.rules.board import current
from titan_env.games.fantasy_racing.rules.state import HAND_LIMIT, STATE, Ask, Event, Object, Roll, Way

_LINKS = (
    Event.AIMED,
    Event.CHEST,
    Event.SHORTCUT,
    Event.HOLE,
    Event.TRAP_SPRUNG,
    Event.FIGHT,
    Event.SHOCK,
    Event.SHIELDED,
    Event.LIGHTNING,
    Event.PLAGUE,
    Event.STOLEN,
)
"""What begins another link of a chain. The knock belongs to its shock, the leap to its shortcut."""

EventRow = tuple[int, int, int, int]


def retold(before: Any, events: Any) -> list[tuple[int, Any]]:
    """Before each link of a chain but the first: how many events are told by then, and the position.

    A step in which only one thing happens is told at once.
    """
    rows: list[EventRow] = [
        (kind, who, n, m) for kind, who, n, m in np.asarray(events, np.int64).reshape(-1, 4).tolist()
    ]
    state = np.array([before], STATE).view(np.recarray)
    _clear_question(state[0])
    found, linked, chained = [], False, False
    for number, event in enumerate(rows):
        goes_on = _is_turn_over(event)
        walks_on = linked and event[0] == Event.MOVED and event[3] == Way.WALK
        if number and (event[0] in _LINKS or walks_on or goes_on):
            found.append((number, state.copy()[0]))
            chained |= not goes_on
        if goes_on:
            break
        linked = event[0] in _LINKS or (linked and not walks_on)
        _happen(state[0], event)
    return found if chained else []


def _clear_question(state: Any) -> None:
    """The question has been answered: nothing is offered while its consequences are told."""
    state.ask, state.roll = Ask.NOTHING, Roll.NONE
    state.dice[:] = 0
    if state.rounds_begun:
        state.seat = current(state)


def _is_turn_over(event: EventRow) -> bool:
    """Whether a round, the next turn, or the end of the race begins with an event."""
    return event[0] in (Event.ROUND, Event.WON) or (event[0] == Event.ROLLED and event[2] == Roll.MOVEMENT)


def _happen(state: Any, event: EventRow) -> None:
    """Let an event be seen in a position."""
    kind, who, other, amount = event
    racer = state.racers[who]
    if kind == Event.MOVED:
        racer.square = other
    elif kind == Event.POINTS:
        state.scores[who] += amount
    elif kind == Event.LINE:
        racer.laps += amount
        racer.highest = max(int(racer.highest), int(racer.laps))
    elif kind == Event.POISONED:
        racer.poisoned = 1
    elif kind == Event.TRAP_SET:
        state.traps[other] = who + 1
    elif kind in (Event.TRAP_SPRUNG, Event.TRAP_DESTROYED, Event.DEFUSED):
        state.traps[other] = 0
    elif kind == Event.BARRIER_DESTROYED:
        state.gone[other] = 1
    else:
        _change_hands(state, event)


def _change_hands(state: Any, event: EventRow) -> None:
    """Let be seen what an event does to what racers hold."""
    kind, who, other, amount = event
    if kind == Event.TOOK:
        state.gone[amount] = 1
        _hold(state, who, other, 1)
    elif kind == Event.CHEST:
        state.gone[state.racers[who].square] = 1
        _hold(state, who, other, 1)
    elif kind == Event.USED:
        _hold(state, who, amount, -1)
    elif kind == Event.COINS:
        _hold(state, who, Object.COIN, -amount)
    elif kind == Event.SHIELDED:
        _hold(state, who, Object.SHIELD, -1)
    elif kind == Event.STOLEN:
        _hold(state, other, amount, -1)
        _hold(state, who, amount, 1)


def _hold(state: Any, who: int, thing: int, more: int) -> None:
    """A racer holds some more of an object, or fewer."""
    objects = state.racers[who].objects
    objects[thing] = min(max(int(objects[thing]) + more, 0), HAND_LIMIT)
