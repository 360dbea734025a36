"""The masterboard as shapes: 96 lands with terrain, number and the signs by which they are left."""

from __future__ import annotations

from typing import Any

from titan_env.contract.shapes import Label, Point, Polygon, Shape, Sheet, cached_drawing, placed
from titan_env.games.titan_battle.rules.state import Land
from titan_env.games.titan_battle.words.translation import land_name
from titan_env.games.titan_war.picture.places import corners, outline
from titan_env.games.titan_war.picture.signs import sign_outlines, sign_shape
from titan_env.games.titan_war.rules.lands import ENTRIES, LAND_NUMBERS, TERRAIN, land_number
from titan_env.games.titan_war.rules.state import LANDS
from titan_env.games.titan_war.words.translation import SIGNS as SIGN_NAMES
from titan_env.games.titan_war.words.translation import _

FILLS = {
    Land.PLAINS: "#F7ECA6",
    Land.WOODS: "#B4B878",
    Land.BRUSH: "#AEDC8E",
    Land.JUNGLE: "#63B37E",
    Land.MARSH: "#DCC0A0",
    Land.HILLS: "#C08F60",
    Land.DESERT: "#F4B56C",
    Land.SWAMP: "#93B4E6",
    Land.MOUNTAINS: "#E58A80",
    Land.TUNDRA: "#D5EEF7",
    Land.TOWER: "#C6CAD0",
}
"""The colour of each terrain, as on the printed board, light enough for black letters; the same in both themes."""
_NUMBER, _NAME = 0.2, 0.34
"""The distances of a land's number and name from its long side, in heights."""


def along_base(land: int, share: float) -> Point:
    """Return a point of a land at a share of its height from its long side."""
    (left, base), (right, _same), (_middle, point) = corners(land)
    return (left + right) / 2, base + (point - base) * share


def put_ground(shapes: Sheet, offers: Any, describe: Any, narrow: bool) -> None:
    """Put every land; what is offered lies above what is not, and the signs above both."""
    for land in sorted(range(LANDS), key=lambda land: f"land:{land}" in offers):
        offered = offers.get(f"land:{land}", ())
        shapes += land_shape(land, offered, tuple(describe(action) for action in offered), narrow)
    shapes += signs()
    if not narrow:
        shapes += legend()


@cached_drawing
def land_shape(land: int, offered: tuple[int, ...], title: tuple[str, ...], narrow: bool) -> list[Shape]:
    """Draw a land: its terrain, its number, and a rim where a click on it offers something."""
    terrain = Land(int(TERRAIN[land]))
    name = land_name(terrain)
    edge = ("accent", 0.075) if offered else ("#6B7078", 0.015)
    marks: dict[str, Any] = {
        "title": "\n".join([_("{name}: {text}", name=LAND_NUMBERS[land], text=name), *title]),
        "notes": (f"terrain:{terrain.name.lower()}",),
        "action": offered or None,
    }
    shapes: list[Shape] = [Polygon(outline(land), FILLS[terrain], *edge, key=f"land:{land}", **marks)]
    shapes.append(Label(*along_base(land, _NUMBER), str(LAND_NUMBERS[land]), "black", 17 if narrow else 11, bold=True))
    if not narrow:
        shapes.append(Label(*along_base(land, _NAME), name, "black", 8))
    return shapes


@cached_drawing
def legend() -> list[Shape]:
    """Draw what each sign is called, in a corner that the board leaves free."""
    shapes: list[Shape] = []
    for row, (letter, name) in enumerate(SIGN_NAMES.items()):
        y = -0.14 - row * 0.25
        for points in sign_outlines(letter):
            shapes.append(Polygon(placed(points, 0.3, y - 0.06, 1.0), "soft_grey", "ink", 0.018))
        shapes.append(Label(0.62, y, _(name), "ink", 10, "left", notes=(f"sign:{letter}",)))
    return shapes


@cached_drawing
def signs() -> list[Shape]:
    """Draw every sign, in the colour of the land that it belongs to."""
    shapes: list[Shape] = []
    for land in range(LANDS):
        for sign, number in ENTRIES[land].signs:
            other = land_number(number)
            is_both_ways = any(back == LAND_NUMBERS[land] for _sign, back in ENTRIES[other].signs)
            shapes += sign_shape(sign, land, other, is_both_ways, FILLS[Land(int(TERRAIN[land]))])
    return shapes
