"""Validation of options in `Rules.configure`: each error names the option, the expected values and the value given."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

import numpy as np

from titan_env.contract.translation import _, mark


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
    said = mark("expected an option of {game}, got {got}; {hint}")
    return TypeError(_(said, game=title, got=repr(name), hint=hint(name, known)))


def whole_number(option: str, value: Any, low: int, high: int) -> int:
    """Return an integer option as an int. Raises TypeError for another type, ValueError outside of low .. high."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(_("{option}: expected a whole number, got {got}", option=option, got=repr(value)))
    if not low <= value <= high:
        raise ValueError(
            _("{option}: expected {low} to {high}, got {got}", option=option, low=low, high=high, got=value)
        )
    return int(value)


def one_of(option: str, value: Any, known: Sequence[str]) -> int:
    """Return the index of a name among the known ones. Raises TypeError for no text, ValueError for an unknown one."""
    if not isinstance(value, str) or value not in known:
        said = mark("{option}: expected one of {known}, got {got}")
        error = ValueError if isinstance(value, str) else TypeError
        raise error(_(said, option=option, known=", ".join(known), got=repr(value)) + near(value, known))
    return list(known).index(value)
