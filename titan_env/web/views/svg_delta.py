"""Line diffs of pictures, so that a browser is sent only the changes to the picture it has."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Any

MOST_KEPT = 2
"""The number of pictures of a game that are cached: the latest, and the one before."""

Part = str | list[int]
"""A new line, or the range [begin, end] of lines that are taken from the picture before."""


class SvgHistory:
    """The cache of a game's latest pictures, in lines, by number."""

    def __init__(self) -> None:
        self._numbers = itertools.count(1)
        self._kept: dict[int, list[str]] = {}

    def shorten(self, view: Mapping[str, Any], has: Any) -> dict[str, Any]:
        """Number the view's SVG and, if picture `has` is still cached, replace it by a line diff against it.

        It is safe in two threads at a time.
        """
        lines = view["svg"]
        before = self._kept.get(has) if isinstance(has, int) else None
        number = next(self._numbers)
        self._kept = dict([*self._kept.items(), (number, lines)][-MOST_KEPT:])
        return {**view, "picture": number, "svg": "\n".join(lines) if before is None else diff_lines(before, lines)}


def diff_lines(before: Sequence[str], lines: Sequence[str]) -> list[Part]:
    """Compute the line diff that makes `lines` out of those before.

    >>> diff_lines(["a", "b", "c", "d"], ["a", "b", "x", "c"])
    [[0, 2], 'x', [2, 3]]
    """
    number_of_line = {line: number for number, line in enumerate(before)}
    parts: list[Part] = []
    for line in lines:
        number = number_of_line.get(line)
        latest = parts[-1] if parts else ""
        if number is None:
            parts.append(line)
        elif isinstance(latest, list) and latest[1] == number:
            latest[1] += 1
        else:
            parts.append([number, number + 1])
    return parts
