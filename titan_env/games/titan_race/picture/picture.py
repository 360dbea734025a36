"""A race as shapes: the board with its terrain and Titans, and beside it or beneath what the players have."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from titan_env.contract.shapes import (
    Box,
    Label,
    Line,
    Point,
    Polygon,
    Shape,
    Sheet,
    cached_drawing,
    moving,
    ring,
)
from titan_env.games.titan_race.picture.board_frame import RADIUS, foot_of, ground
from titan_env.games.titan_race.picture.last_move import (
    COLUMN,
    LIFT,
    ROW,
    last_move,
    losses,
    passed,
    paths_of,
    ways_here,
)
from titan_env.games.titan_race.picture.pieces import icon, titan
from titan_env.games.titan_race.picture.side_panel import LINE, Offers, legend, put_table
from titan_env.games.titan_race.rules.actions import ACTIONS
from titan_env.games.titan_race.rules.board import column_of, neighbour
from titan_env.games.titan_race.rules.circuits import space_name
from titan_env.games.titan_race.rules.legal import legal
from titan_env.games.titan_race.rules.state import SPACES, TRAP, Direction, Terrain
from titan_env.games.titan_race.words.sentences import describe_action
from titan_env.games.titan_race.words.translation import _, terrain_name
from titan_env.pictures import icons

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

_BOARD = 6 * COLUMN + 0.75
_TABLE = 5.5
"""The width of the panel beside one board."""
_ASIDE = 0.24
"""The distance of a space's name from its middle if an arrow ends there."""
_WIDE = 5 * COLUMN + 2 * RADIUS
_WAYS = {"S": Direction.F, "L": Direction.FL, "R": Direction.FR}


def picture(
    state: Any,
    seat: int | None = None,
    events: Any = (),
    before: Any = None,
    narrow: bool = False,
    names: Sequence[str] = (),
) -> list[Shape]:
    """Draw the race as `seat` sees it (None: all hands open), rows going up; one unit is the height of a space.

    `events` (n, 4) of the latest step become arrows; `before`, the state it began with, tells where they begin.
    `narrow` puts everything beneath the board, and the boards of a Grand Slam end to end; `names` are the players'.
    """
    offers = _offers(state, seat)
    boards = int(state.circuits)
    point_of = _in_one_column if narrow else place_of
    size = 11 if narrow or boards == 1 else 14
    spaces = range(boards * SPACES)
    keys = [f"space:{space}" for space in spaces]
    shapes = Sheet()
    shapes += _empty_space(boards, narrow)
    shapes += ground(state, boards, narrow, point_of)
    terrains, on = state.terrain.tolist(), state.on.tolist()
    events = np.asarray(events).tolist()
    paths = paths_of(state, events, before)
    over, ends = passed(paths)
    for space in sorted(spaces, key=lambda space: keys[space] in offers):
        aside = _ASIDE if space in ends else 0.0
        offered = offers.get(keys[space], ())
        offer = "".join(f"\n{describe_action(state, action)}" for action in offered)
        shapes += _space(space, terrains[space], on[space], point_of(space), (size, aside), offered, offer)
    shapes += [_seam(board) for board in range(1, boards) if narrow]
    shapes += last_move(state, events, paths, point_of)
    for space in over:
        shapes += _name(state, space, point_of(space), size)
    here = ways_here(state, paths, point_of)
    for space in spaces:
        if on[space] % TRAP == 0:
            continue
        who, (x, y) = on[space] % TRAP - 1, point_of(space)
        shapes += moving(titan(state, who, x, y + LIFT, "piece"), here.get(who, ()), x, y + LIFT)
    shapes += losses(state, events, point_of)
    shapes.begin_panel()
    across = 1 if narrow else boards
    left, top = (_BOARD + 0.1, 6.55) if across == 1 and not narrow else (-RADIUS, -0.85)
    wide = _WIDE if narrow else _TABLE if across == 1 else (boards - 1) * _BOARD + _WIDE
    put_table(shapes, state, seat, offers, names, left, top, wide, across)
    under = top - 1.4 - ((int(state.titans_in_race) - 1) // across + 1) * LINE
    shapes += legend(state, left, under + 0.2, left + wide, 0.15 if narrow else 0.28)
    return shapes


def _offers(state: Any, seat: int | None) -> Offers:
    """Return the legal actions that a click on each thing offers; none to a seat that is not asked."""
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
    """Return the thing on the table that stands for an action."""
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
            space = int(neighbour(state, space, int(way))) if space >= 0 else space
        return f"space:{space}" if space >= 0 else f"titan:{who}"
    return f"titan:{int(state.asked)}"


@functools.cache
def place_of(space: int) -> Point:
    """Return the point of a space with the boards of a Grand Slam side by side."""
    board, local = divmod(space, SPACES)
    return board * _BOARD + column_of(local) * COLUMN, (local // 3 + 1) * ROW


@functools.cache
def _in_one_column(space: int) -> Point:
    """Return the point of a space with the boards of a Grand Slam in one column, each above the one before."""
    return column_of(space) * COLUMN, (space // 3 + 1) * ROW


@cached_drawing
def _empty_space(boards: int, narrow: bool) -> list[Shape]:
    """Room for arrows that leave the boards, so that no picture is larger than the next; and the boards' numbers."""
    stacked, beside = (boards, 1) if narrow else (1, boards)
    wide = (beside - 1) * _BOARD + _WIDE
    shapes: list[Shape] = [Box(-RADIUS, -0.15, wide, stacked * 12 * ROW + 0.9, "paper")]
    for board in range(beside if boards > 1 else 0):
        text = _("board {n} of {boards}", n=board + 1, boards=boards)
        shapes.append(Label(board * _BOARD + 2.5 * COLUMN, 6.95, text, "faint", 14))
    return shapes


def _seam(board: int) -> Shape:
    """Draw the seam between a board of a Grand Slam and the one before it."""
    return Line(foot_of(board * 12 * ROW), "ink", 0.04)


def _name(state: Any, space: int, middle: Point, size: float) -> list[Shape]:
    """Draw the name of a space once more, above the arrows."""
    label = Label(middle[0], middle[1] - 0.36, space_name(space), NAMES, size)
    half = label.wide / 2 + 0.03
    fill = FILLS[Terrain(int(state.terrain[space]))]
    return [Box(label.x - half, label.y - 0.09, 2 * half, 0.18, fill), label]


@cached_drawing
def _space(
    space: int,
    printed: int,
    token: int,
    middle: Point,
    name_at: tuple[float, float],
    offered: tuple[int, ...],
    offer: str,
) -> list[Shape]:
    """Draw one space: terrain, trap, and its name, so large and so far aside; `offer` says what a click offers."""
    size, aside = name_at
    x, y = middle
    terrain = Terrain(printed)
    name = space_name(space)
    title = _("{name}: {text}", name=name, text=terrain_name(terrain)) + (_(", trap") if token >= TRAP else "")
    title += offer
    edge = ("accent", 0.05) if offered else ("edge", 0.015)
    hexagon = ring(x, y, RADIUS, 6)
    notes = (f"terrain:{terrain.name.lower()}",) * (terrain != Terrain.PLAIN) + ("trap",) * (token >= TRAP)
    marks: dict[str, Any] = {"title": title, "notes": notes, "action": offered or None}
    shapes: list[Shape] = [
        Polygon(hexagon, FILLS[terrain], *edge, key=f"space:{space}", **marks),
        Label(x + aside, y - 0.36, name, NAMES, size),
    ]
    crowded = token > 0
    if terrain != Terrain.PLAIN:
        shapes += icon(terrain, x - 0.385, y, 0.13) if crowded else icon(terrain, x, y + 0.05, 0.25)
    if token >= TRAP:
        middle, wide = ((x + 0.385, y), 0.13) if token > TRAP else ((x + 0.1 * (terrain != 0), y + 0.05), 0.24)
        disc, *rest = icons.jaws(*middle, wide)
        shapes += [replace(disc, key=f"trap:{space}", **marks), *rest]
    return shapes
