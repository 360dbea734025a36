"""The six Titans as figures: told apart by their outline alone, in any colour and at 24 pixels."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

from titan_env.contract.shapes import Circle, Label, Line, Point, Polygon, Shape, cached_drawing, placed, ring, star
from titan_env.games.titan_race.rules.circuits import TITANS
from titan_env.games.titan_race.rules.state import Titan
from titan_env.games.titan_race.words.position import LETTERS

_Outline = Callable[[float, float, float, str], Iterator[Shape]]

_HORN: tuple[Point, ...] = ((0.3, 0.85), (0.72, 0.55), (1.25, 1.4))
_WING: tuple[Point, ...] = ((0.7, 0.6), (1.5, 1.05), (1.32, 0.35), (1.5, -0.2), (1.15, -0.1), (0.8, -0.5))
_TEETH = 8
_ARMS = (-2.7, -2.1, -1.57, -1.04, -0.44)
"""The angles of Craken's arms."""


def figure(kind: int, x: float, y: float, radius: float) -> list[Shape]:
    """Draw a Titan around (x, y) in its colour with its letters; the disc in its middle has this radius."""
    colour = str(TITANS[kind]["colour"])
    disc = Circle(x, y, radius, colour, "black", 0.03)
    return [*outline(kind, x, y, radius), disc, Label(x, y, LETTERS[kind], "black", radius * 66, bold=True)]


@cached_drawing
def outline(kind: int, x: float, y: float, radius: float) -> list[Shape]:
    """Draw the parts of a Titan that reach out of its disc."""
    return list(_OUTLINES[Titan(int(kind))](x, y, radius, str(TITANS[kind]["colour"])))


def _mirrored(corners: tuple[Point, ...], x: float, y: float, radius: float, colour: str) -> Iterator[Shape]:
    """Draw the same on both sides."""
    for side in (-1, 1):
        turned = [(across * side, up) for across, up in corners]
        yield Polygon(placed(turned, x, y, radius), colour, "ink", 0.02)


def _mane(x: float, y: float, radius: float, colour: str) -> Iterator[Shape]:
    yield Polygon(star(x, y, radius * 1.42, 13, 0.72), colour, "ink", 0.02)


def _horns(x: float, y: float, radius: float, colour: str) -> Iterator[Shape]:
    yield from _mirrored(_HORN, x, y, radius, "white")


def _arms(x: float, y: float, radius: float, colour: str) -> Iterator[Shape]:
    """Five arms with suckers at their ends."""
    for turn in _ARMS:
        across, up = math.cos(turn), math.sin(turn)
        tip = (x + across * radius * 1.32, y + up * radius * 1.32)
        yield Line(((x, y), tip), "ink", radius * 0.34)
        yield Line(((x, y), tip), colour, radius * 0.2)
        yield Circle(*tip, radius * 0.16, colour, "ink", 0.015)


def _teeth(x: float, y: float, radius: float, colour: str) -> Iterator[Shape]:
    """Draw the teeth of a wheel."""
    for corner in range(_TEETH):
        turn = 2 * math.pi * corner / _TEETH
        middle = (x + math.cos(turn) * radius * 1.15, y + math.sin(turn) * radius * 1.15)
        yield Polygon(ring(*middle, radius * 0.3, 4, turn + math.pi / 4), colour, "ink", 0.02)


def _eyes(x: float, y: float, radius: float, colour: str) -> Iterator[Shape]:
    """Draw two eyes on stalks."""
    for side in (-1, 1):
        tip = (x + side * radius * 0.75, y + radius * 1.25)
        yield Line(((x + side * radius * 0.3, y + radius * 0.6), tip), "ink", radius * 0.26)
        yield Circle(*tip, radius * 0.3, "white", "ink", 0.02)
        yield Circle(*tip, radius * 0.12, "black")


def _wings(x: float, y: float, radius: float, colour: str) -> Iterator[Shape]:
    yield from _mirrored(_WING, x, y, radius, colour)


_OUTLINES: dict[Titan, _Outline] = {
    Titan.RASSIK: _mane,
    Titan.RAGNAROK: _horns,
    Titan.CRAKEN: _arms,
    Titan.GRINDER: _teeth,
    Titan.SLAUGG: _eyes,
    Titan.CHTOOLOO: _wings,
}
