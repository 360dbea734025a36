"""The things of a race as shapes: cells, cars and command tiles, told apart without their colours."""

from __future__ import annotations

from typing import Any

from titan_env.contract.shapes import Box, Circle, Label, Line, Point, Polygon, Shape, placed, ring
from titan_env.games.tiny_turbo_cars.rules.boards import CARS
from titan_env.games.tiny_turbo_cars.rules.state import Car, Terrain, Tile
from titan_env.games.tiny_turbo_cars.words.notation import CAR_SIGNS
from titan_env.games.tiny_turbo_cars.words.translation import _, tile_name

FILLS = {
    Terrain.EMPTY: "soft_sand",
    Terrain.CARPET: "soft_purple",
    Terrain.BOOST: "soft_yellow",
    Terrain.OBSTACLE: "soft_orange",
    Terrain.PUDDLE: "soft_blue",
    Terrain.IMPASSABLE: "soft_grey",
    Terrain.START: "soft_brown",
}
"""The colour of each kind of cell; grass is green."""
GRASS = "soft_green"

_BODY = [(-0.9, -0.55), (0.45, -0.55), (0.95, -0.2), (0.95, 0.2), (0.45, 0.55), (-0.9, 0.55)]
"""A car from above, driving to the right."""


def terrain_icon(terrain: Terrain, x: float, y: float, size: float) -> list[Shape]:
    """Draw the print of a cell, about `size` to every side."""
    if terrain == Terrain.OBSTACLE:
        return [Box(x - size * 0.7, y - size * 0.7, size * 1.4, size * 1.4, "brown", "ink", 0.01, 0.02)]
    if terrain == Terrain.PUDDLE:
        return [
            Circle(x - size * 0.2, y, size * 0.6, "blue", "ink", 0.008),
            Circle(x + size * 0.45, y - size * 0.25, size * 0.3, "blue", "ink", 0.008),
        ]
    if terrain == Terrain.BOOST:
        chevrons = [(-0.7, 0.0), (-0.05, 0.65)]
        return [
            Line(
                ((x + a * size, y + size * 0.6), (x + b * size, y), (x + a * size, y - size * 0.6)),
                "ink",
                0.03,
            )
            for a, b in chevrons
        ]
    if terrain == Terrain.IMPASSABLE:
        r = size * 0.75
        return [
            Line(((x - r, y - r), (x + r, y + r)), "ink", 0.03),
            Line(((x - r, y + r), (x + r, y - r)), "ink", 0.03),
        ]
    if terrain == Terrain.CARPET:
        r = size * 0.6
        return [Line(((x - r, y + up * size), (x + r, y + up * size)), "faint", 0.015) for up in (-0.5, 0.0, 0.5)]
    if terrain == Terrain.START:
        return [Polygon(ring(x, y, size * 0.8, 4), "", "ink", 0.015)]
    return []


def car_piece(car: int, x: float, y: float, size: float, lying: bool, title: str, key: str) -> list[Shape]:
    """Draw a car from above with its sign; lying, it is on its side with a dash through it."""
    high = 0.6 if lying else 1.0
    notes = (f"car:{Car(car).name.lower()}",)
    body = [(across, up * high) for across, up in _BODY]
    shapes: list[Shape] = [
        Polygon(placed(body, x, y, size), str(CARS[car]["colour"]), "ink", 0.02, title=title, key=key, notes=notes),
        Label(x - size * 0.05, y, CAR_SIGNS[car], "#000000", size * 44, bold=True),
    ]
    if lying:
        shapes.append(Line(((x - size, y - size * 0.5), (x + size, y + size * 0.5)), "alarm", 0.035))
    return shapes


# Command tiles

_ARROWS: dict[Tile, Point] = {
    Tile.FORWARD_1: (1, 0),
    Tile.FORWARD_2: (1, 0),
    Tile.BACK_1: (-1, 0),
    Tile.LEFT_1: (0.75, 0.75),
    Tile.RIGHT_1: (0.75, -0.75),
    Tile.LEFT_2: (0.75, 0.75),
    Tile.RIGHT_2: (0.75, -0.75),
}
"""The way of each tile on the track, which is driven to the right: blue is above, red below."""
_NUMBERS = {Tile.FORWARD_2: "2", Tile.LEFT_2: "2", Tile.RIGHT_2: "2"}
_TEXTS = {Tile.PLUS: "+1", Tile.MINUS: "-1", Tile.TURBO: "T", Tile.JUMP: "", Tile.MISSILE: ""}


def tile_piece(
    tile: int,
    x: float,
    y: float,
    size: float,
    edge: tuple[str, float],
    title: str = "",
    key: str = "",
    action: int | None = None,
    press: str = "",
) -> list[Shape]:
    """Draw one command tile, `size` wide; the hole is an empty place."""
    kind = Tile(tile)
    half, name = size / 2, tile_name(kind)
    if kind == Tile.HOLE:
        return [Box(x - half, y - half, size, size, "", "edge", 0.01, 0.04, title=name, key=key, notes=("tile:hole",))]
    text = title or name
    face = "soft_yellow" if kind <= Tile.TURBO else "soft_blue"
    marks: dict[str, Any] = {"title": text, "key": key, "action": action, "press": press}
    frame = Box(x - half, y - half, size, size, face, *edge, 0.05, notes=(f"tile:{kind.name.lower()}",), **marks)
    return [frame, *_glyph(kind, x, y, size)]


def _glyph(kind: Tile, x: float, y: float, size: float) -> list[Shape]:
    """Draw the sign on a tile."""
    r, width = size * 0.3, max(0.015, size * 0.07)
    if kind in _ARROWS:
        across, up = _ARROWS[kind][0] * r, _ARROWS[kind][1] * r
        arrow = Line(((x - across, y - up), (x + across, y + up)), "ink", width, head=size * 0.25)
        number = _NUMBERS.get(kind)
        return [arrow, *([Label(x, y - size * 0.32, number, "ink", size * 20, bold=True)] if number else [])]
    if kind == Tile.JUMP:
        arc = ((x - r, y - r * 0.6), (x - r * 0.5, y + r * 0.5), (x + r * 0.5, y + r * 0.5), (x + r, y - r * 0.6))
        return [Line(arc, "ink", width, head=size * 0.22)]
    if kind == Tile.MISSILE:
        rocket = [(-1, 0.5), (0.3, 0.5), (1, 0), (0.3, -0.5), (-1, -0.5), (-0.6, 0)]
        return [Polygon(placed(rocket, x, y, r), "red", "ink", 0.01)]
    if kind == Tile.BATTERY:
        return battery(x, y, size * 0.22, True, "")
    text = _TEXTS.get(kind, "")
    return [Label(x, y, text, "ink", size * 32, bold=True)] if text else []


def battery(x: float, y: float, size: float, is_up: bool, key: str) -> list[Shape]:
    """Draw a battery, full or empty."""
    fill = "green" if is_up else "panel"
    cap = Box(x - size * 0.35, y + size, size * 0.7, size * 0.35, "ink", "", 0.0, 0.01)
    title = _("a battery up") if is_up else _("a battery down")
    return [
        cap,
        Box(
            x - size * 0.7,
            y - size,
            size * 1.4,
            size * 2,
            fill,
            "ink",
            0.012,
            0.02,
            title=title,
            key=key,
            notes=("battery",),
        ),
    ]


def shield(x: float, y: float, size: float) -> Polygon:
    """Draw a shield."""
    outline = [(-0.8, 0.9), (0.8, 0.9), (0.8, 0.0), (0, -1), (-0.8, 0.0)]
    return Polygon(placed(outline, x, y, size), "yellow", "ink", 0.012, title=_("a shield"), notes=("shield",))
