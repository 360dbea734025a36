"""The places of the lands on the drawn board: triangles with their corners cut off, fifteen columns in eight rows."""

from __future__ import annotations

import math

from titan_env.contract.shapes import Point
from titan_env.games.titan_war.rules.lands import COLUMNS, PLACES, ROWS

SIDE = 1.2
"""The length of a triangle's side before its corners are cut off."""
HIGH = SIDE * math.sqrt(3) / 2
BOARD_WIDE, BOARD_HIGH = SIDE * (COLUMNS + 1) / 2, HIGH * ROWS
_CUT = 0.19
"""The share of a side that a cut takes from each of its ends."""
_SHRUNK = 0.955
"""Lands are drawn a little smaller, so that there is room between them."""


def points_down(land: int) -> bool:
    """Return whether a land's triangle stands on its point, with its third neighbour above it."""
    column, row = PLACES[land]
    return (column + row) % 2 == 0


def corners(land: int) -> tuple[Point, Point, Point]:
    """Return the corners of a land's whole triangle: left, right, and the one above or below."""
    column, row = PLACES[land]
    left, right = column * SIDE / 2, column * SIDE / 2 + SIDE
    top, bottom = -row * HIGH, -(row + 1) * HIGH
    base, point = (top, bottom) if points_down(land) else (bottom, top)
    return (left, base), (right, base), ((left + right) / 2, point)


def middle(land: int) -> Point:
    """Return the middle of a land."""
    across, up = zip(*corners(land), strict=True)
    return sum(across) / 3, sum(up) / 3


def outline(land: int) -> tuple[Point, ...]:
    """Return the six corners of a land as it is drawn."""
    x, y = middle(land)
    whole = corners(land)
    found = []
    for number, corner in enumerate(whole):
        for other in (whole[number - 1], whole[(number + 1) % 3]):
            cut = _between(corner, other, _CUT)
            found.append(_between((x, y), cut, _SHRUNK))
    return tuple(found)


def common_side(land: int, other: int) -> tuple[Point, Point] | None:
    """Return the two corners that two lands' triangles share, in a fixed order; None where they share no side."""
    here, there = ({_rounded(corner): corner for corner in corners(one)} for one in (land, other))
    shared = sorted(here.keys() & there.keys())
    return (here[shared[0]], here[shared[1]]) if len(shared) == 2 else None


def _rounded(point: Point) -> Point:
    """Return a point by which two corners at the same place are known."""
    return round(point[0], 6), round(point[1], 6)


def _between(begin: Point, end: Point, share: float) -> Point:
    """Return the point at a share of the way from one to another."""
    return begin[0] + (end[0] - begin[0]) * share, begin[1] + (end[1] - begin[1]) * share


def way_over(land: int, other: int, share: float) -> tuple[Point, Point, Point]:
    """Return a point on the common side of two lands, the way out of the first one, and that along the side.

    Both ways have length 1; `share` is how far along the side, from -0.5 to 0.5 and to the right of who crosses it.
    """
    ends = common_side(land, other)
    if ends is None:
        raise ValueError(f"expected lands beside each other, got numbers {land} and {other}")
    (ax, ay), (bx, by) = middle(land), middle(other)
    length = math.hypot(bx - ax, by - ay)
    out = ((bx - ax) / length, (by - ay) / length)
    right = (out[1], -out[0])
    (cx, cy), (dx, dy) = ends
    foot = ((cx + dx) / 2 + right[0] * share * SIDE, (cy + dy) / 2 + right[1] * share * SIDE)
    return foot, out, right
