"""The board: 36 spaces in staggered columns that wrap, six directions, and who stands where.

::

    row 3    A3      C3      E3          F   = row + 2
    row 2        B2      D2      F2      FL  = column - 1, row + 1
    row 1    A1      C1      E1          FR  = column + 1, row + 1     (B, BL, BR: the opposite)

A space is a number: three to a row, from A1 = 0 to F12 = 35. In a Grand Slam the second and
the third board follow with 36..71 and 72..107.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import rule
from titan_env.games.titan_race.rules.state import (
    BEYOND,
    NOBODY,
    NOWHERE,
    SPACES,
    TRAP,
    Condition,
    Direction,
)

ROWS, COLUMNS = 12, 6
FORWARD = (Direction.F, Direction.FL, Direction.FR)
BEHIND = (Direction.B, Direction.BL, Direction.BR)

COLUMN_STEP = np.array([0, -1, 1, 0, -1, 1], np.int64)
ROW_STEP = np.array([2, 1, 1, -2, -1, -1], np.int64)
"""Columns and rows gained by one step in each Direction."""
OPPOSITE = np.array([Direction.B, Direction.BR, Direction.BL, Direction.F, Direction.FR, Direction.FL], np.int64)


def space_at(column: int, row: int) -> int:
    """The number of the space in a column (0-5) and a row (1-12) of one board."""
    return (row - 1) * 3 + column // 2


def column_of(space: int) -> int:
    """The column, 0 (A) to 5 (F), of a space of any board."""
    row = space // 3 + 1
    return (space % 3) * 2 + (row + 1) % 2


def _wrapped() -> tuple[Any, Any]:
    """For each space and direction of one circuit: the next space, and the laps that it crosses."""
    neighbours, crossings = np.zeros((2, SPACES, 6), np.int64)
    for space in range(SPACES):
        for direction in Direction:
            row = space // 3 + ROW_STEP[direction]
            column = (column_of(space) + COLUMN_STEP[direction]) % COLUMNS
            crossings[space, direction] = row // ROWS
            neighbours[space, direction] = space_at(column, row % ROWS + 1)
    return neighbours, crossings


NEIGHBOUR, CROSSING = _wrapped()


@rule
def neighbour(state: Any, space: int, direction: int) -> int:
    """The next space in a direction: NOWHERE below a Grand Slam, BEYOND past its top."""
    if state.circuits == 1:
        return int(NEIGHBOUR[space, direction])
    local = space % SPACES
    board = space // SPACES + CROSSING[local, direction]
    if board < 0:
        return NOWHERE
    if board >= state.circuits:
        return BEYOND
    return int(board * SPACES + NEIGHBOUR[local, direction])


@rule
def crossing(space: int, direction: int) -> int:
    """+1 where a step crosses the line forward, -1 where it goes back over it, else 0."""
    return int(CROSSING[space % SPACES, direction])


@rule
def standing(state: Any, space: int) -> int:
    """The Titan on a space, or NOBODY; a Titan that is just leaving its space is no longer there."""
    if space < 0:
        return NOBODY
    who = int(state.on[space]) % TRAP - 1
    return NOBODY if who < 0 or state.titans[who].moving else who


@rule
def has_trap(state: Any, space: int) -> bool:
    """Whether a trap lies on a space."""
    return bool(state.on[space] >= TRAP)


@rule
def pick_up_trap(state: Any, space: int) -> None:
    """A trap token goes back to the supply."""
    state.on[space] -= TRAP
    state.supply += 1


@rule
def holds_its_space(state: Any, who: int) -> bool:
    """Whether nobody else has been pushed on to the space of a Titan that is about to leave it."""
    return bool(state.on[state.titans[who].space] % TRAP == who + 1)


@rule
def leave(state: Any, who: int) -> None:
    """Lift a Titan off its space; a pentacle there serves it no more in this turn.

    The space is again that of a Titan that began its step there and has not moved yet, because it still pushes.
    """
    space = state.titans[who].space
    if holds_its_space(state, who):
        state.on[space] -= who + 1
        for other in range(state.titans_in_race):
            if state.titans[other].moving and state.titans[other].space == space and other != who:
                state.on[space] += other + 1
                break
    if who == state.titan:
        state.pentacle = NOWHERE


@rule
def stand(state: Any, who: int, space: int) -> None:
    """Stand a Titan on a space that no other holds; a trap there lies under it until it is sprung."""
    state.on[space] = who + 1 + TRAP * has_trap(state, space)
    state.titans[who].space = space
    state.titans[who].moving = 0


@rule
def is_fit(state: Any, who: int) -> bool:
    """Whether a Titan races on: alive, and able to be harmed."""
    return bool(state.titans[who].condition == Condition.FIT)


@rule
def living(state: Any, space: int) -> int:
    """The living Titan on a space, or NOBODY."""
    who = standing(state, space)
    return who if who != NOBODY and is_fit(state, who) else NOBODY


@rule
def owner(state: Any, who: int) -> int:
    """The seat that plays a Titan."""
    return int(state.titans[who].seat)
