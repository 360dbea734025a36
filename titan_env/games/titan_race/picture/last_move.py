"""The latest step of a race as shapes: arrows from space to space, and what it cost."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

from titan_env.contract.shapes import Circle, Label, Line, Path, Point, Shape
from titan_env.games.titan_race.rules.board import column_of
from titan_env.games.titan_race.rules.state import TRAP, Event, Terrain

Place = Callable[[int], Point]
"""The point of a space in the picture."""

Paths = dict[int, list[int]]
"""The spaces on which each Titan was in the latest step, as `paths_of` finds them."""

COLUMN, ROW = math.sqrt(3) / 2, 0.5
"""The distances of columns and rows, a space being 1 high."""
LIFT = 0.07
"""The height of a Titan above the middle of its space, over the name."""

_MOVED_BY_ANOTHER = frozenset((Event.PUSHED, Event.SHOVED, Event.SWAPPED))
_RIM = 0.3
"""The distance from a Titan's middle at which an arrow begins or ends."""
_LANE = 0.13
"""The distance of two arrows between the same two spaces."""
_REACH = 0.65
"""The length of an arrow over the edge on either side."""


def last_move(state: Any, events: Any, paths: Paths, point_of: Place) -> list[Shape]:
    """Draw the latest step as arrows: the first mover's solid, those of the Titans that it moved dashed.

    Where two go the same way each has a lane of its own.
    """
    moved = {other for kind, _, other, _ in events if kind in _MOVED_BY_ANOTHER}
    swapped = any(kind == Event.SWAPPED for kind, *_ in events)
    shapes: list[Shape] = []
    taken: set[tuple[int, int, int]] = set()
    for who in sorted(paths, key=lambda who: who in moved):
        steps = [(a, b) for a, b in itertools.pairwise(paths[who]) if a != b]
        lane = next(lane for lane in itertools.count(swapped) if taken.isdisjoint((a, b, lane) for a, b in steps))
        taken |= {(a, b, lane) for a, b in steps}
        aside = (lane + 1) // 2 * _LANE * (-1) ** lane
        for i, (a, b) in enumerate(steps):
            shapes += _arrow(state, a, b, point_of, aside, i == len(steps) - 1, who in moved)
    return shapes


def ways_here(state: Any, paths: Paths, point_of: Place) -> dict[int, Path]:
    """Return the way that each Titan came in the latest step, over the edges of the board too, as its piece stands."""
    found: dict[int, Path] = {}
    for who, spaces in paths.items():
        steps = [(a, b) for a, b in itertools.pairwise(spaces) if a != b]
        ways = tuple(way for a, b in steps for way in _straight(state, a, b, point_of))
        if ways:
            found[who] = ways
    return found


def passed(paths: Paths) -> tuple[list[int], list[int]]:
    """Return the spaces that the arrows of the latest step lead over, and those where they end."""
    moved = [spaces for spaces in paths.values() if len(set(spaces)) > 1]
    ends = {spaces[-1] for spaces in moved}
    return sorted({space for spaces in moved for space in spaces} - ends), sorted(ends)


def _straight(state: Any, a: int, b: int, point_of: Place) -> Path:
    """Return one step from space to space; over the edge of a board in two halves."""
    across, up = _way(state, a, b)
    (ax, ay), (bx, by) = ((x, y + LIFT) for x, y in (point_of(a), point_of(b)))
    if math.hypot(bx - ax - across, by - ay - up) < 0.01:
        return (((ax, ay), (bx, by)),)
    half = _REACH / math.hypot(across, up)
    out, back = (ax + across * half, ay + up * half), (bx - across * half, by - up * half)
    return ((ax, ay), out), (back, (bx, by))


def losses(state: Any, events: Any, point_of: Place) -> list[Shape]:
    """Beside each Titan on the board the lives that it lost in the latest step."""
    lost = [who for kind, who, *_ in events if kind == Event.LOSS]
    shapes: list[Shape] = []
    for who in sorted(set(lost)):
        if state.titans[who].space >= 0:
            x, y = point_of(int(state.titans[who].space))
            badge = Circle(x + 0.42, y + LIFT, 0.13, "alarm", "paper")
            shapes += [badge, Label(badge.x, badge.y, f"-{lost.count(who)}", "paper", 12, bold=True)]
    return shapes


def paths_of(state: Any, events: Any, before: Any) -> Paths:
    """Return the spaces on which each Titan was, one after the other, as far as they are known."""
    begun = [-1] * int(state.titans_in_race) if before is None else before.titans["space"].tolist()
    paths = {who: [space] if space >= 0 else [] for who, space in enumerate(begun)}
    for kind, who, other, _ in events:
        if kind == Event.MOVED and other >= 0:
            paths[who].append(other)
        if kind == Event.SWAPPED and paths[who] and paths[other]:
            mine, theirs = paths[who][-1], paths[other][-1]
            paths[who].append(theirs)
            paths[other].append(mine)
    return paths


def _arrow(state: Any, a: int, b: int, point_of: Place, aside: float, last: bool, dashed: bool) -> list[Shape]:
    """Draw one step from space to space, `aside` to its right; one over the edge of a board is drawn as two halves."""
    across, up = _way(state, a, b)
    length = math.hypot(across, up)
    ux, uy = across / length, up / length
    (ax, ay), (bx, by) = ((x + uy * aside, y + LIFT - ux * aside) for x, y in (point_of(a), point_of(b)))
    begin, end = _RIM * (state.on[a] % TRAP > 0), _RIM * last
    start, tip = (ax + ux * begin, ay + uy * begin), (bx - ux * end, by - uy * end)
    look: dict[str, Any] = {"colour": "alarm" if dashed else "ink", "width": 0.055, "dashed": dashed}
    head = 0.2 * last
    if math.hypot(bx - ax - across, by - ay - up) < 0.01:
        return [Line((start, tip), head=head, **look)]
    return [
        Line((start, (ax + ux * _REACH, ay + uy * _REACH)), head=0.18, **look),
        Line(((bx - ux * _REACH, by - uy * _REACH), tip), head=head, **look),
    ]


def _way(state: Any, a: int, b: int) -> Point:
    """Return the step's distance across and up, though it may leave the board: from row 12 row 1 is the next one up."""
    columns = (column_of(b) - column_of(a) + 3) % 6 - 3
    rows = b // 3 - a // 3
    if state.circuits == 1:
        rows = (rows + 5) % 12 - 5
    if columns and rows > 2:  # over a super-ramp, perhaps half around the board
        columns = rows if state.terrain[a] == Terrain.SUPER_RAMP_RIGHT else -rows
    return columns * COLUMN, rows * ROW
