"""The commands of a program, one after the other."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import log_event, rule
from titan_env.games.tiny_turbo_cars.rules.abilities import fire
from titan_env.games.tiny_turbo_cars.rules.boards import TILES
from titan_env.games.tiny_turbo_cars.rules.damage import charge, recharge
from titan_env.games.tiny_turbo_cars.rules.movement import go, leap, suffer, take_slip_token
from titan_env.games.tiny_turbo_cars.rules.state import BATTERIES, Car, Event, Race, Terrain, Tile
from titan_env.games.tiny_turbo_cars.rules.track import begins_on

VALUE = np.array([tile["value"] for tile in TILES], np.int64)
"""What is printed on each tile."""
TO_THE_SIDE = np.array([{"left": -1, "right": 1}.get(tile.name.lower().split("_")[0], 0) for tile in Tile], np.int64)
"""Lanes that a tile leads to the side with each row: -1 to blue, 1 to red."""
LEAST_LEAP = 2


@rule
def carry_out(race: Race, who: int, tile: int, waiting: int) -> int:
    """One command of a program; `waiting` is the modifier that it uses up, the result the one that waits now."""
    state = race.state
    if state.drivers[who].lying:
        recharge(race, who, tile)
        return 0
    if tile == Tile.PLUS:
        log_event(race.log, Event.COMMAND, who, tile, 0)
        return waiting + increase(state, who) + boost(state, who)
    if tile == Tile.MINUS:
        log_event(race.log, Event.COMMAND, who, tile, 0)
        return waiting - 1 + boost(state, who)
    if tile == Tile.BATTERY:
        battery(race, who, tile, waiting)
    elif tile < Tile.BATTERY:
        movement(race, who, tile, waiting)
    else:  # blank, or the hole: nothing happens
        log_event(race.log, Event.COMMAND, who, tile, 0)
    return 0


@rule
def increase(state: Any, who: int) -> int:
    """Increase adds 1 to the next command, Dame Liner's adds 2; so does a boost."""
    return 2 if state.drivers[who].car == Car.DAME_LINER else 1


@rule
def boost(state: Any, who: int) -> int:
    """Any command that begins on a boost is carried out as if it followed an Increase, be it Increase or Decrease."""
    return increase(state, who) if begins_on(state, who) == Terrain.BOOST else 0


@rule
def battery(race: Race, who: int, tile: int, waiting: int) -> None:
    """Charge 1 battery, Dogtor 2; with all three up he drives 2 straight ahead instead."""
    driver = race.state.drivers[who]
    is_dogtor = driver.car == Car.DOGTOR
    if is_dogtor and driver.batteries == BATTERIES:
        movement(race, who, tile, waiting)
        return
    batteries = max(0, (2 if is_dogtor else 1) + waiting + boost(race.state, who))
    log_event(race.log, Event.COMMAND, who, tile, batteries)
    charge(race, who, batteries)


@rule
def base(state: Any, who: int, tile: int) -> int:
    """The value before anything is added: strictly 1 on carpet and grass (Brick Gang 2), else what the tile says."""
    driver = state.drivers[who]
    if begins_on(state, who) == Terrain.CARPET:
        return 2 if driver.car == Car.BRICK_GANG else 1
    if tile == Tile.TURBO:
        return 4 if driver.car == Car.TURBOBOT else int(driver.batteries)
    if tile == Tile.BATTERY:  # Dogtor's drive
        return 2
    return int(VALUE[tile])


@rule
def sideways(state: Any, who: int, tile: int) -> int:
    """Lanes to the side with each row: a diagonal goes to the other side while the slip token is in force."""
    return int(-TO_THE_SIDE[tile] if state.drivers[who].slipping else TO_THE_SIDE[tile])


@rule
def slide_further(state: Any, who: int, tile: int) -> int:
    """Sonic Fish's diagonals have +1 while the slip token is in force."""
    driver = state.drivers[who]
    return int(driver.car == Car.SONIC_FISH and driver.slipping and TO_THE_SIDE[tile] != 0)


@rule
def movement(race: Race, who: int, tile: int, waiting: int) -> None:
    """A movement command: value, slip token, missile, the movement itself, and the damage that ends it."""
    state = race.state
    driver = state.drivers[who]
    if tile == Tile.BACK_1 and begins_on(state, who) == Terrain.START:
        log_event(race.log, Event.IGNORED, who, tile, 0)
        return
    value = max(0, base(state, who, tile) + waiting + boost(state, who) + slide_further(state, who, tile))
    lanes = sideways(state, who, tile)
    log_event(race.log, Event.COMMAND, who, tile, value)
    if begins_on(state, who) == Terrain.PUDDLE:
        take_slip_token(race, who)
    if tile == Tile.MISSILE:
        fire(race, who)
    if tile == Tile.JUMP and value >= LEAST_LEAP:
        ended = leap(race, who, value)
    else:
        ended = go(race, who, value, -1 if tile == Tile.BACK_1 else 1, lanes)
    suffer(race, who, ended, hurts(driver.car, tile, value))


@rule
def hurts(car: int, tile: int, value: int) -> int:
    """How often a movement's damage counts: twice in Turbobot's turbo, never when Grim Levingo drives 1 straight."""
    if car == Car.TURBOBOT and tile == Tile.TURBO:
        return 2
    if car == Car.GRIM_LEVINGO and value == 1 and TO_THE_SIDE[tile] == 0:
        return 0
    return 1
