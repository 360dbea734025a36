"""Shapes: what a game says is to be drawn, without knowing who draws it.

Coordinates are in units of the game's choice, with y going up. Widths of lines are in units; the
size of a text is in points, 72 to a unit. A colour is a name of the theme (see `titan_env.pictures.svg.THEMES`)
or a fixed ``#rrggbb``; "" draws nothing.
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, ParamSpec, TypeAlias

from titan_env.contract.language import language

Point: TypeAlias = tuple[float, float]
Actions: TypeAlias = int | tuple[int, ...] | None
Path: TypeAlias = tuple[tuple[Point, Point], ...]
"""Straight ways, one after the other; where one does not begin where the last one ended, a thing jumps."""

Reach: TypeAlias = tuple[float, float, float, float]
"""Left, bottom, right and top."""

POINTS = 72
"""Points of a text's size to a unit."""
MOST_REMEMBERED = 4096
"""How many drawings of a kind are kept to be used again."""


def _spanned(points: Sequence[Point]) -> Reach:
    """What points together span."""
    across, up = zip(*points, strict=True)
    return min(across), min(up), max(across), max(up)


@dataclass(frozen=True, kw_only=True)
class Mark:
    """What a shape may say beside its looks."""

    title: str = ""
    """The text that hovering shows."""
    action: Actions = None
    """The numbers of the actions that a click on it offers."""
    key: str = ""
    """The thing it shows, such as ``space:12``: the same in every picture, unique within one."""
    press: str = ""
    """The key of the keyboard that stands for a click on it, by its name in browsers: ``ArrowUp``."""
    notes: tuple[str, ...] = ()
    """What explains it, by the names of the game's `glossary`."""
    shows: tuple[str, ...] = ()
    """The keys of other things that stand out while this one is looked at."""
    along: Path = ()
    """How it came here in the latest step (see `way_here`); nothing: it has not moved."""

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

    @functools.cached_property
    def reach(self) -> Reach:
        """How far it reaches."""
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
        """How far it reaches."""
        return self.x - self.radius, self.y - self.radius, self.x + self.radius, self.y + self.radius


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

    @functools.cached_property
    def reach(self) -> Reach:
        """How far it reaches."""
        return self.x, self.y, self.x + self.wide, self.y + self.high


@dataclass(frozen=True)
class Line(Mark):
    """A line through points, with an arrow head at its end if wanted."""

    points: tuple[Point, ...]
    colour: str
    width: float = 0.03
    head: float = 0.0
    """Length of the arrow head; 0: none."""
    dashed: bool = False

    @functools.cached_property
    def reach(self) -> Reach:
        """How far it reaches."""
        return _spanned(self.points)


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

    @functools.cached_property
    def reach(self) -> Reach:
        """About how far it reaches."""
        left = self.x - self.wide * {"left": 0.0, "center": 0.5, "right": 1.0}[self.align]
        half = self.size / POINTS * 0.6
        return left, self.y - half, left + self.wide, self.y + half


Shape: TypeAlias = Polygon | Circle | Box | Line | Label
Drawing = ParamSpec("Drawing")


class Piece(tuple[Shape, ...]):
    """Shapes that are used again together."""

    @functools.cached_property
    def reach(self) -> Reach:
        """How far they reach."""
        return _together([shape.reach for shape in self])

    @functools.cached_property
    def offers(self) -> bool:
        """Whether one can be clicked on, also where nothing is offered now."""
        return any(shape.action not in (None, ()) for shape in self)

    @functools.cached_property
    def written(self) -> dict[Any, str]:
        """As what they were written lately, by their writer."""
        return {}


class Sheet(list[Shape]):
    """A picture that knows of which pieces it is made, so that each is measured and written once: add by ``+=``.

    >>> sheet = Sheet()
    >>> sheet += [Circle(0, 0, 1, "red")]
    >>> len(sheet), bounds(sheet, 0)
    (1, (-1, -1, 1, 1))
    """

    def __init__(self) -> None:
        super().__init__()
        self.pieces: list[Piece] = []

    def __iadd__(self, shapes: Iterable[Shape]) -> Sheet:  # type: ignore[override,misc]  # to nothing but a sheet
        piece = shapes if isinstance(shapes, Piece) else Piece(shapes)
        if piece:
            self.pieces.append(piece)
        self.extend(piece)
        return self


def remembered(draw: Callable[Drawing, Sequence[Shape]]) -> Callable[Drawing, Piece]:
    """A drawing that is made once in each language and used again: most of a picture stays as it was a moment ago.

    What it draws must depend on nothing but its arguments, which are plain values.
    """

    @functools.lru_cache(MOST_REMEMBERED)
    def drawn(spoken: str, *args: Drawing.args, **kwargs: Drawing.kwargs) -> Piece:
        return Piece(draw(*args, **kwargs))

    @functools.wraps(draw)
    def again(*args: Drawing.args, **kwargs: Drawing.kwargs) -> Piece:
        return drawn(language(), *args, **kwargs)  # type: ignore[arg-type]  # plain values are hashable

    return again


def bounds(shapes: Sequence[Shape], margin: float = 0.15) -> tuple[float, float, float, float]:
    """Left, bottom, right and top of a picture, with a margin."""
    if not shapes:
        return -margin, -margin, 1 + margin, 1 + margin
    parts: Sequence[Piece | Shape] = shapes.pieces if isinstance(shapes, Sheet) else shapes
    left, bottom, right, top = _together([part.reach for part in parts])
    return left - margin, bottom - margin, right + margin, top + margin


def _together(reaches: Sequence[Reach]) -> Reach:
    """How far things reach together that reach so far."""
    left, bottom, right, top = zip(*reaches, strict=True)
    return min(left), min(bottom), max(right), max(top)


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


@functools.lru_cache(MOST_REMEMBERED)
def ring(x: float, y: float, radius: float, corners: int, turned: float = 0.0) -> tuple[Point, ...]:
    """The corners of a regular polygon; `turned` is the angle of the first one."""
    turns = [turned + 2 * math.pi * corner / corners for corner in range(corners)]
    return tuple((x + radius * math.cos(turn), y + radius * math.sin(turn)) for turn in turns)


@functools.lru_cache(MOST_REMEMBERED)
def star(x: float, y: float, radius: float, points: int = 5, inner: float = 0.42) -> tuple[Point, ...]:
    """The corners of a star that stands upright."""
    outer = ring(x, y, radius, points, math.pi / 2)
    between = ring(x, y, radius * inner, points, math.pi / 2 + math.pi / points)
    return tuple(corner for pair in zip(outer, between, strict=True) for corner in pair)


def placed(outline: Sequence[Point], x: float, y: float, scale: float) -> tuple[Point, ...]:
    """An outline drawn around (0, 0) at unit size, put where it belongs."""
    return tuple((x + across * scale, y + up * scale) for across, up in outline)


def way_here(path: Path, x: float, y: float) -> Path:
    """A path that ends at (x, y), seen from there: what a shape that came along it has in `Mark.along`."""
    return tuple(((ax - x, ay - y), (bx - x, by - y)) for (ax, ay), (bx, by) in path)


def moving(shapes: Sequence[Shape], path: Path, x: float, y: float) -> Sequence[Shape]:
    """Shapes that together are a thing at (x, y), which came there along a path, if it came from anywhere."""
    if not path:
        return shapes
    along = way_here(path, x, y)
    return [replace(shape, along=along) for shape in shapes]
