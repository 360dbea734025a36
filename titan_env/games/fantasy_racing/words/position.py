"""A whole position as text, both ways, as FEN is for chess.

First the board as it is drawn, row 1 at the top; each square shows what is printed there (see
`circuits`; ``'`` behind it: taken or destroyed), a trap as ``x`` and its owner's seat, and the racers:
``El Hu Dw Go Or Be So Ba Th Li``, ``Ra`` without a character, with the seat behind it where two
look the same. Then a line for each racer by seat, and lines for what else is not as usual::

     1 |  1      2      3      .      4      5      6   |
     2 |  .      .      .HuEl  .x0    .      .      .   |
     3 |  .      $'     =      ...
    human: points=3 clover=1
    elf: points=-1
    rounds_begun: 4

Everything left out has its usual value, so that a position for a test takes few lines. Racers
without a line follow in the order of the ten, they play by seat, and nobody is protected. The first
one is in its action phase in round 2 of 10.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from titan_env.contract.position_text import (
    FieldFormats,
    LineKind,
    PositionLayout,
    agenda_lines,
    at_line,
    expect,
    field_lines,
    is_index,
    read_items,
    write_items,
)
from titan_env.contract.translation import mark
from titan_env.games.fantasy_racing.rules.circuits import STARTS, SYMBOLS
from titan_env.games.fantasy_racing.rules.data_tables import RULES_OF
from titan_env.games.fantasy_racing.rules.state import (
    CHOSEN,
    COLUMNS,
    MOST_RACERS,
    OWN_CIRCUIT,
    ROWS,
    STATE,
    Ask,
    Character,
    Phase,
    Square,
)
from titan_env.games.fantasy_racing.words.notation import (
    COUNT,
    DUE,
    EFFECT,
    FIELDS,
    OBJECT_NAMES,
    POINTS,
    RACER_FIELDS,
)
from titan_env.games.fantasy_racing.words.translation import _

HEADING = "fantasy_racing_v2"
LETTERS = ("El", "Hu", "Dw", "Go", "Or", "Be", "So", "Ba", "Th", "Li")
"""The letters of each character."""
UNKNOWN = "Ra"
"""The letters of a racer whose character is not known yet."""
_NAMES = {character.name.lower(): int(character) for character in Character} | {"racer": CHOSEN}
_ITEMS: FieldFormats = {"points": POINTS, **dict.fromkeys(OBJECT_NAMES, COUNT), **RACER_FIELDS}
"""The numbers of a racer's line."""


def letters(character: int) -> str:
    """Return the two letters of a character."""
    return LETTERS[character] if character >= 0 else UNKNOWN


def _tokens(kinds: list[int]) -> list[str]:
    """Return each racer's letters; with its seat if two look the same."""
    drawn = [letters(kind) for kind in kinds]
    return [text if drawn.count(text) == 1 else f"{text}{seat}" for seat, text in enumerate(drawn)]


# The board


def _drawn_starts(state: Any) -> list[int]:
    """Return the start squares that a drawing shows: those on plain squares of row 1; the others as usual."""
    starts, drawn = state.starts.tolist(), _numbered(state)
    return [square if square in drawn else usual for usual, square in enumerate(starts)]


def _numbered(state: Any) -> dict[int, int]:
    """Return the squares on which the number of a start square can be drawn, with that number."""
    starts = state.starts.tolist()
    once = [square for square in starts if 0 <= square < COLUMNS and starts.count(square) == 1]
    plain = [square for square in once if state.printed[square] == Square.PLAIN and not state.gone[square]]
    return {square: starts.index(square) for square in plain}


def _draw_board(state: Any, usual: Any) -> Iterator[str]:
    """Draw the 18 rows, each between two bars."""
    starts, tokens = _numbered(state), _tokens([int(racer.character) for racer in state.racers[: state.seats]])
    there = [int(racer.square) for racer in state.racers[: len(tokens)]]
    cells = []
    squares = zip(state.printed.tolist(), state.gone.tolist(), state.traps.tolist(), strict=True)
    for square, (printed, gone, trap) in enumerate(squares):
        cell = STARTS[starts[square]] if square in starts else SYMBOLS[printed] + ("'" if gone else "")
        if trap:
            cell += f"x{trap - 1}"
        cells.append(cell + "".join(token for token, where in zip(tokens, there, strict=True) if where == square))
    width = max(6, max(map(len, cells)) + 1)
    rows = [cells[row * COLUMNS : (row + 1) * COLUMNS] for row in range(ROWS)]
    yield from (f"{row:>2} |  {''.join(cell.ljust(width) for cell in texts)}|" for row, texts in enumerate(rows, 1))


def _read_row(line: str, row: int) -> list[_Cell]:
    """One row of a board: its number and seven squares between bars."""
    name, _sep, rest = line.partition("|")
    message = mark("expected row {row} before the bar, got {got}")
    expect(name.strip() == str(row), _(message, row=row, got=repr(name.strip())))
    cells = rest.partition("|")[0].split()
    expect(len(cells) == COLUMNS, _("expected seven squares, got {got}", got=len(cells)))
    return [_Cell(cell) for cell in cells]


class _Cell:
    """The drawing of one square: its print, whether that is gone, a trap's owner, racers."""

    def __init__(self, text: str) -> None:
        symbol, rest = text[0], text[1:]
        message = mark("expected one of {symbols} or {starts} for a square, got {got}")
        expect(symbol in SYMBOLS + STARTS, _(message, symbols=SYMBOLS, starts=STARTS, got=repr(text)))
        self.start = STARTS.find(symbol)
        self.printed = max(SYMBOLS.find(symbol), 0)
        self.gone = rest.startswith("'")
        rest = rest.removeprefix("'")
        self.trap = 0
        if rest.startswith("x"):
            is_seat = is_index(rest[1:2], MOST_RACERS)
            expect(is_seat, _("expected the seat of the trap's owner behind x, got {got}", got=repr(text)))
            self.trap, rest = int(rest[1]) + 1, rest[2:]
        self.racers: list[str] = []
        """The letters of each racer, and its seat where that is drawn."""
        while rest:
            length = 3 if rest[2:3].isdecimal() else 2
            message = mark("expected {known}, {unknown}, or x and a seat, got {got}")
            is_racer = rest[:2] in (*LETTERS, UNKNOWN)
            expect(is_racer, _(message, known=", ".join(LETTERS), unknown=UNKNOWN, got=repr(text)))
            self.racers.append(rest[:length])
            rest = rest[length:]


def _kinds_by_seat(cells: list[_Cell], names: list[str]) -> list[int]:
    """Return the characters by seat: as their lines stand, then those that are only drawn."""
    kinds = [_NAMES[name] for name in names if name in _NAMES]
    letters_by_seat = [letters(kind) for kind in kinds]
    drawn = sorted(LETTERS.index(racer[:2]) for cell in cells for racer in cell.racers if racer[:2] in LETTERS)
    kinds += [kind for kind in drawn if LETTERS[kind] not in letters_by_seat]
    message = mark("expected 2 to {most} racers, got {got}")
    expect(2 <= len(kinds) <= MOST_RACERS, _(message, most=MOST_RACERS, got=len(kinds)))
    return kinds


def _stand_as_drawn(state: Any, cells: list[_Cell], kinds: list[int]) -> None:
    """The board is as it is drawn, and every racer stands on it once."""
    tokens = _tokens(kinds)
    missing = list(tokens)
    for square, cell in enumerate(cells):
        state.printed[square], state.gone[square], state.traps[square] = cell.printed, cell.gone, cell.trap
        if cell.start >= 0:
            state.starts[cell.start] = square
        for token in cell.racers:
            message = mark("expected {known} once each on the board, got {got}")
            expect(token in missing, _(message, known=", ".join(tokens), got=token))
            missing.remove(token)
            state.racers["square"][tokens.index(token)] = square
    expect(not missing, _("expected {known} on the board", known=", ".join(missing)))


# Lines with a name


def _racer_lines(state: Any, usual: Any) -> Iterator[str]:
    """Write each racer: its points and what it holds, and what else is not as usual."""
    for who, racer in enumerate(state.racers[: state.seats]):
        items = [f"points={state.scores[who]}"]
        items += [f"{name}={racer.objects[thing]}" for name, thing in OBJECT_NAMES.items() if racer.objects[thing]]
        items += write_items(racer, usual.racers[who], RACER_FIELDS)
        name = Character(int(racer.character)).name.lower() if racer.character >= 0 else "racer"
        yield f"{name}: {' '.join(items)}"


def _read_racer(state: Any, who: int, name: str, value: str) -> None:
    """The line of one racer: ``name=value`` for points, objects, and what is not as usual."""
    for key, number in read_items(value.split(), _ITEMS, name).items():
        if key == "points":
            state.scores[who] = number
        elif key in OBJECT_NAMES:
            state.racers["objects"][who, OBJECT_NAMES[key]] = number
        else:
            state.racers[key][who] = number


_RACERS = LineKind(tuple(_NAMES), _racer_lines, may_repeat=True)
_LAYOUT = PositionLayout(
    HEADING,
    (LineKind((), _draw_board), _RACERS, field_lines(FIELDS), agenda_lines(DUE, EFFECT)),
    mark("expected a row of the board or `name: value`, got {got}"),
    _,
    is_drawn=lambda line: "|" in line,
    columns="ABCDEFG",
)


# A whole position


def _usual(kinds: list[int]) -> np.recarray[Any, Any]:
    """Return a race in which everything is as usual: what a position says nothing about."""
    position = np.zeros(1, STATE).view(np.recarray)
    state = position[0]
    state.seats = len(kinds)
    state.circuit = OWN_CIRCUIT
    state.rounds, state.rounds_begun = 10, 2
    state.phase, state.ask = Phase.ACTION, Ask.TURN
    state.order[: len(kinds)] = range(len(kinds))
    state.starts[:] = range(MOST_RACERS)
    for who, kind in enumerate(kinds):
        state.racers["character"][who] = kind
        state.racers["rules"][who] = RULES_OF[kind] if kind >= 0 else 0
    return position


def position_text(state: Any) -> str:
    """Return the whole position of a race as text; `parse_position` turns it back."""
    usual = _usual([int(racer.character) for racer in state.racers[: state.seats]])[0]
    usual.starts[:] = _drawn_starts(state)
    return _LAYOUT.write(state, usual)


def parse_position(text: str) -> np.recarray[Any, Any]:
    """Parse the text of a position into a record array (1,). Raises ValueError naming the line that is wrong."""
    drawn, lines = _LAYOUT.split(text)
    cells: list[_Cell] = []
    for row, (number, _name, line) in enumerate(drawn, 1):
        with at_line(number):
            cells += _read_row(line, row)
    missing = len(drawn) + 1
    expect(len(drawn) == ROWS, _("expected {rows} rows of the board; row {row} is missing", rows=ROWS, row=missing))
    kinds = _kinds_by_seat(cells, [line.name for line in lines])
    position = _usual(kinds)
    _stand_as_drawn(position[0], cells, kinds)
    for who, (number, name, value) in enumerate(line for line in lines if _RACERS.has(line.name)):
        with at_line(number):
            _read_racer(position[0], who, name, value)
    _LAYOUT.read(position[0], lines)
    return position
