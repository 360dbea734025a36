"""A whole position as text, both ways, as FEN is for chess.

First the board as it lies on the table, row 12 at the top; each space shows its terrain (see
`circuits`) and who or what is on it: ``Ra`` Rassik, ``Rg`` Ragnarok, ``Cr`` Craken, ``Gr``
Grinder, ``Sl`` Slaugg, ``Ch`` Chtooloo, ``x`` a trap. A Grand Slam shows three boards, the last
one at the top. Then a line for each Titan in turn order, and lines for what else is not as usual::

    12       .       .       .
    11   .       .       ~
    ...
     1   .       .Ra     .
    rassik: lap=2 life=3
    grinder: space=none
    pool: red red blue
    hand 0: shield

Everything left out has its usual value, so that a position for a test takes few lines. Titans
without a line play in the order of the six, everybody alone, with full lives, in their third turn.
The first one is asked which die to take. Every card that is neither in a hand nor on the discard pile nor
``aside`` (out of the game) is in the deck.
"""

from __future__ import annotations

import functools
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.record_copies import copy_records
from titan_env.contract.frozen_record import freeze
from titan_env.contract.position_text import (
    LineKind,
    PositionLayout,
    agenda_lines,
    at_line,
    differing_in_bytes,
    expect,
    field_lines,
    read_items,
)
from titan_env.contract.translation import mark
from titan_env.games.titan_race.rules.board import ROWS
from titan_env.games.titan_race.rules.circuits import SYMBOLS, TITANS
from titan_env.games.titan_race.rules.state import (
    ASIDE,
    BONUS_CARDS,
    DECK,
    DISCARD,
    EMPTY,
    MOST_CIRCUITS,
    MOST_TITANS,
    NO_CARD,
    NO_FACE,
    NOBODY,
    NOWHERE,
    OWN_TERRAIN,
    STATE,
    TRAP,
    TRAPS,
    Ask,
    Titan,
)
from titan_env.games.titan_race.words.notation import BONUS, DIE, DUE, EFFECT, FIELDS, TITAN_FIELDS
from titan_env.games.titan_race.words.translation import _

HEADING = "titan_race_v3"
LETTERS = ("Ra", "Rg", "Cr", "Gr", "Sl", "Ch")
"""The letters of each Titan."""
_TITANS = tuple(titan.name.lower() for titan in Titan)
_CARDS = tuple(map(BONUS.write, range(BONUS_CARDS)))
_NOT_TRAPPED = bytes(range(TRAP))
"""The tokens of spaces without a trap, as in `state.on`."""
_MOST_ROWS = ROWS * MOST_CIRCUITS

_TURNS_GONE = 100
"""In a position for a test nobody is in the first turn."""


# The board


def _draw_boards(state: Any, usual: Any) -> tuple[str, ...]:
    """Draw the boards, the last one at the top, each row three spaces."""
    return _boards(state.terrain.tobytes(), state.on.tobytes(), _kinds(state), int(state.circuits) * ROWS)


@functools.lru_cache(4096)
def _boards(terrain: bytes, on: bytes, kinds: tuple[int, ...], rows: int) -> tuple[str, ...]:
    """Draw the rows of boards from the bytes of `state.terrain` and `state.on`."""
    spaces = [slice(row * 3, row * 3 + 3) for row in range(rows)]
    return tuple(_draw_row(row, terrain[spaces[row]], on[spaces[row]], kinds) for row in reversed(range(rows)))


@functools.lru_cache(4096)
def _draw_row(row: int, terrain: bytes, on: bytes, kinds: tuple[int, ...]) -> str:
    """Draw a row of three spaces from their bytes in `state.terrain` and `state.on`."""
    cells = [SYMBOLS[sort] + _piece(kinds, token) for sort, token in zip(terrain, on, strict=True)]
    indent = " " * 4 if row % 2 else ""
    return f"{row + 1:>2}  {indent}{''.join(cell.ljust(8) for cell in cells)}".rstrip()


def _piece(kinds: Sequence[int], token: int) -> str:
    """Return the letters of the things on a space."""
    titan, trap = token % TRAP, "x" if token >= TRAP else ""
    return (LETTERS[kinds[titan - 1]] if titan else "") + trap


def _kinds(state: Any) -> tuple[int, ...]:
    """Return the kinds of the Titans in the race, in turn order."""
    return tuple(state.titans["kind"][: state.titans_in_race].tolist())


def _read_row(rows: dict[int, list[str]], words: list[str]) -> None:
    """One row of a board: its number and three spaces."""
    row, cells = int(words[0]), words[1:]
    message = mark("expected each row from 1 to {most} once, got row {row}")
    expect(row not in rows and 1 <= row <= _MOST_ROWS, _(message, most=_MOST_ROWS, row=row))
    expect(len(cells) == 3, _("expected three spaces, got {n}", n=len(cells)))
    for cell in cells:
        message = mark("expected one of {signs} and then {letters} or x, got {got}")
        is_known = cell[0] in SYMBOLS and cell[1:].removesuffix("x") in ("", *LETTERS)
        expect(is_known, _(message, signs=SYMBOLS, letters=", ".join(LETTERS), got=repr(cell)))
    rows[row] = cells


def _kinds_in_order(cells: list[str], names: list[str]) -> list[int]:
    """Return the Titans in turn order: as their lines stand, then those that are only drawn."""
    kinds = [_TITANS.index(name) for name in names if name in _TITANS]
    drawn = [LETTERS.index(cell[1:3]) for cell in cells if cell[1:3] in LETTERS]
    kinds += sorted(kind for kind in drawn if kind not in kinds)
    expect(len(set(kinds)) == len(kinds) and len(set(drawn)) == len(drawn), _("expected every Titan once"))
    message = mark("expected 2 to {most} Titans, got {n}")
    expect(2 <= len(kinds) <= MOST_TITANS, _(message, most=MOST_TITANS, n=len(kinds)))
    return kinds


def _token(piece: str, kinds: list[int]) -> int:
    """Return the entry of `on` for a space, from the letters drawn there."""
    letters = piece.removesuffix("x")
    titan = kinds.index(LETTERS.index(letters)) + 1 if letters else EMPTY
    return titan + (TRAP if piece.endswith("x") else EMPTY)


# Lines with a name


def _titan_lines(state: Any, usual: Any) -> Iterator[str]:
    """Write each Titan: its life and lap, and what else is not as usual."""
    titans, others, size = state.titans.tobytes(), usual.titans.tobytes(), STATE["titans"].base.itemsize
    on, spaces = state.on.tobytes(), state.titans["space"].tolist()
    for who, kind in enumerate(_kinds(state)):
        record, space = slice(who * size, (who + 1) * size), spaces[who]
        yield _titan_line(kind, titans[record], others[record], space != NOWHERE and on[space] % TRAP == who + 1)


@functools.lru_cache(4096)
def _titan_line(kind: int, titan: bytes, usual: bytes, is_drawn: bool) -> str:
    """Write one Titan, from the bytes of its record and of the usual one; its space is not written if it is drawn."""
    named = differing_in_bytes(titan, usual, STATE["titans"].base, TITAN_FIELDS, ("lap", "life"))
    items = [f"{name}={text}" for name, text in named if not (is_drawn and name == "space")]
    return f"{_TITANS[kind]}: {' '.join(items)}"


def _read_titan(state: Any, name: str, value: str) -> None:
    """The line of one Titan: ``name=value`` for what is not as usual."""
    who = state.titans["kind"][: state.titans_in_race].tolist().index(_TITANS.index(name))
    for key, number in read_items(value.split(), TITAN_FIELDS, name).items():
        state.titans[key][who] = number


def _card_lines(state: Any, usual: Any) -> tuple[str, ...]:
    """Write each hand, the discard pile and what is not in play; the other cards are in the deck."""
    return _cards(tuple(state.cards.tolist()), int(state.seats))


@functools.lru_cache(4096)
def _cards(places: tuple[int, ...], seats: int) -> tuple[str, ...]:
    """Write the cards that are not in the deck, from the place of each."""
    held: dict[int, list[str]] = {}
    for card, where in zip(_CARDS, places, strict=True):
        held.setdefault(where, []).append(card)
    return tuple(f"{name}: {' '.join(held[where])}" for name, where in _card_places(seats).items() if where in held)


def _read_cards(state: Any, name: str, value: str) -> None:
    """The cards of a hand, of the discard pile, or aside."""
    places = _card_places(int(state.seats))
    expect(name in places, _("expected a hand from 0 to {last}, got {got}", last=state.seats - 1, got=repr(name)))
    for word in value.split():
        card = BONUS.read(word)
        expect(state.cards[card] == DECK, _("expected each card once, got {got} again", got=repr(word)))
        state.cards[card] = places[name]


@functools.cache
def _card_places(seats: int) -> dict[str, int]:
    """Return the places of cards that a position names, as it names them."""
    return {**{f"hand {seat}": seat for seat in range(seats)}, "discard": DISCARD, "aside": ASIDE}


def _pool_line(state: Any, usual: Any) -> Iterator[str]:
    """Write the faces of the dice in the pool."""
    if dice := _dice(state.pool.tobytes()):
        yield f"pool: {dice}"


@functools.lru_cache(4096)
def _dice(pool: bytes) -> str:
    """Write the faces of dice, from the bytes of `state.pool`."""
    return " ".join(DIE.write(face) for face, dice in enumerate(pool) for _die in range(dice))


def _read_pool(state: Any, name: str, value: str) -> None:
    """The faces of the dice in the pool."""
    for word in value.split():
        state.pool[DIE.read(word)] += 1


_LAYOUT = PositionLayout(
    HEADING,
    (
        LineKind((), _draw_boards),
        LineKind(_TITANS, _titan_lines, _read_titan),
        LineKind(("hand N", "discard", "aside"), _card_lines, _read_cards),
        LineKind(("pool",), _pool_line, _read_pool),
        field_lines(FIELDS),
        agenda_lines(DUE, EFFECT),
    ),
    mark("expected a row of the board or `name: value`, got {got}"),
    _,
    is_drawn=lambda line: line.split()[0].isdecimal(),
    columns="ABCDEF",
)


# A whole position


def _usual(kinds: Sequence[int], circuits: int) -> np.recarray[Any, Any]:
    """Return a race in which everything is as usual: what a position says nothing about."""
    return copy_records(_usual_of(tuple(kinds), circuits))


@functools.cache
def _usual_of(kinds: tuple[int, ...], circuits: int) -> np.recarray[Any, Any]:
    """Return the usual race of these Titans; not to be changed."""
    position = np.zeros(1, STATE).view(np.recarray)
    state = position[0]
    state.titans_in_race = state.seats = state.sides = len(kinds)
    state.circuits, state.laps = circuits, 3
    state.circuit[:] = [OWN_TERRAIN] * circuits + [-1] * (MOST_CIRCUITS - circuits)
    state.cards[:] = DECK
    state.turns = _TURNS_GONE
    state.ask = Ask.DRAFT
    state.face = state.action = NO_FACE
    state.pentacle, state.card, state.target, state.mover = NOWHERE, NO_CARD, NOBODY, NOBODY
    state.supply = TRAPS
    titans = state.titans
    titans["space"], titans["face"], titans["lap"], titans["chosen"] = NOWHERE, NO_FACE, 1, 1
    for who, kind in enumerate(kinds):
        titans["kind"][who] = kind
        titans["seat"][who] = titans["side"][who] = who
        titans["life_max"][who] = TITANS[kind]["life_max"]
        titans["life"][who] = titans["life_start"][who] = TITANS[kind]["life_start"]
    return position


def _stand_as_drawn(position: NDArray[Any]) -> None:
    """Titans stand where they are drawn, and traps on the board are not in the supply."""
    tokens, spaces = position["on"][0], position["titans"]["space"][0]
    for space in np.flatnonzero(tokens).tolist():
        if token := int(tokens[space]) % TRAP:
            spaces[token - 1] = space
    position["supply"] -= (tokens >= TRAP).sum()


@functools.cache
def _usual_with(kinds: tuple[int, ...], circuits: int, traps: int) -> Any:
    """Return the usual race of these Titans with so many traps on its boards, frozen."""
    usual = _usual(kinds, circuits)[0]
    usual.supply -= traps
    return freeze(usual)


def _usual_beside(state: Any) -> Any:
    """Return the usual race that a position is written beside."""
    traps = len(state.on.tobytes().translate(None, _NOT_TRAPPED))
    return _usual_with(_kinds(state), int(state.circuits), traps)


def position_lines(state: Any) -> list[str]:
    """Return the lines of the whole position of a race."""
    return _LAYOUT.lines(state, _usual_beside(state))


def position_text(state: Any) -> str:
    """Return the whole position of a race as text; `parse_position` turns it back."""
    return _LAYOUT.write(state, _usual_beside(state))


def parse_position(text: str) -> np.recarray[Any, Any]:
    """Parse the text of a position into a record array (1,). Raises ValueError naming the line that is wrong."""
    drawn, lines = _LAYOUT.split(text)
    rows: dict[int, list[str]] = {}
    for number, _name, row in drawn:
        with at_line(number):
            _read_row(rows, row.split())
    missing = min({*range(1, _MOST_ROWS + 1)} - rows.keys(), default=0)
    message = mark("expected {rows} rows of the board, or {most}; row {row} is missing")
    expect(len(rows) in (ROWS, _MOST_ROWS), _(message, rows=ROWS, most=_MOST_ROWS, row=missing))
    cells = [cell for row in sorted(rows) for cell in rows[row]]
    kinds = _kinds_in_order(cells, [line.name for line in lines])
    position = _usual(kinds, len(rows) // ROWS)
    for space, cell in enumerate(cells):
        position[0].terrain[space] = SYMBOLS.index(cell[0])
        position[0].on[space] = _token(cell[1:], kinds)
    _stand_as_drawn(position)
    _LAYOUT.read(position[0], lines)
    return position
