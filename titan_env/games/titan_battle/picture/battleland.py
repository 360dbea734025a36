"""The battleland as shapes: hexagons with what covers them, borders on their sides, and the sides of entry."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

from titan_env.contract.shapes import Label, Line, Point, Polygon, Shape, Sheet, cached_drawing, ring
from titan_env.games.titan_battle.picture.click_targets import QUESTION_NOTES
from titan_env.games.titan_battle.picture.drawings import FILLS, border, heights
from titan_env.games.titan_battle.picture.drawings import HAZARDS as ICONS
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES, PLACES, has_hex
from titan_env.games.titan_battle.rules.lands import BORDERS, ENTRANCES, HAZARDS, LEVELS
from titan_env.games.titan_battle.rules.state import DIRECTIONS, HEXES, Ask, Border, Entry, Hazard, Side
from titan_env.games.titan_battle.words.translation import _, border_name, hazard_name, side_name

COLUMN = math.sqrt(3) / 2
"""The distance of columns, a hex being 1 high."""
RADIUS = 0.985 / math.sqrt(3)
"""From the middle of a hex to its corners."""
LEFT, RIGHT = -1 / math.sqrt(3), 5 * COLUMN + 1 / math.sqrt(3)
TOP, BOTTOM = 0.0, -6.0
"""The top and bottom of the map."""
COLOURS = {Side.ATTACKER: "red", Side.DEFENDER: "green"}
"""The colour of each side."""
OUTWARD = {
    Entry.RIGHT: ((1, 2), (4, 5)),
    Entry.BOTTOM: ((3, 4), (0, 1)),
    Entry.LEFT: ((5, 0), (2, 3)),
}
"""The directions of the sides over which attacker and defender come in."""
_DEEP = 0.1
"""The depth of a border within its hex."""
_CORNERS = {
    Entry.RIGHT: ((RIGHT, BOTTOM + 0.06), (LEFT, BOTTOM + 0.06)),
    Entry.BOTTOM: ((LEFT, BOTTOM + 0.06), (RIGHT, TOP - 0.2)),
    Entry.LEFT: ((LEFT, TOP - 0.2), (RIGHT, BOTTOM + 0.06)),
}
"""The places of the texts that name the side entering there."""


def centre(number: int) -> Point:
    """Return the middle of a hex: columns B, D and F hang half a hex lower."""
    x, y = PLACES[number]
    return x * COLUMN, -(y + (x % 2) / 2)


def towards(direction: int) -> Point:
    """Return the way of a direction, of length 1."""
    turn = math.pi / 2 - direction * math.pi / 3
    return math.cos(turn), math.sin(turn)


def side_of_hex(number: int, direction: int, radius: float = RADIUS) -> tuple[Point, Point]:
    """Return the two corners of a side of a hex."""
    x, y = centre(number)
    turn = math.pi / 2 - direction * math.pi / 3
    ends = [turn + math.pi / 6, turn - math.pi / 6]
    (ax, ay), (bx, by) = ((x + radius * math.cos(end), y + radius * math.sin(end)) for end in ends)
    return (ax, ay), (bx, by)


@cached_drawing
def hexagon(
    land: int,
    number: int,
    is_taken: bool,
    look: tuple[str, float],
    offered: tuple[int, ...],
    titles: tuple[str, ...],
    note: str,
) -> list[Shape]:
    """Draw a hex: what covers it, its name and level.

    `look` is its edge, `titles` what a click on it offers; `note` is the glossary's entry of that, before the ground's.
    """
    x, y = centre(number)
    hazard, level = Hazard(int(HAZARDS[land, number])), int(LEVELS[land, number])
    name = HEX_NAMES[number]
    title = _("{name}: {text}", name=name, text=hazard_name(hazard)) + (_(", level {n}", n=level) if level else "")
    ground = () if note and hazard == Hazard.PLAIN else (f"hazard:{hazard.name.lower()}",)
    notes = (note, *ground) if note else ground
    marks: dict[str, Any] = {"title": "\n".join([title, *titles]), "notes": notes, "action": offered or None}
    shapes: list[Shape] = [Polygon(ring(x, y, RADIUS, 6), FILLS[hazard], *look, key=f"hex:{number}", **marks)]
    if hazard != Hazard.PLAIN:
        shapes += ICONS[hazard](x - 0.25, y - 0.31, 0.08) if is_taken else ICONS[hazard](x, y + 0.06, 0.2)
    label = Label(x, y - 0.31, name, "ink", 10)
    return [*shapes, label, *heights(x + 0.18, y - 0.31, 0.055, level)]


@cached_drawing
def borders(land: int) -> list[Shape]:
    """Draw the borders of a land, each in the hex that it belongs to."""
    shapes: list[Shape] = []
    for number in range(HEXES):
        for direction in range(DIRECTIONS):
            kind = Border(int(BORDERS[land, number, direction]))
            if kind == Border.NONE:
                continue
            x, y = towards(direction)
            ends = side_of_hex(number, direction)
            note = f"border:{kind.name.lower()}"
            text = _("{border}, down from {hex}", border=border_name(kind), hex=HEX_NAMES[number])
            signs = border(kind, *ends, (-x, -y), _DEEP)
            shapes += [replace(sign, title=text, notes=(note,)) for sign in signs]
    return shapes


@cached_drawing
def entries(entry: int) -> list[Shape]:
    """Draw a band along each side of entry, in the colour of who comes in there, and who that is."""
    shapes: list[Shape] = []
    for side in Side:
        for number in range(HEXES):
            if not has_hex(int(ENTRANCES[side, entry]), number):
                continue
            for direction in OUTWARD[Entry(entry)][side]:
                shapes.append(Line(side_of_hex(number, direction, RADIUS * 1.09), COLOURS[side], 0.06))
        x, y = _CORNERS[Entry(entry)][side]
        align = "left" if x < 0 else "right"
        for row, text in enumerate((side_name(side), _("enters here"))):
            low = y - 0.2 * row if y > BOTTOM / 2 else y + 0.2 * (1 - row)
            shapes.append(Label(x, low, text, "ink", 12, align, notes=("entry",)))
    return shapes


def put_ground(shapes: Sheet, battle: Any, taken: int, offers: Any, describe: Any) -> None:
    """Put every hex; what is offered lies above what is not, and borders above both."""
    land = int(battle.land)
    for number in sorted(range(HEXES), key=lambda number: f"hex:{number}" in offers):
        offered = offers.get(f"hex:{number}", ())
        edge = ("accent", 0.05) if offered else ("edge", 0.015)
        titles = tuple(describe(action) for action in offered)
        note = QUESTION_NOTES.get(Ask(int(battle.ask)), "") if offered else ""
        shapes += hexagon(land, number, has_hex(taken, number), edge, offered, titles, note)
    shapes += borders(land)
    shapes += entries(int(battle.entry))
