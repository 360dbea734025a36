"""What a browser is sent of a picture: what has changed since the one that it has."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

MOST_KEPT = 2
"""Pictures of a game that a browser may still have: the latest, and the one before."""

Part = str | list[int]
"""Lines that are new, or where those that are not begin and end in the picture before."""


class Pictures:
    """The latest pictures of a game, in lines, by number."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._kept: dict[int, list[str]] = {}

    def shorten(self, view: Mapping[str, Any], has: Any) -> dict[str, Any]:
        """A view whose picture, now with a number, is told by that which the browser `has`, where this is still known.

        Two threads may shorten at a time.
        """
        lines = view["svg"]
        before = self._kept.get(has) if isinstance(has, int) else None
        number = next(self._numbers)
        self._kept = dict([*self._kept.items(), (number, lines)][-MOST_KEPT:])
        return {**view, "picture": number, "svg": "\n".join(lines) if before is None else changes(before, lines)}


def changes(before: Sequence[str], lines: Sequence[str]) -> list[Part]:
    """What makes the lines out of those before.

    >>> changes(["a", "b", "c", "d"], ["a", "b", "x", "c"])
    [[0, 2], 'x', [2, 3]]
    """
    places = {line: place for place, line in enumerate(before)}
    parts: list[Part] = []
    for line in lines:
        place = places.get(line)
        latest = parts[-1] if parts else ""
        if place is None:
            parts.append(line)
        elif isinstance(latest, list) and latest[1] == place:
            latest[1] += 1
        else:
            parts.append([place, place + 1])
    return parts
