"""How `Game.configure` checks what people choose: each complaint names the option, what was expected and what came."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np


def whole_number(option: str, value: Any, low: int, high: int) -> int:
    """A number among the options. Raises TypeError for anything else, ValueError for one that is too low or high."""
    if isinstance(value, bool) or not isinstance(value, int | np.integer):
        raise TypeError(f"{option}: expected a whole number, got {value!r}")
    if not low <= value <= high:
        raise ValueError(f"{option}: expected {low} to {high}, got {value}")
    return int(value)


def one_of(option: str, value: Any, known: Sequence[str]) -> int:
    """The number of a name among the known ones. Raises TypeError for no name, ValueError for an unknown one."""
    if not isinstance(value, str):
        raise TypeError(f"{option}: expected one of {', '.join(known)}, got {value!r}")
    if value not in known:
        raise ValueError(f"{option}: expected one of {', '.join(known)}, got {value!r}")
    return list(known).index(value)
