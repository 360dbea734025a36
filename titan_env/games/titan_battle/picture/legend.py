"""The legend of a battleland's signs: its hazards, borders and levels."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial

from titan_env.contract.shapes import Label, Polygon, Shape, cached_drawing, ring
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.picture.drawings import FILLS, border, heights
from titan_env.games.titan_battle.picture.drawings import HAZARDS as ICONS
from titan_env.games.titan_battle.rules.lands import BORDERS, HAZARDS, LEVELS
from titan_env.games.titan_battle.rules.state import Border, Hazard
from titan_env.games.titan_battle.words.translation import _, border_name, hazard_name

Draw = Callable[[float, float], Sequence[Shape]]

_SMALL = 12
_STRIKE = mark("6d 4+: six dice that hit from 4 on")


def _ground(hazard: Hazard, x: float, y: float) -> list[Shape]:
    """Draw a small hex of a hazard."""
    return [Polygon(ring(x, y, 0.19, 6), FILLS[hazard], "edge"), *ICONS[hazard](x, y, 0.1)]


def _border(kind: Border, x: float, y: float) -> list[Shape]:
    """Draw a border that goes down to the south."""
    return border(kind, (x - 0.22, y - 0.07), (x + 0.22, y - 0.07), (0.0, 1.0), 0.13)


def _level(x: float, y: float) -> list[Shape]:
    """Draw the sign of one level."""
    return heights(x, y, 0.07, 1)


def _signs(land: int) -> dict[str, Draw]:
    """Return how to draw each thing that is to be explained, by the note that does it."""
    found: dict[str, Draw] = {}
    for hazard in Hazard:
        if hazard in HAZARDS[land] and hazard != Hazard.PLAIN:
            found[f"hazard:{hazard.name.lower()}"] = partial(_ground, hazard)
    for kind in Border:
        if kind in BORDERS[land] and kind != Border.NONE:
            found[f"border:{kind.name.lower()}"] = partial(_border, kind)
    return found


def _named(note: str) -> str:
    """Return what a sign is called."""
    group, _sep, name = note.rpartition(":")
    if not group:
        return _("level")
    return hazard_name(Hazard[name.upper()]) if group == "hazard" else border_name(Border[name.upper()])


@cached_drawing
def legend(land: int, left: float, y: float, right: float) -> list[Shape]:
    """Draw hazards, borders and levels of a land, in as many lines as it takes."""
    shapes: list[Shape] = []
    x = left
    levels: dict[str, Draw] = {"level": _level} if LEVELS[land].any() else {}
    for note, draw in (_signs(land) | levels).items():
        name = _named(note)
        label = Label(0.52, 0, name, "ink", _SMALL, "left", key=f"legend:{note}", notes=(note,) * (":" in note))
        if x + label.x + label.wide > right:
            x, y = left, y - 0.44
        shapes += [*draw(x + 0.25, y), replace(label, x=x + label.x, y=y)]
        x += label.x + label.wide + 0.2
    strike = Label(0, 0, _(_STRIKE), "faint", _SMALL, "left", key="legend:strike", notes=("strike_number",))
    if x + 0.1 + strike.wide > right:
        x, y = left, y - 0.44
    return [*shapes, replace(strike, x=x + 0.1, y=y)]
