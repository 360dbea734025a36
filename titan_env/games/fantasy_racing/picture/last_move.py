"""The latest step of a race as marks on the board: arrows in their order, fights, shocks, the fire's way."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from titan_env.contract.shapes import Circle, Label, Line, Path, Point, Shape
from titan_env.games.fantasy_racing.picture.drawings import clash
from titan_env.games.fantasy_racing.rules.state import COLUMNS, ROWS, Event, Reason, Way

Place = Callable[[int], Point]
"""The point of a square in the picture."""

_LOOKS: dict[Way, dict[str, Any]] = {
    Way.WALK: {"colour": "ink", "dashed": False},
    Way.LEAP: {"colour": "accent", "dashed": True},
    Way.KNOCK: {"colour": "alarm", "dashed": True},
}
_RIM = 0.16
"""The distance from the middle of a square at which an arrow ends."""


def last_step(state: Any, events: Any, before: Any, point_of: Place, wide: float, high: float) -> list[Shape]:
    """Walks as solid arrows, leaps and knocks as dashed ones, numbered where there are several; and what was met."""
    where = _starts(state, before)
    shapes: list[Shape] = []
    moves: list[tuple[int, int, Way]] = []
    fights: list[int] = []
    ball: list[int] = []
    for kind, who, other, amount in ((int(number) for number in event) for event in events):
        if kind == Event.MOVED:
            moves.append((where.get(who, other), other, Way(amount)))
            where[who] = other
        elif kind == Event.FIGHT:
            fights.append(where.get(who, int(state.racers[who].square)))
        elif kind == Event.BALL:
            ball.append(other)
    for number, (a, b, way) in enumerate(moves, 1):
        shapes += _arrow(a, b, way, point_of, wide, high, str(number) if len(moves) > 1 else "")
    shapes += [shape for square in fights for shape in clash(*_corner(point_of(square), wide, high, -1), 0.08)]
    shapes += [Circle(*point_of(square), 0.1, "red", "yellow") for square in ball]
    return shapes + _changes(state, events, point_of, wide, high)


def _starts(state: Any, before: Any) -> dict[int, int]:
    """Return each racer's square before the step."""
    if before is None:
        return {}
    return {who: int(before.racers[who].square) for who in range(int(state.seats))}


def _corner(middle: Point, wide: float, high: float, side: int) -> Point:
    """Near the upper corner of a square, on its left (-1) or right (1)."""
    return middle[0] + side * wide * 0.4, middle[1] + high * 0.3


def ways_here(state: Any, events: Any, before: Any, point_of: Place, wide: float, high: float) -> dict[int, Path]:
    """Return the way that each racer came in the latest step, over the edges of the board in two halves."""
    where = _starts(state, before)
    found: dict[int, Path] = {}
    for kind, who, other, amount in ((int(number) for number in event) for event in events):
        if kind != Event.MOVED:
            continue
        begin = where.get(who, other)
        where[who] = other
        if begin != other:
            columns, rows = _way(begin, other, Way(amount))
            found[who] = (
                *found.get(who, ()),
                *_straight(point_of(begin), point_of(other), columns * wide, -rows * high),
            )
    return found


def _straight(begin: Point, end: Point, across: float, up: float) -> Path:
    """Return one way on the board, or out of it and in again."""
    (ax, ay), (bx, by) = begin, end
    if math.hypot(bx - ax - across, by - ay - up) < 0.01:
        return ((begin, end),)
    return (begin, (ax + across / 2, ay + up / 2)), ((bx - across / 2, by - up / 2), end)


def _way(a: int, b: int, way: Way) -> tuple[int, int]:
    """Return the columns and rows that a move crossed, though it may have left the board."""
    columns = (b % COLUMNS - a % COLUMNS + 3) % COLUMNS - 3
    rows = b // COLUMNS - a // COLUMNS
    if way == Way.KNOCK and rows > 0:
        rows -= ROWS
    elif way == Way.WALK and rows < -2:
        rows += ROWS
    elif abs(rows) > ROWS // 2:
        rows -= int(math.copysign(ROWS, rows))
    return columns, rows


def _arrow(a: int, b: int, way: Way, point_of: Place, wide: float, high: float, number: str) -> list[Shape]:
    """Draw an arrow from square to square; one over the edge of the board is drawn as two halves."""
    if a == b:
        return []
    columns, rows = _way(a, b, way)
    across, up = columns * wide, -rows * high
    length = math.hypot(across, up) or 1.0
    ux, uy = across / length, up / length
    (ax, ay), (bx, by) = point_of(a), point_of(b)
    tip = (bx - ux * _RIM, by - uy * _RIM)
    look: dict[str, Any] = {**_LOOKS[way], "width": 0.05}
    if math.hypot(bx - ax - across, by - ay - up) < 0.01:
        lines: list[Shape] = [Line(((ax, ay), tip), head=0.17, **look)]
    else:
        reach = min(0.6, length / 2)
        lines = [
            Line(((ax, ay), (ax + ux * reach, ay + uy * reach)), head=0.15, **look),
            Line(((bx - ux * reach, by - uy * reach), tip), head=0.17, **look),
        ]
    if number:
        x, y = ax + ux * 0.1 + uy * 0.17, ay + uy * 0.1 - ux * 0.17
        lines += [Circle(x, y, 0.1, "paper", str(look["colour"])), Label(x, y, number, "ink", 10, bold=True)]
    return lines


def _changes(state: Any, events: Any, point_of: Place, wide: float, high: float) -> list[Shape]:
    """Beside each racer the points that the step has changed, all reasons together."""
    sums: dict[int, int] = {}
    for kind, who, reason, change in ((int(number) for number in event) for event in events):
        if kind == Event.POINTS and reason in set(Reason):
            sums[who] = sums.get(who, 0) + change
    shapes: list[Shape] = []
    used: dict[int, int] = {}
    for who, change in sums.items():
        square = int(state.racers[who].square)
        x, y = _corner(point_of(square), wide, high, 1)
        y -= 0.2 * used.get(square, 0)
        used[square] = used.get(square, 0) + 1
        colour = "alarm" if change < 0 else "#1a7f37"
        shapes += [Circle(x, y, 0.13, colour, "paper"), Label(x, y, f"{change:+d}", "white", 9, bold=True)]
    return shapes
