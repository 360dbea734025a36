"""The latest step of a battle as marks on the map: moves, strikes with their hits, what was carried on, the slain."""

from __future__ import annotations

import math
from collections.abc import Container
from typing import Any

from titan_env.contract.shapes import Circle, Label, Line, Path, Point, Shape
from titan_env.games.titan_battle.picture.battleland import COLOURS, OUTWARD, centre, towards
from titan_env.games.titan_battle.picture.drawings import crossed
from titan_env.games.titan_battle.picture.odds import tag
from titan_env.games.titan_battle.picture.pieces import HIGH, WIDE
from titan_env.games.titan_battle.rules.fighters import hex_of_spot
from titan_env.games.titan_battle.rules.hexes import NEIGHBOURS, has_hex
from titan_env.games.titan_battle.rules.lands import ENTRANCES
from titan_env.games.titan_battle.rules.maneuver import is_deployment
from titan_env.games.titan_battle.rules.state import HEXES, NOBODY, Entry, Event, Side
from titan_env.games.titan_battle.words.translation import _

EventRow = tuple[int, int, int, int]
"""An event: kind, who, whom or where, how much."""

_STEP = 0.68
"""The distance from the middle of a hex of entry to a character outside."""
_RIM = 0.3
"""The distance from the middle of a hex at which the arrow of a strike begins and ends."""


def event_rows(events: Any) -> list[EventRow]:
    """Return events as plain numbers."""
    return [tuple(map(int, event)) for event in events]  # type: ignore[misc]


def moves(battle: Any, before: Any, events: list[EventRow]) -> list[Shape]:
    """Draw an arrow for each move, to be drawn below the counters."""
    shapes: list[Shape] = []
    for kind, side, other, number in events:
        if kind == Event.WENT:
            shapes.append(_arrow(centre(hex_of_spot(other)), centre(number), COLOURS[Side(side)], 0.05, 0.38, 0.0))
        elif kind == Event.ENTERED and not _is_deployed(battle, before, side):
            shapes.append(_arrow(_doorstep(battle, side, number), centre(number), COLOURS[Side(side)], 0.05, 0.38, 0.0))
    return shapes


def ways_here(battle: Any, before: Any, events: list[EventRow]) -> dict[int, Path]:
    """Return the ways of the latest step, by the hexes to which they led."""
    found: dict[int, Path] = {}
    for kind, side, other, number in events:
        if kind == Event.WENT:
            found[number] = ((centre(hex_of_spot(other)), centre(number)),)
        elif kind == Event.ENTERED and not _is_deployed(battle, before, side):
            found[number] = ((_doorstep(battle, side, number), centre(number)),)
    return found


def _is_deployed(battle: Any, before: Any, side: int) -> bool:
    """Return whether a side comes on by deployment in a tower, over no side of the map."""
    return side == Side.DEFENDER and bool(is_deployment(battle if before is None else before))


def _doorstep(battle: Any, side: int, number: int) -> Point:
    """Return the place outside from which somebody came on: before the nearest hex of entry."""
    entry = Entry(int(battle.entry))
    doors = [centre(door) for door in range(HEXES) if has_hex(int(ENTRANCES[side, entry]), door)]
    x, y = min(doors, key=lambda door: math.dist(door, centre(number)))
    ways = [towards(direction) for direction in OUTWARD[entry][side]]
    across, up = (sum(parts) / len(ways) for parts in zip(*ways, strict=True))
    return x + across * _STEP, y + up * _STEP


def outcomes(before: Any, events: list[EventRow], busy: Container[tuple[int, int]] = ()) -> list[Shape]:
    """Draw strikes with their hits, what was carried on, frost and death, to be drawn above the counters.

    `busy` are the pairs of hexes between which something else will be written.
    """
    shapes: list[Shape] = []
    last = NOBODY if before is None or before.target == NOBODY else int(before.fighters[before.target].hex)
    for kind, who, other, number in events:
        if kind == Event.STRUCK:
            last = hex_of_spot(number)
            shapes.append(_arrow(centre(hex_of_spot(other)), centre(last), "alarm", 0.07, _RIM, _RIM))
        elif kind == Event.DICE:
            shapes += _hits(last, _("{hits} of {dice}", hits=number, dice=who), busy)
        elif kind == Event.CARRIED:
            victim = hex_of_spot(other)
            if last != NOBODY:
                shapes.append(_arrow(centre(last), centre(victim), "alarm", 0.05, _RIM, _RIM, True))
            shapes += _hits(victim, f"+{number}", busy)
            last = victim
        elif kind == Event.FROZEN:
            shapes += _frost(centre(hex_of_spot(other)))
        elif kind == Event.SLAIN:
            shapes += crossed(*centre(number), WIDE * 0.42, HIGH * 0.42)
    return shapes


def _arrow(
    begin: Point, end: Point, colour: str, width: float, tip: float, foot: float, is_dashed: bool = False
) -> Line:
    """Return an arrow that ends `tip` before a point and begins `foot` after another."""
    length = math.dist(begin, end) or 1.0
    ux, uy = (end[0] - begin[0]) / length, (end[1] - begin[1]) / length
    points = ((begin[0] + ux * foot, begin[1] + uy * foot), (end[0] - ux * tip, end[1] - uy * tip))
    return Line(points, colour, width, 0.17, is_dashed)


def _hits(number: int, text: str, busy: Container[tuple[int, int]]) -> list[Shape]:
    """Draw what has happened on a hex at the top of it, or at its right corner where the top is busy."""
    x, y = centre(number)
    above = int(NEIGHBOURS[number, 0])
    is_busy = (number, above) in busy or (above, number) in busy
    return tag((x + 0.45, y) if is_busy else (x, y + 0.42), text, "alarm")


def _frost(middle: Point) -> list[Shape]:
    """Draw a hit by drift."""
    x, y = middle[0] - 0.36, middle[1] + 0.3
    return [Circle(x, y, 0.13, "#2F8FD0", "white"), Label(x, y, "-1", "white", 10, bold=True)]
