"""Shapes that were drawn elsewhere, put where there is room for them, larger or smaller."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from titan_env.contract.shapes import Circle, Label, Line, Point, Polygon, Shape


def laid(shapes: Sequence[Shape], scale: float, x: float, y: float) -> list[Shape]:
    """Return shapes so many times as large, with their origin at (x, y)."""
    return [_laid(shape, scale, x, y) for shape in shapes]


def _laid(shape: Shape, scale: float, x: float, y: float) -> Shape:
    """Return one shape elsewhere."""
    along = tuple(((ax * scale, ay * scale), (bx * scale, by * scale)) for (ax, ay), (bx, by) in shape.along)
    if isinstance(shape, Polygon):
        return replace(shape, corners=_points(shape.corners, scale, x, y), width=shape.width * scale, along=along)
    if isinstance(shape, Line):
        head, width = shape.head * scale, shape.width * scale
        return replace(shape, points=_points(shape.points, scale, x, y), width=width, head=head, along=along)
    here: dict[str, Any] = {"x": x + shape.x * scale, "y": y + shape.y * scale, "along": along}
    if isinstance(shape, Label):
        return replace(shape, size=shape.size * scale, **here)
    width = shape.width * scale
    if isinstance(shape, Circle):
        return replace(shape, radius=shape.radius * scale, width=width, **here)
    return replace(
        shape, wide=shape.wide * scale, high=shape.high * scale, round=shape.round * scale, width=width, **here
    )


def _points(points: Sequence[Point], scale: float, x: float, y: float) -> tuple[Point, ...]:
    """Return points elsewhere."""
    return tuple((x + across * scale, y + up * scale) for across, up in points)
