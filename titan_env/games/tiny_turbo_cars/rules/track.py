"""The track: cells, what is printed on them and who stands there."""

from __future__ import annotations

from typing import Any

from titan_env.contract import rule
from titan_env.games.tiny_turbo_cars.rules.state import (
    BOARD_ROWS,
    LANES,
    MOST_ROWS,
    NOBODY,
    ROWS_BELOW,
    UNPLACED,
    Terrain,
)


@rule
def cell(row: int, lane: int) -> int:
    """Where `terrain` keeps a cell; its rows begin below row 1."""
    return (int(row) + ROWS_BELOW - 1) * LANES + int(lane)


@rule
def terrain_at(state: Any, row: int, lane: int) -> int:
    """What is printed on a cell: beside the lanes and below row 1 impassable, past the last board empty."""
    if row < 1 or lane < 0 or lane >= LANES:
        return int(state.terrain[cell(0, 0)])
    return int(state.terrain[cell(min(row, MOST_ROWS + 1), lane)])


@rule
def begins_on(state: Any, who: int) -> int:
    """What is printed on the cell where a car stands now."""
    return terrain_at(state, state.drivers[who].row, state.drivers[who].lane)


@rule
def other_car(state: Any, who: int, row: int, lane: int) -> int:
    """The lowest seat whose car is on a cell, other than `who`; NOBODY if there is none."""
    for other in range(state.seats):
        driver = state.drivers[other]
        if other != who and driver.row == row and driver.lane == lane:
            return other
    return NOBODY


@rule
def is_racing(state: Any, who: int) -> bool:
    """A car is in the race until it has left the track with a place on the podium."""
    return not state.out[who]


@rule
def racers(state: Any) -> int:
    """How many cars are in the race."""
    count = 0
    for who in range(state.seats):
        count += is_racing(state, who)
    return count


@rule
def is_past_line(state: Any, who: int) -> bool:
    """A car is past the finish line when its row is above it."""
    return bool(state.drivers[who].row > state.line)


@rule
def starting_place(state: Any, number: int) -> tuple[int, int]:
    """Row and lane of a place of the starting grid: the front row first, in a row from blue to red."""
    left = number
    for row in range(BOARD_ROWS, 0, -1):
        for lane in range(LANES):
            if terrain_at(state, row, lane) == Terrain.START:
                if left == 0:
                    return row, lane
                left -= 1
    return UNPLACED, 0
