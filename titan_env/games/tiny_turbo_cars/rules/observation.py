"""What a seat may know, as whole numbers: listed fields, the observing seat first, the others in turn order.

The track is seen from the own car: 18 rows from two below it, all six lanes as they lie. The rows of
the window lie one after the other in `state.terrain`, so that each kind of cell is one comparison a cell.
"""

from __future__ import annotations

from collections.abc import Iterable
from enum import IntEnum
from typing import Any

import numpy as np

from titan_env.contract import Field, Fields, rule
from titan_env.games.tiny_turbo_cars.rules.boards import LANE_NAMES
from titan_env.games.tiny_turbo_cars.rules.controller import is_dealt
from titan_env.games.tiny_turbo_cars.rules.state import (
    ALL_CARS,
    BATTERIES,
    CELLS,
    COMMANDS,
    FIRST_COMMAND,
    LANES,
    MOST_CARS,
    NO_CAR,
    PLACES,
    SIDE,
    UNPLACED,
    USUAL_COUNTDOWN,
    USUAL_ROUNDS,
    USUAL_SLIDES,
    Ask,
    Car,
    Terrain,
    Tile,
)
from titan_env.games.tiny_turbo_cars.rules.track import cell, is_racing

WINDOW_ROWS = 18
ROWS_BEHIND = 2
UNPLACED_ROW = 3
"""From where a car that is not placed yet looks."""
WINDOW = WINDOW_ROWS * LANES
NO_LIMIT = 6 * USUAL_ROUNDS
"""What stands for the rounds to a limit where there is none: more than any limit."""
MOST_LEAD = 24
MOST_TO_GO = 60
MOST_SHIELDS = 4
TILES = len(Tile)


def _named(names: Iterable[IntEnum]) -> tuple[str, ...]:
    """The members of an enum as words."""
    return tuple(member.name.lower().replace("_", " ") for member in names)


_BEHIND = tuple(f"{rows} behind" for rows in range(ROWS_BEHIND, 0, -1))
_AHEAD = tuple(f"{rows} ahead" for rows in range(1, WINDOW_ROWS - ROWS_BEHIND))
_ROWS_SEEN = (*_BEHIND, "own row", *_AHEAD)
_LANES = tuple(LANE_NAMES)
_SEATS = ("own", "next", "second next", "third next")
_PLACES = tuple(f"place {index + 1}" for index in range(SIDE))
_TILES = _named(Tile)
_TOKENS = ("first", "second", "third", "last")


def _plane(name: str, meaning: str, scale: int = 1) -> Field:
    """Where something is around the own car."""
    return Field(name, (WINDOW_ROWS, LANES), 0, 1, meaning, (_ROWS_SEEN, _LANES), scale=scale)


def _each(name: str, meaning: str, scale: int = 1, low: int = 0) -> Field:
    """One number for each seat."""
    return Field(name, (MOST_CARS,), low, 1, meaning, (_SEATS,), scale=scale)


FIELDS = Fields(
    (
        _plane("track_carpet", "carpet or grass"),
        _plane("track_boost", "a boost"),
        _plane("track_obstacle", "an obstacle"),
        _plane("track_puddle", "a puddle"),
        _plane("track_impassable", "impassable; so is every cell below row 1"),
        _plane("track_start", "a place of the starting grid"),
        _plane("track_past_line", "past the finish line"),
        _plane("rival", "other cars standing there, thirds", scale=MOST_CARS - 1),
        _plane("rival_lying", "other cars lying there, thirds", scale=MOST_CARS - 1),
        Field("controller", (SIDE, SIDE, TILES), 0, 1, "own controller, once it is dealt", (_PLACES, _PLACES, _TILES)),
        Field(
            "programs",
            (MOST_CARS - 1, COMMANDS, TILES),
            0,
            1,
            "the others' programs, from the end of programming to the end of the round",
            (_SEATS[1:], tuple(f"command {number + 1}" for number in range(COMMANDS)), _TILES),
        ),
        Field("ask", (len(Ask) - 1,), 0, 1, "pending question, one-hot", (_named(list(Ask)[1:]),)),
        Field(
            "slides_left", (), 0, 4, "slides that the seat has left while it programs, thirtieths", scale=USUAL_SLIDES
        ),
        Field("countdown", (), 0, 10, "slides of the last programmer's own countdown, tenths", scale=USUAL_COUNTDOWN),
        Field("counting", (), 0, 1, "a countdown is running, for anybody"),
        Field("line_pushes", (), 0, 1, "whole lines may be pushed"),
        Field("rounds_left", (), 0, 6, "rounds to the limit, this one too, twentieths; 6: none", scale=USUAL_ROUNDS),
        _each("seated", "somebody sits there"),
        _each("first", "it is the first player"),
        Field("car", (MOST_CARS, ALL_CARS), 0, 1, "car that it drives, one-hot", (_SEATS, _named(Car))),
        Field("lane", (MOST_CARS, LANES), 0, 1, "the lane of its car", (_SEATS, _LANES)),
        _each("lead", "rows before the own car, 24ths, cut", scale=MOST_LEAD, low=-1),
        _each("to_line", "rows still to go to be past the line, 60ths", scale=MOST_TO_GO),
        _each("beyond", "rows past the line, 24ths, cut", scale=MOST_LEAD),
        _each("batteries", "batteries up, thirds", scale=BATTERIES),
        _each("shields", "shields, quarters, at most 1", scale=MOST_SHIELDS),
        _each("lying", "its car lies"),
        _each("slipping", "it holds the slip token"),
        Field("token", (MOST_CARS, len(_TOKENS)), 0, 1, "smile token that it holds, one-hot", (_SEATS, _TOKENS)),
        _each("acted", "programming: already asked in this tick, or done"),
        _each("driven", "race: its turn is over"),
        _each("driving", "race: it is its turn"),
    ),
    whole=True,
)
"""The observation of Tiny Turbo Cars, in order."""

_AT = {name: np.uint64(span.start) for name, span in FIELDS.slices.items()}
"""Unsigned numbers, which spare the compiled code a check for negative ones at every place that is written."""
CARPET, BOOST, OBSTACLE, PUDDLE = (_AT[f"track_{name}"] for name in ("carpet", "boost", "obstacle", "puddle"))
IMPASSABLE, START, PAST_LINE = _AT["track_impassable"], _AT["track_start"], _AT["track_past_line"]
RIVAL, RIVAL_LYING = _AT["rival"], _AT["rival_lying"]
CONTROLLER, PROGRAMS, ASK = _AT["controller"], _AT["programs"], _AT["ask"]
SLIDES_LEFT, COUNTDOWN, COUNTING = _AT["slides_left"], _AT["countdown"], _AT["counting"]
LINE_PUSHES, ROUNDS_LEFT = _AT["line_pushes"], _AT["rounds_left"]
SEATED, FIRST, CAR, LANE = _AT["seated"], _AT["first"], _AT["car"], _AT["lane"]
LEAD, TO_LINE, BEYOND = _AT["lead"], _AT["to_line"], _AT["beyond"]
UP, SHIELDS, LYING, SLIPPING = _AT["batteries"], _AT["shields"], _AT["lying"], _AT["slipping"]
TOKEN, ACTED, DRIVEN, DRIVING = _AT["token"], _AT["acted"], _AT["driven"], _AT["driving"]


_TILES_U, _CARS_U, _LANES_U, _SEATS_U = np.uint64(TILES), np.uint64(ALL_CARS), np.uint64(LANES), np.uint64(MOST_CARS)
_PROGRAM, _ONE, _FIRST_U = np.uint64(COMMANDS * TILES), np.uint64(1), np.uint64(FIRST_COMMAND)


@rule
def observe(state: Any, seat: int, vector: Any) -> None:
    """Write what a seat may know as whole numbers; `FIELDS` says what stands where."""
    own = state.drivers[seat]
    row = int(own.row) if own.row != UNPLACED else UNPLACED_ROW
    _see_track(state, row, vector)
    vector[RIVAL:] = 0
    _see_controller(own, vector)
    _see_table(state, own, vector)
    who = seat
    for offset in range(np.uint64(state.seats)):
        driver = state.drivers[who]
        vector[FIRST + offset] = state.first == who
        if is_racing(state, who):
            _see_driver(state, driver, offset, vector)
            if driver.row != UNPLACED:
                _see_place(state, own, driver, offset, vector)
            if offset:
                _see_rival(state, driver, offset, row, vector)
        if state.ask >= Ask.DRIVE:
            vector[DRIVING + offset] = state.seat == who
        who = who + 1 if who + 1 < state.seats else 0


@rule
def _see_track(state: Any, row: int, vector: Any) -> None:
    """What the cells around the own car are. Far past the last board one window is like another."""
    first = np.uint64(min(cell(row - ROWS_BEHIND, 0), CELLS - WINDOW))
    for i in range(np.uint64(WINDOW)):
        terrain = state.terrain[first + i]
        vector[CARPET + i] = terrain == Terrain.CARPET
        vector[BOOST + i] = terrain == Terrain.BOOST
        vector[OBSTACLE + i] = terrain == Terrain.OBSTACLE
        vector[PUDDLE + i] = terrain == Terrain.PUDDLE
        vector[IMPASSABLE + i] = terrain == Terrain.IMPASSABLE
        vector[START + i] = terrain == Terrain.START
    past = PAST_LINE + np.uint64(max(0, min(WINDOW, (int(state.line) + 1 - row + ROWS_BEHIND) * LANES)))
    vector[PAST_LINE:past] = 0
    vector[past:RIVAL] = 1


@rule
def _see_controller(own: Any, vector: Any) -> None:
    """The own controller, once it is dealt."""
    if is_dealt(own):
        for slot in range(np.uint64(PLACES)):
            vector[CONTROLLER + slot * _TILES_U + np.uint64(own.controller[slot])] = 1


@rule
def _see_table(state: Any, own: Any, vector: Any) -> None:
    """The question, and what is left of slides, countdown and rounds."""
    if state.ask != Ask.NOTHING:
        vector[ASK + np.uint64(state.ask - 1)] = 1
    if state.ask == Ask.PROGRAM and own.token == 0 and is_dealt(own):
        left = int(state.slides) - own.slides
        if state.time_left:
            left = min(left, int(state.time_left))
            vector[COUNTDOWN] = state.time_left
        vector[SLIDES_LEFT] = left
    vector[COUNTING] = state.time_left > 0
    vector[LINE_PUSHES] = state.line_pushes
    vector[ROUNDS_LEFT] = NO_LIMIT
    if state.round_limit:
        vector[ROUNDS_LEFT] = int(state.round_limit) + 1 - max(1, int(state.rounds))


@rule
def _see_driver(state: Any, driver: Any, offset: int, vector: Any) -> None:
    """One seat, by its place after the observing one."""
    vector[SEATED + offset] = 1
    vector[UP + offset] = driver.batteries
    vector[SHIELDS + offset] = min(driver.shields, MOST_SHIELDS)
    vector[LYING + offset] = driver.lying
    vector[SLIPPING + offset] = driver.slipping
    if driver.car != NO_CAR:
        vector[CAR + offset * _CARS_U + np.uint64(driver.car)] = 1
    if driver.token:
        token = MOST_CARS if driver.token == state.seats else int(driver.token)
        vector[TOKEN + offset * _SEATS_U + np.uint64(token - 1)] = 1
    if state.ask == Ask.PROGRAM:
        vector[ACTED + offset] = driver.acted or driver.token > 0
    elif state.ask >= Ask.DRIVE:
        vector[DRIVEN + offset] = driver.token < state.drivers[state.seat].token


@rule
def _see_place(state: Any, own: Any, driver: Any, offset: int, vector: Any) -> None:
    """Where a car is that has been placed."""
    row, line = int(driver.row), int(state.line)
    vector[LANE + offset * _LANES_U + np.uint64(driver.lane)] = 1
    vector[TO_LINE + offset] = max(0, min(MOST_TO_GO, line + 1 - row))
    vector[BEYOND + offset] = max(0, min(MOST_LEAD, row - line))
    if own.row != UNPLACED:
        vector[LEAD + offset] = max(-MOST_LEAD, min(MOST_LEAD, row - own.row))


@rule
def _see_rival(state: Any, driver: Any, offset: int, row: int, vector: Any) -> None:
    """Another car on the track, and its program once all are public."""
    ahead = int(driver.row) - row + ROWS_BEHIND
    if driver.row != UNPLACED and 0 <= ahead < WINDOW_ROWS:
        plane = RIVAL_LYING if driver.lying else RIVAL
        vector[plane + np.uint64(ahead * LANES + driver.lane)] += 1
    if state.ask >= Ask.DRIVE:
        begin = PROGRAMS + (offset - _ONE) * _PROGRAM
        for number in range(np.uint64(COMMANDS)):
            vector[begin + number * _TILES_U + np.uint64(driver.controller[_FIRST_U + number])] = 1
