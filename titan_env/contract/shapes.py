"""Shapes: the renderer-independent elements of a game's picture.

Coordinates are in units of the game's choice, with y going up. Line widths are in units; a text's size is in points, 72
to a unit. A colour is a name of the theme (see `titan_env.pictures.svg.THEMES`) or a fixed ``#rrggbb``; "" draws
nothing.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ParamSpec, TypeAlias

from titan_env.contract.translation import cached_by_language

Point: TypeAlias = tuple[float, float]
Actions: TypeAlias = int | tuple[int, ...] | None
Path: TypeAlias = tuple[tuple[Point, Point], ...]
"""Line segments (start, end) in order; if one does not begin where the last one ended, the thing jumps."""

Reach: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right and top."""

POINTS = 72
"""The points of a text's size that make one unit."""
MOST_CACHED = 4096
"""The size of each function's cache of drawings."""


def _spanned(points: Sequence[Point]) -> Reach:
    """Return the bounding box of points."""
    across, up = zip(*points, strict=True)
    return min(across), min(up), max(across), max(up)


@dataclass(frozen=True, kw_only=True)
class Mark:
    """The properties of a shape besides its looks."""

    title: str = ""
    """The tooltip."""
    action: Actions = None
    """The action numbers that a click on it offers."""
    key: str = ""
    """The id of the thing it shows, such as ``space:12``: the same in every picture, unique within one."""
    press: str = ""
    """The keyboard key equivalent to a click on it, by its name in browsers: ``ArrowUp``."""
    notes: tuple[str, ...] = ()
    """The names of its entries in the game's `glossary`."""
    shows: tuple[str, ...] = ()
    """The keys of other things that are highlighted while this one is pointed at."""
    along: Path = ()
    """Its path in the latest step, relative to its place (see `way_here`); empty: it has not moved."""

    @property
    def actions(self) -> tuple[int, ...]:
        """The action numbers as a tuple, none or more."""
        if self.action is None:
            return ()
        return (self.action,) if isinstance(self.action, int) else self.action


@dataclass(frozen=True)
class Polygon(Mark):
    """A filled polygon."""

    corners: tuple[Point, ...]
    fill: str
    line: str = ""
    width: float = 0.015

    @functools.cached_property
    def reach(self) -> Reach:
        """The bounding box."""
        return _spanned(self.corners)


@dataclass(frozen=True)
class Circle(Mark):
    """A filled circle."""

    x: float
    y: float
    radius: float
    fill: str
    line: str = ""
    width: float = 0.015

    @functools.cached_property
    def reach(self) -> Reach:
        """The bounding box."""
        return self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius


@dataclass(frozen=True)
class Box(Mark):
    """A filled rectangle with rounded corners; x and y are its lower left corner."""

    x: float
    y: float
    wide: float
    high: float
    fill: str
    line: str = ""
    width: float = 0.015
    round: float = 0.06

    @functools.cached_property
    def reach(self) -> Reach:
        """The bounding box."""
        return self.x, self.y, self.x + self.wide, self.y + self.high


@dataclass(frozen=True)
class Line(Mark):
    """A line through points, optionally with an arrow head at its end."""

    points: tuple[Point, ...]
    colour: str
    width: float = 0.03
    head: float = 0.0
    """Length of the arrow head; 0: none."""
    dashed: bool = False

    @functools.cached_property
    def reach(self) -> Reach:
        """The bounding box."""
        return _spanned(self.points)


@dataclass(frozen=True)
class Label(Mark):
    """A short text, vertically centred on y; `align` is "center", "left" or "right"."""

    x: float
    y: float
    text: str
    colour: str
    size: float
    align: str = "center"
    bold: bool = False

    @property
    def wide(self) -> float:
        """The approximate width of the text, in units."""
        return len(self.text) * self.size / POINTS * (0.56 if self.bold else 0.52)

    @functools.cached_property
    def reach(self) -> Reach:
        """The approximate bounding box."""
        left = self.x - self.wide * {"left": 0.0, "center": 0.5, "right": 1.0}[self.align]
        half = self.size / POINTS * 0.6
        return left, self.y - half, left + self.wide, self.y + half


Shape: TypeAlias = Polygon | Circle | Box | Line | Label
Drawing = ParamSpec("Drawing")


class Piece(tuple[Shape, ...]):
    """A group of shapes that is measured and written once, and reused."""

    @functools.cached_property
    def reach(self) -> Reach:
        """The bounding box of all its shapes."""
        return _together([shape.reach for shape in self])

    @functools.cached_property
    def offers(self) -> bool:
        """True if one of its shapes takes clicks, even if no action is offered now."""
        return any(shape.action not in (None, ()) for shape in self)

    @functools.cached_property
    def written(self) -> dict[Any, str]:
        """The cached texts of the group, by writer."""
        return {}


class Sheet(list[Shape]):
    """A picture that keeps the pieces it consists of, so that each is measured and written once: add by ``+=``.

    >>> sheet = Sheet()
    >>> sheet += [Circle(0, 0, 1, "red")]
    >>> len(sheet), bounds(sheet, 0)
    (1, (-1, -1, 1, 1))
    """

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[Piece] = []
        self._panels: list[int] = []

    def begin_panel(self) -> None:
        """Begin a panel: the pieces that are added from now on may be laid elsewhere, apart from the board before."""
        self._panels.append(len(self.pieces))

    @property
    def parts(self) -> list[list[Piece]]:
        """The pieces of the board, then those of each panel that has some."""
        ends = [*self._panels, len(self.pieces)]
        parts = [self.pieces[begin:end] for begin, end in zip([0, *self._panels], ends, strict=True)]
        return parts[:1] + [part for part in parts[1:] if part]

    def __iadd__(self, shapes: Iterable[Shape]) -> Sheet:  # type: ignore[override,misc]  # to nothing but a sheet
        piece = shapes if isinstance(shapes, Piece) else Piece(shapes)
        if piece:
            self.pieces.append(piece)
        self.extend(piece)
        return self


def cached_drawing(draw: Callable[Drawing, Sequence[Shape]]) -> Callable[Drawing, Piece]:
    """Cache a drawing function's pieces by its arguments and the current language.

    Its result must depend on its arguments alone, which are hashable.
    """

    @cached_by_language(MOST_CACHED)
    @functools.wraps(draw)
    def drawn(*args: Drawing.args, **kwargs: Drawing.kwargs) -> Piece:
        return Piece(draw(*args, **kwargs))

    return drawn


def bounds(shapes: Sequence[Shape], margin: float = 0.15) -> tuple[float, float, float, float]:
    """Return left, bottom, right and top of a picture, with a margin."""
    if not shapes:
        return -margin, -margin, 1 + margin, 1 + margin
    parts: Sequence[Piece | Shape] = shapes.pieces if isinstance(shapes, Sheet) else shapes
    left, bottom, right, top = _together([part.reach for part in parts])
    return left - margin, bottom - margin, right + margin, top + margin


def _together(reaches: Sequence[Reach]) -> Reach:
    """Return the bounding box of bounding boxes."""
    left, bottom, right, top = zip(*reaches, strict=True)
    return min(left), min(bottom), max(right), max(top)


def arrow_head(line: Line) -> tuple[Point, ...]:
    """Return the three corners of a line's arrow head, its tip first."""
    (x0, y0), (x, y) = line.points[-2:]
    length = math.hypot(x - x0, y - y0) or 1.0
    across, up = (x - x0) / length * line.head, (y - y0) / length * line.head
    return (x, y), (x - across - up * 0.55, y - up + across * 0.55), (x - across + up * 0.55, y - up - across * 0.55)


def shaft(line: Line) -> tuple[Point, ...]:
    """Return the points of a line, cut short where its arrow head begins."""
    if not line.head:
        return line.points
    (x, y), (lx, ly), (rx, ry) = arrow_head(line)
    return (*line.points[:-1], ((x + (lx + rx)) / 3, (y + (ly + ry)) / 3))


@functools.lru_cache(MOST_CACHED)
def ring(x: float, y: float, radius: float, corners: int, turned: float = 0.0) -> tuple[Point, ...]:
    """Return the corners of a regular polygon; `turned` is the angle of the first one, in radians."""
    turns = [turned + 2 * math.pi * corner / corners for corner in range(corners)]
    return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)


@functools.lru_cache(MOST_CACHED)
def star(x: float, y: float, radius: float, points: int = 5, inner: float = 0.42) -> tuple[Point, ...]:
    """Return the corners of an upright star; `inner` is the inner radius as a share of the outer one."""
    outer = ring(x, y, radius, points, math.pi / 2)
    between = ring(x, y, radius * inner, points, math.pi / 2 + math.pi / points)
    return tuple(corner for pair in zip(outer, between, strict=True) for corner in pair)


def button(
    x: float,
    y: float,
    wide: float,
    high: float,
    text: str,
    key: str,
    title: str,
    offered: tuple[int, ...],
    size: float = 13,
) -> list[Shape]:
    """Draw a box with a text of this size, to be clicked where it offers something; (x, y) is the middle of its left.

    `title` is what hovering over it tells.
    """
    line, width = ("accent", 0.035) if offered else ("edge", 0.015)
    box = Box(x, y - high / 2, wide, high, "paper", line, width, title=title, key=key, action=offered or None)
    return [box, Label(x + wide / 2, y, text, "ink", size)]


def placed(outline: Sequence[Point], x: float, y: float, scale: float) -> tuple[Point, ...]:
    """Return an outline around (0, 0) of unit size, scaled and moved to (x, y)."""
    return tuple((x + across * scale, y + up * scale) for across, up in outline)


def way_here(path: Path, x: float, y: float) -> Path:
    """Return a path that ends at (x, y), relative to that point, for `Mark.along`."""
    return tuple(((ax - x, ay - y), (bx - x, by - y)) for (ax, ay), (bx, by) in path)


def moving(shapes: Sequence[Shape], path: Path, x: float, y: float) -> Sequence[Shape]:
    """Return the shapes of a thing at (x, y) with its path there as their `along`; unchanged for an empty path."""
    if not path:
        return shapes
    along = way_here(path, x, y)
    return [replace(shape, along=along) for shape in shapes]
