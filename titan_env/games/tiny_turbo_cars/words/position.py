"""A whole position as text, both ways, as FEN is for chess.

First the boards by name (``own`` for anybody's drawing), then the track as it is driven, the last row at the top;
each cell shows what is printed on it and the cars there (``Dl`` Dame Liner, ``Bg`` Brick Gang, ``Sf`` Sonic Fish,
``Gl`` Grim Levingo, ``Ml`` M1 Lapin, ``Pr`` Piou Racer, ``Do`` Dogtor, ``Tb`` Turbobot). Then what is not as
usual, and each seat with its car, its cell and, when it is dealt, its controller::

    boards: driveway kitchen garden
    30  .    .    .    .    .    .
    ...
     1  .    SDo  .    STb  .    S
    ask: program
    seat 0: dogtor B1 batteries=3 slides=4 acted=1
      | F1 F2 F1 B1
      | L1 .. R1 L2
      | R2 JU MI TU
      | BA ++ -- 00
    seat 1: turbobot D1 batteries=3

The drawing may be left out where every board has a name.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import Any

import numpy as np

from titan_env.contract.position_text import (
    LineKind,
    PositionLayout,
    TextLine,
    at_line,
    expect,
    field_lines,
    read_items,
    write_items,
)
from titan_env.contract.translation import mark
from titan_env.games.tiny_turbo_cars.rules.boards import LANE_NAMES, SYMBOLS, is_line
from titan_env.games.tiny_turbo_cars.rules.setup import configure, lay_board
from titan_env.games.tiny_turbo_cars.rules.state import (
    BOARD_ROWS,
    LANES,
    MOST_BOARDS,
    MOST_CARS,
    NO_BOARD,
    PLACES,
    SIDE,
    UNDEALT,
)
from titan_env.games.tiny_turbo_cars.rules.track import cell
from titan_env.games.tiny_turbo_cars.words.notation import (
    BOARD,
    CAR,
    CAR_SIGNS,
    DRIVER_FIELDS,
    FIELDS,
    TILE,
    TILE_SIGNS,
    read_cell,
    write_cell,
)
from titan_env.games.tiny_turbo_cars.words.translation import _

HEADING = "tiny_turbo_cars_v2"
_LINE = "==========="
_SYMBOL = {int(terrain): symbol for symbol, terrain in reversed(SYMBOLS.items())}


def symbols(state: Any, last: int) -> list[list[str]]:
    """Return the symbols of the cells of the first `last` rows: carpet is grass on the boards of start and finish."""
    rows = int(state.boards) * BOARD_ROWS
    first = cell(1, 0)
    terrain = state.terrain[first : first + rows * LANES].reshape(rows, LANES).tolist()
    drawn = [[_SYMBOL[number] for number in row] for row in terrain]
    for row in (*range(BOARD_ROWS), *range(rows - BOARD_ROWS, rows)):
        drawn[row] = ["g" if symbol == "c" else symbol for symbol in drawn[row]]
    return drawn + [["."] * LANES for _ in range(rows, last)]


# The track


def _draw_track(state: Any, usual: Any) -> Iterator[str]:
    """Draw the track with the cars, the last row at the top; past the last board as far as a car stands."""
    drivers = state.drivers[: int(state.seats)]
    last = max(int(state.boards) * BOARD_ROWS, *(int(driver.row) for driver in drivers))
    rows = symbols(state, last)
    for driver in drivers:
        if driver.row:
            rows[driver.row - 1][driver.lane] += CAR_SIGNS[driver.car]
    wide = max(len(drawn) for row in rows for drawn in row) + 1
    for row in range(last, 0, -1):
        if row == state.line:
            yield "    " + _LINE
        yield f"{row:>2}  {''.join(drawn.ljust(wide) for drawn in rows[row - 1])}".rstrip()


class _Drawing:
    """The rows of the track by number, each with its line and its cells; and the row before the finish line."""

    def __init__(self, lines: list[TextLine]) -> None:
        self.rows: dict[int, tuple[int, list[str]]] = {}
        self.line: int | None = None
        for number, _name, line in lines:
            with at_line(number):
                if is_line(line):
                    expect(self.line is None, _("expected one finish line, got another"))
                    self.line = min(self.rows, default=MOST_BOARDS * BOARD_ROWS + 1) - 1
                else:
                    self._read_row(number, *line.split())

    def _read_row(self, number: int, name: str, *cells: str) -> None:
        row, below = int(name), min(self.rows, default=int(name) + 1) - 1
        expect(row == below, _("expected row {row}, got row {got}", row=below, got=row))
        message = mark("expected a row from 1 on with {lanes} cells, got row {got} with {n}")
        expect(row >= 1 and len(cells) == LANES, _(message, lanes=LANES, got=row, n=len(cells)))
        for drawn in cells:
            message = mark("expected one of {known} and then {signs}, got {got}")
            is_known = drawn[0] in SYMBOLS and set(_signs(drawn)) <= set(CAR_SIGNS)
            expect(is_known, _(message, known="".join(SYMBOLS), signs=", ".join(CAR_SIGNS), got=repr(drawn)))
        self.rows[row] = number, list(cells)


def _signs(drawn: str) -> list[str]:
    """Return the signs of the cars in a cell."""
    return [drawn[first : first + 2] for first in range(1, len(drawn), 2)]


def _board_line(state: Any, usual: Any) -> list[str]:
    """Write the boards by name."""
    return [f"boards: {' '.join(map(BOARD.write, state.board[: int(state.boards)]))}"]


def _read_boards(state: Any, name: str, value: str) -> None:
    """The boards by name."""
    names = value.split()
    expect(
        3 <= len(names) <= MOST_BOARDS, _("expected 3 to {most} boards, got {got}", most=MOST_BOARDS, got=len(names))
    )
    state.boards = len(names)
    for i, board in enumerate(map(BOARD.read, names)):
        state.board[i] = board
        if board >= 0:
            lay_board(state, i, board)


def _lay_track(state: Any, drawing: _Drawing, number: int) -> None:
    """The track looks as it is drawn; the drawing may be left out where line `number` names every board."""
    rows, last = int(state.boards) * BOARD_ROWS, int(state.board[state.boards - 1])
    if not drawing.rows:
        with at_line(number):
            are_named = (state.board[: state.boards] >= 0).all()
            expect(are_named, _("expected a drawing of the track, as not every board has a name"))
        return
    is_whole = min(drawing.rows) == 1 and max(drawing.rows) >= rows and drawing.line is not None
    expect(is_whole, _("expected rows {rows} to 1 and the finish line, got a part of them", rows=rows))
    message = mark("expected the finish line after row {line}, where it is on {board}")
    expect(last < 0 or drawing.line == state.line, _(message, line=state.line, board=BOARD.write(last)))
    state.line = min(drawing.line or 0, max(drawing.rows))
    for row, (number, cells) in drawing.rows.items():
        with at_line(number):
            _paint_row(state, row, cells)


def _paint_row(state: Any, row: int, cells: list[str]) -> None:
    """One row as it is drawn; a board that has a name looks as it does in the box."""
    terrain = [int(SYMBOLS[drawn[0]]) for drawn in cells]
    board, first = (row - 1) // BOARD_ROWS, cell(row, 0)
    if board >= state.boards:
        expect(not any(terrain), _("expected empty cells past the last board"))
    elif state.board[board] < 0:
        state.terrain[first : first + LANES] = terrain
    else:
        message = mark("expected what is printed there on {board}, got {got}")
        is_printed = state.terrain[first : first + LANES].tolist() == terrain
        expect(is_printed, _(message, board=BOARD.write(state.board[board]), got=" ".join(cells)))


def _check_cars_drawn(state: Any, drawing: _Drawing) -> None:
    """Raise ValueError unless cars are drawn on the cells that their seats name."""
    there: dict[tuple[int, int], list[str]] = {}
    for driver in state.drivers[: int(state.seats)]:
        there.setdefault((int(driver.row), int(driver.lane)), []).append(CAR_SIGNS[driver.car])
    for row, (number, cells) in drawing.rows.items():
        with at_line(number):
            for lane, drawn in enumerate(cells):
                expected = there.get((row, lane), [])
                named = _(" and ").join(expected) or _("no car")
                message = mark("expected {named} on {where}, as the seats say, got {got}")
                is_same = sorted(expected) == sorted(_signs(drawn))
                expect(is_same, _(message, named=named, where=write_cell(row, lane), got=repr(drawn)))


# Seats


def _driver_lines(state: Any, usual: Any) -> Iterator[str]:
    """Write each seat: its car, its cell, what is not as usual, and its controller."""
    for who, driver in enumerate(state.drivers[: int(state.seats)]):
        items = [CAR.write(driver.car), write_cell(driver.row, driver.lane)]
        items += write_items(driver, usual.drivers[who], DRIVER_FIELDS, ("batteries",))
        yield f"seat {who}: {' '.join(items)}"
        if driver.controller[0] != UNDEALT:
            signs = [TILE_SIGNS[tile] for tile in driver.controller]
            yield from (f"  | {' '.join(signs[first : first + SIDE])}" for first in range(0, PLACES, SIDE))


def _read_driver(state: Any, name: str, value: str) -> None:
    """The line of one seat: car, cell and what is not as usual."""
    who, drivers = int(name.removeprefix("seat ")), state.drivers
    car, cell, *items = [*value.split(), "", ""][: max(2, len(value.split()))]
    drivers["car"][who] = CAR.read(car)
    drivers["row"][who], drivers["lane"][who] = read_cell(cell)
    for key, number in read_items(items, DRIVER_FIELDS, name).items():
        drivers[key][who] = number


def _check_seats(seats: list[TextLine]) -> None:
    """Raise ValueError unless the seats stand in order, and there are enough."""
    for who, line in enumerate(seats):
        with at_line(line.number):
            message = mark("expected the seats from 0 to at most {most} in order, got {got}")
            is_next = line.name == f"seat {who}" and who < MOST_CARS
            expect(is_next, _(message, most=MOST_CARS - 1, got=repr(line.name)))
    expect(len(seats) >= 2, _("expected a line for each seat, 2 to {most}, got {got}", most=MOST_CARS, got=len(seats)))


def _read_controllers(state: Any, rows: list[TextLine], seats: list[TextLine]) -> None:
    """The rows of controllers, each below the line of its seat."""
    for who, own in groupby(rows, lambda row: sum(seat.number < row.number for seat in seats) - 1):
        controller = list(own)
        for i, (number, _name, row) in enumerate(controller):
            with at_line(number):
                _read_controller_row(state, who, i, row.split()[1:])
        with at_line(seats[who].number):
            message = mark("expected {side} rows of the controller below, got {got}")
            expect(len(controller) == SIDE, _(message, side=SIDE, got=len(controller)))


def _read_controller_row(state: Any, who: int, row: int, signs: list[str]) -> None:
    """One row of a controller."""
    is_row = len(signs) == SIDE and set(signs) <= TILE.keys()
    expect(is_row, _("expected {n} of {known}, got {got}", n=SIDE, known=" ".join(TILE), got=repr(" ".join(signs))))
    expect(who >= 0, _("expected a controller below the line of its seat"))
    expect(row < SIDE, _("expected {side} rows of a controller, got another", side=SIDE))
    state.drivers["controller"][who, row * SIDE : (row + 1) * SIDE] = [TILE[sign] for sign in signs]


_BOARDS = LineKind(("boards",), _board_line, _read_boards)
_SEATS = LineKind(("seat N",), _driver_lines, _read_driver)
_LAYOUT = PositionLayout(
    HEADING,
    (_BOARDS, LineKind((), _draw_track), field_lines(FIELDS, ("ask", "seat", "rounds")), _SEATS),
    mark("expected a row of the track, a controller or `name: value`, got {got}"),
    _,
    is_drawn=lambda line: is_line(line) or line.split()[0].isdecimal() or line.split()[0] == "|",
    columns=LANE_NAMES,
)


# A whole position


def _usual(seats: int) -> np.recarray[Any, Any]:
    """Return a race in which everything is as usual: what a position says nothing about."""
    position = configure(players=seats)
    position[0].board[:] = NO_BOARD
    position[0].rounds = 1
    return position


def position_text(state: Any) -> str:
    """Return the whole position of a race as text; `parse_position` turns it back."""
    return _LAYOUT.write(state, _usual(int(state.seats))[0])


def parse_position(text: str) -> np.recarray[Any, Any]:
    """Parse the text of a position into a record array (1,). Raises ValueError naming the line that is wrong."""
    drawn, lines = _LAYOUT.split(text)
    controllers = [line for line in drawn if line.value.split()[0] == "|"]
    drawing = _Drawing([line for line in drawn if line not in controllers])
    seats = [line for line in lines if _SEATS.has(line.name)]
    _check_seats(seats)
    position = _usual(len(seats))
    boards = [line for line in lines if _BOARDS.has(line.name)]
    expect(boards, _("expected a line `boards:` with a name for each board"))
    _LAYOUT.read(position[0], lines)
    _lay_track(position[0], drawing, boards[0].number)
    _read_controllers(position[0], controllers, seats)
    _check_cars_drawn(position[0], drawing)
    return position
