"""The 27 hexes of every battleland: their names, neighbours and distances.

Columns A to F have 3, 4, 5, 6, 5, 4 hexes, numbered from the bottom; B, D and F hang half a hex lower::

                D6
             C5    E5           x: column, from A = 0 on
          B4    D5    F4        y: row, from the topmost one, 0, on
       A3    C4    E4
          B3    D4    F3              0 N
       A2    C3    E3           5 NW       1 NE
          B2    D3    F2        4 SW       2 SE
       A1    C2    E2                 3 S
          B1    D2    F1
             C1    E1
                D1
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from titan_env.contract import rule
from titan_env.games.titan_battle.rules.state import DIRECTIONS, HEXES, NOBODY

COLUMNS = "ABCDEF"
HEIGHTS = (3, 4, 5, 6, 5, 4)
TOPS = (2, 1, 1, 0, 1, 1)
"""How many hexes each column has, and the row of its topmost one."""
HEX_NAMES = tuple(f"{column}{k}" for column, height in zip(COLUMNS, HEIGHTS, strict=True) for k in range(1, height + 1))
"""The names of the hexes in the order of their numbers: A1 A2 A3 B1 ... F4."""
ON_MAP = (1 << HEXES) - 1
"""The bits of all hexes; a set of hexes is a number with a bit for each of them."""
BITS = 1 << np.arange(HEXES)
"""The set of each hex alone, (27,)."""
OFF_MAP = -1  # instead of a hex


def place_of(name: str) -> tuple[int, int]:
    """Column and row (x, y) of the hex that `name` names."""
    x = COLUMNS.index(name[0])
    return x, TOPS[x] + HEIGHTS[x] - int(name[1:])


PLACES = tuple(place_of(name) for name in HEX_NAMES)
_AT = {spot: number for number, spot in enumerate(PLACES)}


def hex_number(name: str) -> int:
    """The number of the hex that `name` names. Raises ValueError where there is none."""
    if name not in HEX_NAMES:
        raise ValueError(f"expected a hex from A1 to F4, got {name!r}")
    return HEX_NAMES.index(name)


def hex_at(x: int, y: int) -> int:
    """The number of a hex by column and row; OFF_MAP where there is none."""
    return _AT.get((x, y), OFF_MAP)


def beside(x: int, y: int, direction: int) -> tuple[int, int]:
    """Column and row of the next hex in a direction, on the map or not."""
    low = x % 2
    steps = ((0, -1), (1, low - 1), (1, low), (0, 1), (-1, low), (-1, low - 1))
    return x + steps[direction][0], y + steps[direction][1]


def cube(x: int, y: int) -> tuple[int, int, int]:
    """The cube coordinates of column and row, which add up to zero."""
    depth = y - (x - x % 2) // 2
    return x, -x - depth, depth


def steps_between(a: int, b: int) -> int:
    """How many steps one hex is from another."""
    differences = [abs(i - k) for i, k in zip(cube(*PLACES[a]), cube(*PLACES[b]), strict=True)]
    return max(differences)


NEIGHBOURS = np.array(
    [[hex_at(*beside(*spot, direction)) for direction in range(DIRECTIONS)] for spot in PLACES], np.int64
)
"""The hex next to each in each direction, (27, 6); OFF_MAP where there is none."""
STEPS = np.array([[steps_between(a, b) for b in range(HEXES)] for a in range(HEXES)], np.int64)
"""How many steps each hex is from each other, (27, 27). The range counts both ends: it is one more."""


def hex_set(hexes: Iterable[Any]) -> int:
    """The set of some hexes, as one number."""
    return sum(1 << int(number) for number in hexes)


RING = np.array([[hex_set(np.flatnonzero(STEPS[a] == far)) for far in range(4)] for a in range(HEXES)], np.int32)
"""The hexes at 0 to 3 steps from each, as sets, (27, 4)."""


@rule
def has_hex(hexes: int, number: int) -> bool:
    """Whether a hex is in a set of hexes."""
    return hexes >> number & 1 != 0


@rule
def only_hex(hexes: int) -> int:
    """The hex of a set of one; NOBODY of any other set."""
    for number in range(HEXES):
        if has_hex(hexes, number):
            return number if hexes == 1 << number else NOBODY
    return NOBODY
