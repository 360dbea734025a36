"""Generated tracks: 32,000 by number, for learners that shall drive on boards which they have never seen.

They are our own addition, in the manner of the printed boards: the starting grid and the finish line lie as on one of
these, and every row has up to three things on it. What stops a car stands three lanes from the next such thing in its
row, so that a way leads on from every cell.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import numbered_draw, rule
from titan_env.games.tiny_turbo_cars.rules.boards import BOARD_LINE, BOARD_TERRAIN, FINISHES, FIRST_FINISH, STARTS
from titan_env.games.tiny_turbo_cars.rules.state import BOARD_ROWS, LANES, Terrain
from titan_env.games.tiny_turbo_cars.rules.track import cell

SOFT = np.array([Terrain.CARPET, Terrain.BOOST, Terrain.PUDDLE], np.int64)
STOPPING = np.array([Terrain.OBSTACLE, Terrain.IMPASSABLE], np.int64)
_MOST_IN_ROW = 3
_APART = 3  # lanes between what stops a car, at least
_PAST_LINE = 2  # rows past the finish line on which something lies
_STEPS = 100  # draws that one board takes at most


@rule
def generate_track(state: Any, number: int) -> None:
    """Write the terrain of every board of a generated track, and its finish line."""
    last = state.boards - 1
    state.line = last * BOARD_ROWS + BOARD_LINE[FIRST_FINISH + numbered_draw(number, 0, len(FINISHES))]
    start = numbered_draw(number, 1, len(STARTS))
    for row in range(1, state.boards * BOARD_ROWS + 1):
        for lane in range(LANES):
            state.terrain[cell(row, lane)] = Terrain.EMPTY
    grid = 0
    for row in range(BOARD_ROWS):
        for lane in range(LANES):
            if BOARD_TERRAIN[start, row, lane] == Terrain.START:
                state.terrain[cell(row + 1, lane)] = Terrain.START
                grid = row + 1
    for place in range(state.boards):
        fill_board(state, place, grid, number)


@rule
def fill_board(state: Any, place: int, grid: int, number: int) -> None:
    """Lay things on the rows of one board: one kind that stops a car and one that does not, either as likely.

    The rows of the starting grid stay free, and those far past the finish line.
    """
    step = 2 + place * _STEPS
    stopping = STOPPING[numbered_draw(number, step, len(STOPPING))]
    soft = SOFT[numbered_draw(number, step + 1, len(SOFT))]
    step += 2
    for row in range(place * BOARD_ROWS + 1, (place + 1) * BOARD_ROWS + 1):
        things = numbered_draw(number, step, _MOST_IN_ROW + 1)
        step += 1
        if row <= grid or row > state.line + _PAST_LINE:
            continue
        for _turn in range(things):
            kind = stopping if numbered_draw(number, step, 2) == 0 else soft
            lane = numbered_draw(number, step + 1, LANES)
            step += 2
            is_free = state.terrain[cell(row, lane)] == Terrain.EMPTY
            if is_free and (kind == soft or stands_apart(state, row, lane, stopping)):
                state.terrain[cell(row, lane)] = kind


@rule
def stands_apart(state: Any, row: int, lane: int, stopping: int) -> bool:
    """Whether what stops a car is far enough on both sides from the next such thing in its row."""
    for other in range(max(0, lane - _APART + 1), min(LANES, lane + _APART)):
        if state.terrain[cell(row, other)] == stopping:
            return False
    return True
