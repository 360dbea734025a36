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

from collections.abc import Callable
from typing import Any

import numpy as np

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
    LISTS,
    TILE,
    TILE_SIGNS,
    read_cell,
    write_cell,
)
from titan_env.games.tiny_turbo_cars.words.translation import _

HEADING = "tiny_turbo_cars_v1"
_ALWAYS_TOLD = ("ask", "seat", "rounds")
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


# Writing


def position_text(state: Any) -> str:
    """Return the whole position of a race as text; `parse_position` turns it back."""
    usual = _usual(int(state.seats))[0]
    names = [BOARD.write(number) for number in state.board[: int(state.boards)]]
    lines = [HEADING, f"boards: {' '.join(names)}", *_draw_track(state)]
    for name, word in FIELDS.items():
        if name in _ALWAYS_TOLD or state[name] != usual[name]:
            lines.append(f"{name}: {word.write(state[name])}")
    for name, number in LISTS.items():
        if state[name].any():
            lines.append(f"{name}: {' '.join(number.write(value) for value in state[name])}")
    for who in range(int(state.seats)):
        lines += _driver_lines(state.drivers[who], usual.drivers[who], who)
    return "\n".join(lines) + "\n"


def _draw_track(state: Any) -> list[str]:
    """Return the track with the cars, the last row at the top; past the last board as far as a car stands."""
    drivers = state.drivers[: int(state.seats)]
    last = max(int(state.boards) * BOARD_ROWS, *(int(driver.row) for driver in drivers))
    rows = symbols(state, last)
    for driver in drivers:
        if driver.row:
            rows[driver.row - 1][driver.lane] += CAR_SIGNS[driver.car]
    wide = max(len(drawn) for row in rows for drawn in row) + 1
    lines = []
    for row in range(last, 0, -1):
        if row == state.line:
            lines.append("    " + _LINE)
        lines.append(f"{row:>2}  {''.join(drawn.ljust(wide) for drawn in rows[row - 1])}".rstrip())
    return lines


def _driver_lines(driver: Any, usual: Any, who: int) -> list[str]:
    """Return one seat: its car, its cell, what is not as usual, and its controller."""
    told = [
        f"{name}={number.write(driver[name])}"
        for name, number in DRIVER_FIELDS.items()
        if name == "batteries" or driver[name] != usual[name]
    ]
    lines = [f"seat {who}: {CAR.write(driver.car)} {write_cell(driver.row, driver.lane)} {' '.join(told)}"]
    if driver.controller[0] != UNDEALT:
        signs = [TILE_SIGNS[tile] for tile in driver.controller]
        lines += [f"  | {' '.join(signs[first : first + SIDE])}" for first in range(0, PLACES, SIDE)]
    return lines


# Reading


def _usual(seats: int) -> np.recarray[Any, Any]:
    """Return a race in which everything is as usual: what a position says nothing about."""
    position = configure(players=seats)
    position[0].board[:] = NO_BOARD
    position[0].rounds = 1
    return position


class _ParsedText:
    """The parsed lines of a text, before the number of seats is known."""

    def __init__(self, text: str) -> None:
        self.boards: tuple[int, str] | None = None
        self.rows: dict[int, tuple[int, list[str]]] = {}
        self.line: int | None = None
        self.fields: dict[str, tuple[int, str]] = {}
        self.seats: list[tuple[int, str]] = []
        self.controllers: dict[int, list[str]] = {}
        for number, line in enumerate(text.splitlines(), 1):
            at_line(number, lambda line=line, number=number: self._take(number, line))  # type: ignore[misc]

    def _take(self, number: int, line: str) -> None:
        """One line of the text."""
        words = line.split()
        if not words or words in ([HEADING], list(LANE_NAMES)):
            return
        if is_line(line):
            self._take_line()
        elif words[0].isdecimal():
            self._take_row(number, int(words[0]), words[1:])
        elif words[0] == "|":
            self._take_controller(words[1:])
        elif ":" in line:
            name, value = (part.strip() for part in line.split(":", 1))
            self._take_field(number, name, value)
        else:
            raise ValueError(
                _("expected a row of the track, a controller or `name: value`, got {got}", got=repr(line.strip()))
            )

    def _take_line(self) -> None:
        if self.line is not None:
            raise ValueError(_("expected one finish line, got another"))
        self.line = min(self.rows) - 1 if self.rows else MOST_BOARDS * BOARD_ROWS

    def _take_row(self, number: int, row: int, cells: list[str]) -> None:
        if self.rows and row != min(self.rows) - 1:
            raise ValueError(_("expected row {row}, got row {got}", row=min(self.rows) - 1, got=row))
        if row < 1 or len(cells) != LANES:
            raise ValueError(
                _(
                    "expected a row from 1 on with {lanes} cells, got row {got} with {n}",
                    lanes=LANES,
                    got=row,
                    n=len(cells),
                )
            )
        for drawn in cells:
            signs = [drawn[first : first + 2] for first in range(1, len(drawn), 2)]
            if drawn[0] not in SYMBOLS or any(sign not in CAR_SIGNS for sign in signs):
                raise ValueError(
                    _(
                        "expected one of {known} and then {signs}, got {got}",
                        known="".join(SYMBOLS),
                        signs=", ".join(CAR_SIGNS),
                        got=repr(drawn),
                    )
                )
        self.rows[row] = number, cells

    def _take_controller(self, signs: list[str]) -> None:
        unknown = [sign for sign in signs if sign not in TILE]
        if unknown or len(signs) != SIDE:
            raise ValueError(
                _("expected {n} of {known}, got {got}", n=SIDE, known=" ".join(TILE), got=repr(" ".join(signs)))
            )
        if not self.seats:
            raise ValueError(_("expected a controller below the line of its seat"))
        row = self.controllers.setdefault(len(self.seats) - 1, [])
        if len(row) == PLACES:
            raise ValueError(_("expected {side} rows of a controller, got another", side=SIDE))
        row += signs

    def _take_field(self, number: int, name: str, value: str) -> None:
        if name.startswith("seat "):
            if name != f"seat {len(self.seats)}" or len(self.seats) == MOST_CARS:
                raise ValueError(
                    _(
                        "expected the seats from 0 to at most {most} in order, got {got}",
                        most=MOST_CARS - 1,
                        got=repr(name),
                    )
                )
            self.seats.append((number, value))
        elif name == "boards" and self.boards is None:
            self.boards = number, value
        elif name in {*FIELDS, *LISTS} and name not in self.fields:
            self.fields[name] = number, value
        else:
            known = ", ".join(["boards", "seat N", *FIELDS, *LISTS])
            raise ValueError(_("expected each of {known} once, got {got}", known=known, got=repr(name)))


def at_line(number: int, do: Callable[[], None]) -> None:
    """Do something; an error then names the line."""
    try:
        do()
    except ValueError as error:
        raise ValueError(_("line {number}: {error}", number=number, error=error)) from None


def parse_position(text: str) -> np.recarray[Any, Any]:
    """Parse the text of a position into a record array (1,). Raises ValueError naming the line that is wrong."""
    told = _ParsedText(text)
    if len(told.seats) < 2:
        raise ValueError(
            _("expected a line for each seat, 2 to {most}, got {got}", most=MOST_CARS, got=len(told.seats))
        )
    position = _usual(len(told.seats))
    state = position[0]
    _read_boards(state, told)
    for name, (number, value) in told.fields.items():
        at_line(number, lambda name=name, value=value: _read_field(state, name, value))  # type: ignore[misc]
    for who, (number, value) in enumerate(told.seats):
        signs = told.controllers.get(who, [])
        at_line(number, lambda who=who, value=value, signs=signs: _read_driver(state, who, value, signs))  # type: ignore[misc]
    there: dict[tuple[int, int], list[str]] = {}
    for driver in state.drivers[: len(told.seats)]:
        there.setdefault((int(driver.row), int(driver.lane)), []).append(CAR_SIGNS[driver.car])
    for row, (number, cells) in told.rows.items():
        at_line(number, lambda row=row, cells=cells: _check_cars_drawn(there, row, cells))  # type: ignore[misc]
    return position


def _read_boards(state: Any, told: _ParsedText) -> None:
    """The track: boards by name, and the drawing."""
    if told.boards is None:
        raise ValueError(_("expected a line `boards:` with a name for each board"))
    number, value = told.boards
    names = value.split()
    at_line(number, lambda: _lay_boards(state, names))
    if not told.rows:
        if any(board < 0 for board in state.board[: len(names)]):
            raise ValueError(
                _("line {number}: expected a drawing of the track, as not every board has a name", number=number)
            )
        return
    if min(told.rows) != 1 or max(told.rows) < len(names) * BOARD_ROWS or told.line is None:
        raise ValueError(
            _("expected rows {rows} to 1 and the finish line, got a part of them", rows=len(names) * BOARD_ROWS)
        )
    if told.line != state.line and state.board[len(names) - 1] >= 0:
        raise ValueError(
            _("expected the finish line after row {line}, where it is on {board}", line=state.line, board=names[-1])
        )
    state.line = min(told.line, max(told.rows))
    for row, (where, cells) in told.rows.items():
        at_line(where, lambda row=row, cells=cells: _paint_row(state, row, cells))  # type: ignore[misc]


def _lay_boards(state: Any, names: list[str]) -> None:
    """Lay the boards that are named."""
    if not 3 <= len(names) <= MOST_BOARDS:
        raise ValueError(_("expected 3 to {most} boards, got {got}", most=MOST_BOARDS, got=len(names)))
    state.boards = len(names)
    for place, name in enumerate(names):
        number = BOARD.read(name)
        state.board[place] = number
        if number >= 0:
            lay_board(state, place, number)


def _paint_row(state: Any, row: int, cells: list[str]) -> None:
    """One row as it is drawn; a board that has a name looks as it does in the box."""
    terrain = [int(SYMBOLS[drawn[0]]) for drawn in cells]
    place, first = (row - 1) // BOARD_ROWS, cell(row, 0)
    if place >= state.boards:
        if any(terrain):
            raise ValueError(_("expected empty cells past the last board"))
    elif state.board[place] < 0:
        state.terrain[first : first + LANES] = terrain
    elif state.terrain[first : first + LANES].tolist() != terrain:
        raise ValueError(
            _(
                "expected what is printed there on {board}, got {got}",
                board=BOARD.write(state.board[place]),
                got=" ".join(cells),
            )
        )


def _read_field(state: Any, name: str, value: str) -> None:
    """A number, or the numbers of all seats."""
    try:
        if name in FIELDS:
            state[name] = FIELDS[name].read(value)
        else:
            numbers = [LISTS[name].read(word) for word in value.split()]
            if len(numbers) != len(state[name]):
                raise ValueError(_("expected {n} numbers, got {got}", n=len(state[name]), got=len(numbers)))
            state[name][:] = numbers
    except ValueError as error:
        raise ValueError(_("{name}: {error}", name=name, error=error)) from None


def _read_driver(state: Any, who: int, value: str, signs: list[str]) -> None:
    """The line of one seat: car, cell and what is not as usual; and its controller."""
    car, place, *items = [*value.split(), "", ""][: max(2, len(value.split()))]
    drivers = state.drivers
    drivers["car"][who] = CAR.read(car)
    drivers["row"][who], drivers["lane"][who] = read_cell(place)
    given: set[str] = set()
    for item in items:
        name, _sep, number = item.partition("=")
        if name not in DRIVER_FIELDS or name in given:
            raise ValueError(
                _("expected each of {known} at most once, got {got}", known=", ".join(DRIVER_FIELDS), got=repr(item))
            )
        given.add(name)
        drivers[name][who] = DRIVER_FIELDS[name].read(number)
    if signs:
        if len(signs) != PLACES:
            raise ValueError(
                _("expected {side} rows of the controller below, got {got}", side=SIDE, got=len(signs) // SIDE)
            )
        drivers["controller"][who] = [TILE[sign] for sign in signs]


def _check_cars_drawn(there: dict[tuple[int, int], list[str]], row: int, cells: list[str]) -> None:
    """Raise ValueError unless cars are drawn on the cells that their seats name."""
    for lane, drawn in enumerate(cells):
        signs = [drawn[first : first + 2] for first in range(1, len(drawn), 2)]
        expected = there.get((row, lane), [])
        if sorted(expected) != sorted(signs):
            named = _(" and ").join(expected) or _("no car")
            raise ValueError(
                _(
                    "expected {named} on {where}, as the seats say, got {got}",
                    named=named,
                    where=write_cell(row, lane),
                    got=repr(drawn),
                )
            )
