"""Missiles and Piou Racer's flight: what reaches beyond the own cell. Other abilities stand with their commands."""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, rule
from titan_env.games.tiny_turbo_cars.rules.damage import damage
from titan_env.games.tiny_turbo_cars.rules.state import LANES, NOBODY, Car, Cause, Event, Gain, Race, Terrain
from titan_env.games.tiny_turbo_cars.rules.track import is_racing, other_car, terrain_at

NO_LANE = -1


@rule
def is_in_the_way(state: Any, who: int, whom: int) -> bool:
    """A missile touches every car further up in the lane; M1 Lapin's flies back and to both sides as well."""
    shooter, other = state.drivers[who], state.drivers[whom]
    if whom == who or not is_racing(state, whom) or (other.row == shooter.row and other.lane == shooter.lane):
        return False
    if shooter.car == Car.M1_LAPIN:
        return bool(other.lane == shooter.lane or other.row == shooter.row)
    return bool(other.lane == shooter.lane and other.row > shooter.row)


@rule
def fire(race: Race, who: int) -> None:
    """1 damage to every car in the way of the missile, through everything; M1 Lapin gains a shield for touching any."""
    state = race.state
    touched = 0
    for whom in range(state.seats):
        touched += is_in_the_way(state, who, whom)
    log_event(race.log, Event.FIRED, who, touched, 0)
    for whom in range(state.seats):
        if is_in_the_way(state, who, whom):
            log_event(race.log, Event.HIT, whom, who, 0)
            damage(race, whom, Cause.MISSILE)
    if touched and state.drivers[who].car == Car.M1_LAPIN:
        state.drivers[who].shields += 1
        log_event(race.log, Event.GAINED, who, 1, Gain.MISSILE)


@rule
def landing_lane(state: Any, who: int, side: int) -> int:
    """The nearest lane on one side (-1 blue, 1 red) whose cell in the row is empty, without a car; or NO_LANE."""
    row, lane = state.drivers[who].row, state.drivers[who].lane + side
    while 0 <= lane < LANES:
        if terrain_at(state, row, lane) == Terrain.EMPTY and other_car(state, who, row, lane) == NOBODY:
            return int(lane)
        lane += side
    return NO_LANE


@rule
def may_fly(state: Any, who: int) -> bool:
    """Piou Racer, standing, may fly where there is an empty cell to its left or right."""
    driver = state.drivers[who]
    if driver.car != Car.PIOU_RACER or driver.lying:
        return False
    return landing_lane(state, who, -1) != NO_LANE or landing_lane(state, who, 1) != NO_LANE


@rule
def fly(race: Race, who: int, side: int) -> None:
    """Fly to the side over whatever lies between; nothing else happens."""
    driver = race.state.drivers[who]
    driver.lane = landing_lane(race.state, who, side)
    log_event(race.log, Event.FLEW, who, driver.row, driver.lane)
