"""Shapes: what a game says is to be drawn, without knowing who draws it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias


@dataclass(frozen=True)
class Polygon:
    """A filled outline."""

    corners: tuple[tuple[float, float], ...]
    fill: str
    line: str


@dataclass(frozen=True)
class Label:
    """A short text; `size` is in points."""

    x: float
    y: float
    text: str
    colour: str
    size: float
    align: str = "center"


Shape: TypeAlias = Polygon | Label
