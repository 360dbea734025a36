"""The board as a racer sees it: turned around its own square, row by row.

Nothing is looked up square by square: boards are copied, turned and compared many squares at once. To that end
every loop has the same length each time, its places are unsigned (none of them counts from the end), and all
numbers have the type of the observation, in which unused room is borrowed for what lies between.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import rule
from titan_env.games.fantasy_racing.rules.state import COLUMNS, SQUARES, Square

WINDOW = np.uint64(SQUARES)
BLOCK = np.uint64(128)
"""A window and two numbers that mean nothing, which are written over later: a length that leaves no rest."""
TWICE = WINDOW + BLOCK
"""A board twice over, and what is read of it too far."""
SEEN_GONE = len(Square)
"""What is seen of an object that is gone, beside each `Square`. A destroyed barrier is plain."""
LINES = np.uint64(COLUMNS)
COLUMN = (np.arange(BLOCK) % COLUMNS).astype(np.int16)
_REST = np.uint64(16)
_OWNER_BIT = np.int16(4)
"""The first bit that says whose trap lies on a square; those below say what is seen there."""
_KIND_BITS = np.int16((1 << _OWNER_BIT) - 1)
if _KIND_BITS < SEEN_GONE:
    raise ValueError(f"expected at most {_KIND_BITS} kinds of squares to be seen, got {SEEN_GONE}: take more bits")


@rule
def lay_out(state: Any, board: Any) -> None:
    """What is seen on every square and whose trap lies there, as one number: the board twice over."""
    _lay_out(state, np.uint64(0), WINDOW // _REST * _REST, board)
    _lay_out(state, WINDOW - _REST, WINDOW, board)


@rule
def _lay_out(state: Any, first: Any, last: Any, board: Any) -> None:
    """A stretch of the board. No branches, so that the processor takes many squares at once."""
    number = board.dtype.type
    for i in range(first, last):
        printed = state.printed[i]
        left = SEEN_GONE if printed > Square.SHORTCUT else Square.PLAIN.value
        seen = left if state.gone[i] else printed
        square = number(seen | np.int16(state.traps[i]) << _OWNER_BIT)
        board[i] = square
        board[WINDOW + i] = square


@rule
def turn_round(board: Any, first: Any, kinds: Any, owners: Any) -> None:
    """Read a board, laid out twice over, from a square on, in each row the columns in their circle.

    The rest of a row, which leads around the edge, begins one row earlier. What is seen on a square and whose trap
    lies there come apart again.
    """
    number = board.dtype.type
    before = first - LINES if first >= LINES else first + WINDOW - LINES
    edge = np.int16(LINES - first % LINES)
    for i in range(BLOCK):
        seen, around = board[first + i], board[before + i]
        square = np.int16(seen if COLUMN[i] < edge else around)
        kinds[i] = number(square & _KIND_BITS)
        owners[i] = number(square >> _OWNER_BIT)


@rule
def mark_others(window: Any, own: Any, plane: Any) -> None:
    """Write 1 where the window shows anybody else's, else 0."""
    number = plane.dtype.type
    nobody, mine = number(0), number(own)
    for i in range(BLOCK):
        owner = window[i]
        plane[i] = number((owner != nobody) & (owner != mine))


@rule
def mark(window: Any, kind: Any, plane: Any) -> None:
    """Write 1 where the window shows this kind, else 0."""
    number = plane.dtype.type
    wanted = number(kind)
    for i in range(BLOCK):
        plane[i] = number(window[i] == wanted)
