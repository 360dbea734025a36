"""How `Rules.configure` checks what people choose: each complaint names the option, what was expected and what came."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Any

import numpy as np

from titan_env.contract.language import _, mark


def hint(name: object, known: Sequence[str]) -> str:
    """The end of a complaint about an unknown name: those that are nearly the same, or else all there are."""
    close = difflib.get_close_matches(name, known, cutoff=0.5) if isinstance(name, str) else []
    if close:
        return _("did you mean {names}?", names=_(" or ").join(close))
    return _("there are: {names}", names=", ".join(known))


def near(name: object, known: Sequence[str]) -> str:
    """Return the end of a complaint that lists what there is already: what was meant, if one is nearly the same."""
    close = difflib.get_close_matches(name, known, 1, cutoff=0.6) if isinstance(name, str) else []
    return f"; {_('did you mean {names}?', names=close[0])}" if close else ""


def unknown(name: str, known: Sequence[str], title: str) -> TypeError:
    """The complaint about an option that a game of this title does not have."""
    said = mark("expected an option of {game}, got {got}; {hint}")
    return TypeError(_(said, game=title, got=repr(name), hint=hint(name, known)))


def whole_number(option: str, value: Any, low: int, high: int) -> int:
    """A number among the options. Raises TypeError for anything else, ValueError for one that is too low or high."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(_("{option}: expected a whole number, got {got}", option=option, got=repr(value)))
    if not low <= value <= high:
        raise ValueError(
            _("{option}: expected {low} to {high}, got {got}", option=option, low=low, high=high, got=value)
        )
    return int(value)


def one_of(option: str, value: Any, known: Sequence[str]) -> int:
    """The number of a name among the known ones. Raises TypeError for no name, ValueError for an unknown one."""
    if not isinstance(value, str) or value not in known:
        said = mark("{option}: expected one of {known}, got {got}")
        error = ValueError if isinstance(value, str) else TypeError
        raise error(_(said, option=option, known=", ".join(known), got=repr(value)) + near(value, known))
    return list(known).index(value)
