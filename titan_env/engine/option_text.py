"""Game options given as texts, such as ``titans=4``."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from typing import Any


def read_options(pairs: Sequence[str]) -> dict[str, Any]:
    """Parse options such as ``titans=4`` or ``circuit=["a","b","c"]``: values are JSON, or else plain text.

    Raises ValueError for a text without ``=``, and for an option given twice.

    >>> read_options(["titans=4", "circuit=random", "turn_limit=none", "grand_slam=true", "scores=100,0"])
    {'titans': 4, 'circuit': 'random', 'turn_limit': None, 'grand_slam': True, 'scores': [100, 0]}
    """
    options: dict[str, Any] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not equals or not name.strip():
            raise ValueError(f"expected an option such as name=value, got {pair!r}")
        if name.strip() in options:
            raise ValueError(f"expected {name.strip()} once, got it again: {pair!r}")
        options[name.strip()] = _read_value(value.strip())
    return options


def read_choices(pairs: Sequence[str]) -> dict[str, list[Any]]:
    """Parse options with several values each, such as ``titans=2,4,6``; a value may be repeated.

    Raises ValueError for a text without ``=`` or with an empty value, and for an option given twice.

    >>> read_choices(["titans=2,4", "circuit=random", 'deck=["shield", "wings"],all'])
    {'titans': [2, 4], 'circuit': ['random'], 'deck': [['shield', 'wings'], 'all']}
    """
    choices: dict[str, list[Any]] = {}
    for pair in pairs:
        name, equals, values = (part.strip() for part in pair.partition("="))
        parts = [part.strip() for part in re.split(r",(?![^[]*\])", values)]  # not within a list
        if not name or not equals or not all(parts):
            raise ValueError(f"expected an option with its values such as name=value,value, got {pair!r}")
        if name in choices:
            raise ValueError(f"expected {name} once with all its values, got it again with {values}")
        choices[name] = [_read_value(part) for part in parts]
    return choices


def with_fixed(choices: Mapping[str, Sequence[Any]], options: Mapping[str, Any]) -> dict[str, Sequence[Any]]:
    """Return lists of values of options: several for those in `choices`, one for those that are fixed.

    Raises ValueError for an option that is in both.

    >>> with_fixed({"titans": [2, 4]}, {"laps": 1})
    {'titans': [2, 4], 'laps': [1]}
    """
    if both := [name for name in options if name in choices]:
        raise ValueError(f"expected {both[0]} with --vary or with --option, got both")
    return {**choices, **{name: [value] for name, value in options.items()}}


def _read_value(text: str) -> Any:
    """Parse one value: JSON, "none", "true" or "false" in any case, a list with commas, or else the text itself."""
    words = {"none": None, "true": True, "false": False}
    if text.lower() in words:
        return words[text.lower()]
    try:
        return json.loads(text)
    except ValueError:
        return text if "\n" in text or "," not in text else [_read_value(part) for part in text.split(",")]
