"""Building blocks of position texts: numbers, names of numbers, and bounds of fields."""

from __future__ import annotations

from collections.abc import Mapping, Set
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from titan_env.contract.translation import _, mark
from titan_env.moved import old_names

Bounds = Mapping[str, tuple[int, int]]
"""Field name -> its lowest and highest number."""
YES_OR_NO = (0, 1)


class FieldFormat(Protocol):
    """The text form of one field's numbers."""

    def write(self, number: int) -> str:
        """Return a number's text."""

    def read(self, word: str) -> int:
        """Return the number of a text. Raises ValueError for an invalid one."""


FieldFormats = Mapping[str, FieldFormat]
"""Field name -> its notation."""


class Word:
    """The notation of numbers that have names, in lower case."""

    def __init__(self, names: Mapping[str, int]) -> None:
        self._names = {int(number): name.lower() for name, number in names.items()}
        self._numbers = {name: number for number, name in self._names.items()}

    def write(self, number: int) -> str:
        """Return a number's name; its digits if it has none."""
        return self._names.get(int(number), str(int(number)))

    def read(self, word: str) -> int:
        """Return the number with this name. Raises ValueError for an unknown one."""
        if word not in self._numbers:
            known = ", ".join(self._numbers)
            raise ValueError(_("expected one of {known}, got {got}", known=known, got=repr(word)))
        return self._numbers[word]


class Number:
    """The notation of plain numbers, within the range of their field's dtype."""

    def __init__(self, field: np.dtype[Any]) -> None:
        bounds = np.iinfo(field.base)
        self._low, self._high = int(bounds.min), int(bounds.max)

    def write(self, number: int) -> str:
        """Return a number's digits."""
        return str(int(number))

    def read(self, word: str) -> int:
        """Return the number of these digits. Raises ValueError for other texts and numbers out of the dtype's range."""
        if not word.removeprefix("-").isdecimal() or not self._low <= int(word) <= self._high:
            bounds = {"low": self._low, "high": self._high}
            raise ValueError(_("expected a number from {low} to {high}, got {got}", **bounds, got=repr(word)))
        return int(word)


def numbers(record: np.dtype[Any], apart: Set[str]) -> dict[str, Number]:
    """Return a notation of plain numbers for each field of a record but those in `apart`."""
    return {name: Number(record[name]) for name in record.names or () if name not in apart}


def read_word(fields: FieldFormats, name: str, word: str) -> int:
    """Return the number that a word gives a field. Raises ValueError, which names the field."""
    try:
        return fields[name].read(word)
    except ValueError as error:
        raise ValueError(f"{name}: {error}") from None


def check_bounds(record: Any, bounds: Bounds, whose: str) -> None:
    """Raise ValueError unless all numbers of a record lie within their bounds; `whose` begins the field's name."""
    for name, (low, high) in bounds.items():
        for number in np.ravel(record[name]).tolist():
            if not low <= number <= high:
                expected = _("{low} to {high}", low=low, high=high) if high > low else f"{low}"
                said = mark("expected {name} {expected}, got {got}")
                raise ValueError(_(said, name=f"{whose}{name}", expected=expected, got=number))


if not TYPE_CHECKING:
    __getattr__ = old_names(__name__)
