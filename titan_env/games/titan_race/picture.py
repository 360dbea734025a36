"""A race as shapes: the board with its terrain and Titans, and beside it or beneath what the players have."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from titan_env import icons
from titan_env.games.titan_race.actions import ACTIONS
from titan_env.games.titan_race.arrows import COLUMN, LIFT, ROW, last_move, losses
from titan_env.games.titan_race.board import column_of, neighbour
from titan_env.games.titan_race.circuits import space_name
from titan_env.games.titan_race.legal import legal
from titan_env.games.titan_race.pieces import icon, terrain_name, titan
from titan_env.games.titan_race.state import SPACES, TRAP, Direction, Terrain
from titan_env.games.titan_race.tabletop import Offers, legend, table
from titan_env.games.titan_race.words import say
from titan_env.shapes import Box, Label, Line, Point, Polygon, Shape, bounds, ring

FILLS = {
    Terrain.PLAIN: "soft_sand",
    Terrain.BONUS: "soft_yellow",
    Terrain.LAVA: "soft_red",
    Terrain.PIRATES: "soft_grey",
    Terrain.SUPER_RAMP_LEFT: "soft_green",
    Terrain.SUPER_RAMP_RIGHT: "soft_green",
    Terrain.MULTI_RAMP: "soft_green",
    Terrain.STATUE: "soft_brown",
    Terrain.PENTACLE: "soft_purple",
    Terrain.ICE: "soft_blue",
}
"""The colour of each terrain."""
NAMES = "ink"
"""The colour of the names of spaces, to be read on all of them."""

_RADIUS = 0.975 / math.sqrt(3)
_BOARD = 6 * COLUMN + 0.75
_WIDE = 5 * COLUMN + 2 * _RADIUS
_WAYS = {"S": Direction.F, "L": Direction.FL, "R": Direction.FR}


def picture(
    state: Any, seat: int | None = None, events: Any = (), before: Any = None, narrow: bool = False
) -> list[Shape]:
    """The race as `seat` sees it (None: all hands open), rows going up; one unit is the height of a space.

    `events` (n, 4) of the latest step become arrows; `before`, the state it began with, tells where they begin.
    `narrow` puts everything beneath the board, and the boards of a Grand Slam end to end.
    """
    offers = _offers(state, seat)
    boards = int(state.circuits)
    place = _in_one_column if narrow else _side_by_side
    size = 11 if narrow or boards == 1 else 14
    spaces = range(boards * SPACES)
    shapes = _room(boards, narrow)
    for space in sorted(spaces, key=lambda space: f"space:{space}" in offers):
        shapes += _space(state, space, place(space), size, offers.get(f"space:{space}", ()))
    shapes += [_seam(board) for board in range(1, boards) if narrow]
    shapes += last_move(state, events, before, place)
    for space in np.flatnonzero(state.on[: boards * SPACES] % TRAP).tolist():
        x, y = place(space)
        shapes += titan(state, int(state.on[space]) % TRAP - 1, x, y + LIFT, "piece")
    shapes += losses(state, events, place)
    if narrow:
        shapes += table(state, seat, offers, -_RADIUS, -0.5, _WIDE)
    elif boards == 1:
        shapes += table(state, seat, offers, 5.35, 6.55, 5.5)
    else:
        shapes += table(state, seat, offers, -_RADIUS, -0.6, (boards - 1) * _BOARD + _WIDE, boards)
    left, bottom, right, _ = bounds(shapes, 0)
    return shapes + legend(left, bottom - 0.33, right, 0.15 if narrow else 0.28)


def _offers(state: Any, seat: int | None) -> Offers:
    """Which legal actions a click on each thing offers; none to a seat that is not asked."""
    found: dict[str, tuple[int, ...]] = {}
    if state.over or (seat is not None and seat != state.seat):
        return found
    mask = np.zeros(len(ACTIONS), np.int8)
    legal(state, mask)
    for action in np.flatnonzero(mask).tolist():
        key = _offered_by(state, *ACTIONS.texts[action].partition(":")[::2])
        found[key] = (*found.get(key, ()), action)
    return found


def _offered_by(state: Any, verb: str, thing: str) -> str:
    """The thing on the table that stands for an action."""
    who = int(state.target if verb == "shove" and state.target >= 0 else state.asked)
    if verb == "draft":
        return f"die:{thing}"
    if verb in ("play", "discard"):
        return f"card:{thing}"
    if verb == "enter":
        return f"space:{'ACE'.index(thing[0])}"
    if verb == "move" or (thing in Direction.__members__ and verb != "copy"):
        space = int(state.titans[who].space)
        for way in [_WAYS[letter] for letter in thing] if verb == "move" else [Direction[thing]]:
            space = int(neighbour(state, space, way)) if space >= 0 else space
        return f"space:{space}" if space >= 0 else f"titan:{who}"
    return f"titan:{int(state.asked)}"


def _side_by_side(space: int) -> Point:
    """Where a space lies when the boards of a Grand Slam stand side by side."""
    board, local = divmod(space, SPACES)
    return board * _BOARD + column_of(local) * COLUMN, (local // 3 + 1) * ROW


def _in_one_column(space: int) -> Point:
    """Where a space lies when each board of a Grand Slam begins where the one before it ends."""
    return column_of(space) * COLUMN, (space // 3 + 1) * ROW


def _room(boards: int, narrow: bool) -> list[Shape]:
    """Room for arrows that leave the boards, so that no picture is larger than the next; and the boards' numbers."""
    stacked, beside = (boards, 1) if narrow else (1, boards)
    wide = (beside - 1) * _BOARD + _WIDE
    shapes: list[Shape] = [Box(-_RADIUS, -0.15, wide, stacked * 12 * ROW + 0.9, "paper")]
    for board in range(beside if boards > 1 else 0):
        shapes.append(Label(board * _BOARD + 2.5 * COLUMN, 6.95, f"board {board + 1} of {boards}", "faint", 14))
    return shapes


def _seam(board: int) -> Shape:
    """Where a board of a Grand Slam begins, above the one before it."""
    sides = [(column, side) for column in range(6) for side in (-0.5, 0.5)]
    foot = board * 12 * ROW
    corners = [(column * COLUMN + side * _RADIUS, foot + column % 2 * ROW) for column, side in sides]
    return Line(tuple(corners), "ink", 0.04)


def _space(state: Any, space: int, middle: Point, size: float, offered: tuple[int, ...]) -> list[Shape]:
    """One space: terrain, name, trap."""
    x, y = middle
    terrain, token = Terrain(int(state.terrain[space])), int(state.on[space])
    name = space_name(space)
    said = f"{name}: {terrain_name(terrain)}" + (", trap" if token >= TRAP else "")
    said += "".join(f"\n{say(state, action)}" for action in offered)
    edge = ("accent", 0.05) if offered else ("edge", 0.015)
    hexagon = ring(x, y, _RADIUS, 6)
    shapes: list[Shape] = [
        Polygon(hexagon, FILLS[terrain], *edge, title=said, key=f"space:{space}", action=offered or None),
        Label(x, y - 0.36, name, NAMES, size),
    ]
    crowded = token > 0
    if terrain != Terrain.PLAIN:
        shapes += icon(terrain, x - 0.385, y, 0.13) if crowded else icon(terrain, x, y + 0.05, 0.25)
    if token >= TRAP:
        middle, wide = ((x + 0.385, y), 0.13) if token > TRAP else ((x + 0.1 * (terrain != 0), y + 0.05), 0.24)
        disc, *rest = icons.jaws(*middle, wide)
        shapes += [replace(disc, key=f"trap:{space}", title=said, action=offered or None), *rest]
    return shapes
