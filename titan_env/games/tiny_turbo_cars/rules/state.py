"""What a race of Tiny Turbo Cars is made of: its names, its numbers and its one flat record."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from titan_env.contract import HEADER

MOST_CARS = 4
LANES = 6  # A at the blue border to F at the red one
BOARD_ROWS = 10
MOST_MIDDLES = 4
MOST_BOARDS = MOST_MIDDLES + 2
MOST_ROWS = BOARD_ROWS * MOST_BOARDS
BATTERIES = 3
USUAL_SLIDES, USUAL_COUNTDOWN, USUAL_ROUNDS = 30, 10, 20
"""The slides of a seat in a round, those of the last programmer, and the rounds of a race, unless told otherwise."""
STARTING_PLACES = 6
PLACES = 16  # of a controller, row by row: 15 tiles and the hole
SIDE = 4  # places in a row of a controller
FIRST_COMMAND = 4  # the program is rows 2 and 3
COMMANDS = 8
UNPLACED = 0  # instead of a row


class Car(IntEnum):
    """The eight cars."""

    DAME_LINER = 0
    BRICK_GANG = 1
    SONIC_FISH = 2
    GRIM_LEVINGO = 3
    M1_LAPIN = 4
    PIOU_RACER = 5
    DOGTOR = 6
    TURBOBOT = 7


NO_CAR = -1
ALL_CARS = len(Car)


class Tile(IntEnum):
    """The kinds of command tiles, and the hole, which does what `BLANK` does."""

    FORWARD_1 = 0
    FORWARD_2 = 1
    BACK_1 = 2
    LEFT_1 = 3
    RIGHT_1 = 4
    LEFT_2 = 5
    RIGHT_2 = 6
    JUMP = 7
    MISSILE = 8
    TURBO = 9
    BATTERY = 10
    PLUS = 11
    MINUS = 12
    BLANK = 13
    HOLE = 14


UNDEALT = -1  # instead of a tile: the controller has not been shuffled yet


class Terrain(IntEnum):
    """What is printed on a cell. Grass is carpet drawn green."""

    EMPTY = 0
    CARPET = 1
    BOOST = 2
    OBSTACLE = 3
    PUDDLE = 4
    IMPASSABLE = 5
    START = 6


class Ask(IntEnum):
    """What the seat to act is asked."""

    NOTHING = 0
    CAR = 1  # which car it drives
    PLACE = 2  # where on the starting grid it stands
    PROGRAM = 3  # a slide, or finish
    DRIVE = 4  # its turn begins
    FLY = 5  # Piou Racer's flight
    SHIELD = 6  # a shield for two cells, or stop


class Event(IntEnum):
    """What can happen: (kind, who, second, third). Cells are told as row and lane."""

    CHOSE = 0  # car
    PLACED = 1  # row, lane
    ROUND = 2  # round; who is asked first
    DONE = 3  # token, slides made
    COUNTDOWN = 4  # slides that the last programmer has left
    DROVE = 5  # token: the turn begins
    COMMAND = 6  # tile, value
    IGNORED = 7  # tile: lying, or back on the starting grid
    MOVED = 8  # row, lane
    SLIPPING = 9  # row, lane: took the slip token
    BUMPED = 10  # whom or NOBODY: into a car or an obstacle
    CROSSED = 11  # row: the line, from behind it
    BLOCKED = 12  # row, lane of what is impassable
    FIRED = 13  # how many cars the missile touched
    HIT = 14  # by whom
    LOST = 15  # batteries left, cause
    SHIELDED = 16  # shields left, cause
    LAY_DOWN = 17
    CHARGED = 18  # batteries now
    STOOD_UP = 19
    FLEW = 20  # row, lane
    SPENT = 21  # shields left
    GAINED = 22  # how many shields, for what (Gain)
    WON = 23  # rows past the line
    RANKED = 24  # place: of a car past the line, or of the last one, where the race goes on for the podium


class Cause(IntEnum):
    """Why a battery or a shield is lost; and what ends a movement."""

    NONE = -1  # nothing does: it goes as far as it may
    OBSTACLE = 0
    CAR = 1
    IMPASSABLE = 2
    MISSILE = 3
    PENALTY = 4


class Gain(IntEnum):
    """What shields are gained for."""

    POSITION = 0
    MISSILE = 1


NOBODY = -1

_DRIVER = np.dtype(
    [
        # Its car
        ("car", np.int8),  # Car, NO_CAR before it is chosen
        ("row", np.int8),  # 1 at the start, UNPLACED before it stands there, and once it has left the track
        ("lane", np.int8),  # 0 to 5
        ("batteries", np.int8),  # that are up
        ("shields", np.int8),
        ("lying", np.int8),  # 1: it lies until all batteries are up
        ("slipping", np.int8),  # 1: it holds the slip token
        # This round's program
        ("token", np.int8),  # smile token: 1 the happiest, as many as seats the last; 0 still programming
        ("slides", np.int8),  # made in this round
        ("acted", np.int8),  # 1: asked in this tick already
        ("controller", np.int8, (PLACES,)),  # Tile in each place, row by row; UNDEALT before it is shuffled
    ]
)

DRIVER = np.dtype((np.record, _DRIVER))
"""One seat with its car and its controller. As a record type, so that its fields have names in plain Python too."""

ROWS_BELOW, ROWS_BEYOND = 2, 18
"""Rows of impassable cells below row 1, and of empty floor past the longest track, that `terrain` holds too."""
CELLS = (ROWS_BELOW + MOST_ROWS + ROWS_BEYOND) * LANES

STATE = np.dtype(
    [
        *HEADER,
        # The options
        ("draft", np.int8),  # 1: cars are chosen in turn
        ("slides", np.int8),  # most slides of a seat in a round
        ("countdown", np.int8),  # most slides of the last programmer
        ("line_pushes", np.int8),  # 1: two or three tiles of a line may be pushed at once
        ("podium", np.int8),  # 1: the others race on when a car is past the line
        ("round_limit", np.int8),  # rounds that truncate the race; 0: no limit
        # The track
        ("boards", np.int8),  # how many
        ("board", np.int8, (MOST_BOARDS,)),  # number of each drawing, RANDOM, OWN_DRAWING, NO_BOARD, GENERATED_BOARD
        ("levels", np.int16, (2,)),  # of boards to be generated: the first level and how many; else 0
        ("line", np.int8),  # the last row before the finish line
        ("terrain", np.int8, (CELLS,)),  # Terrain, row by row; see `track.cell`
        # The race
        ("first", np.int8),  # the first player
        ("rounds", np.int16),  # begun; 0 while cars are chosen and placed
        ("tick", np.int8),  # of the programming
        ("time_left", np.int8),  # slides of the countdown that are left; 0: it does not run
        ("shuffles", np.int32),  # controllers drawn so far
        ("drivers", DRIVER, (MOST_CARS,)),
    ]
)
"""One race. At most 1,200 bytes."""

RANDOM, OWN_DRAWING, NO_BOARD, GENERATED_BOARD = -1, -2, -3, -4
"""Instead of a board's number: drawn at `set_up`, painted into `terrain` already, not there, or to be generated."""


class Race(NamedTuple):
    """What every rule works on: the state, chance and the log of what happens."""

    state: Any
    luck: Any
    log: Any
