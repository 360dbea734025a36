"""Validation of options in `Rules.configure`: each error names the option, the expected values and the value given."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

import numpy as np

from titan_env.contract.translation import _, mark

_MOST_QUOTED = 100


def brief(value: Any) -> str:
    """Return the repr of a value, of any kind and length, for an error: one line of at most some 100 letters.

    >>> brief(["a"] * 1000)
    "['a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a', 'a',..."
    """
    try:
        text = " ".join(repr(value).split())
    except ValueError:  # an integer of more digits than Python writes
        text = f"a {type(value).__name__} that is too long to be written"
    return text if len(text) <= _MOST_QUOTED else f"{text[:_MOST_QUOTED]}..."


def hint(name: object, known: Sequence[str]) -> str:
    """Return the end of an error about an unknown name: similar known names, or else all of them."""
    close = difflib.get_close_matches(name, known, cutoff=0.5) if isinstance(name, str) else []
    if close:
        return _("did you mean {names}?", names=_(" or ").join(close))
    return _("there are: {names}", names=", ".join(known))


def near(name: object, known: Sequence[str]) -> str:
    """Return the end of an error that lists the known names already: the most similar one, or ""."""
    close = difflib.get_close_matches(name, known, 1, cutoff=0.6) if isinstance(name, str) else []
    return f"; {_('did you mean {names}?', names=close[0])}" if close else ""


def unknown(name: str, known: Sequence[str], title: str) -> TypeError:
    """Return the TypeError for an option that the game with this title does not have."""
    message = mark("expected an option of {game}, got {got}; {hint}")
    return TypeError(_(message, game=title, got=brief(name), hint=hint(name, known)))


def whole_number(option: str, value: Any, low: int, high: int) -> int:
    """Return an integer option as an int. Raises TypeError for another type, ValueError outside of low .. high."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(_("{option}: expected a whole number, got {got}", option=option, got=brief(value)))
    if not low <= value <= high:
        raise ValueError(
            _("{option}: expected {low} to {high}, got {got}", option=option, low=low, high=high, got=brief(value))
        )
    return int(value)


def true_or_false(option: str, value: Any) -> bool:
    """Return an option that is on or off as a bool. Raises TypeError for anything else."""
    if not isinstance(value, bool | np.bool_):
        raise TypeError(_("{option}: expected True or False, got {got}", option=option, got=brief(value)))
    return bool(value)


GENERATED = 32_000
"""The levels, circuits or boards by number from 0 on, that a game can generate: as many as one draw can name."""
_GENERATED = "generated"


def generated(option: str, value: Any) -> range | None:
    """Return the levels of ``generated`` (all), ``generated:7`` or ``generated:0-199``; None for any other value.

    Raises ValueError for levels that there are not.
    """
    kind, colon, listed = value.partition(":") if isinstance(value, str) else ("", "", "")
    if kind != _GENERATED or "\n" in value:
        return None
    if not colon:
        return range(GENERATED)
    first, dash, last = listed.partition("-")
    numbers = [first, last] if dash else [first, first]
    is_level = [number.isascii() and number.isdecimal() and len(number) <= len(str(GENERATED)) for number in numbers]
    if not all(is_level) or not int(numbers[0]) <= int(numbers[1]) < GENERATED:
        message = mark(
            "{option}: expected `generated`, or with a number from 0 to {most} or a range of them as `generated:7` or "
            "`generated:0-199`, got {got}"
        )
        raise ValueError(_(message, option=option, most=GENERATED - 1, got=brief(value)))
    return range(int(numbers[0]), int(numbers[1]) + 1)


def one_of(option: str, value: Any, known: Sequence[str]) -> int:
    """Return the index of a name among the known ones. Raises TypeError for no text, ValueError for an unknown one."""
    if not isinstance(value, str) or value not in known:
        message = mark("{option}: expected one of {known}, got {got}")
        error = ValueError if isinstance(value, str) else TypeError
        raise error(_(message, option=option, known=", ".join(known), got=brief(value)) + near(value, known))
    return list(known).index(value)
