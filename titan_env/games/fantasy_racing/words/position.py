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

What is left out is as it would usually be, so that a position for a test takes few lines: racers
without a line follow in the order of the ten, they play by seat, nobody is protected, and the first
one is in its action phase in round 2 of 10.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract.position_text import read_word
from titan_env.games.fantasy_racing.rules.circuits import STARTS, SYMBOLS
from titan_env.games.fantasy_racing.rules.data_tables import RULES_OF
from titan_env.games.fantasy_racing.rules.state import (
    CHOSEN,
    COLUMNS,
    MOST_DUE,
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
    LISTS,
    OBJECT_NAMES,
    POINTS,
    RACER_FIELDS,
)
from titan_env.games.fantasy_racing.words.translation import _

HEADING = "fantasy_racing_v1"
LETTERS = ("El", "Hu", "Dw", "Go", "Or", "Be", "So", "Ba", "Th", "Li")
"""The letters of each character."""
UNKNOWN = "Ra"
"""The letters of a racer whose character is not known yet."""
_NAMES = {character.name.lower(): int(character) for character in Character} | {"racer": CHOSEN}
_COLUMN_NAMES = set("ABCDEFG")


def letters(character: int) -> str:
    """Return the two letters of a character."""
    return LETTERS[character] if character >= 0 else UNKNOWN


def _tokens(kinds: list[int]) -> list[str]:
    """Return each racer's letters; with its seat if two look the same."""
    drawn = [letters(kind) for kind in kinds]
    return [text if drawn.count(text) == 1 else f"{text}{seat}" for seat, text in enumerate(drawn)]


# Writing


def position_text(state: Any) -> str:
    """Return the whole position of a race as text; `parse_position` turns it back."""
    kinds = [int(racer.character) for racer in state.racers[: state.seats]]
    usual = _usual(kinds)[0]
    usual.starts[:] = _drawn_starts(state)
    lines = [HEADING, *_draw_board(state, _tokens(kinds))]
    for who in range(state.seats):
        lines.append(_racer_line(state, usual, who))
    for name, word in FIELDS.items():
        if state[name] != usual[name]:
            lines.append(f"{name}: {word.write(state[name])}")
    for name, word in LISTS.items():
        if (state[name] != usual[name]).any():
            lines.append(f"{name}: {' '.join(word.write(number) for number in state[name])}")
    for due, *numbers in state.agenda[: state.due].tolist():
        lines.append(f"due: {DUE.write(due)} {' '.join(str(number) for number in numbers)}")
    return "\n".join(lines) + "\n"


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


def _draw_board(state: Any, tokens: list[str]) -> list[str]:
    """Return the 18 rows, each between two bars."""
    starts = _numbered(state)
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
    return [f"{row:>2} |  {''.join(cell.ljust(width) for cell in texts)}|" for row, texts in enumerate(rows, 1)]


def _racer_line(state: Any, usual: Any, who: int) -> str:
    """Return one racer: its points and what it holds, and what else is not as usual."""
    racer = state.racers[who]
    told = [f"points={state.scores[who]}"]
    told += [f"{name}={racer.objects[thing]}" for name, thing in OBJECT_NAMES.items() if racer.objects[thing]]
    for name, word in RACER_FIELDS.items():
        if name != "square" and racer[name] != usual.racers[who][name]:
            told.append(f"{name}={word.write(racer[name])}")
    name = Character(int(racer.character)).name.lower() if racer.character >= 0 else "racer"
    return f"{name}: {' '.join(told)}"


# Reading


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


def parse_position(text: str) -> np.recarray[Any, Any]:
    """Parse the text of a position into a record array (1,). Raises ValueError naming the line that is wrong."""
    rows: list[list[str]] = []
    told: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words == [HEADING] or set("".join(words)) <= _COLUMN_NAMES:
            continue
        if "|" in line:
            rows.append(_read_row(line, len(rows) + 1, number))
        elif ":" in line:
            name, value = (part.strip() for part in line.split(":", 1))
            if name != "due" and name not in _NAMES and any(name == known for _number, known, _value in told):
                raise ValueError(
                    _("line {number}: expected one line of {name}, got another", number=number, name=repr(name))
                )
            told.append((number, name, value))
        else:
            raise ValueError(
                _(
                    "line {number}: expected a row of the board or `name: value`, got {got}",
                    number=number,
                    got=repr(line.strip()),
                )
            )
    if len(rows) != ROWS:
        raise ValueError(_("expected {rows} rows of the board; row {row} is missing", rows=ROWS, row=len(rows) + 1))
    cells = [_Cell(cell) for row in rows for cell in row]
    kinds = _kinds_by_seat(cells, [name for _number, name, _value in told])
    position = _usual(kinds)
    _stand_as_drawn(position[0], cells, kinds)
    racers = 0
    for number, name, value in told:
        try:
            if name in _NAMES:
                _read_racer(position[0], racers, value)
                racers += 1
            else:
                _read_line(position[0], name, value)
        except ValueError as error:
            raise ValueError(_("line {number}: {error}", number=number, error=error)) from None
    return position


def _read_row(line: str, row: int, number: int) -> list[str]:
    """One row of a board: its number and seven squares between bars."""
    name, _sep, rest = line.partition("|")
    if name.strip() != str(row):
        raise ValueError(
            _(
                "line {number}: expected row {row} before the bar, got {got}",
                number=number,
                row=row,
                got=repr(name.strip()),
            )
        )
    cells = rest.partition("|")[0].split()
    if len(cells) != COLUMNS:
        raise ValueError(_("line {number}: expected seven squares, got {got}", number=number, got=len(cells)))
    for cell in cells:
        try:
            _Cell(cell)
        except ValueError as error:
            raise ValueError(_("line {number}: {error}", number=number, error=error)) from None
    return cells


class _Cell:
    """The drawing of one square: its print, whether that is gone, a trap's owner, racers."""

    def __init__(self, text: str) -> None:
        symbol, rest = text[0], text[1:]
        if symbol not in SYMBOLS + STARTS:
            raise ValueError(
                _(
                    "expected one of {symbols} or {starts} for a square, got {got}",
                    symbols=SYMBOLS,
                    starts=STARTS,
                    got=repr(text),
                )
            )
        self.start = STARTS.find(symbol)
        self.printed = max(SYMBOLS.find(symbol), 0)
        self.gone = rest.startswith("'")
        rest = rest.removeprefix("'")
        self.trap = 0
        if rest.startswith("x"):
            if not rest[1:2].isdecimal() or int(rest[1]) >= MOST_RACERS:
                raise ValueError(_("expected the seat of the trap's owner behind x, got {got}", got=repr(text)))
            self.trap, rest = int(rest[1]) + 1, rest[2:]
        self.racers: list[tuple[str, int]] = []
        while rest:
            drawn, rest = rest[:2], rest[2:]
            if drawn not in (*LETTERS, UNKNOWN):
                raise ValueError(
                    _(
                        "expected {known}, {unknown}, or x and a seat, got {got}",
                        known=", ".join(LETTERS),
                        unknown=UNKNOWN,
                        got=repr(text),
                    )
                )
            seat = int(rest[0]) if rest[:1].isdecimal() else -1
            rest = rest[1:] if seat >= 0 else rest
            self.racers.append((drawn, seat))


def _kinds_by_seat(cells: list[_Cell], names: list[str]) -> list[int]:
    """Return the characters by seat: as their lines stand, then those that are only drawn."""
    kinds = [_NAMES[name] for name in names if name in _NAMES]
    told = [letters(kind) for kind in kinds]
    drawn = sorted(LETTERS.index(text) for cell in cells for text, _seat in cell.racers if text in LETTERS)
    kinds += [kind for kind in drawn if LETTERS[kind] not in told]
    if not 2 <= len(kinds) <= MOST_RACERS:
        raise ValueError(_("expected 2 to {most} racers, got {got}", most=MOST_RACERS, got=len(kinds)))
    return kinds


def _stand_as_drawn(state: Any, cells: list[_Cell], kinds: list[int]) -> None:
    """The board is as it is drawn, and every racer stands on it once."""
    tokens = _tokens(kinds)
    seen = []
    for square, cell in enumerate(cells):
        state.printed[square], state.gone[square], state.traps[square] = cell.printed, cell.gone, cell.trap
        if cell.start >= 0:
            state.starts[cell.start] = square
        for text, seat in cell.racers:
            token = text if seat < 0 else f"{text}{seat}"
            if token not in tokens or token in seen:
                raise ValueError(
                    _("expected {known} once each on the board, got {got}", known=", ".join(tokens), got=token)
                )
            seen.append(token)
            state.racers["square"][tokens.index(token)] = square
    if len(seen) != len(tokens):
        raise ValueError(
            _("expected {known} on the board", known=", ".join(token for token in tokens if token not in seen))
        )


def _read_racer(state: Any, who: int, value: str) -> None:
    """The line of one racer: ``name=value`` for points, objects, and what is not as usual."""
    given = set()
    for item in value.split():
        key, _sep, word = item.partition("=")
        if key in given:
            raise ValueError(_("expected one {key} of a racer, got another", key=key))
        given.add(key)
        if key == "points":
            state.scores[who] = POINTS.read(word)
        elif key in OBJECT_NAMES:
            state.racers["objects"][who, OBJECT_NAMES[key]] = COUNT.read(word)
        elif key in RACER_FIELDS and key != "square":
            state.racers[key][who] = read_word(RACER_FIELDS, key, word)
        else:
            expected = ", ".join(["points", *OBJECT_NAMES, *(name for name in RACER_FIELDS if name != "square")])
            raise ValueError(_("expected one of {expected}, got {got}", expected=expected, got=repr(key)))


def _read_line(state: Any, name: str, value: str) -> None:
    """One line below the racers."""
    if name == "due":
        words = value.split()
        if state.due == MOST_DUE or len(words) != 5:
            raise ValueError(
                _(
                    "expected at most {most} effects with four numbers each, got {got}",
                    most=MOST_DUE,
                    got=repr(value),
                )
            )
        state.agenda[state.due] = [DUE.read(words[0]), *(EFFECT.read(word) for word in words[1:])]
        state.due += 1
    elif name in LISTS:
        numbers = [read_word(LISTS, name, word) for word in value.split()]
        if len(numbers) != len(state[name]):
            raise ValueError(
                _("expected {n} numbers for {name}, got {got}", n=len(state[name]), name=name, got=len(numbers))
            )
        state[name][:] = numbers
    elif name in FIELDS:
        state[name] = read_word(FIELDS, name, value)
    else:
        raise ValueError(
            _(
                "expected the name of a character or one of {known}, got {got}",
                known=", ".join([*FIELDS, *LISTS]),
                got=repr(name),
            )
        )
