"""The pieces that are drawn on the board and beside it: a Titan's token, a die, the icon of a terrain."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from titan_env.contract.shapes import Box, Circle, Label, Line, Point, Polygon, Shape, cached_drawing, placed, star
from titan_env.games.titan_race.picture.titan_shapes import outline
from titan_env.games.titan_race.rules.circuits import TITANS
from titan_env.games.titan_race.rules.state import Condition, Face, Terrain, Titan
from titan_env.games.titan_race.words.position import LETTERS
from titan_env.games.titan_race.words.sentences import titan_name
from titan_env.games.titan_race.words.translation import _, face_name
from titan_env.pictures import icons

_TRAILS: dict[Face, list[Point]] = {
    Face.YELLOW: [(0, -0.65), (0, 0), (0, 0.7)],
    Face.BLUE: [(-0.25, -0.6), (-0.25, 0.1), (0.4, 0.5)],
    Face.BROWN: [(-0.6, -0.4), (-0.23, -0.13), (0.13, 0.13), (0.6, 0.45)],
    Face.RED: [(-0.3, -0.55), (-0.3, 0.6)],
    Face.GREEN: [(-0.55, -0.55), (-0.05, -0.2), (0.55, 0.22)],
}


def titan(state: Any, who: int, x: float, y: float, key: str) -> Sequence[Shape]:
    """Draw a Titan in its colour with its letters; one that is K.O. as its rim, struck through behind the letters."""
    mine = state.titans[who]
    asked = bool(who == state.asked and not state.over)
    fit = bool(mine.condition == Condition.FIT)
    text = _("{who}, player {player}", who=titan_name(state, who), player=int(mine.seat) + 1)
    return _token(int(mine.kind), fit, asked, x, y, f"{key}:{who}", text if fit else text + _(", K.O."))


@cached_drawing
def _token(kind: int, fit: bool, asked: bool, x: float, y: float, key: str, title: str) -> list[Shape]:
    """Draw a Titan of a kind, with a rim where it is `asked`."""
    radius = 0.24
    note = f"titan:{Titan(kind).name.lower()}"
    shapes: list[Shape] = [Circle(x, y, radius * 1.3, "accent")] if asked else []
    shapes += outline(kind, x, y, radius)
    shapes.append(Circle(x, y, radius, TITANS[kind]["colour"], "black", 0.03, title=title, key=key, notes=(note,)))
    if not fit:
        shapes.append(Line(((x - 0.21, y - 0.21), (x + 0.21, y + 0.21)), "alarm", 0.06))
        shapes.append(Circle(x, y, radius * 0.74, "paper", "black"))
    return [*shapes, Label(x, y, LETTERS[kind], "black" if fit else "ink", 16, bold=True)]


@cached_drawing
def die(face: Face, x: float, y: float, key: str, offered: tuple[int, ...] = ()) -> list[Shape]:
    """Draw a die with its face: the way it moves, and what it does besides."""
    half, name = 0.25, face.name.lower()
    title, note = _("{face} die", face=face_name(face)), f"die:{name}"
    line, width = ("accent", 0.06) if offered else ("black", 0.02)
    look = (name, line, width, half * 0.35)
    shapes: list[Shape] = [
        Box(x - half, y - half, 2 * half, 2 * half, *look, title=title, key=key, notes=(note,), action=offered or None)
    ]
    if face == Face.PURPLE:
        return [*shapes, Label(x, y, "?", "black", 26, bold=True)]
    path = placed(_TRAILS[face], x, y, half)
    if face == Face.RED:
        shapes += icons.jaws(x + half * 0.4, y - half * 0.4, half * 0.38)
    if face == Face.GREEN:
        shapes.append(Polygon(star(x - half * 0.45, y + half * 0.45, half * 0.4, 6, 0.45), "white", "black"))
    shapes += [Circle(px, py, half * 0.15, "black") for px, py in path[:-1]]
    return [*shapes, Line(path, "black", half * 0.16, half * 0.5)]


@cached_drawing
def icon(terrain: Terrain, x: float, y: float, size: float) -> Sequence[Shape]:
    """Draw the icon printed on a space, recognisable without its colour."""
    drawings: dict[Terrain, Callable[[float, float, float], Sequence[Shape]]] = {
        Terrain.LAVA: icons.flame,
        Terrain.ICE: icons.crystal,
        Terrain.PIRATES: icons.skull,
        Terrain.STATUE: icons.bust,
        Terrain.PENTACLE: icons.pentacle,
        Terrain.BONUS: icons.card,
        Terrain.SUPER_RAMP_LEFT: partial(icons.ramp, way=150),
        Terrain.SUPER_RAMP_RIGHT: partial(icons.ramp, way=30),
        Terrain.MULTI_RAMP: partial(icons.fork, ways=(90, 150, 30)),
    }
    return drawings[terrain](x, y, size)
