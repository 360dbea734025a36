"""Generated circuits: 32,000 levels by number, for learners that shall race on circuits which they have never seen.

They are our own addition, in the manner of the six drawn circuits: walls with gates, ravines of rocks, fields of
holes, shortcuts in pairs, or a little of everything. What no circuit may have (`circuits.faults`) is left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import numbered_draw, rule
from titan_env.games.fantasy_racing.rules.circuits import TERRAIN
from titan_env.games.fantasy_racing.rules.state import COLUMNS, MOST_RACERS, ROWS, SQUARES, Square

KINDS = np.array(TERRAIN, np.int64)
THINGS = np.array([Square.COIN, Square.COIN, Square.CHEST, Square.CHEST, Square.CLOVER, Square.SHIELD], np.int64)
"""What lies on the way to be picked up; coins and chests are the most frequent."""
_FEWEST, _MOST = 11, 17  # squares with terrain
_FEWEST_THINGS, _MOST_THINGS = 13, 20
_FIRST, _LAST = 2, ROWS - 2  # rows with terrain, from 0 on: the other ones are free of it
_MOST_WALLS = COLUMNS - 2  # barriers and rocks in a row
_SHORTCUTS_APART = 5  # rows between two in a column, more than
_SHORTEST, _LONGEST = 2, 6  # of ravines, fields and pairs
_LIKE_THE_OTHERS = 4  # one shape in so many is a square of any kind
_SHAPES, _DRAWS = 120, 8  # shapes that are tried at most, and draws that each may take
_TRIES = 120  # squares that are tried at most for things


@rule
def generate_circuit(printed: Any, starts: Any, level: int) -> None:
    """Write what is printed on a generated circuit, (126,), and the columns of its start squares, (6,)."""
    gap = numbered_draw(level, 0, COLUMNS)
    for position in range(MOST_RACERS):
        starts[position] = position if position < gap else position + 1
    for square in range(SQUARES):
        printed[square] = Square.PLAIN
    theme = numbered_draw(level, 1, len(KINDS) + 1)
    left = _FEWEST + numbered_draw(level, 2, _MOST - _FEWEST + 1)
    things = _FEWEST_THINGS + numbered_draw(level, 3, _MOST_THINGS - _FEWEST_THINGS + 1)
    step = 4
    for _shape in range(_SHAPES):
        if left > 0:
            left -= _lay_shape(printed, level, step, theme, left)
        step += _DRAWS
    for _try in range(_TRIES):
        square = COLUMNS + numbered_draw(level, step, SQUARES - COLUMNS)
        if things > 0 and printed[square] == Square.PLAIN:
            printed[square] = THINGS[numbered_draw(level, step + 1, len(THINGS))]
            things -= 1
        step += 2


@rule
def _lay_shape(printed: Any, level: int, step: int, theme: int, left: int) -> int:
    """Lay a shape of the circuit's theme, or a square of any kind, at most `left` squares; return how many."""
    is_single = theme == len(KINDS) or numbered_draw(level, step, _LIKE_THE_OTHERS) == 0
    kind = KINDS[numbered_draw(level, step + 1, len(KINDS)) if is_single else theme]
    row = _FIRST + numbered_draw(level, step + 2, _LAST - _FIRST + 1)
    column = numbered_draw(level, step + 3, COLUMNS)
    if is_single:
        return int(_lay(printed, row, column, kind))
    if kind == Square.BARRIER:
        return _lay_wall(printed, row, column, 2 + numbered_draw(level, step + 4, _MOST_WALLS - 2), left)
    length = _SHORTEST + numbered_draw(level, step + 4, _LONGEST - _SHORTEST + 1)
    apart = 2 + numbered_draw(level, step + 5, 2)
    laid = 0
    for number in range(length):
        if laid < left:
            laid += _lay(printed, row, column, kind)
        if kind == Square.SHORTCUT and number % 2 == 0:
            column = COLUMNS - 1 - column
        else:
            row += 1
            column = (column + apart) % COLUMNS
    return laid


@rule
def _lay_wall(printed: Any, row: int, gate: int, between: int, left: int) -> int:
    """Lay a row of barriers with two gates, which lie `between` columns apart; return how many barriers."""
    laid = 0
    for column in range(1, COLUMNS):
        if laid < left and column != between:
            laid += _lay(printed, row, (gate + column) % COLUMNS, Square.BARRIER)
    return laid


@rule
def _lay(printed: Any, row: int, column: int, kind: int) -> bool:
    """Lay terrain on a plain square, if all that a circuit must keep is kept; return whether it lies there."""
    square = row * COLUMNS + column
    if not _FIRST <= row <= _LAST or printed[square] != Square.PLAIN or not _fits(printed, row, column, kind):
        return False
    printed[square] = kind
    if is_wall(kind) and not (_open(printed, row) and _open(printed, row + 1) and _open(printed, row + 2)):
        printed[square] = Square.PLAIN
        return False
    return True


@rule
def _fits(printed: Any, row: int, column: int, kind: int) -> bool:
    """Whether holes, rocks and shortcuts have about them what they need, the new one and those that lie there."""
    above, below = at(printed, row - 1, column), at(printed, row + 1, column)
    if below == Square.HOLE or (kind == Square.HOLE and (is_terrain(above) or is_wall(below))):
        return False
    if is_wall(kind) and above == Square.HOLE:
        return False
    for side in range(-1, 2):
        if kind == Square.ROCK and is_wall(at(printed, row - 1, column + side)):
            return False
        if is_wall(kind) and at(printed, row + 1, column + side) == Square.ROCK:
            return False
    if kind == Square.SHORTCUT:
        for rows in range(-_SHORTCUTS_APART, _SHORTCUTS_APART + 1):
            if at(printed, row + rows, column) == Square.SHORTCUT:
                return False
    return True


@rule
def _open(printed: Any, row: int) -> bool:
    """Whether the walls of a row are few enough, and a way leads round each of them from the square before it."""
    walls = 0
    for column in range(COLUMNS):
        if is_wall(at(printed, row, column)):
            walls += 1
            if not is_wall(at(printed, row - 1, column)) and not _goes_round(printed, row, column):
                return False
    return walls <= _MOST_WALLS


@rule
def _goes_round(printed: Any, row: int, column: int) -> bool:
    """Whether steps back to one side and forward again lead from before a wall to where its row is free."""
    for side in range(-1, 2, 2):
        for steps in range(1, COLUMNS):
            there = column + side * steps
            if is_wall(at(printed, row - 1, there)) or is_wall(at(printed, row - 2, there)):
                break
            if not is_wall(at(printed, row, there)):
                return True
    return False


@rule
def at(printed: Any, row: int, column: int) -> int:
    """What is printed on a square; columns and rows wrap."""
    return int(printed[row % ROWS * COLUMNS + column % COLUMNS])


@rule
def is_wall(printed: int) -> bool:
    """Whether what is printed on a square is a barrier or a rock."""
    return bool(printed in (Square.BARRIER, Square.ROCK))


@rule
def is_terrain(printed: int) -> bool:
    """Whether what is printed on a square is terrain."""
    return bool(is_wall(printed) or printed in (Square.HOLE, Square.SHORTCUT))
