"""The legend of what is printed on this board, and of a trap."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from titan_env.contract.shapes import Label, Shape, cached_drawing
from titan_env.games.fantasy_racing.picture.drawings import SQUARES
from titan_env.games.fantasy_racing.rules.state import Object, Square
from titan_env.games.fantasy_racing.words.translation import object_name, terrain_name
from titan_env.pictures import icons

_SMALL = 11
_LINE = 0.36
"""The height of a line."""


def legend(state: Any, left: float, y: float, right: float) -> Sequence[Shape]:
    """Draw what is printed on the board of this race, and a trap, in as many lines as it takes."""
    printed = set(state.printed.tolist())
    return _legend(tuple(square for square in Square if square != Square.PLAIN and square in printed), left, y, right)


@cached_drawing
def _legend(squares: tuple[Square, ...], left: float, y: float, right: float) -> list[Shape]:
    """Draw the legend of these squares and of a trap."""
    signs: list[tuple[str, str, Callable[[float, float, float], Sequence[Shape]]]] = [
        (f"square:{square.name.lower()}", terrain_name(square), SQUARES[square]) for square in squares
    ]
    signs.append(("object:trap", object_name(Object.TRAP), icons.jaws))
    shapes: list[Shape] = []
    x = left
    for note, name, draw in signs:
        label = Label(0.38, 0, name, "faint", _SMALL, "left", key=f"legend:{note}", notes=(note,))
        if x + label.x + label.wide > right:
            x, y = left, y - _LINE
        shapes += [*draw(x + 0.18, y, 0.1), replace(label, x=x + label.x, y=y)]
        x += label.x + label.wide + 0.2
    return shapes
