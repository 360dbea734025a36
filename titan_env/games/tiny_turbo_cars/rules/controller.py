"""The controller, a sliding puzzle: shuffling it, sliding its tiles, and the program that it holds."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import draw, rule
from titan_env.games.tiny_turbo_cars.rules.boards import TILES
from titan_env.games.tiny_turbo_cars.rules.state import FIRST_COMMAND, PLACES, SIDE, UNDEALT, Tile

CONTENTS = np.array([*np.repeat(np.arange(len(TILES)), [tile["count"] for tile in TILES]), Tile.HOLE], np.int8)
"""What a controller holds, in the order of the tiles' numbers: two of `forward_1`, the hole last."""
assert len(CONTENTS) == PLACES

_TOWARDS_TILE = {"up": SIDE, "down": -SIDE, "left": 1, "right": -1}
"""From the hole to the tile that is pushed into it, by the direction in which it moves."""
LONGEST_PUSH = SIDE - 1
ALL_PUSHES = len(_TOWARDS_TILE) * LONGEST_PUSH


def _room(direction: str, hole: int) -> int:
    """How many tiles lie between the hole and the border that a push comes from."""
    row, column = divmod(hole, SIDE)
    return {"up": SIDE - 1 - row, "down": row, "left": SIDE - 1 - column, "right": column}[direction]


_ROOM = np.array([[_room(direction, hole) for direction in _TOWARDS_TILE] for hole in range(PLACES)], np.int64)
STRIDE = np.array(list(_TOWARDS_TILE.values()), np.int64)
_TILES = np.tile(np.arange(1, LONGEST_PUSH + 1), len(_TOWARDS_TILE))
_LINES = np.repeat(_ROOM, LONGEST_PUSH, axis=1) >= _TILES
MAY_PUSH = np.array([_LINES & (_TILES == 1), _LINES]).astype(np.int8)
"""Whether whole lines are pushed, where the hole is, and the slide: 1 where it is possible."""


@rule
def hole_of(driver: Any) -> int:
    """Where the hole of a controller is."""
    hole = 0
    for slot in range(PLACES):  # without a branch that the processor would have to guess
        hole += slot * (driver.controller[slot] == Tile.HOLE)
    return hole


@rule
def is_dealt(driver: Any) -> bool:
    """Whether a controller has been shuffled in this round."""
    return bool(driver.controller[0] != UNDEALT)


@rule
def shuffle(driver: Any, luck: Any) -> None:
    """Every order of the 15 tiles and the hole is as likely."""
    controller = driver.controller
    for slot in range(PLACES):
        controller[slot] = CONTENTS[slot]
    for slot in range(PLACES - 1, 0, -1):
        other = draw(luck, slot + 1)
        tile = controller[slot]
        controller[slot] = controller[other]
        controller[other] = tile


@rule
def may_push(state: Any, hole: int, push: int) -> int:
    """A tile beside the hole may be pushed; two or three of a line at once where whole lines are pushed."""
    return int(MAY_PUSH[state.line_pushes, hole, push])


@rule
def push(driver: Any, direction: int, tiles: int) -> None:
    """Push the tiles beside the hole by one place each; the hole takes the place of the last."""
    hole = hole_of(driver)
    for _ in range(tiles):
        beside = hole + STRIDE[direction]
        driver.controller[hole] = driver.controller[beside]
        hole = beside
    driver.controller[hole] = Tile.HOLE


@rule
def command(driver: Any, number: int) -> int:
    """One of the eight commands of the program: rows 2 and 3 of the controller, read from left to right."""
    return int(driver.controller[FIRST_COMMAND + number])
