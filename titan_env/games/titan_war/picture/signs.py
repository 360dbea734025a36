"""The signs by which a land is left: triple arrow, arrow, sphere and block, each on the side that it points over."""

from __future__ import annotations

import math
from collections.abc import Sequence

from titan_env.contract.shapes import Point, Polygon
from titan_env.games.titan_war.picture.places import SIDE, way_over

_DEEP = 0.11 * SIDE
"""The distance by which a sign reaches out of its land."""
_BACK = 0.05 * SIDE
"""The distance within its land at which it begins."""
_ASIDE = 0.17
"""The shift to the right of each of two signs towards each other, as a share of a side."""


def sign_shape(sign: str, land: int, other: int, is_both_ways: bool, fill: str) -> list[Polygon]:
    """Draw the sign of a land (T, A, S or B) that points to another one."""
    foot, out, right = way_over(land, other, _ASIDE if is_both_ways else 0.0)
    begin = (foot[0] - out[0] * _BACK, foot[1] - out[1] * _BACK)
    return [Polygon(_laid(outline, begin, out, right), fill, "black", 0.018) for outline in sign_outlines(sign)]


def sign_outlines(sign: str) -> list[list[Point]]:
    """Return the outlines of a sign around (0, 0), pointing up."""
    half, narrow = 0.1 * SIDE, 0.07 * SIDE
    if sign == "T":
        return [_arrow(narrow, shift) for shift in (-2 * narrow, 0.0, 2 * narrow)]
    if sign == "A":
        return [_arrow(half, 0.0)]
    if sign == "S":
        return [_arch(half)]
    return [[(-half, 0.0), (-half, _DEEP), (half, _DEEP), (half, 0.0)]]


def _arrow(half: float, shift: float) -> list[Point]:
    """Return an arrow head."""
    return [(shift - half, 0.0), (shift, _DEEP), (shift + half, 0.0)]


def _arch(half: float) -> list[Point]:
    """Return half a disc, as high as the other signs."""
    turns = [step * math.pi / 10 for step in range(11)]
    return [(-half * math.cos(turn), _DEEP * math.sin(turn)) for turn in turns]


def _laid(outline: Sequence[Point], begin: Point, out: Point, right: Point) -> tuple[Point, ...]:
    """Return an outline, across and out, where it belongs on the board."""
    return tuple(
        (begin[0] + right[0] * across + out[0] * up, begin[1] + right[1] * across + out[1] * up)
        for across, up in outline
    )
