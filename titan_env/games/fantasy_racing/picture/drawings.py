"""Small drawings: every object and what is printed on squares, told apart without their colours.

Each is drawn around (x, y) and reaches about `size` to every side.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from titan_env.contract.shapes import Box, Circle, Label, Line, Point, Polygon, Shape, placed, star
from titan_env.games.fantasy_racing.rules.state import Object, Square
from titan_env.pictures import icons

Draw = Callable[[float, float, float], Sequence[Shape]]

GREY = "#8C9196"
_SHIELD = [(-0.8, 0.9), (0.8, 0.9), (0.8, 0.1), (0, -1), (-0.8, 0.1)]
_BOTTLE = [(-0.25, 1), (0.25, 1), (0.25, 0.4), (0.55, 0), (0.55, -1), (-0.55, -1), (-0.55, 0), (-0.25, 0.4)]
_BOLT = [(0.1, 1), (-0.6, -0.15), (-0.05, -0.1), (-0.25, -1), (0.6, 0.25), (0.05, 0.2)]
_ROCK = [(-1, -0.8), (-0.7, 0.2), (-0.1, 0.9), (0.5, 0.5), (1, -0.2), (0.9, -0.8)]
_BLADE = [(-0.1, 0.9), (1, 0.7), (0.7, -0.2)]


def _around(x: float, y: float, radius: float, turn: float) -> Point:
    """Return a point on a circle."""
    return x + math.cos(turn) * radius, y + math.sin(turn) * radius


def coin(x: float, y: float, size: float) -> list[Shape]:
    """Draw a coin."""
    return [Circle(x, y, size * 0.85, "yellow", "black"), Label(x, y, "$", "black", size * 90, bold=True)]


def clover(x: float, y: float, size: float) -> list[Shape]:
    """Draw a clover of three leaves."""
    stem = Line(((x, y), (x + size * 0.3, y - size)), "green", size * 0.2)
    middles = [_around(x, y, size * 0.5, math.pi / 2 + leaf * 2 * math.pi / 3) for leaf in range(3)]
    return [stem, *(Circle(*middle, size * 0.48, "green", "black") for middle in middles)]


def shield(x: float, y: float, size: float) -> list[Shape]:
    """Draw a shield with its middle line."""
    line = Line(((x, y - size * 0.7), (x, y + size * 0.8)), "white", size * 0.2)
    return [Polygon(placed(_SHIELD, x, y, size), "blue", "black"), line]


def chest(x: float, y: float, size: float) -> list[Shape]:
    """Draw a chest with its lock."""
    body = Box(x - size, y - size * 0.75, size * 2, size * 1.5, "brown", "black", 0.015, size * 0.25)
    lid = Line(((x - size, y + size * 0.1), (x + size, y + size * 0.1)), "black", size * 0.12)
    return [body, lid, Circle(x, y, size * 0.25, "yellow", "black")]


def barrier(x: float, y: float, size: float) -> list[Shape]:
    """Draw a barrier of two rails between posts."""
    posts = [(x - size * 1.2, size * 0.3), (x + size * 0.9, size * 0.3)]
    shapes: list[Shape] = [
        Box(x - size * 1.5, y + size * low, size * 3, size * 0.4, "red", "black", 0.015, 0.02) for low in (0.3, -0.7)
    ]
    return shapes + [Box(left, y - size, wide, size * 2, "brown", "black", 0.015, 0.02) for left, wide in posts]


def rock(x: float, y: float, size: float) -> list[Shape]:
    """Draw a rock."""
    return [Polygon(placed(_ROCK, x, y, size), GREY, "black")]


def hole(x: float, y: float, size: float) -> list[Shape]:
    """Draw a hole, deeper towards its middle."""
    return [Circle(x, y, size, "#55504A", "black"), Circle(x, y, size * 0.7, "black")]


def shortcut(x: float, y: float, size: float) -> list[Shape]:
    """Draw a shortcut: a spiral."""
    turns = [(0.15 + 0.03 * step, step * 0.63) for step in range(25)]
    spiral = tuple(_around(x, y, share * size * 0.9, turn) for share, turn in turns)
    return [Circle(x, y, size, "purple", "black"), Line(spiral, "white", size * 0.14)]


def bolt(x: float, y: float, size: float) -> list[Shape]:
    """Draw a bolt of lightning."""
    return [Polygon(placed(_BOLT, x, y, size), "yellow", "black")]


def axe(x: float, y: float, size: float) -> list[Shape]:
    """Draw an axe."""
    shaft = Line(((x - size * 0.5, y - size), (x + size * 0.3, y + size * 0.8)), "brown", size * 0.2)
    return [shaft, Polygon(placed(_BLADE, x, y, size), GREY, "black")]


def spear(x: float, y: float, size: float) -> list[Shape]:
    """Draw a spear."""
    return [Line(((x - size, y - size), (x + size, y + size)), "brown", size * 0.22, size * 0.9)]


def bottle(x: float, y: float, size: float) -> list[Shape]:
    """Draw a bottle."""
    return [Polygon(placed(_BOTTLE, x, y, size), "green", "black")]


def syringe(x: float, y: float, size: float) -> list[Shape]:
    """Draw a syringe."""
    needle = Line(((x - size, y - size), (x + size, y + size)), "ink", size * 0.14)
    return [needle, Line(((x - size * 0.5, y - size * 0.5), (x + size * 0.4, y + size * 0.4)), "blue", size * 0.55)]


def clash(x: float, y: float, size: float) -> list[Shape]:
    """Draw the sign of a fight: a star in which two swords cross."""
    ends = [((x - size * side, y - size), (x + size * side, y + size)) for side in (-1, 1)]
    return [Polygon(star(x, y, size * 1.4, 8, 0.6), "yellow", "black"), *(Line(e, "black", size * 0.2) for e in ends)]


OBJECTS: dict[Object, Draw] = {
    Object.FIRE_RING: icons.flame,
    Object.LIGHTNING_RING: bolt,
    Object.AXE: axe,
    Object.SPEAR: spear,
    Object.TRAP: icons.jaws,
    Object.BOTTLE: bottle,
    Object.SYRINGE: syringe,
    Object.SHIELD: shield,
    Object.CLOVER: clover,
    Object.COIN: coin,
}
SQUARES: dict[Square, Draw] = {
    Square.BARRIER: barrier,
    Square.ROCK: rock,
    Square.HOLE: hole,
    Square.SHORTCUT: shortcut,
    Square.COIN: coin,
    Square.CLOVER: clover,
    Square.SHIELD: shield,
    Square.CHEST: chest,
}
"""The drawing of each object, and of each thing printed on a square."""
