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

What is left out is as it would usually be, so that a position for a test takes few lines: Titans
without a line play in the order of the six, everybody alone, with full lives, in their third turn;
the first one is asked which die to take, and every card that is neither in a hand nor on the discard pile nor
``aside`` (out of the game) is in the deck.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from titan_env.contract.position_text import read_word
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
    MOST_DUE,
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
    Face,
    Titan,
)
from titan_env.games.titan_race.words.notation import BONUS, DIE, DUE, EFFECT, FIELDS, LISTS, TITAN_FIELDS
from titan_env.games.titan_race.words.translation import _

HEADING = "titan_race_v2"
LETTERS = ("Ra", "Rg", "Cr", "Gr", "Sl", "Ch")
"""The letters of each Titan."""

_TURNS_GONE = 100
"""In a position for a test nobody is in the first turn."""


# Writing


def position_text(state: Any) -> str:
    """Return the whole position of a race as text; `parse_position` turns it back."""
    usual = _usual([int(titan["kind"]) for titan in state.titans[: state.titans_in_race]], int(state.circuits))[0]
    usual.terrain[:], usual.on[:] = state.terrain, state.on
    _stand_as_drawn(usual)
    lines = [HEADING, *_draw_boards(state)]
    for who in range(state.titans_in_race):
        lines.append(_titan_line(state.titans[who], usual.titans[who]))
    lines += _card_lines(state)
    if state.pool.any():
        lines.append("pool: " + " ".join(name for name, count in _named_dice(state) for _ in range(count)))
    for name, word in FIELDS.items():
        if state[name] != usual[name]:
            lines.append(f"{name}: {word.write(state[name])}")
    for name, word in LISTS.items():
        if (state[name] != usual[name]).any():
            lines.append(f"{name}: {' '.join(word.write(number) for number in state[name])}")
    for due, *numbers in state.agenda[: state.due].tolist():
        lines.append(f"due: {DUE.write(due)} {' '.join(str(number) for number in numbers)}")
    return "\n".join(lines) + "\n"


def _named_dice(state: Any) -> list[tuple[str, int]]:
    """Return the faces in the pool with their numbers."""
    return [(face.name.lower(), int(state.pool[face])) for face in Face]


def _draw_boards(state: Any) -> list[str]:
    """Return the boards, the last one at the top, each row three spaces."""
    lines = []
    for row in range(int(state.circuits) * ROWS - 1, -1, -1):
        cells = []
        for space in range(row * 3, row * 3 + 3):
            cells.append(SYMBOLS[state.terrain[space]] + _piece(state, int(state.on[space])))
        indent = " " * 4 if row % 2 else ""
        lines.append(f"{row + 1:>2}  {indent}{''.join(cell.ljust(8) for cell in cells)}".rstrip())
    return lines


def _piece(state: Any, token: int) -> str:
    """Return the letters of the things on a space."""
    titan, trap = token % TRAP, "x" if token >= TRAP else ""
    return (LETTERS[state.titans[titan - 1].kind] if titan else "") + trap


def _titan_line(titan: Any, usual: Any) -> str:
    """Return one Titan: its life and lap, and what else is not as usual."""
    told = [
        f"{name}={word.write(titan[name])}"
        for name, word in TITAN_FIELDS.items()
        if name in ("lap", "life") or titan[name] != usual[name]
    ]
    return f"{Titan(titan['kind']).name.lower()}: {' '.join(told)}"


def _card_lines(state: Any) -> list[str]:
    """Return each hand, the discard pile and what is not in play; the other cards are in the deck."""
    lines = []
    for name, where in _card_places(state).items():
        held = [BONUS.write(card) for card in range(BONUS_CARDS) if state.cards[card] == where]
        if held:
            lines.append(f"{name}: {' '.join(held)}")
    return lines


def _card_places(state: Any) -> dict[str, int]:
    """Return the places of cards that a position names, as it names them."""
    return {**{f"hand {seat}": seat for seat in range(int(state.seats))}, "discard": DISCARD, "aside": ASIDE}


# Reading


def _usual(kinds: list[int], circuits: int) -> np.recarray[Any, Any]:
    """Return a race in which everything is as usual: what a position says nothing about."""
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
    titans["space"], titans["face"], titans["lap"] = NOWHERE, NO_FACE, 1
    for who, kind in enumerate(kinds):
        titans["kind"][who] = kind
        titans["seat"][who] = titans["side"][who] = who
        titans["life_max"][who] = TITANS[kind]["life_max"]
        titans["life"][who] = titans["life_start"][who] = TITANS[kind]["life_start"]
    return position


def _stand_as_drawn(state: Any) -> None:
    """Titans stand where they are drawn, and traps on the board are not in the supply."""
    for space in np.flatnonzero(state.on):
        token = int(state.on[space])
        if token % TRAP:
            state.titans["space"][token % TRAP - 1] = space
        state.supply -= token >= TRAP


def parse_position(text: str) -> np.recarray[Any, Any]:
    """Parse the text of a position into a record array (1,). Raises ValueError naming the line that is wrong."""
    rows: dict[int, list[str]] = {}
    told: list[tuple[int, str, str]] = []
    for number, line in enumerate(text.splitlines(), 1):
        words = line.split()
        if not words or words == [HEADING] or set("".join(words)) <= set("ABCDEF"):
            continue
        if words[0].isdecimal():
            _read_row(rows, number, words)
        elif ":" in line:
            name, value = (part.strip() for part in line.split(":", 1))
            if name != "due" and any(name == known for _, known, _ in told):
                said = _("line {number}: expected one line of {name}, got another", number=number, name=repr(name))
                raise ValueError(said)
            told.append((number, name, value))
        else:
            said = mark("line {number}: expected a row of the board or `name: value`, got {got}")
            raise ValueError(_(said, number=number, got=repr(line.strip())))
    if len(rows) not in (ROWS, ROWS * MOST_CIRCUITS):
        missing = next(row for row in range(ROWS, 0, -1) if row not in rows) if len(rows) < ROWS else len(rows)
        said = mark("expected {rows} rows of the board, or {most}; row {row} is missing")
        raise ValueError(_(said, rows=ROWS, most=ROWS * MOST_CIRCUITS, row=missing))
    cells = [cell for row in sorted(rows) for cell in rows[row]]
    kinds = _kinds_in_order(cells, [name for _, name, _ in told])
    position = _usual(kinds, len(rows) // ROWS)
    for space, cell in enumerate(cells):
        position[0].terrain[space] = SYMBOLS.index(cell[0])
        position[0].on[space] = _token(cell[1:], kinds)
    _stand_as_drawn(position[0])
    for number, name, value in told:
        try:
            _read_line(position[0], name, value)
        except ValueError as error:
            raise ValueError(_("line {number}: {error}", number=number, error=error)) from None
    return position


def _read_row(rows: dict[int, list[str]], number: int, words: list[str]) -> None:
    """One row of a board: its number and three spaces."""
    row, cells = int(words[0]), words[1:]
    if row in rows or not 1 <= row <= ROWS * MOST_CIRCUITS:
        said = mark("line {number}: expected each row from 1 to {most} once, got row {row}")
        raise ValueError(_(said, number=number, most=ROWS * MOST_CIRCUITS, row=row))
    if len(cells) != 3:
        raise ValueError(_("line {number}: expected three spaces, got {n}", number=number, n=len(cells)))
    for cell in cells:
        piece = cell[1:].removesuffix("x")
        if cell[0] not in SYMBOLS or (piece and piece not in LETTERS):
            said = mark("line {number}: expected one of {signs} and then {letters} or x, got {got}")
            raise ValueError(_(said, number=number, signs=SYMBOLS, letters=", ".join(LETTERS), got=repr(cell)))
    rows[row] = cells


def _kinds_in_order(cells: list[str], names: list[str]) -> list[int]:
    """Return the Titans in turn order: as their lines stand, then those that are only drawn."""
    by_name = {titan.name.lower(): int(titan) for titan in Titan}
    kinds = [by_name[name] for name in names if name in by_name]
    drawn = [LETTERS.index(cell[1:3]) for cell in cells if cell[1:3] in LETTERS]
    kinds += sorted(kind for kind in drawn if kind not in kinds)
    if len(set(kinds)) != len(kinds) or len(set(drawn)) != len(drawn):
        raise ValueError(_("expected every Titan once"))
    if not 2 <= len(kinds) <= MOST_TITANS:
        raise ValueError(_("expected 2 to {most} Titans, got {n}", most=MOST_TITANS, n=len(kinds)))
    return kinds


def _token(piece: str, kinds: list[int]) -> int:
    """Return the entry of `on` for a space, from the letters drawn there."""
    letters = piece.removesuffix("x")
    titan = kinds.index(LETTERS.index(letters)) + 1 if letters else EMPTY
    return titan + (TRAP if piece.endswith("x") else EMPTY)


def _read_line(state: Any, name: str, value: str) -> None:
    """One line below the board."""
    special: dict[str, Callable[[Any, str], None]] = {"pool": _read_pool, "due": _read_due}
    places = _card_places(state)
    if name.upper() in Titan.__members__:
        _read_titan(state, name, value)
    elif name in special:
        special[name](state, value)
    elif name in places:
        _read_cards(state, places[name], value)
    elif name.startswith("hand"):
        raise ValueError(_("expected a hand from 0 to {last}, got {got}", last=state.seats - 1, got=repr(name)))
    elif name in LISTS:
        numbers = [read_word(LISTS, name, word) for word in value.split()]
        if len(numbers) != len(state[name]):
            said = mark("expected {most} numbers for {name}, got {n}")
            raise ValueError(_(said, most=len(state[name]), name=name, n=len(numbers)))
        state[name][:] = numbers
    elif name in FIELDS:
        state[name] = read_word(FIELDS, name, value)
    else:
        known = ", ".join(FIELDS)
        raise ValueError(_("expected the name of a Titan or one of {known}, got {got}", known=known, got=repr(name)))


def _read_titan(state: Any, name: str, value: str) -> None:
    """The line of one Titan: ``name=value`` for what is not as usual."""
    who = int(np.flatnonzero(state.titans["kind"][: state.titans_in_race] == Titan[name.upper()])[0])
    given = set()
    for item in value.split():
        key, _sep, word = item.partition("=")
        if key not in TITAN_FIELDS:
            known = ", ".join(TITAN_FIELDS)
            raise ValueError(_("expected one of {known}, got {got}", known=known, got=repr(key)))
        if key in given:
            raise ValueError(_("expected one {key} of {name}, got another", key=key, name=name))
        given.add(key)
        state.titans[key][who] = read_word(TITAN_FIELDS, key, word)


def _read_pool(state: Any, value: str) -> None:
    """The faces of the dice in the pool."""
    for word in value.split():
        state.pool[DIE.read(word)] += 1


def _read_cards(state: Any, where: int, value: str) -> None:
    """The cards of a hand, of the discard pile, or aside."""
    for word in value.split():
        card = BONUS.read(word)
        if state.cards[card] != DECK:
            raise ValueError(_("expected each card once, got {got} again", got=repr(word)))
        state.cards[card] = where


def _read_due(state: Any, value: str) -> None:
    """One effect on the agenda."""
    words = value.split()
    if state.due == MOST_DUE or len(words) != 5:
        said = mark("expected at most {most} effects with four numbers each, got {got}")
        raise ValueError(_(said, most=MOST_DUE, got=repr(value)))
    state.agenda[state.due] = [DUE.read(words[0]), *(EFFECT.read(word) for word in words[1:])]
    state.due += 1
