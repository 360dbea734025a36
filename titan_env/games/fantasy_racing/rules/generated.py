"""Generated circuits: 32,000 by number, for learners that shall race on circuits which they have never seen.

They are our own addition, in the manner of the six drawn circuits. Terrain lies at least three rows or two columns from
other terrain, so that all which a circuit must keep is kept (`circuits.faults`).
"""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import numbered_draw, rule
from titan_env.games.fantasy_racing.rules.circuits import TERRAIN
from titan_env.games.fantasy_racing.rules.state import COLUMNS, MOST_RACERS, ROWS, SQUARES, Square

KINDS = np.array(TERRAIN, np.int64)
THINGS = np.array([Square.COIN, Square.COIN, Square.CHEST, Square.CLOVER, Square.SHIELD], np.int64)
"""What lies on the way to be picked up; coins and chests are the most frequent."""
_FEWEST, _MOST = 8, 20  # squares with terrain; those for which there is no room stay plain
_FEWEST_THINGS, _MOST_THINGS = 8, 16
_FIRST, _LAST = 2, ROWS - 2  # rows with terrain, from 0 on: the other ones are free of it
_ROWS_APART, _COLUMNS_APART, _SHORTCUTS_APART = 2, 1, 5


@rule
def generate_circuit(printed: Any, starts: Any, number: int) -> None:
    """Write what is printed on a generated circuit, (126,), and the columns of its start squares, (6,)."""
    gap = numbered_draw(number, 0, COLUMNS)
    for place in range(MOST_RACERS):
        starts[place] = place if place < gap else place + 1
    for square in range(SQUARES):
        printed[square] = Square.PLAIN
    placed = _FEWEST + numbered_draw(number, 1, _MOST - _FEWEST + 1)
    things = _FEWEST_THINGS + numbered_draw(number, 2, _MOST_THINGS - _FEWEST_THINGS + 1)
    step = 3
    for _turn in range(placed):
        kind = KINDS[numbered_draw(number, step, len(KINDS))]
        row = _FIRST + numbered_draw(number, step + 1, _LAST - _FIRST + 1)
        column = numbered_draw(number, step + 2, COLUMNS)
        step += 3
        if has_room(printed, row, column, kind):
            printed[row * COLUMNS + column] = kind
    for _turn in range(things):
        square = COLUMNS + numbered_draw(number, step, SQUARES - COLUMNS)
        if printed[square] == Square.PLAIN:
            printed[square] = THINGS[numbered_draw(number, step + 1, len(THINGS))]
        step += 2


@rule
def has_room(printed: Any, row: int, column: int, kind: int) -> bool:
    """Whether no terrain lies near a square, and for a shortcut none of its kind up to five rows away in its column."""
    for rows in range(-_SHORTCUTS_APART, _SHORTCUTS_APART + 1):
        for columns in range(-_COLUMNS_APART, _COLUMNS_APART + 1):
            other = printed[(row + rows) % ROWS * COLUMNS + (column + columns) % COLUMNS]
            if abs(rows) <= _ROWS_APART and is_terrain(other):
                return False
            if columns == 0 and kind == Square.SHORTCUT and other == Square.SHORTCUT:
                return False
    return True


@rule
def is_terrain(printed: int) -> bool:
    """Whether what is printed on a square is terrain."""
    for kind in KINDS:
        if printed == kind:
            return True
    return False
