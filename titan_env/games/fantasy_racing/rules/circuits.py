"""The six circuits, read from data, and how anybody's own circuit is read and checked.

A circuit is drawn as it lies on the table, row 1 at the top, one symbol a square between two bars::

     1 |  1 2 3 . 4 5 6  |        . plain     = barrier   ^ rock   O hole     @ shortcut
     2 |  . . . . . . .  |        $ coin      * clover    + shield ? chest
     3 |  . ? . $ . ? .  |        1 to 6: the start squares

What every circuit must keep (the rules lean on it) is checked: see `faults`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.contract.options import brief
from titan_env.contract.translation import mark
from titan_env.games.fantasy_racing.rules.board import square_at
from titan_env.games.fantasy_racing.rules.data_tables import DATA, SHORTCUT_ROWS
from titan_env.games.fantasy_racing.rules.state import COLUMNS, MOST_RACERS, ROWS, SQUARES, Square
from titan_env.games.fantasy_racing.rules.translation import _

SYMBOLS = ".=^O@$*+?"
"""The symbol of each Square, in its order."""
STARTS = "123456"
COLUMN_NAMES = "ABCDEFG"
CIRCUIT_NAMES = ("goblin_meadow", "toll_road", "sieve", "stonefall", "wizards_folly", "gauntlet")

TERRAIN = (Square.BARRIER, Square.ROCK, Square.HOLE, Square.SHORTCUT)
_WALLS = (Square.BARRIER, Square.ROCK)
_UP_TO_4_ABOVE_5_BELOW = [int(rows) for rows in sorted(set(SHORTCUT_ROWS.tolist()))]


class Circuit(NamedTuple):
    """A circuit: what is printed on its 126 squares, and the six start squares, in order."""

    printed: NDArray[np.int8]
    starts: NDArray[np.int8]


def square_name(square: int) -> str:
    """The name of a square, ``C3``: column and row."""
    return f"{COLUMN_NAMES[int(square) % COLUMNS]}{int(square) // COLUMNS + 1}"


def square_number(name: str) -> int:
    """The number of the square that `name` names. Raises ValueError where there is none."""
    column, row = COLUMN_NAMES.find(name[:1].upper() or "-"), name[1:]
    if column < 0 or not row.isdecimal() or not 1 <= int(row) <= ROWS:
        raise ValueError(_("expected a square from A1 to G18, got {got}", got=brief(name)))
    return square_at(int(row) - 1, column)


def parse_circuit(text: str, where: str | None = None) -> Circuit:
    """A drawn circuit. Raises ValueError naming the line and what is wrong with it."""
    where = where or _("circuit")
    printed = np.zeros(SQUARES, np.int8)
    starts: dict[int, int] = {}
    lines: list[int] = []
    for number, line in enumerate(text.splitlines(), 1):
        if "|" not in line:
            continue
        row = len(lines)
        symbols = _symbols(line, row, _("{where}, line {number}", where=where, number=number))
        lines.append(number)
        for column, symbol in enumerate(symbols):
            if symbol in STARTS:
                if STARTS.index(symbol) in starts or row > 0:
                    raise ValueError(
                        _(
                            "{where}, line {number}: expected the start squares 1 to 6 once each, in row 1",
                            where=where,
                            number=number,
                        )
                    )
                starts[STARTS.index(symbol)] = column
            else:
                printed[square_at(row, column)] = SYMBOLS.index(symbol)
    if len(lines) != ROWS:
        raise ValueError(
            _("{where}: expected rows 1 to {rows}, got no row {row}", where=where, rows=ROWS, row=len(lines) + 1)
        )
    if len(starts) != MOST_RACERS:
        raise ValueError(
            _(
                "{where}, line {number}: expected the start squares 1 to 6, got {got} of them",
                where=where,
                number=lines[0],
                got=len(starts),
            )
        )
    for row, fault in faults(printed):
        raise ValueError(_("{where}, line {number}: {fault}", where=where, number=lines[row], fault=fault))
    return Circuit(printed, np.array([starts[k] for k in range(MOST_RACERS)], np.int8))


def _symbols(line: str, row: int, where: str) -> list[str]:
    """The seven symbols of a row's line."""
    name, _sep, rest = line.partition("|")
    if row == ROWS or name.strip() != str(row + 1):
        message = mark("{where}: expected no more rows before the bar, got {got}")
        if row < ROWS:
            message = mark("{where}: expected row {row} before the bar, got {got}")
        raise ValueError(_(message, where=where, row=row + 1, got=brief(name.strip())))
    symbols = rest.partition("|")[0].split()
    if len(symbols) != COLUMNS or any(len(symbol) != 1 or symbol not in SYMBOLS + STARTS for symbol in symbols):
        raise ValueError(
            _(
                "{where}: expected seven symbols of {symbols} between two bars, got {got}",
                where=where,
                symbols=SYMBOLS,
                got=brief(rest.strip()),
            )
        )
    return symbols


def faults(printed: NDArray[np.int8]) -> Iterator[tuple[int, str]]:
    """What is wrong with a board: rows from 0 on, and the reason, in the words of the player who drew it."""
    for row in (0, 1, ROWS - 1):
        if np.isin(printed[row * COLUMNS : (row + 1) * COLUMNS], TERRAIN).any():
            yield row, _("expected rows 1, 2 and 18 without barrier, rock, hole or shortcut")
    for row in range(ROWS):
        walls = np.isin(printed[row * COLUMNS : (row + 1) * COLUMNS], _WALLS).sum()
        if walls > COLUMNS - 2:
            yield row, _("expected at least two squares of a row free of barriers and rocks")
    for square in range(SQUARES):
        row, column = divmod(square, COLUMNS)
        if printed[square] == Square.HOLE:
            if printed[square_at(row - 1, column)] in TERRAIN:
                yield row, _("expected no terrain on the square above the hole {square}", square=square_name(square))
            if printed[square_at(row + 1, column)] in _WALLS:
                yield (
                    row,
                    _("expected neither barrier nor rock directly below the hole {square}", square=square_name(square)),
                )
        elif printed[square] == Square.ROCK:
            if any(printed[square_at(row - 1, column + side)] in _WALLS for side in (-1, 0, 1)):
                message = mark("expected neither barrier nor rock on the three squares above the rock {square}")
                yield row, _(message, square=square_name(square))
        elif printed[square] == Square.SHORTCUT:
            if any(printed[square_at(row + rows, column)] == Square.SHORTCUT for rows in _UP_TO_4_ABOVE_5_BELOW):
                yield (
                    row,
                    _("expected no shortcut 4 above to 5 below the shortcut {square}", square=square_name(square)),
                )
    stuck = np.flatnonzero(~leads_over_the_line(printed) & ~np.isin(printed, _WALLS))
    if len(stuck):  # the last one has its barrier or rock right in front
        row, name = int(stuck[-1]) // COLUMNS, square_name(stuck[-1])
        message = mark("expected a way forward over the line from {square}, by steps forward and diagonally back")
        yield row, _(message, square=name)


def leads_over_the_line(printed: NDArray[np.int8]) -> NDArray[np.bool_]:
    """Return from which squares steps forward and diagonal steps back lead over the line forward, bool (126,).

    A step back over the line leads into the lap before, not ahead; and whoever comes back over it gains nothing, as
    rows 1 and 2, which have no terrain, let a racer change to any column anyway.
    """
    free = ~np.isin(printed, _WALLS).reshape(ROWS, COLUMNS)
    leads = np.zeros((ROWS, COLUMNS), bool)
    while True:
        forward = np.concatenate([leads[1:], free[:1]])
        back = np.concatenate([np.zeros((1, COLUMNS), bool), leads[:-1]])
        wider = leads | (free & (forward | np.roll(back, 1, 1) | np.roll(back, -1, 1)))
        if (wider == leads).all():
            return leads.reshape(-1)
        leads = wider


def circuit_drawing(name: str) -> str:
    """The drawing of one of the six circuits, with its heading."""
    return (DATA / "circuits" / f"{name}.txt").read_text("utf-8")


def circuit_name(name: str) -> tuple[str, str]:
    """What a circuit is called, and what is said of it."""
    heading = circuit_drawing(name).splitlines()[0]
    title, _sep, about = _(heading.removeprefix("title:").strip()).partition(", ")
    return title, about


CIRCUITS = [parse_circuit(circuit_drawing(name), name) for name in CIRCUIT_NAMES]
PRINTED = np.array([circuit.printed for circuit in CIRCUITS])
START_SQUARES = np.array([circuit.starts for circuit in CIRCUITS])
"""What is printed on the six circuits, int8 (6, 126), and where their racers start, (6, 6)."""
