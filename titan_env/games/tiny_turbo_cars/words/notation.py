"""The text form of the numbers of a position: names for those that have them."""

from __future__ import annotations

from titan_env.contract import Status
from titan_env.contract.position_text import FieldFormats, Number, Word, expect, numbers
from titan_env.games.tiny_turbo_cars.rules.boards import BOARD_NAMES, LANE_NAMES, TILES, cell_name
from titan_env.games.tiny_turbo_cars.rules.state import (
    DRIVER,
    GENERATED_BOARD,
    NO_CAR,
    OWN_DRAWING,
    RANDOM,
    STATE,
    UNPLACED,
    Ask,
    Car,
)
from titan_env.games.tiny_turbo_cars.words.translation import _

_APART = {"boards", "board", "terrain", "line", "drivers", "seats"}
_LISTS = ("scores", "won", "place", "out", "levels")

FIELDS: FieldFormats = {
    **numbers(STATE, {*_APART, *_LISTS}),
    "over": Word(Status.__members__),
    "ask": Word(Ask.__members__),
    **{name: Number(STATE[name]) for name in _LISTS},
}
DRIVER_FIELDS: FieldFormats = numbers(DRIVER, {"car", "row", "lane", "controller"})
_UNNAMED = {"random": RANDOM, "generated": GENERATED_BOARD, "own": OWN_DRAWING}
BOARD = Word({**_UNNAMED, **{name: number for number, name in enumerate(BOARD_NAMES)}})
CAR = Word({"none": NO_CAR, **Car.__members__})
TILE_SIGNS = [*(tile["sign"] for tile in TILES), ".."]
"""The sign of each tile, and of the hole."""
TILE = {sign: number for number, sign in enumerate(TILE_SIGNS)}
CAR_SIGNS = ["Dl", "Bg", "Sf", "Gl", "Ml", "Pr", "Do", "Tb"]
"""The sign of each car."""


def write_cell(row: int, lane: int) -> str:
    """Return a cell by its name, or ``none`` for a car that is not placed."""
    return "none" if row == UNPLACED else cell_name(row, lane)


def read_cell(word: str) -> tuple[int, int]:
    """Row and lane of a cell that is named."""
    if word == "none":
        return UNPLACED, 0
    lane, row = LANE_NAMES.find(word[:1] or "-"), word[1:]
    is_cell = lane >= 0 and row.isdecimal() and 1 <= int(row) <= 99
    expect(is_cell, _("expected a cell such as C7, or none, got {got}", got=repr(word)))
    return int(row), lane
