"""The three ways to change squares: walks step by step, leaps and knocks over what lies between."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import log_event, push_effect, rule
from titan_env.games.fantasy_racing.rules.board import AHEAD, beside, blocks, defuses
from titan_env.games.fantasy_racing.rules.data_tables import DEFUSING_POINTS
from titan_env.games.fantasy_racing.rules.points import score, travel
from titan_env.games.fantasy_racing.rules.questions import ask
from titan_env.games.fantasy_racing.rules.state import (
    HAND_LIMIT,
    NOBODY,
    Ask,
    Due,
    Event,
    Manner,
    Object,
    Race,
    Reason,
    Square,
    Way,
)

RUN_UP = 2
"""Squares between the start of a walk and a hole that let a racer jump it."""
LYING = np.array([Object[square.name] if square.name in Object.__members__ else -1 for square in Square], np.int64)
"""The object that is printed on a square; -1 where none lies openly."""


# Entering a square


@rule
def gain(race: Race, who: int, thing: int) -> None:
    """A racer holds at most 9 of each object; what is more is taken and lost."""
    racer = race.state.racers[who]
    if racer.objects[thing] < HAND_LIMIT:
        racer.objects[thing] += 1


@rule
def enter(race: Race, who: int) -> None:
    """What lies on an entered square is taken, a chest is opened; last of all a trap is defused."""
    state = race.state
    square = state.racers[who].square
    printed = state.printed[square]
    if defuses(state, who) and state.traps[square]:
        push_effect(state, Due.DEFUSE, who, 0, 0, 0)
    if printed > Square.SHORTCUT and not state.gone[square]:
        state.gone[square] = 1
        if printed == Square.CHEST:
            push_effect(state, Due.CHEST, who, 0, 0, 0)
        else:
            thing = LYING[printed]
            gain(race, who, thing)
            log_event(race.log, Event.TOOK, who, thing, square)


@rule
def defuse(race: Race, who: int) -> None:
    """A racer with Defusing takes the trap on its square."""
    square = race.state.racers[who].square
    race.state.traps[square] = 0
    take_trap(race, who)


@rule
def take_trap(race: Race, who: int) -> None:
    """A trap that does not spring is taken among one's own, and is worth a point."""
    log_event(race.log, Event.DEFUSED, who, race.state.racers[who].square, 0)
    gain(race, who, Object.TRAP)
    score(race, who, Reason.DEFUSING, DEFUSING_POINTS)


# Walks


@rule
def walk(race: Race, who: int, left: int, walked: int) -> None:
    """A straight walk goes on, as far as what lies on the square that it has come to lets it."""
    state = race.state
    square = state.racers[who].square
    if walked > 0 and left > 0:
        printed = state.printed[square]
        if state.traps[square]:
            left = 0
        elif printed == Square.HOLE and walked <= RUN_UP:
            log_event(race.log, Event.HOLE_STOP, who, square, 0)
            left = 1
        elif printed == Square.SHORTCUT:
            push_effect(state, Due.WALK, who, left, walked, 0)
            ask(state, Ask.SHORTCUT, who)
            return
    walk_on(race, who, left, walked)


@rule
def walk_on(race: Race, who: int, left: int, walked: int) -> None:
    """The next step of a walk, or its end: where no squares are left, or before a barrier or rock."""
    state = race.state
    ahead = AHEAD[state.racers[who].square]
    if left > 0 and not blocks(state, ahead):
        push_effect(state, Due.WALK, who, left - 1, walked + 1, 0)
        travel(race, who, ahead, 1, Way.WALK)
        enter(race, who)
        return
    if left > 0:
        log_event(race.log, Event.BLOCKED, who, ahead, 0)
    if walked > 0:
        push_effect(state, Due.ARRIVE, who, Manner.MOVER, 0, 0)


@rule
def answer_shortcut(race: Race, who: int, goes_on: bool) -> None:
    """A walk over a shortcut may always be interrupted on it."""
    item = race.state.agenda[race.state.due - 1]
    left, walked = int(item[2]), int(item[3])
    race.state.due -= 1
    item[:] = 0
    walk_on(race, who, left if goes_on else 0, walked)


@rule
def may_skid(state: Any, who: int, side: int, squares: int) -> bool:
    """A skid goes diagonally back, not on to or over a barrier or rock."""
    square = int(state.racers[who].square)
    for _ in range(squares):
        square = beside(square, -1, side)
        if blocks(state, square):
            return False
    return True


@rule
def skid(race: Race, who: int, side: int, left: int, gone: int) -> None:
    """One square of a skid after the other; a trap on the first of two ends it there."""
    state = race.state
    square = int(state.racers[who].square)
    if left == 0 or (gone > 0 and state.traps[square]):
        push_effect(state, Due.ARRIVE, who, Manner.MOVER, 0, 0)
    else:
        push_effect(state, Due.SKID, who, side, left - 1, gone + 1)
        travel(race, who, beside(square, -1, side), -1, Way.WALK)
        enter(race, who)


# Leaps and knocks


@rule
def leap(race: Race, who: int, rows: int, columns: int) -> None:
    """A leap touches nothing on its way and arrives as a mover."""
    square = beside(int(race.state.racers[who].square), rows, columns)
    push_effect(race.state, Due.ARRIVE, who, Manner.MOVER, 0, 0)
    travel(race, who, square, rows, Way.LEAP)
    enter(race, who)


@rule
def knock(race: Race, who: int, rows: int, columns: int) -> None:
    """A knock goes back, touches only its landing, and arrives as suffered."""
    square = beside(int(race.state.racers[who].square), -rows, columns)
    push_effect(race.state, Due.ARRIVE, who, Manner.SUFFERED, 0, 0)
    travel(race, who, square, -rows, Way.KNOCK)
    enter(race, who)


@rule
def recoil_rows(state: Any, who: int, rows: int, columns: int) -> int:
    """How many rows a racer recoils in its target column: a barrier or rock stops it on the square below.

    -1 where it does not move at all: not aside, or the square of its own row there is blocked too.
    """
    square = int(state.racers[who].square)
    free = 0
    while free < rows and not blocks(state, beside(square, -free - 1, columns)):
        free += 1
    if free == 0 and (columns == 0 or blocks(state, beside(square, 0, columns))):
        return -1
    return free


@rule
def recoil(race: Race, who: int, rows: int, columns: int) -> bool:
    """Recoil as far as barriers and rocks allow; whether the racer moves at all."""
    free = recoil_rows(race.state, who, rows, columns)
    if free < rows:
        square = beside(int(race.state.racers[who].square), -max(free, 0) - 1, columns)
        log_event(race.log, Event.BLOCKED, who, square, 0)
    if free < 0:
        return False
    knock(race, who, free, columns)
    return True


@rule
def reappear(race: Race) -> None:
    """Objects and chests reappear; destroyed barriers do not. Who stands there does not enter."""
    for square in range(len(race.state.printed)):
        if race.state.printed[square] > Square.SHORTCUT:
            race.state.gone[square] = 0
    log_event(race.log, Event.REFILL, race.state.order[0], NOBODY, 0)
