"""What may be aimed at: the squares that axe, spear, trap and the specials reach."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import rule
from titan_env.games.fantasy_racing.rules.actions import AIM_COLUMNS, AIM_ROWS, AIM_WIDTH, PLACES
from titan_env.games.fantasy_racing.rules.board import (
    AT,
    beside,
    blocks,
    has_barrier,
    has_opponent,
    has_priority,
    is_empty,
    is_plain,
)
from titan_env.games.fantasy_racing.rules.data_tables import (
    AXE_RANGE,
    BITE_RANGE,
    FIRE_WAND_RANGE,
    SPEAR_RANGE,
    TELEPORT_RANGE,
    THEFT_RANGE,
    TRAP_RANGE,
    TRAP_ROWS,
)
from titan_env.games.fantasy_racing.rules.state import ALL_OBJECTS, COLUMNS, NOBODY, SQUARES, Aim, Square

MOST_PLACES = len(PLACES)
SIDEWAYS = min(FIRE_WAND_RANGE, AIM_COLUMNS)
"""How far the fire wand reaches aside and diagonally: further would be all around the board."""


def _in_range(aim: Aim, rows: int, columns: int) -> bool:
    """Whether a place lies in the range of what is aimed, whatever stands between."""
    far = max(abs(rows), abs(columns))
    if aim == Aim.AXE:
        return far <= AXE_RANGE
    if aim == Aim.SPEAR:
        return columns == 0 and abs(rows) <= SPEAR_RANGE
    if aim == Aim.TRAP:
        return far > 0 and abs(rows) <= TRAP_ROWS
    if aim == Aim.BITE:
        return far <= BITE_RANGE
    if aim == Aim.FIRE_WAND:
        if columns == 0:
            return abs(rows) <= FIRE_WAND_RANGE
        return far <= SIDEWAYS and (rows == 0 or abs(rows) == abs(columns))
    if aim == Aim.TELEPORT_WAND:
        return rows == 0 and 0 < abs(columns) <= TELEPORT_RANGE
    return far <= THEFT_RANGE


_REACH = [[target for target, (rows, columns) in enumerate(PLACES) if _in_range(aim, rows, columns)] for aim in Aim]
REACHES = np.array([len(places) for places in _REACH])
REACH = np.array([places + [-1] * (MOST_PLACES - len(places)) for places in _REACH])
"""The places in the range of what is aimed, the first `REACHES` of each row."""
NEAR = np.array([max(abs(rows), abs(columns)) <= TRAP_RANGE for rows, columns in PLACES])
"""Where a trap may be laid on an opponent."""
HALF = SQUARES // 2
ALL_OF_HALF, FIRST_ROW = (1 << HALF) - 1, (1 << COLUMNS) - 1
LEFTMOST = sum(1 << first for first in range(0, HALF, COLUMNS))
RIGHTMOST = LEFTMOST << COLUMNS - 1
"""Squares of half of the board, nine rows, as the bits of a number; the rows join at both ends."""
if max(AXE_RANGE, SPEAR_RANGE, TRAP_ROWS, FIRE_WAND_RANGE, THEFT_RANGE, BITE_RANGE) > AIM_ROWS:
    raise ValueError(f"expected ranges of at most {AIM_ROWS} rows, which is what `at:` can name")


@rule
def may_aim(state: Any, who: int, aim: int, target: int) -> bool:
    """Whether what is aimed may be aimed at a place in its range, seen from its user."""
    square = int(AT[state.racers[who].square, target])
    if aim == Aim.TRAP:
        return may_lay_trap(state, who, square, target)
    if aim == Aim.TELEPORT_WAND:
        return not blocks(state, square) and is_empty(state, square)
    if aim == Aim.BITE:
        return has_opponent(state, who, square)
    if aim == Aim.THEFT:
        return first_with_objects(state, who, square) != NOBODY
    if not is_target(state, who, square):
        return False
    if aim == Aim.SPEAR:
        return flies_straight(state, who, target)
    return aim == Aim.FIRE_WAND or axe_reaches(state, who, target)


@rule
def is_target(state: Any, who: int, square: int) -> bool:
    """Targets are squares with an opponent that is not protected, with a trap, or with a barrier."""
    if state.traps[square] or has_barrier(state, square):
        return True
    return has_opponent(state, who, square)


@rule
def may_lay_trap(state: Any, who: int, square: int, target: int) -> bool:
    """A trap is laid on a plain square without one: on the ground where nobody stands, or near by on an opponent."""
    if state.traps[square] or not is_plain(state, square):
        return False
    return is_empty(state, square) or (NEAR[target] and has_opponent(state, who, square))


@rule
def first_with_objects(state: Any, who: int, square: int) -> int:
    """The first of the opponents on a square that are not protected and hold anything, or NOBODY."""
    first = NOBODY
    for other in range(state.seats):
        racer = state.racers[other]
        if racer.square == square and other != who and not racer.protected and count_objects(state, other) > 0:
            if first == NOBODY or has_priority(state, other, first):
                first = other
    return first


@rule
def count_objects(state: Any, who: int) -> int:
    """How many objects a racer holds."""
    count = 0
    for thing in range(ALL_OBJECTS):
        count += state.racers[who].objects[thing]
    return count


@rule
def flies_straight(state: Any, who: int, target: int) -> bool:
    """A spear flies in its column, not on to or past a rock, past everything else."""
    square = int(state.racers[who].square)
    rows = target // AIM_WIDTH - AIM_ROWS
    step = 1 if rows > 0 else -1
    for row in range(step, rows + step, step):
        if state.printed[beside(square, row, 0)] == Square.ROCK:
            return False
    return True


@rule
def axe_reaches(state: Any, who: int, target: int) -> bool:
    """An axe flies up to five steps in the eight directions that never enter a rock.

    The squares of each half of the board are the bits of a number; those reached grow by one step at a time.
    """
    free_below, free_above = 0, 0
    for place_in_half in range(HALF):
        free_below |= int(state.printed[place_in_half] != Square.ROCK) << place_in_half
        free_above |= int(state.printed[HALF + place_in_half] != Square.ROCK) << place_in_half
    start = int(state.racers[who].square)
    below = 1 << start if start < HALF else 0
    above = 0 if start < HALF else 1 << start - HALF
    for _ in range(AXE_RANGE):
        grown = one_step_around(below, above) & free_below
        above = one_step_around(above, below) & free_above | above
        below = grown | below
    square = int(AT[state.racers[who].square, target])
    return bool(below >> square & 1 if square < HALF else above >> square - HALF & 1)


@rule
def one_step_around(half: int, other: int) -> int:
    """The squares of half of the board and those beside them, where the other half lies before and behind it."""
    rows = half | half << COLUMNS | half >> COLUMNS | other >> HALF - COLUMNS | (other & FIRST_ROW) << HALF - COLUMNS
    rows &= ALL_OF_HALF
    aside = (rows & ~RIGHTMOST) << 1 | (rows & ~LEFTMOST) >> 1
    around = (rows & RIGHTMOST) >> COLUMNS - 1 | (rows & LEFTMOST) << COLUMNS - 1
    return rows | aside | around


@rule
def has_target(state: Any, who: int, aim: int) -> bool:
    """Whether there is anything to aim at."""
    for i in range(REACHES[aim]):
        if may_aim(state, who, aim, int(REACH[aim, i])):
            return True
    return False


@rule
def only_target(state: Any, who: int, aim: int) -> int:
    """The only place to aim at, or -1 where there are several."""
    found = -1
    for i in range(REACHES[aim]):
        target = int(REACH[aim, i])
        if may_aim(state, who, aim, target):
            if found >= 0:
                return -1
            found = target
    return found
