"""Damage, shields, lying down, and charging batteries."""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, rule
from titan_env.games.tiny_turbo_cars.rules.state import BATTERIES, Cause, Event, Race, Terrain
from titan_env.games.tiny_turbo_cars.rules.track import begins_on


@rule
def may_be_damaged(state: Any, who: int) -> bool:
    """A lying car suffers no damage, nor does a car on a place of the starting grid."""
    return not state.drivers[who].lying and begins_on(state, who) != Terrain.START


@rule
def damage(race: Race, who: int, cause: int) -> None:
    """1 damage: a shield, if there is one, or else a battery."""
    if may_be_damaged(race.state, who):
        pay(race, who, cause)


@rule
def pay(race: Race, who: int, cause: int) -> None:
    """Discard a shield, which is compulsory, or else turn a battery face down."""
    driver = race.state.drivers[who]
    if driver.shields > 0:
        driver.shields -= 1
        log_event(race.log, Event.SHIELDED, who, driver.shields, cause)
    elif driver.batteries > 0:
        driver.batteries -= 1
        log_event(race.log, Event.LOST, who, driver.batteries, cause)
        if driver.batteries == 0 and not driver.lying:
            lie_down(race, who)


@rule
def lie_down(race: Race, who: int) -> None:
    """The last battery is down: the car lies down at once, wherever it is."""
    race.state.drivers[who].lying = 1
    log_event(race.log, Event.LAY_DOWN, who, 0, 0)


@rule
def penalty(race: Race, who: int) -> None:
    """Whoever holds the last token turns 1 battery face down; it is no damage, so nothing but a shield saves it."""
    if race.state.drivers[who].token == race.state.seats:
        pay(race, who, Cause.PENALTY)


@rule
def charge(race: Race, who: int, batteries: int) -> None:
    """Turn batteries face up, up to all three."""
    driver = race.state.drivers[who]
    up = min(driver.batteries + batteries, BATTERIES)
    if up != driver.batteries:
        driver.batteries = up
        log_event(race.log, Event.CHARGED, who, up, 0)


@rule
def recharge(race: Race, who: int, tile: int) -> None:
    """A lying car ignores its command and charges 1 battery; with all three it stands up."""
    driver = race.state.drivers[who]
    log_event(race.log, Event.IGNORED, who, tile, 0)
    charge(race, who, 1)
    if driver.batteries == BATTERIES:
        driver.lying = 0
        log_event(race.log, Event.STOOD_UP, who, 0, 0)
