"""Generated tracks: 32,000 levels by number, for learners that shall drive on boards which they have never seen.

They are our own addition, in the manner of the printed boards: the starting grid and the finish line lie as on one of
these, and each board has shelves with gaps, tubs, slaloms and pairs of what stops a car, and rugs, chains and pairs of
what does not. What would close the way on from a cell is left out.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import numbered_draw, rule
from titan_env.games.tiny_turbo_cars.rules.boards import BOARD_LINE, BOARD_TERRAIN, FINISHES, FIRST_FINISH, STARTS
from titan_env.games.tiny_turbo_cars.rules.state import BOARD_ROWS, LANES, Terrain
from titan_env.games.tiny_turbo_cars.rules.track import cell, terrain_at

STOPPING, SOFT = 0, 1
KINDS = np.array(
    [[Terrain.OBSTACLE, Terrain.IMPASSABLE] * 3, [Terrain.CARPET, Terrain.BOOST, Terrain.PUDDLE] * 2], np.int64
)
"""What stops a car, and what does not."""
AMOUNTS = np.array([[[5, 6], [10, 11]], [[6, 15], [2, 18]], [[2, 4], [6, 8]]], np.int64)
"""Fewest and most cells of both that lie on a start, a middle and a finish board."""
FORMS = np.array(
    [
        [[1, 0, 6, 4, 5], [1, 0, 2, 4, 10], [1, 2, 1, 3, 5], [0, 0, 2, 2, 2]],  # shelf with a gap, tub, slalom, pair
        [[1, 0, 4, 4, 12], [1, 0, 2, 4, 8], [2, 2, 1, 2, 4], [0, 0, 2, 2, 2]],  # wide rug, narrow rug, chain, pair
    ],
    np.int64,
)
"""Of each form: rows and lanes from one line of it to the next, cells in a line, fewest and most cells in all."""
_FORMS, _KINDS = 4, 6
_MOST_STOPPING = LANES - 1  # cells of a row
_PAST_LINE = 2  # rows past the finish line on which something lies
_SHAPES, _DRAWS = 48, 8  # shapes that are tried on a board at most, half of them soft, and draws that each may take


@rule
def generate_track(state: Any, level: int) -> None:
    """Write the terrain of every board of a generated track, and its finish line."""
    last = state.boards - 1
    state.line = last * BOARD_ROWS + BOARD_LINE[FIRST_FINISH + numbered_draw(level, 0, len(FINISHES))]
    start = numbered_draw(level, 1, len(STARTS))
    for row in range(1, state.boards * BOARD_ROWS + 1):
        for lane in range(LANES):
            state.terrain[cell(row, lane)] = Terrain.EMPTY
    grid = 0
    for row in range(BOARD_ROWS):
        for lane in range(LANES):
            if BOARD_TERRAIN[start, row, lane] == Terrain.START:
                state.terrain[cell(row + 1, lane)] = Terrain.START
                grid = row + 1
    for index in range(state.boards):
        _fill_board(state, index, grid if index == 0 else index * BOARD_ROWS, level)


@rule
def _fill_board(state: Any, index: int, below: int, level: int) -> None:
    """Lay shapes on the rows of one board above `below`: what stops a car, then what does not."""
    step = 2 + index * (2 * _SHAPES + 2) * _DRAWS
    board = 0 if index == 0 else 2 if index == state.boards - 1 else 1
    above = min((index + 1) * BOARD_ROWS, int(state.line) + _PAST_LINE)
    for side in range(STOPPING, SOFT + 1):
        fewest, most = AMOUNTS[board, side, 0], AMOUNTS[board, side, 1]
        left = fewest + numbered_draw(level, step, most - fewest + 1)
        usual = numbered_draw(level, step + 1, _FORMS)
        for _shape in range(_SHAPES):
            step += _DRAWS
            form = usual if numbered_draw(level, step, 2) == 0 else numbered_draw(level, step + 1, _FORMS)
            row = below + 1 + numbered_draw(level, step + 2, above - below)
            if left > 0:
                left -= _lay_shape(state, level, step + 3, side, form, row, above, left)
        step += _DRAWS


@rule
def _lay_shape(state: Any, level: int, step: int, side: int, form: int, row: int, above: int, left: int) -> int:
    """Lay a shape on empty cells from a row to the one `above` at most, at most `left` of them; return how many."""
    kind = KINDS[side, numbered_draw(level, step, _KINDS)]
    lane = numbered_draw(level, step + 1, LANES)
    fewest, most = FORMS[side, form, 3], FORMS[side, form, 4]
    laid = 0
    for number in range(fewest + numbered_draw(level, step + 2, most - fewest + 1)):
        line, along = number // FORMS[side, form, 2], number % FORMS[side, form, 2]
        there_row = row + line * FORMS[side, form, 0]
        there = (lane + line * FORMS[side, form, 1] + along) % LANES
        if FORMS[side, form, 0] == 0 and along == 1:  # a pair lies on both sides
            there = LANES - 1 - lane
        if laid < left and there_row <= above:
            laid += _lay(state, there_row, there, kind)
    return laid


@rule
def _lay(state: Any, row: int, lane: int, kind: int) -> bool:
    """Lay something on an empty cell, if a way still leads on from every cell; return whether it lies there."""
    here = cell(row, lane)
    if state.terrain[here] != Terrain.EMPTY:
        return False
    state.terrain[here] = kind
    is_open = leads_on(state, row, lane) and leads_on(state, row - 2, lane) and _has_gap(state, row)
    for side in range(-1, 2):
        is_open = is_open and leads_on(state, row - 1, lane + side)
    if not is_open:
        state.terrain[here] = Terrain.EMPTY
    return is_open


@rule
def _has_gap(state: Any, row: int) -> bool:
    """Whether few enough cells of a row stop a car."""
    stopping = 0
    for lane in range(LANES):
        stopping += not stops_no_car(state, row, lane)
    return stopping <= _MOST_STOPPING


@rule
def leads_on(state: Any, row: int, lane: int) -> bool:
    """Whether a step or a straight jump leads on from a cell to one that stops no car; nobody stands where none may."""
    if terrain_at(state, row, lane) == Terrain.IMPASSABLE:
        return True
    for side in range(-1, 2):
        if stops_no_car(state, row + 1, lane + side):
            return True
    return stops_no_car(state, row + 2, lane)


@rule
def stops_no_car(state: Any, row: int, lane: int) -> bool:
    """Whether a cell lies on the track and is neither an obstacle nor impassable."""
    terrain = terrain_at(state, row, lane)
    return bool(terrain not in (Terrain.OBSTACLE, Terrain.IMPASSABLE))
