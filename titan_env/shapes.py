"""Shapes: what a game says is to be drawn, without knowing who draws it.

Coordinates are in units of the game's choice, with y going up. Widths of lines are in units; the
size of a text is in points, 72 to a unit. A colour is a name of the theme (see `titan_env.svg.THEMES`)
or a fixed ``#rrggbb``; "" draws nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TypeAlias

Point: TypeAlias = tuple[float, float]
Actions: TypeAlias = int | tuple[int, ...] | None

POINTS = 72
"""Points of a text's size to a unit."""


@dataclass(frozen=True, kw_only=True)
class Mark:
    """What a shape may say beside its looks."""

    title: str = ""
    """The text that hovering shows."""
    action: Actions = None
    """The numbers of the actions that a click on it offers."""
    key: str = ""
    """The thing it shows, such as ``space:12``: the same in every picture, unique within one."""

    @property
    def actions(self) -> tuple[int, ...]:
        """The numbers of the actions, none or more."""
        if self.action is None:
            return ()
        return (self.action,) if isinstance(self.action, int) else self.action


@dataclass(frozen=True)
class Polygon(Mark):
    """A filled outline."""

    corners: tuple[Point, ...]
    fill: str
    line: str = ""
    width: float = 0.015


@dataclass(frozen=True)
class Circle(Mark):
    """A filled circle."""

    x: float
    y: float
    radius: float
    fill: str
    line: str = ""
    width: float = 0.015


@dataclass(frozen=True)
class Box(Mark):
    """A filled rectangle with round corners; x and y are its lower left corner."""

    x: float
    y: float
    wide: float
    high: float
    fill: str
    line: str = ""
    width: float = 0.015
    round: float = 0.06


@dataclass(frozen=True)
class Line(Mark):
    """A line through points, with an arrow head at its end if wanted."""

    points: tuple[Point, ...]
    colour: str
    width: float = 0.03
    head: float = 0.0
    """Length of the arrow head; 0: none."""
    dashed: bool = False


@dataclass(frozen=True)
class Label(Mark):
    """A short text, centred on its height; `align` is "center", "left" or "right"."""

    x: float
    y: float
    text: str
    colour: str
    size: float
    align: str = "center"
    bold: bool = False

    @property
    def wide(self) -> float:
        """About how wide the text is, in units."""
        return len(self.text) * self.size / POINTS * (0.56 if self.bold else 0.52)


Shape: TypeAlias = Polygon | Circle | Box | Line | Label


def _reach(shape: Shape) -> Iterable[Point]:
    """Points that together span the shape."""
    if isinstance(shape, Polygon):
        return shape.corners
    if isinstance(shape, Line):
        return shape.points
    if isinstance(shape, Circle):
        r = shape.radius
        return (shape.x - r, shape.y - r), (shape.x + r, shape.y + r)
    if isinstance(shape, Box):
        return (shape.x, shape.y), (shape.x + shape.wide, shape.y + shape.high)
    left = shape.x - shape.wide * {"left": 0.0, "center": 0.5, "right": 1.0}[shape.align]
    half = shape.size / POINTS * 0.6
    return (left, shape.y - half), (left + shape.wide, shape.y + half)


def bounds(shapes: Sequence[Shape], margin: float = 0.15) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of a picture, with a margin."""
    points = [point for shape in shapes for point in _reach(shape)] or [(0.0, 0.0), (1.0, 1.0)]
    across, up = [x for x, _ in points], [y for _, y in points]
    return min(across) - margin, min(up) - margin, max(across) + margin, max(up) + margin


def arrow_head(line: Line) -> tuple[Point, ...]:
    """The three corners of a line's arrow head, its tip first."""
    (x0, y0), (x, y) = line.points[-2:]
    length = math.hypot(x - x0, y - y0) or 1.0
    across, up = (x - x0) / length * line.head, (y - y0) / length * line.head
    return (x, y), (x - across - up * 0.55, y - up + across * 0.55), (x - across + up * 0.55, y - up - across * 0.55)


def shaft(line: Line) -> tuple[Point, ...]:
    """The points of a line, cut short where its arrow head begins."""
    if not line.head:
        return line.points
    (x, y), (lx, ly), (rx, ry) = arrow_head(line)
    return (*line.points[:-1], ((x + (lx + rx)) / 3, (y + (ly + ry)) / 3))


def ring(x: float, y: float, radius: float, corners: int, turned: float = 0.0) -> tuple[Point, ...]:
    """The corners of a regular polygon; `turned` is the angle of the first one."""
    turns = [turned + 2 * math.pi * corner / corners for corner in range(corners)]
    return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)


def star(x: float, y: float, radius: float, points: int = 5, inner: float = 0.42) -> tuple[Point, ...]:
    """The corners of a star that stands upright."""
    outer = ring(x, y, radius, points, math.pi / 2)
    between = ring(x, y, radius * inner, points, math.pi / 2 + math.pi / points)
    return tuple(corner for pair in zip(outer, between, strict=True) for corner in pair)


def placed(outline: Sequence[Point], x: float, y: float, scale: float) -> tuple[Point, ...]:
    """An outline drawn around (0, 0) at unit size, put where it belongs."""
    return tuple((x + across * scale, y + up * scale) for across, up in outline)
