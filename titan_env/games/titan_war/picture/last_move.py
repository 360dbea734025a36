"""The latest step of a war as marks on the board: moves, teleports, splits, musters, legions that fell."""

from __future__ import annotations

import math
from typing import Any

from titan_env.contract.shapes import Line, Path, Point, Polygon, Shape, star
from titan_env.games.titan_battle.picture.last_move import EventRow
from titan_env.games.titan_battle.picture.odds import tag
from titan_env.games.titan_battle.words.translation import character_name
from titan_env.games.titan_war.picture.masterboard import along_base
from titan_env.games.titan_war.picture.pieces import COLOURS
from titan_env.games.titan_war.picture.places import middle
from titan_env.games.titan_war.rules.state import LEGIONS, Event
from titan_env.games.titan_war.words.translation import _

_RIM = 0.2
"""The distance from a legion at which the arrow of its move begins and ends."""


def moves(events: list[EventRow]) -> list[Shape]:
    """Draw an arrow for each move and teleport, to be drawn below the legions."""
    shapes: list[Shape] = []
    for kind, seat, begin, end in events:
        if kind in (Event.MOVED, Event.TELEPORTED) and begin != end:
            shapes.append(_arrow(_foot(begin), _foot(end), COLOURS[seat], kind == Event.TELEPORTED))
    return shapes


def ways_here(state: Any, events: list[EventRow]) -> dict[int, Path]:
    """Return the ways of the latest step, by the markers that went them."""
    found: dict[int, Path] = {}
    for kind, seat, begin, end in events:
        if kind in (Event.MOVED, Event.TELEPORTED):
            for marker in range(LEGIONS):
                legion = state.legions[marker]
                if legion.height and legion.owner == seat and legion.land == end and legion.moved:
                    found[marker] = ((_foot(begin), _foot(end)),)
    return found


def outcomes(events: list[EventRow]) -> list[Shape]:
    """Draw what has happened on lands, to be drawn above the legions."""
    shapes: list[Shape] = []
    for kind, _seat, other, amount in events:
        if kind == Event.SPLIT:
            shapes += _above(other, f"+{amount}", "accent")
        elif kind in (Event.MUSTERED, Event.ACQUIRED):
            shapes += _above(amount, f"+ {character_name(other)}", "accent")
        elif kind == Event.GIVEN:
            shapes += _above(amount, f"- {character_name(other)}", "alarm")
        elif kind == Event.REMOVED:
            shapes += _above(other, _("lost"), "alarm")
        elif kind in (Event.ENGAGED, Event.BATTLE, Event.AGREED, Event.FLED, Event.CONCEDED):
            shapes.append(Polygon(star(*_burst(amount), 0.16, 7, 0.55), "yellow", "black", 0.015))
    return shapes


def _foot(land: int) -> Point:
    """Return where legions stand on a land."""
    return along_base(land, 0.56)


def _burst(land: int) -> Point:
    """Return where a fight is marked on a land."""
    return along_base(land, 0.86)


def _above(land: int, text: str, colour: str) -> list[Shape]:
    """Draw a text at the middle of a land: what has happened there."""
    x, y = middle(land)
    return tag((x, y - 0.02), text, colour)


def _arrow(begin: Point, end: Point, colour: str, is_dashed: bool) -> Line:
    """Return an arrow between two lands."""
    length = math.dist(begin, end) or 1.0
    ux, uy = (end[0] - begin[0]) / length, (end[1] - begin[1]) / length
    points = ((begin[0] + ux * _RIM, begin[1] + uy * _RIM), (end[0] - ux * _RIM, end[1] - uy * _RIM))
    return Line(points, colour, 0.07, 0.2, is_dashed)
