"""Moving: cell by cell, or in one leap."""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, rule
from titan_env.games.tiny_turbo_cars.rules.damage import damage
from titan_env.games.tiny_turbo_cars.rules.state import NOBODY, Cause, Event, Race, Terrain
from titan_env.games.tiny_turbo_cars.rules.track import is_past_line, other_car, terrain_at


@rule
def take_slip_token(race: Race, who: int) -> None:
    """Whoever begins a movement on a puddle, or enters one, takes the slip token."""
    driver = race.state.drivers[who]
    if not driver.slipping:
        driver.slipping = 1
        log_event(race.log, Event.SLIPPING, who, driver.row, driver.lane)


@rule
def arrive(race: Race, who: int, row: int, lane: int) -> None:
    """The car is on another cell; a puddle there gives it the slip token."""
    state = race.state
    driver = state.drivers[who]
    was_past = is_past_line(state, who)
    driver.row = row
    driver.lane = lane
    log_event(race.log, Event.MOVED, who, row, lane)
    if is_past_line(state, who) and not was_past:
        log_event(race.log, Event.CROSSED, who, row, 0)
    if terrain_at(state, row, lane) == Terrain.PUDDLE:
        take_slip_token(race, who)


@rule
def enter(race: Race, who: int, row: int, lane: int) -> Cause:
    """Enter a cell: an obstacle or another car, or both, end the movement there. The result says what has ended it."""
    arrive(race, who, row, lane)
    whom = other_car(race.state, who, row, lane)
    if terrain_at(race.state, row, lane) == Terrain.OBSTACLE:
        log_event(race.log, Event.BUMPED, who, whom, 0)
        return Cause.OBSTACLE
    if whom != NOBODY:
        log_event(race.log, Event.BUMPED, who, whom, 0)
        return Cause.CAR
    return Cause.NONE


@rule
def is_impassable(state: Any, row: int, lane: int) -> bool:
    """Whether no car may pass a cell."""
    return terrain_at(state, row, lane) == Terrain.IMPASSABLE


@rule
def step_on(race: Race, who: int, rows: int, lanes: int) -> Cause:
    """One cell on: before an impassable one the movement ends where the car is."""
    driver = race.state.drivers[who]
    row, lane = driver.row + rows, driver.lane + lanes
    if is_impassable(race.state, row, lane):
        log_event(race.log, Event.BLOCKED, who, row, lane)
        return Cause.IMPASSABLE
    return enter(race, who, row, lane)


@rule
def go(race: Race, who: int, cells: int, rows: int, lanes: int) -> Cause:
    """Move cell by cell until the value is used up or something ends it."""
    ended = Cause.NONE
    for _ in range(cells):
        ended = step_on(race, who, rows, lanes)
        if ended != Cause.NONE:
            break
    return ended


@rule
def leap(race: Race, who: int, cells: int) -> Cause:
    """Leap over what lies or stands between; from an impassable target back to the nearest cell before it."""
    state = race.state
    driver = state.drivers[who]
    row, lane = driver.row + cells, int(driver.lane)
    if not is_impassable(state, row, lane):
        return enter(race, who, row, lane)
    log_event(race.log, Event.BLOCKED, who, row, lane)
    while is_impassable(state, row, lane):
        row -= 1
    if row != driver.row:
        arrive(race, who, row, lane)
    return Cause.IMPASSABLE


@rule
def suffer(race: Race, who: int, ended: Cause, times: int) -> None:
    """What has ended a movement does damage where the car is then."""
    if ended != Cause.NONE:
        for _ in range(times):
            damage(race, who, ended)


@rule
def drive_on(race: Race, who: int, cells: int) -> None:
    """A drive straight ahead that is no command: nothing changes its length, the cells entered do as usual."""
    suffer(race, who, go(race, who, cells, 1, 0), 1)
