"""Small drawings: what covers a hex, what lies on its sides, and what a character can do, told apart without colours.

Each icon is drawn around (x, y) and reaches about `size` to every side. Borders have the signs of the printed maps:
lines across a slope, arcs along a dune, blocks on a wall, teeth on a cliff.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from titan_env.contract.shapes import Box, Circle, Line, Point, Polygon, Shape, placed, star
from titan_env.games.titan_battle.rules.state import Border, Hazard

Draw = Callable[[float, float, float], Sequence[Shape]]

LEAF, TRUNK = "#2E7D32", "#7A4A21"
MUD, REED = "#A06A35", "#6F9430"
ORANGE = "#D98300"
THORN = "#1F7A4C"
SNOW = "#2F8FD0"
ROCK = "#6F767E"
_CROWN = [(0, 1.05), (0.75, -0.05), (0.35, -0.05), (0.85, -0.6), (-0.85, -0.6), (-0.35, -0.05), (-0.75, -0.05)]
_PEAK = [(-1, -0.85), (-0.3, 0.35), (0.3, 0.35), (1, -0.85)]
_FIRE = [(-0.28, 0.3), (-0.5, 1), (-0.1, 0.7), (0.1, 1.1), (0.25, 0.7), (0.55, 0.95), (0.28, 0.3)]


def tree(x: float, y: float, size: float) -> list[Shape]:
    """Draw a fir with its trunk."""
    trunk = Box(x - size * 0.16, y - size, size * 0.32, size * 0.5, TRUNK, "", 0.0, 0.0)
    return [trunk, Polygon(placed(_CROWN, x, y, size), LEAF, "ink", size * 0.05)]


def bog(x: float, y: float, size: float) -> list[Shape]:
    """Draw water with reeds."""
    waves = [_wave(x, y - size * low, size, MUD) for low in (0.35, 0.75)]
    stems = [
        Line(((x + across * size, y - size * 0.3), (x + (across + lean) * size, y + high * size)), REED, size * 0.15)
        for across, lean, high in ((-0.4, -0.2, 0.7), (0.0, 0.05, 1.0), (0.4, 0.2, 0.6))
    ]
    return [*waves, *stems]


def _wave(x: float, y: float, size: float, colour: str) -> Line:
    """Return a flat wave."""
    points = tuple((x + size * (step / 4 - 1), y + size * 0.14 * math.sin(step * math.pi / 2)) for step in range(9))
    return Line(points, colour, size * 0.14)


def sand(x: float, y: float, size: float) -> list[Shape]:
    """Draw two ripples of sand and some grains."""
    grains = [(-0.6, 0.6), (0.05, 0.8), (0.65, 0.55), (-0.25, 0.3), (0.35, 0.25)]
    dots = [Circle(x + across * size, y + up * size, size * 0.1, ORANGE) for across, up in grains]
    return [*(_wave(x, y - size * low, size, ORANGE) for low in (0.2, 0.65)), *dots]


def bramble(x: float, y: float, size: float) -> list[Shape]:
    """Draw two thorny twigs, crossed."""
    shapes: list[Shape] = []
    for side in (-1, 1):
        shapes.append(Line(((x - side * size, y - size), (x + side * size, y + size)), THORN, size * 0.16))
        for far in (-0.6, 0.1, 0.75):
            foot = (x + side * far * size, y + far * size)
            shapes.append(Line((foot, (foot[0] - side * size * 0.05, foot[1] + size * 0.42)), THORN, size * 0.12))
            shapes.append(Line((foot, (foot[0] + side * size * 0.42, foot[1] - size * 0.05)), THORN, size * 0.12))
    return shapes


def drift(x: float, y: float, size: float) -> list[Shape]:
    """Draw a flake of snow."""
    ends = [_around(x, y, size, turn * math.pi / 3 + math.pi / 6) for turn in range(3)]
    arms: list[Shape] = [Line(((2 * x - ax, 2 * y - ay), (ax, ay)), SNOW, size * 0.16) for ax, ay in ends]
    return [*arms, Circle(x, y, size * 0.28, "white", SNOW, size * 0.1)]


def volcano(x: float, y: float, size: float) -> list[Shape]:
    """Draw a cone with fire on its top."""
    fire = Polygon(placed(_FIRE, x, y, size), "yellow", "red", size * 0.12)
    return [fire, Polygon(placed(_PEAK, x, y, size), "#7B3F2A", "ink", size * 0.08)]


def _around(x: float, y: float, radius: float, turn: float) -> Point:
    """Return a point on a circle."""
    return x + math.cos(turn) * radius, y + math.sin(turn) * radius


HAZARDS: dict[Hazard, Draw] = {
    Hazard.TREE: tree,
    Hazard.BOG: bog,
    Hazard.SAND: sand,
    Hazard.BRAMBLE: bramble,
    Hazard.DRIFT: drift,
    Hazard.VOLCANO: volcano,
}
"""The drawing of each hazard but the plain."""
FILLS = {
    Hazard.PLAIN: "soft_sand",
    Hazard.TREE: "soft_grey",
    Hazard.BOG: "soft_brown",
    Hazard.SAND: "soft_yellow",
    Hazard.BRAMBLE: "soft_green",
    Hazard.DRIFT: "soft_blue",
    Hazard.VOLCANO: "soft_red",
}
"""The colour of each hazard."""


# Borders: from corner to corner of a side, `deep` into the hex that they belong to


def border(kind: Border, begin: Point, end: Point, inward: Point, deep: float) -> list[Shape]:
    """Draw the sign of a border on the side from `begin` to `end`; `inward` is the way up, of length 1."""
    side = _Side(begin, end, inward, deep)
    return {
        Border.SLOPE: _slope,
        Border.DUNE: _dune,
        Border.WALL: _wall,
        Border.CLIFF: _cliff,
    }[kind](side)


class _Side:
    """A side of a hex on which a border is drawn."""

    def __init__(self, begin: Point, end: Point, inward: Point, deep: float) -> None:
        self.begin, self.end, self.inward, self.deep = begin, end, inward, deep

    def at(self, along: float, depth: float) -> Point:
        """Return the point so far along the side, from 0 to 1, and so deep in the hex, from 0 to 1."""
        (ax, ay), (bx, by), (ux, uy) = self.begin, self.end, self.inward
        reach = depth * self.deep
        return ax + (bx - ax) * along + ux * reach, ay + (by - ay) * along + uy * reach


def _slope(side: _Side) -> list[Shape]:
    """Draw a row of short lines that run down."""
    lines = [Line((side.at(k / 9, 1.0), side.at(k / 9, 0.05)), "#A0662D", 0.03) for k in range(1, 9)]
    return [Line((side.at(0.05, 1.0), side.at(0.95, 1.0)), "#A0662D", 0.025), *lines]


def _dune(side: _Side) -> list[Shape]:
    """Draw a row of arcs that bulge down."""
    shapes: list[Shape] = []
    for k in range(3):
        points = tuple(
            side.at(0.03 + 0.94 * (k + 0.5 - 0.47 * math.cos(turn)) / 3, 1.0 - math.sin(turn))
            for turn in (step * math.pi / 8 for step in range(9))
        )
        shapes += [Polygon(points, ORANGE, "black", 0.012)]
    return shapes


def _wall(side: _Side) -> list[Shape]:
    """Draw a wall with its blocks."""
    foot = Polygon(
        (side.at(0.02, 0.05), side.at(0.98, 0.05), side.at(0.95, 0.55), side.at(0.05, 0.55)), ROCK, "ink", 0.012
    )
    blocks = [
        Polygon((side.at(a, 0.5), side.at(a + 0.15, 0.5), side.at(a + 0.15, 1.1), side.at(a, 1.1)), ROCK, "ink", 0.012)
        for a in (0.1, 0.425, 0.75)
    ]
    return [*blocks, foot]


def _cliff(side: _Side) -> list[Shape]:
    """Draw a heavy edge whose teeth point down."""
    teeth = [
        Polygon((side.at(k / 5 + 0.01, 1.1), side.at(k / 5 + 0.19, 1.1), side.at(k / 5 + 0.1, 0.0)), "ink", "ink")
        for k in range(5)
    ]
    return [Line((side.at(0.02, 1.1), side.at(0.98, 1.1)), "ink", 0.045), *teeth]


# What a character can do


def wings(x: float, y: float, size: float) -> list[Shape]:
    """Draw the sign of one that flies: two wings."""
    points = ((-1, 0.25), (-0.5, 0.6), (0, -0.1), (0.5, 0.6), (1, 0.25))
    return [Line(placed(points, x, y, size), "black", size * 0.3)]


def bow(x: float, y: float, size: float) -> list[Shape]:
    """Draw the sign of one that rangestrikes: an arrow."""
    return [Line(((x - size, y - size * 0.6), (x + size, y + size * 0.7)), "black", size * 0.25, size)]


def magic(x: float, y: float, size: float) -> list[Shape]:
    """Draw the sign of one that rangestrikes by magic: a star."""
    return [Polygon(star(x, y, size * 1.1), "purple", "black")]


def blow(x: float, y: float, size: float) -> list[Shape]:
    """Draw the sign of one that has struck: a burst."""
    return [Polygon(star(x, y, size, 7, 0.55), "yellow", "black", 0.012)]


def step(x: float, y: float, size: float) -> list[Shape]:
    """Draw the sign of one that has moved: an arrow head."""
    head = placed([(-0.55, 0.65), (0.75, 0), (-0.55, -0.65), (-0.2, 0)], x, y, size)
    return [Circle(x, y, size, "white", "black", 0.015), Polygon(head, "black")]


def heights(x: float, y: float, size: float, level: int) -> list[Shape]:
    """Draw a triangle for each level of a hex, from left to right."""
    peaks = [placed([(-1, -0.8), (1, -0.8), (0, 0.9)], x + k * size * 1.9, y, size) for k in range(level)]
    return [Polygon(peak, "ink") for peak in peaks]


def crossed(x: float, y: float, wide: float, high: float) -> list[Shape]:
    """Draw two lines that strike something through."""
    return [Line(((x - wide * s, y - high), (x + wide * s, y + high)), "alarm", 0.04) for s in (-1, 1)]


SIGNS: dict[str, Draw] = {"missile": bow, "magic": magic}
"""The drawing of each way to rangestrike."""
