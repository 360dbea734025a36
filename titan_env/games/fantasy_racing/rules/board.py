"""The board: a torus of 7 columns A-G and 18 rows, row 1 at the top as drawn; and who and what is where.

::

         A  B  C  D  E  F  G                     forward is down, left is towards A
     1   0  1  2  3  4  5  6
     2   7  8  9 10 11 12 13                     number = 7 * (row - 1) + column
    ...
    18 119 120 ...       125
        ------ line ------                       below it comes row 1 again
"""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import rule
from titan_env.games.fantasy_racing.rules.actions import PLACES
from titan_env.games.fantasy_racing.rules.state import COLUMNS, NOBODY, ROWS, SQUARES, Rule, Square


def square_at(row: int, column: int) -> int:
    """The number of a square by row and column from 0 on, wrapped around both edges."""
    return row % ROWS * COLUMNS + column % COLUMNS


AHEAD = np.array([square_at(square // COLUMNS + 1, square % COLUMNS) for square in range(SQUARES)])
"""The square in front of each square."""
AT = np.array(
    [
        [square_at(square // COLUMNS + rows, square % COLUMNS + columns) for rows, columns in PLACES]
        for square in range(SQUARES)
    ]
)
"""The squares that `at:` names, as seen from each square, shape (126, 91)."""


@rule
def beside(square: int, rows: int, columns: int) -> int:
    """The square that lies some rows forward and columns to the right."""
    row = (square // COLUMNS + rows) % ROWS
    return int(row * COLUMNS + (square + columns - square // COLUMNS * COLUMNS) % COLUMNS)


@rule
def blocks(state: Any, square: int) -> bool:
    """A barrier that stands, or a rock."""
    printed = state.printed[square]
    return bool(printed == Square.ROCK or (printed == Square.BARRIER and not state.gone[square]))


@rule
def has_barrier(state: Any, square: int) -> bool:
    """A barrier that has not been destroyed."""
    return bool(state.printed[square] == Square.BARRIER and not state.gone[square])


@rule
def is_plain(state: Any, square: int) -> bool:
    """No terrain; a destroyed barrier is plain too."""
    printed = state.printed[square]
    return bool(
        printed == Square.PLAIN or printed > Square.SHORTCUT or (printed == Square.BARRIER and state.gone[square])
    )


@rule
def is_free_ahead(state: Any, who: int) -> bool:
    """Whether a racer can walk at all."""
    return not blocks(state, AHEAD[state.racers[who].square])


@rule
def has(state: Any, who: int, special: int) -> bool:
    """Whether a racer has a special rule."""
    return bool(state.racers[who].rules >> special & 1)


@rule
def current(state: Any) -> int:
    """The racer whose turn it is."""
    return int(state.order[state.turn])


@rule
def has_priority(state: Any, who: int, other: int) -> bool:
    """Of several racers the first is the one with most points; if equal, the one earlier in this round's order."""
    if state.scores[who] != state.scores[other]:
        return bool(state.scores[who] > state.scores[other])
    for position in range(state.seats):
        if state.order[position] == who:
            return True
        if state.order[position] == other:
            return False
    return False


@rule
def first_opponent(state: Any, who: int, square: int) -> int:
    """The first of the opponents on a square that are not protected, or NOBODY."""
    first = NOBODY
    for other in range(state.seats):
        racer = state.racers[other]
        if racer.square == square and other != who and not racer.protected:
            if first == NOBODY or has_priority(state, other, first):
                first = other
    return first


@rule
def has_opponent(state: Any, who: int, square: int) -> bool:
    """Whether an opponent that is not protected stands on a square."""
    for other in range(state.seats):
        racer = state.racers[other]
        if racer.square == square and other != who and not racer.protected:
            return True
    return False


@rule
def is_empty(state: Any, square: int) -> bool:
    """Whether nobody stands on a square, not even a protected racer."""
    for who in range(state.seats):
        if state.racers[who].square == square:
            return False
    return True


@rule
def defuses(state: Any, who: int) -> bool:
    """Whether a racer takes a trap instead of springing it."""
    return has(state, who, Rule.DEFUSING)
