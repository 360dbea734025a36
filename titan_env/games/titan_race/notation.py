"""How the numbers of a position are written and read: by a name where they have one."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from titan_env.contract import Over
from titan_env.games.titan_race.circuits import CIRCUIT_NAMES, space_name, space_number
from titan_env.games.titan_race.state import (
    NO_CARD,
    NO_FACE,
    NOWHERE,
    OWN_TERRAIN,
    RANDOM,
    STATE,
    Ask,
    Card,
    Condition,
    Due,
    Face,
    Titan,
)


class _Word:
    """How a number that has a name is written and read."""

    def __init__(self, names: Mapping[str, int], none: int | None = None) -> None:
        self._names = {int(number): name.lower() for name, number in names.items()}
        if none is not None:
            self._names[none] = "none"
        self._numbers = {name: number for number, name in self._names.items()}

    def write(self, number: int) -> str:
        return self._names.get(int(number), str(int(number)))

    def read(self, word: str) -> int:
        if word not in self._numbers:
            raise ValueError(f"expected one of {', '.join(self._numbers)}, got {word!r}")
        return self._numbers[word]


class _Number:
    """A plain number, as large as its field can hold."""

    def __init__(self, field: np.dtype[Any]) -> None:
        bounds = np.iinfo(field.base)
        self._low, self._high = int(bounds.min), int(bounds.max)

    def write(self, number: int) -> str:
        return str(int(number))

    def read(self, word: str) -> int:
        if not word.removeprefix("-").isdecimal() or not self._low <= int(word) <= self._high:
            raise ValueError(f"expected a number from {self._low} to {self._high}, got {word!r}")
        return int(word)


class _Space:
    """A space by its name."""

    def write(self, number: int) -> str:
        return "none" if number == NOWHERE else space_name(number)

    def read(self, word: str) -> int:
        return NOWHERE if word == "none" else space_number(word)


_Words = Mapping[str, _Word | _Number | _Space]


def _numbers(record: np.dtype[Any], apart: set[str]) -> _Words:
    """The fields of a record that are plain numbers, all but those told apart."""
    return {name: _Number(record[name]) for name in record.names or () if name not in apart}


_FACE, _SPACE = _Word(Face.__members__, NO_FACE), _Space()
DIE, BONUS, DUE = _Word(Face.__members__), _Word(Card.__members__), _Word(Due.__members__)
EFFECT = _Number(STATE["agenda"])
"""What is not a field of its own: a die in the pool, a card somewhere, an effect on the agenda and its numbers."""

TITAN_FIELDS: _Words = {
    **_numbers(STATE["titans"].base, {"kind", "space", "condition", "face"}),
    "space": _SPACE,
    "condition": _Word(Condition.__members__),
    "face": _FACE,
}
FIELDS: _Words = {
    **_numbers(STATE, {"terrain", "on", "titans", "pool", "cards", "due", "agenda", "won", "circuit"}),
    "over": _Word(Over.__members__),
    "ask": _Word(Ask.__members__),
    "face": _FACE,
    "action": _FACE,
    "pentacle": _SPACE,
    "card": _Word(Card.__members__, NO_CARD),
    "borrowed": _Word(Titan.__members__),
}
_CIRCUITS = {"RANDOM": RANDOM, "OWN": OWN_TERRAIN} | {name.upper(): i for i, name in enumerate(CIRCUIT_NAMES)}
LISTS: _Words = {"won": _Number(STATE["won"]), "circuit": _Word(_CIRCUITS)}


def read_word(fields: _Words, name: str, word: str) -> int:
    """The number that a field is given."""
    try:
        return fields[name].read(word)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None
