"""The frame of a board: its name, the line of laps, the direction of the race, edges that lead to the other side."""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Sequence
from typing import Any

from titan_env.contract.shapes import Label, Line, Point, Polygon, Shape, cached_drawing
from titan_env.games.titan_race.picture.last_move import COLUMN, ROW
from titan_env.games.titan_race.rules.state import SPACES
from titan_env.games.titan_race.words.glossary import course, titles
from titan_env.games.titan_race.words.translation import _

RADIUS = 0.975 / math.sqrt(3)
"""From the middle of a space to its corners."""

_CHECKS = 4
"""Chequers along one side of a space."""
_THICK = 0.09
"""The line's thickness."""
_SMALL = 12


def ground(state: Any, boards: int, narrow: bool, point_of: Callable[[int], Point]) -> Sequence[Shape]:
    """Everything around the spaces: heading above, line and direction below, wrapping edges at the sides."""
    names = tuple(name.partition(", ")[0] for name in titles(state)) if narrow else (course(state),)
    return _around(names, boards, narrow, point_of)


@cached_drawing
def _around(names: tuple[str, ...], boards: int, narrow: bool, point_of: Callable[[int], Point]) -> list[Shape]:
    """Draw the texts above and below the spaces, and the edges at their sides."""
    left = min(point_of(space)[0] for space in range(SPACES))
    top = max(point_of(space)[1] for space in range(boards * SPACES)) + 0.5
    above = top + (0.42 if boards == 1 or narrow else 0.72)
    shapes: list[Shape] = list(line(foot_of(0.0)))
    for number, name in enumerate(names):
        shapes.append(Label(left - RADIUS, above + number * 0.26, name, "ink", 14, "left", True))
    text = _("↑ start and finish ↑")
    shapes.append(Label(2.5 * COLUMN, -0.36, text, "faint", _SMALL, key="line", notes=("line",)))
    for board in range(boards):
        spaces = tuple(point_of(space) for space in range(board * SPACES, (board + 1) * SPACES))
        shapes += _edges(spaces)
    return shapes


@functools.cache
def foot_of(low: float) -> tuple[Point, ...]:
    """Return the lower edge of a board, corner by corner."""
    sides = [(column, side) for column in range(6) for side in (-0.5, 0.5)]
    return tuple((column * COLUMN + side * RADIUS, low + column % 2 * ROW) for column, side in sides)


@cached_drawing
def line(corners: tuple[Point, ...]) -> list[Shape]:
    """Draw a chequered line along the lower edge of the board."""
    shapes: list[Shape] = []
    dark = True
    for (ax, ay), (bx, by) in itertools.pairwise(corners):
        parts = [(ax + (bx - ax) * i / _CHECKS, ay + (by - ay) * i / _CHECKS) for i in range(_CHECKS + 1)]
        for (cx, cy), (dx, dy) in itertools.pairwise(parts):
            outline = ((cx, cy), (dx, dy), (dx, dy - _THICK), (cx, cy - _THICK))
            shapes.append(Polygon(outline, "black" if dark else "white", "edge", 0.008))
            dark = not dark
    return shapes


@cached_drawing
def _edges(spaces: tuple[Point, ...]) -> list[Shape]:
    """Between the spaces at both sides small arrows out of the board: one comes in again on the other side."""
    foot = min(y for _x, y in spaces) - 0.5
    sides = ((min(x for x, _y in spaces), -1, 1.0), (max(x for x, _y in spaces), 1, 1.5))
    shapes: list[Shape] = []
    for x, way, first in sides:
        for y in (foot + first, foot + first + 2, foot + first + 4):
            ends = ((x + way * (RADIUS / 2 + 0.04), y), (x + way * (RADIUS + 0.06), y))
            shapes.append(Line(ends, "faint", 0.03, 0.11, notes=("edge",), title=_("edge")))
    return shapes
