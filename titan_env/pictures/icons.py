"""Icons: small drawings as shapes for any game, distinguishable without their colours.

Each is drawn around (x, y) and reaches about `size` to every side.
"""

from __future__ import annotations

import math

from titan_env.contract.shapes import Box, Circle, Line, Point, Polygon, Shape, cached_drawing, placed, ring, star

_FLAME = [(0, 1), (0.35, 0.45), (0.5, 0.62), (0.75, 0), (0.6, -0.6), (0, -0.95), (-0.6, -0.6), (-0.75, 0)]
_FLAME += [(-0.45, 0.25), (-0.3, 0.05), (-0.2, 0.6)]
_EMBER = [(0, 0.05), (0.32, -0.4), (0.18, -0.75), (-0.18, -0.75), (-0.32, -0.4)]
_HEART = [(0, -0.9), (0.95, 0.1), (0.9, 0.6), (0.5, 0.85), (0, 0.45), (-0.5, 0.85), (-0.9, 0.6), (-0.95, 0.1)]
_BUST = [(-0.8, -1), (0.8, -1), (0.8, -0.65), (0.55, -0.65), (0.55, -0.1), (-0.55, -0.1), (-0.55, -0.65), (-0.8, -0.65)]


def heart(x: float, y: float, size: float) -> tuple[Point, ...]:
    """Return the outline of a heart."""
    return placed(_HEART, x, y, size)


@cached_drawing
def flame(x: float, y: float, size: float) -> list[Shape]:
    """Return the shapes of a flame with its ember."""
    return [Polygon(placed(_FLAME, x, y, size), "red", "ink"), Polygon(placed(_EMBER, x, y, size), "yellow")]


@cached_drawing
def crystal(x: float, y: float, size: float) -> list[Shape]:
    """Return the shapes of an ice crystal with six arms."""
    return [line for turn in range(6) for line in _crystal_arm(x, y, size, turn * math.pi / 3 + math.pi / 6)]


def _crystal_arm(x: float, y: float, size: float, turn: float) -> list[Shape]:
    """Return the shapes of one arm of an ice crystal."""
    ux, uy = math.cos(turn) * size, math.sin(turn) * size
    barbs = []
    for side in (turn + 0.8, turn - 0.8):
        barbs.append((x + ux * 0.55 + math.cos(side) * size * 0.4, y + uy * 0.55 + math.sin(side) * size * 0.4))
    fork = (barbs[0], (x + ux * 0.55, y + uy * 0.55), barbs[1])
    return [Line(((x, y), (x + ux, y + uy)), "ink", size * 0.11), Line(fork, "ink", size * 0.09)]


@cached_drawing
def skull(x: float, y: float, size: float) -> list[Shape]:
    """Return the shapes of a skull over crossed bones."""
    bones = [
        ((x - size, y - size * 0.9), (x + size, y - size * 0.2)),
        ((x + size, y - size * 0.9), (x - size, y - size * 0.2)),
    ]
    shapes: list[Shape] = [Line(bone, "ink", size * 0.2) for bone in bones]
    shapes.append(
        Box(x - size * 0.38, y - size * 0.55, size * 0.76, size * 0.5, "white", "black", size * 0.09, size * 0.1)
    )
    shapes.append(Circle(x, y + size * 0.25, size * 0.65, "white", "black", size * 0.09))
    return shapes + [Circle(x + side * size * 0.27, y + size * 0.15, size * 0.17, "black") for side in (-1, 1)]


@cached_drawing
def jaws(x: float, y: float, size: float) -> list[Shape]:
    """Return the shapes of a trap: jaws with teeth."""
    return [Polygon(star(x, y, size, 9, 0.72), "black", "white"), Circle(x, y, size * 0.35, "alarm", "white")]


@cached_drawing
def bust(x: float, y: float, size: float) -> list[Shape]:
    """Return the shapes of a bust on its pedestal."""
    head = Circle(x, y + size * 0.5, size * 0.5, "brown", "ink")
    return [Polygon(placed(_BUST, x, y, size), "brown", "ink"), head]


@cached_drawing
def pentacle(x: float, y: float, size: float) -> list[Shape]:
    """Return the shapes of a five-pointed star drawn in one line, in a circle."""
    tips = ring(x, y, size, 5, math.pi / 2)
    lines = Line(tuple(tips[i * 2 % 5] for i in range(6)), "black", size * 0.1)
    return [Circle(x, y, size, "purple", "black", size * 0.1), lines]


@cached_drawing
def card(x: float, y: float, size: float) -> list[Shape]:
    """Return the shapes of a card with a star."""
    sheet = Box(x - size * 0.75, y - size, size * 1.5, size * 2, "white", "black", size * 0.09, size * 0.25)
    return [sheet, Polygon(star(x, y, size * 0.65), "yellow", "black", size * 0.07)]


@cached_drawing
def ramp(x: float, y: float, size: float, way: float) -> list[Shape]:
    """Return the shapes of an arrow over a wedge; `way` is its direction in degrees."""
    across, up = math.cos(math.radians(way)) * size, math.sin(math.radians(way)) * size
    side = math.copysign(size, across)
    wedge = ((x - side, y - size * 0.95), (x + side, y - size * 0.95), (x + side, y - size * 0.2))
    arrow = Line(((x - across, y - up), (x + across * 1.1, y + up * 1.1)), "ink", size * 0.3, size * 0.7)
    return [arrow, Polygon(wedge, "green", "ink")]


@cached_drawing
def fork(x: float, y: float, size: float, ways: tuple[float, ...]) -> list[Shape]:
    """Return the shapes of arrows from one foot in several directions, in degrees."""
    foot = (x, y - size * 0.75)
    reach = size * 1.6
    tips = [(x + math.cos(math.radians(way)) * reach, foot[1] + math.sin(math.radians(way)) * reach) for way in ways]
    return [Line((foot, tip), "ink", size * 0.18, size * 0.6) for tip in tips]
