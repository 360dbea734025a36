"""The features of a plan: the expert's opinion, its parts, the characters at risk, and everybody's place."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from titan_env.contract import inline_rule
from titan_env.games.titan_battle.agents.odds import GROUND
from titan_env.games.titan_battle.agents.position_value import (
    find_contacts,
    freeze_all,
    harm,
    nearest_enemy,
    outlook,
    set_out,
    shoot_all,
    strike_all,
    threaten,
)
from titan_env.games.titan_battle.rules.hexes import NEIGHBOURS, OFF_MAP, STEPS, has_hex
from titan_env.games.titan_battle.rules.lands import CONTACT, ENTRANCES, HAZARDS, LEVELS
from titan_env.games.titan_battle.rules.state import (
    DIRECTIONS,
    HEXES,
    LEGION,
    NOBODY,
    OUTSIDE,
    SLOTS,
    Character,
    Hazard,
)


class Feature(IntEnum):
    """The numbers, in order. Shares are of what a side is worth at this moment."""

    OPINION = 0  # of the expert
    GIVEN = 1  # points of harm in the coming strikes
    TAKEN = 2
    COUNTER = 3  # and in the enemy's half
    THREAT = 4
    GIVEN_SHARE = 5
    TAKEN_SHARE = 6
    COUNTER_SHARE = 7
    THREAT_SHARE = 8
    KILLS = 9  # characters that are likely to be slain in the coming strikes
    FALLS = 10
    LATER_KILLS = 11  # and by the end of the enemy's half
    LATER_FALLS = 12
    REGICIDE = 13  # the enemy titan, by then
    PERIL = 14  # the own titan, now
    LATER_PERIL = 15
    IN_CONTACT = 16
    ENEMIES_IN_CONTACT = 17
    SHOOTERS = 18  # that have a target
    APPROACH = 19  # steps to the nearest enemy, of all
    SHELTER = 20  # steps of the own titan to the nearest enemy
    OUTSIDE = 21  # a share
    SHUT_OUT = 22  # characters that find no free entry hex
    GROUND = 23  # good ground under all, a share
    HIGH = 24  # a share on level 1 or 2
    SUMMIT = 25  # a share on level 2
    ROUGH = 26  # a share on bramble, bog, sand or volcano
    FORWARD = 27  # steps from the own entry, of all
    HELD = 28  # steps to the enemy's entry, of all
    FRIENDS = 29  # pairs of neighbours
    STILL = 30  # characters that do not move in the plan


AFTERSTATE = tuple(part.name.lower() for part in Feature)
"""The names of the numbers, in order."""
OPINION_SCALE, POINTS, FEW, MANY = 20.0, 50.0, 3.0, 10.0
"""Points of the expert's opinion, points of harm, characters, and steps that stand for 1."""
_LEAST = 6.0  # points: nobody is worth less


class DecisionNetwork(NamedTuple):
    """The judge of one decision: what the situation does to its hidden units, and the weights of an afterstate."""

    situation_units: Any
    afterstate: Any
    hidden: Any
    direct: Any


class About(NamedTuple):
    """The inputs of judging plans: the expert's weights, the network, room for features and hidden units."""

    weights: Any
    network: Any
    told: Any
    units: Any
    wait: float


@inline_rule
def value(told: Any, network: Any, units: Any) -> Any:
    """Return the log odds of winning with an afterstate; `units` (H,) is room for the hidden units."""
    units[:] = network.situation_units
    total = np.float32(0)
    for place in range(len(told)):
        if told[place] != 0:
            total += told[place] * network.direct[place]
            for unit in range(len(units)):
                units[unit] += told[place] * network.afterstate[place, unit]
    for unit in range(len(units)):
        total += max(units[unit], np.float32(0)) * network.hidden[unit]
    return total


@inline_rule
def judged(battle: Any, side: int, room: Any, about: Any) -> float:
    """Return the value of a plan: the network's log odds of winning."""
    told = about.told
    tell_strikes(battle, side, room, about.weights, told)
    tell_places(battle, side, room, told)
    told[Feature.OPINION] = outlook(battle, side, room, about.weights) / OPINION_SCALE
    return float(value(told, about.network, about.units))


@inline_rule
def worth_left(battle: Any, side: int, room: Any) -> float:
    """Return the value of a side now: of each character the share of its power that is left."""
    worth = _LEAST
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        fighter = battle.fighters[who]
        if room.begin[who] <= OUTSIDE:
            worth += room.worth[who] * (fighter.power - fighter.hits) / max(1, fighter.power)
    return worth


@inline_rule
def likely_slain(battle: Any, side: int, room: Any) -> float:
    """Return the number of a side's characters that the expected hits are likely to slay."""
    count = 0.0
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        if room.hits[who] > 0:
            count += slain(battle, room, who)
    return count


@inline_rule
def slain(battle: Any, room: Any, who: int) -> float:
    """Return roughly the probability that the expected hits slay one fighter."""
    fighter = battle.fighters[who]
    done = min(1.0, room.hits[who] / max(1, fighter.power - fighter.hits))
    return float(done * done)


@inline_rule
def titan_of(battle: Any, side: int, room: Any) -> int:
    """Return the titan of a side, or NOBODY."""
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        if battle.fighters[who].kind == Character.TITAN and room.begin[who] <= OUTSIDE:
            return who
    return NOBODY


@inline_rule
def tell_strikes(battle: Any, side: int, room: Any, weights: Any, told: Any) -> None:
    """The coming strikes and those of the enemy's half, as the expert expects them."""
    set_out(room)
    room.hits[:] = 0
    room.busy[:] = 0
    room.alive[:] = 1
    room.shoots[:] = 0
    find_contacts(battle, side, room)
    freeze_all(battle, room)
    strike_all(battle, side, room)
    strike_all(battle, 1 - side, room)
    shoot_all(battle, side, room, weights.shot)
    own, enemy = worth_left(battle, side, room), worth_left(battle, 1 - side, room)
    mine, his = titan_of(battle, side, room), titan_of(battle, 1 - side, room)
    given, taken = harm(battle, 1 - side, room), harm(battle, side, room)
    told[Feature.GIVEN], told[Feature.TAKEN] = given / POINTS, taken / POINTS
    told[Feature.GIVEN_SHARE], told[Feature.TAKEN_SHARE] = given / enemy, taken / own
    told[Feature.KILLS] = likely_slain(battle, 1 - side, room) / FEW
    told[Feature.FALLS] = likely_slain(battle, side, room) / FEW
    told[Feature.PERIL] = slain(battle, room, mine) if mine != NOBODY else 0.0
    busy = others = shooters = 0
    for number in range(SLOTS):
        busy += room.busy[side * SLOTS + number]
        others += room.busy[(1 - side) * SLOTS + number]
        shooters += room.shoots[side * SLOTS + number]
    told[Feature.IN_CONTACT], told[Feature.ENEMIES_IN_CONTACT] = busy / FEW, others / FEW
    told[Feature.SHOOTERS] = shooters / FEW
    threaten(battle, side, room, weights)
    counter, threat = harm(battle, 1 - side, room) - given, harm(battle, side, room) - taken
    told[Feature.COUNTER], told[Feature.THREAT] = counter / POINTS, threat / POINTS
    told[Feature.COUNTER_SHARE], told[Feature.THREAT_SHARE] = counter / enemy, threat / own
    told[Feature.LATER_KILLS] = likely_slain(battle, 1 - side, room) / FEW
    told[Feature.LATER_FALLS] = likely_slain(battle, side, room) / FEW
    told[Feature.REGICIDE] = slain(battle, room, his) if his != NOBODY else 0.0
    told[Feature.LATER_PERIL] = slain(battle, room, mine) if mine != NOBODY else 0.0


@inline_rule
def tell_places(battle: Any, side: int, room: Any, told: Any) -> None:
    """Write the features of a side's places: ground, distances, neighbours, characters outside."""
    own = worth_left(battle, side, room)
    mine, his = ENTRANCES[side, battle.entry], ENTRANCES[1 - side, battle.entry]
    approach = outside = ground = high = summit = rough = forward = held = shelter = 0.0
    waiting = doors = friends = still = 0
    for number in range(HEXES):
        doors += mine >> number & 1 != 0 and room.there[number] == NOBODY
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        place, kind = room.at[who], battle.fighters[who].kind
        share = room.worth[who] / own
        if place == OUTSIDE:
            waiting += 1
            outside += share
        elif place < HEXES:
            still += place == room.begin[who]
            steps = nearest_enemy(battle, side, room, place)
            if kind == Character.TITAN:
                shelter = steps / MANY
            elif room.shoots[who] == 0:
                approach += max(0, steps - 1) / MANY
            hazard = HAZARDS[battle.land, place]
            ground += share * GROUND[battle.land, kind, place]
            high += share * (LEVELS[battle.land, place] >= 1)
            summit += share * (LEVELS[battle.land, place] >= 2)
            rough += share * (hazard != Hazard.PLAIN and hazard != Hazard.DRIFT)
            forward += steps_to(mine, place) / MANY
            held += steps_to(his, place) / MANY
            friends += neighbours_of(battle, side, room, place)
    told[Feature.APPROACH], told[Feature.SHELTER] = approach, shelter
    told[Feature.OUTSIDE], told[Feature.SHUT_OUT] = outside, max(0, waiting - doors) / FEW
    told[Feature.GROUND], told[Feature.HIGH], told[Feature.SUMMIT] = ground, high, summit
    told[Feature.ROUGH], told[Feature.FORWARD], told[Feature.HELD] = rough, forward, held
    told[Feature.FRIENDS], told[Feature.STILL] = friends / MANY, still / LEGION


@inline_rule
def steps_to(hexes: int, place: int) -> int:
    """Return the number of steps from a place to the nearest of some hexes."""
    nearest = HEXES
    for number in range(HEXES):
        if has_hex(hexes, number):
            nearest = min(nearest, STEPS[place, number])
    return int(nearest)


@inline_rule
def neighbours_of(battle: Any, side: int, room: Any, place: int) -> int:
    """Return the number of a side's characters next to a place, with no cliff between."""
    count = 0
    for direction in range(DIRECTIONS):
        other = NEIGHBOURS[place, direction]
        if other != OFF_MAP and has_hex(CONTACT[battle.land, place], other):
            whom = room.there[other]
            count += whom != NOBODY and whom // SLOTS == side
    return count
