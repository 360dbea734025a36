"""What positions as text are made of: numbers, by name where they have one, and where they can lie."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import Any, Protocol

import numpy as np

from titan_env.contract.language import _, mark

Bounds = Mapping[str, tuple[int, int]]
"""The lowest and highest number of fields, by name."""
YES_OR_NO = (0, 1)


class Notation(Protocol):
    """How a number of a position is written and read."""

    def write(self, number: int) -> str:
        """The text of a number."""

    def read(self, word: str) -> int:
        """The number of a text. Raises ValueError for a text that is none."""


Notations = Mapping[str, Notation]
"""How each of several fields is written and read."""


class Word:
    """A number that has a name, in small letters."""

    def __init__(self, names: Mapping[str, int]) -> None:
        self._names = {int(number): name.lower() for name, number in names.items()}
        self._numbers = {name: number for number, name in self._names.items()}

    def write(self, number: int) -> str:
        """The name of a number; its digits where it has none."""
        return self._names.get(int(number), str(int(number)))

    def read(self, word: str) -> int:
        """The number of a name. Raises ValueError for an unknown one."""
        if word not in self._numbers:
            known = ", ".join(self._numbers)
            raise ValueError(_("expected one of {known}, got {got}", known=known, got=repr(word)))
        return self._numbers[word]


class Number:
    """A plain number, as large as its field can hold."""

    def __init__(self, field: np.dtype[Any]) -> None:
        bounds = np.iinfo(field.base)
        self._low, self._high = int(bounds.min), int(bounds.max)

    def write(self, number: int) -> str:
        """The number in digits."""
        return str(int(number))

    def read(self, word: str) -> int:
        """The number of digits. Raises ValueError for others, or a number that the field cannot hold."""
        if not word.removeprefix("-").isdecimal() or not self._low <= int(word) <= self._high:
            bounds = {"low": self._low, "high": self._high}
            raise ValueError(_("expected a number from {low} to {high}, got {got}", **bounds, got=repr(word)))
        return int(word)


def numbers(record: np.dtype[Any], apart: Set[str]) -> dict[str, Number]:
    """The fields of a record that are plain numbers, all but those told apart."""
    return {name: Number(record[name]) for name in record.names or () if name not in apart}


def read_word(fields: Notations, name: str, word: str) -> int:
    """The number that a field is given. Raises ValueError naming the field."""
    try:
        return fields[name].read(word)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def within(record: Any, bounds: Bounds, whose: str) -> None:
    """Raise ValueError unless the numbers of a record lie where they can."""
    for name, (low, high) in bounds.items():
        for number in np.ravel(record[name]).tolist():
            if not low <= number <= high:
                expected = _("{low} to {high}", low=low, high=high) if high > low else f"{low}"
                said = mark("expected {name} {expected}, got {got}")
                raise ValueError(_(said, name=f"{whose}{name}", expected=expected, got=number))
