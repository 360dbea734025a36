"""The latest events, drawn on the track: paths, missiles, losses; and the way that a program would drive."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np

from titan_env.contract import LOG, LUCK, events_of
from titan_env.contract.shapes import Circle, Label, Line, Path, Point, Polygon, Shape, star
from titan_env.games.tiny_turbo_cars.picture.track import Layout
from titan_env.games.tiny_turbo_cars.rules.actions import DRIVE
from titan_env.games.tiny_turbo_cars.rules.boards import CARS
from titan_env.games.tiny_turbo_cars.rules.state import STATE, UNPLACED, Ask, Event
from titan_env.games.tiny_turbo_cars.rules.turn import play_decision

_PATH = 0.05
_MOVES = (Event.MOVED, Event.FLEW)


def ways_here(state: Any, events: Any, before: Any, layout: Layout) -> dict[int, Path]:
    """Return the way that each car came in the latest step, cell by cell; from strip to strip it jumps."""
    boards = int(state.boards)
    found: dict[int, Path] = {}
    for who, cells in _paths(events, before).items():
        steps = [(a, b) for a, b in itertools.pairwise(cells) if a[0] != UNPLACED and a != b]
        found[who] = tuple(
            (layout.middle(*a, boards), layout.middle(*b, boards))
            for a, b in steps
            if layout.strip(a[0], boards) == layout.strip(b[0], boards)
        )
    return found


def _paths(events: Any, before: Any) -> dict[int, list[tuple[int, int]]]:
    """Return the cells on which each car that has moved was, one after the other."""
    paths: dict[int, list[tuple[int, int]]] = {}
    for kind, who, second, third in np.asarray(events, np.int64).reshape(-1, 4).tolist():
        if kind in _MOVES:
            if who not in paths and before is not None:
                paths[who] = [(int(before.drivers[who].row), int(before.drivers[who].lane))]
            paths.setdefault(who, []).append((second, third))
    return paths


def happened(state: Any, events: Any, before: Any, layout: Layout) -> list[Shape]:
    """Draw the path of each car that has moved, and marks where batteries were lost."""
    paths = _paths(events, before)
    shapes: list[Shape] = []
    lost: dict[int, int] = {}
    for kind, who, *_ in np.asarray(events, np.int64).reshape(-1, 4).tolist():
        if kind == Event.LOST:
            lost[who] = lost.get(who, 0) + 1
        elif kind == Event.HIT:
            shapes += _hit(state, layout, who)
    for who, cells in paths.items():
        colour = str(CARS[int(state.drivers[who].car)]["colour"])
        shapes += _path(state, layout, cells, colour, dashed=False)
    for who, count in lost.items():
        x, y = _cell_of(state, layout, who)
        shapes.append(Label(x, y + layout.cell * 0.45, f"-{count}", "alarm", 13, bold=True))
    return shapes


def _cell_of(state: Any, layout: Layout, who: int) -> Point:
    """Return the point of a car's cell."""
    driver = state.drivers[who]
    return layout.middle(int(driver.row), int(driver.lane), int(state.boards))


def _hit(state: Any, layout: Layout, who: int) -> list[Shape]:
    """Draw a car that a missile has touched."""
    return [Polygon(star(*_cell_of(state, layout, who), layout.cell * 0.6, 9, 0.6), "red", "ink", 0.01)]


def _path(
    state: Any, layout: Layout, cells: list[tuple[int, int]], colour: str, dashed: bool, head: float = 0.16
) -> list[Shape]:
    """Draw the cells that a car has passed, joined; a path that goes on in another strip is drawn in parts."""
    boards = int(state.boards)
    parts: list[list[Point]] = []
    strip = -1
    for row, lane in cells:
        if row == UNPLACED:
            continue
        if layout.strip(row, boards) != strip:
            strip = layout.strip(row, boards)
            parts.append([])
        parts[-1].append(layout.middle(row, lane, boards))
    shapes: list[Shape] = []
    for number, part in enumerate(parts):
        is_last = number == len(parts) - 1
        if len(part) > 1 and part[-1] != part[-2]:
            line = Line(tuple(part), colour, _PATH, head=head if is_last else 0.0, dashed=dashed)
            shapes += [Line(tuple(part), "ink", _PATH + 0.03, dashed=dashed), line]
        shapes += [Circle(*part[0], 0.05, colour, "ink", 0.008)] if number == 0 else []
    return shapes


def program_path(state: Any, who: int) -> list[tuple[int, int]]:
    """Return the cells that a car would pass with its program as it stands, if nobody else were there."""
    alone = np.array([state], STATE).view(np.recarray)
    drivers = alone[0].drivers
    begun = (int(drivers[who].row), int(drivers[who].lane))
    drivers["token"][: int(state.seats)] = [2 + other - (other > who) for other in range(int(state.seats))]
    drivers["token"][who] = 1
    drivers["row"][np.arange(len(drivers)) != who] = UNPLACED
    alone.ask, alone.seat, alone.time_left = Ask.DRIVE, who, 0
    luck = np.zeros(1, LUCK).view(np.recarray)
    log = np.zeros(1, LOG).view(np.recarray)
    play_decision(alone[0], DRIVE, luck[0], log[0])
    moved = [(row, lane) for kind, whose, row, lane in events_of(log[0]).tolist() if kind in _MOVES and whose == who]
    return [begun, *moved]


def ghost(state: Any, seat: int | None, layout: Layout) -> list[Shape]:
    """Draw the way of the program of the seat that is asked, for its own eyes."""
    who = int(state.seat)
    if state.ask != Ask.PROGRAM or seat not in (None, who):
        return []
    colour = str(CARS[int(state.drivers[who].car)]["colour"])
    return _path(state, layout, program_path(state, who), colour, dashed=True)
