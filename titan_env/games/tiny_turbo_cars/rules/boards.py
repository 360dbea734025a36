"""The twelve drawn boards, the cars and the tiles, read from data; and how anybody's own board is read.

A board is drawn with the row that is driven last at the top, one symbol a cell:

    ``.`` empty   ``c`` carpet   ``g`` grass   ``b`` boost   ``o`` obstacle   ``w`` puddle   ``X`` impassable
    ``S`` place of the starting grid   ``===========`` the finish line, between two rows
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from dataclasses import dataclass
from enum import IntEnum
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract.options import brief
from titan_env.contract.translation import mark
from titan_env.games.tiny_turbo_cars.rules.state import BOARD_ROWS, LANES, STARTING_PLACES, Car, Terrain, Tile
from titan_env.games.tiny_turbo_cars.rules.translation import _

SYMBOLS = {
    ".": Terrain.EMPTY,
    "c": Terrain.CARPET,
    "g": Terrain.CARPET,
    "b": Terrain.BOOST,
    "o": Terrain.OBSTACLE,
    "w": Terrain.PUDDLE,
    "X": Terrain.IMPASSABLE,
    "S": Terrain.START,
}
"""What each symbol of a drawing means."""

LANE_NAMES = "ABCDEF"
KINDS = ("start", "middle", "finish")
SHEETS = 4
_SIDES = ("front", "back")
_HEADINGS = ("title", "kind", "sheet", "source")
_DATA = resources.files("titan_env.games.tiny_turbo_cars") / "data"


@dataclass(frozen=True)
class Board:
    """One side of a board as it was drawn."""

    kind: str
    title: str
    sheet: int | None
    """Number of the sheet it is printed on, from 0; None for what belongs to no sheet."""
    terrain: NDArray[np.int8]
    """Terrain of each cell, row 1 first, (10, 6)."""
    line: int
    """How many rows lie before the finish line; -1 without one."""


def cell_name(row: int, lane: int) -> str:
    """The name of a cell, ``C7``."""
    return f"{LANE_NAMES[lane]}{row}"


def is_line(text: str) -> bool:
    """Whether a line of a drawing is the finish line."""
    return set(text.strip()) == {"="}


def parse_board(text: str, kind: str, where: str | None = None) -> Board:
    """The board of a drawing, which must be of this kind. Raises ValueError naming the line and the reason."""
    where = where or _("board")
    headings: dict[str, str] = {}
    said_in: dict[str, str] = {}
    rows: list[list[int]] = []
    numbers: list[int] = []
    line, last = -1, 0
    for number, message in enumerate(text.splitlines(), 1):
        last = number
        here = _("{where}, line {number}", where=where, number=number)
        words = message.split()
        if not words or words == list(LANE_NAMES):
            continue
        if is_line(message):
            if line >= 0:
                raise ValueError(_("{here}: expected one finish line, got another", here=here))
            line = BOARD_ROWS - len(rows)
            said_in["line"] = here
        elif words[0].isdecimal():
            rows.append(_parse_row(words, BOARD_ROWS - len(rows), here))
            numbers.append(number)
        elif ":" in message and not rows:
            name, _sep, value = (part.strip() for part in message.partition(":"))
            if name not in _HEADINGS:
                raise ValueError(
                    _(
                        "{here}: expected one of {known}, got {got}",
                        here=here,
                        known=", ".join(_HEADINGS),
                        got=brief(name),
                    )
                )
            headings[name], said_in[name] = value, here
        else:
            raise ValueError(
                _(
                    "{here}: expected a row of the board, the finish line or a heading, got {got}",
                    here=here,
                    got=brief(message.strip()),
                )
            )
    if len(rows) != BOARD_ROWS:
        raise ValueError(
            _(
                "{where}, line {number}: expected {rows} rows, got {got}",
                where=where,
                number=last,
                rows=BOARD_ROWS,
                got=len(rows),
            )
        )
    if headings.get("kind", kind) != kind:
        raise ValueError(
            _(
                "{here}: expected a board of kind {kind} here, got one of kind {got}",
                here=said_in["kind"],
                kind=kind,
                got=headings["kind"],
            )
        )
    terrain = np.array(rows[::-1], np.int8)
    if (line >= 0) != (kind == "finish"):
        message = mark("{here}: expected no finish line on a board of kind {kind}")
        if kind == "finish":
            message = mark("{here}: expected a finish line on a board of kind {kind}")
        here = said_in.get("line", _("{where}, line {number}", where=where, number=last))
        raise ValueError(_(message, here=here, kind=kind))
    check_board(kind, terrain, where, numbers[::-1])
    sheet = _parse_sheet(headings.get("sheet"), said_in.get("sheet", where))
    return Board(kind, headings.get("title", ""), sheet, terrain, line)


def _parse_row(words: list[str], expected: int, here: str) -> list[int]:
    """One row: its number and six symbols."""
    if int(words[0]) != expected or expected < 1:
        message = mark("{here}: expected row {row}, got row {got}")
        if not expected:
            message = mark("{here}: expected no more rows, got row {got}")
        raise ValueError(_(message, here=here, row=expected, got=words[0]))
    symbols = words[1:]
    if len(symbols) != LANES or any(symbol not in SYMBOLS for symbol in symbols):
        raise ValueError(
            _(
                "{here}: expected {lanes} symbols of {known}, got {got}",
                here=here,
                lanes=LANES,
                known="".join(SYMBOLS),
                got=brief(" ".join(symbols)),
            )
        )
    return [SYMBOLS[symbol] for symbol in symbols]


def _parse_sheet(line: str | None, where: str) -> int | None:
    """The number of a sheet from "2 back", counted from 0."""
    if line is None:
        return None
    number, _sep, side = line.partition(" ")
    if number not in map(str, range(1, SHEETS + 1)) or side not in _SIDES:
        raise ValueError(
            _(
                "{where}: expected a sheet from 1 to {sheets} with front or back, got {got}",
                where=where,
                sheets=SHEETS,
                got=brief(line),
            )
        )
    return int(number) - 1


def check_board(kind: str, terrain: NDArray[np.int8], where: str, lines: list[int] | None = None) -> None:
    """A start board has exactly six places, other boards none; and from every cell a way leads on.

    `lines` are those of the text in which the rows are drawn, row 1 first. Raises ValueError saying why not.
    """
    places = sorted(np.nonzero(terrain == Terrain.START)[0].tolist(), reverse=True)
    wanted = STARTING_PLACES if kind == "start" else 0
    if len(places) != wanted:
        row = places[wanted] if len(places) > wanted else 0  # where there is one too many, or the drawing ends
        here = _("{where}, line {number}", where=where, number=lines[row]) if lines else where
        raise ValueError(
            _(
                "{here}: expected {wanted} places S of the starting grid, got {got}",
                here=here,
                wanted=wanted,
                got=len(places),
            )
        )
    for row, lane in _dead_ends(terrain):
        here = _("{where}, line {number}", where=where, number=lines[row]) if lines else where
        name = cell_name(row + 1, lane)
        raise ValueError(
            _("{here}: expected a way on from {name} past obstacles and what is impassable", here=here, name=name)
        )


def check_joins(terrain: NDArray[np.int8], where: str = "") -> None:
    """Refuse boards, each sound by itself, that are closed where they join. `terrain`: of the whole track, (rows, 6).

    Raises ValueError naming the lower board and the cell from which no way leads on.
    """
    for row, lane in _dead_ends(terrain):
        board, name = row // BOARD_ROWS + 1, cell_name(row % BOARD_ROWS + 1, lane)
        boards = _("from {name} of board {n} into board {other}", name=name, n=board, other=board + 1)
        message = mark("{where}expected a way on {boards}, past obstacles and what is impassable")
        raise ValueError(_(message, where=where, boards=boards))


def _dead_ends(terrain: NDArray[np.int8]) -> Iterable[tuple[int, int]]:
    """Yield cells from which no way of single steps and straight jumps leads off the top, past what stops a car."""
    free = (terrain != Terrain.OBSTACLE) & (terrain != Terrain.IMPASSABLE)
    rows = len(terrain)
    leads = np.zeros((rows + 2, LANES), bool)
    leads[rows:] = True
    for row in range(rows - 1, -1, -1):
        beside = np.pad(leads[row + 1], 1)
        ahead = beside[:-2] | beside[1:-1] | beside[2:] | leads[row + 2]
        for lane in np.flatnonzero(~ahead & (terrain[row] != Terrain.IMPASSABLE)).tolist():
            yield row, lane
        leads[row] = free[row] & ahead


def board_drawing(name: str) -> str:
    """The drawing of one of the twelve boards, with its heading."""
    for prefix in ("", "start_", "finish_"):
        file = _DATA / "boards" / f"{prefix}{name}.txt"
        if file.is_file():
            return file.read_text("utf-8")
    raise ValueError(
        _("expected the name of a board, got {got}; there are: {known}", got=brief(name), known=", ".join(BOARD_NAMES))
    )


STARTS = ("driveway", "porch")
MIDDLES = ("living_room", "playroom", "kitchen", "bathroom", "library", "study", "corridor", "bedroom")
"""Front and back of each sheet, in the order of sheets."""
FINISHES = ("garden", "terrace")
BOARD_NAMES = STARTS + MIDDLES + FINISHES
FIRST_MIDDLE, FIRST_FINISH = len(STARTS), len(STARTS + MIDDLES)


def kind_of(index: int, boards: int) -> str:
    """What kind of board lies in this place of a track."""
    return KINDS[0] if index == 0 else KINDS[2] if index == boards - 1 else KINDS[1]


def _drawn_boards() -> Iterable[Board]:
    """The twelve boards in their order."""
    for kind, names in zip(KINDS, (STARTS, MIDDLES, FINISHES), strict=True):
        for name in names:
            yield parse_board(board_drawing(name), kind, name)


def _entries(file: str, names: type[IntEnum]) -> list[dict[str, Any]]:
    """The entries of a data file, in the order of an enum."""
    table = tomllib.loads((_DATA / file).read_text("utf-8"))
    expected = [name.lower() for name in names.__members__ if name != Tile.HOLE.name]
    if list(table) != expected:
        raise ValueError(f"{file}: expected entries for {', '.join(expected)}, got {', '.join(table)}")
    return list(table.values())


BOARDS = tuple(_drawn_boards())
BOARD_TERRAIN = np.array([board.terrain for board in BOARDS])
BOARD_LINE = np.array([board.line for board in BOARDS])
CARS = _entries("cars.toml", Car)
TILES = _entries("tiles.toml", Tile)
