"""The features of a plan: the expert's opinion, its parts, the characters at risk, and everybody's place."""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from titan_env.contract import inline_rule
from titan_env.games.titan_battle.agents.odds import GROUND
from titan_env.games.titan_battle.agents.position_value import (
    expect_strikes,
    harm,
    nearest_enemy,
    outlook,
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
    """The inputs of judging plans: the expert's weights, the network, arrays for features and hidden units."""

    weights: Any
    network: Any
    features: Any
    units: Any
    wait: float


@inline_rule
def value(features: Any, network: Any, units: Any) -> Any:
    """Return the log odds of winning with an afterstate; `units` (H,) holds the hidden units."""
    units[:] = network.situation_units
    total = np.float32(0)
    for number in range(len(features)):
        if features[number] != 0:
            total += features[number] * network.direct[number]
            for unit in range(len(units)):
                units[unit] += features[number] * network.afterstate[number, unit]
    for unit in range(len(units)):
        total += max(units[unit], np.float32(0)) * network.hidden[unit]
    return total


@inline_rule
def judged(battle: Any, side: int, scratch: Any, about: Any) -> float:
    """Return the value of a plan: the network's log odds of winning."""
    features = about.features
    write_strike_features(battle, side, scratch, about.weights, features)
    write_place_features(battle, side, scratch, features)
    features[Feature.OPINION] = outlook(battle, side, scratch, about.weights) / OPINION_SCALE
    return float(value(features, about.network, about.units))


@inline_rule
def worth_left(battle: Any, side: int, scratch: Any) -> float:
    """Return the value of a side now: of each character the share of its power that is left."""
    worth = _LEAST
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        fighter = battle.fighters[who]
        if scratch.begin[who] <= OUTSIDE:
            worth += scratch.worth[who] * (fighter.power - fighter.hits) / max(1, fighter.power)
    return worth


@inline_rule
def likely_slain(battle: Any, side: int, scratch: Any) -> float:
    """Return the number of a side's characters that the expected hits are likely to slay."""
    count = 0.0
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        if scratch.hits[who] > 0:
            count += slain(battle, scratch, who)
    return count


@inline_rule
def slain(battle: Any, scratch: Any, who: int) -> float:
    """Return roughly the probability that the expected hits slay one fighter."""
    fighter = battle.fighters[who]
    done = min(1.0, scratch.hits[who] / max(1, fighter.power - fighter.hits))
    return float(done * done)


@inline_rule
def titan_of(battle: Any, side: int, scratch: Any) -> int:
    """Return the titan of a side, or NOBODY."""
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        if battle.fighters[who].kind == Character.TITAN and scratch.begin[who] <= OUTSIDE:
            return who
    return NOBODY


@inline_rule
def write_strike_features(battle: Any, side: int, scratch: Any, weights: Any, features: Any) -> None:
    """Write the features of the coming strikes and those of the enemy's half, as the expert expects them."""
    expect_strikes(battle, side, scratch, weights)
    own, enemy = worth_left(battle, side, scratch), worth_left(battle, 1 - side, scratch)
    mine, his = titan_of(battle, side, scratch), titan_of(battle, 1 - side, scratch)
    given, taken = harm(battle, 1 - side, scratch), harm(battle, side, scratch)
    features[Feature.GIVEN], features[Feature.TAKEN] = given / POINTS, taken / POINTS
    features[Feature.GIVEN_SHARE], features[Feature.TAKEN_SHARE] = given / enemy, taken / own
    features[Feature.KILLS] = likely_slain(battle, 1 - side, scratch) / FEW
    features[Feature.FALLS] = likely_slain(battle, side, scratch) / FEW
    features[Feature.PERIL] = slain(battle, scratch, mine) if mine != NOBODY else 0.0
    count_contacts(side, scratch, features)
    threaten(battle, side, scratch, weights)
    counter, threat = harm(battle, 1 - side, scratch) - given, harm(battle, side, scratch) - taken
    features[Feature.COUNTER], features[Feature.THREAT] = counter / POINTS, threat / POINTS
    features[Feature.COUNTER_SHARE], features[Feature.THREAT_SHARE] = counter / enemy, threat / own
    features[Feature.LATER_KILLS] = likely_slain(battle, 1 - side, scratch) / FEW
    features[Feature.LATER_FALLS] = likely_slain(battle, side, scratch) / FEW
    features[Feature.REGICIDE] = slain(battle, scratch, his) if his != NOBODY else 0.0
    features[Feature.LATER_PERIL] = slain(battle, scratch, mine) if mine != NOBODY else 0.0


@inline_rule
def count_contacts(side: int, scratch: Any, features: Any) -> None:
    """Write how many of either side are in contact, and how many of a side rangestrike."""
    busy = others = shooters = 0
    for number in range(SLOTS):
        busy += scratch.busy[side * SLOTS + number]
        others += scratch.busy[(1 - side) * SLOTS + number]
        shooters += scratch.shoots[side * SLOTS + number]
    features[Feature.IN_CONTACT], features[Feature.ENEMIES_IN_CONTACT] = busy / FEW, others / FEW
    features[Feature.SHOOTERS] = shooters / FEW


@inline_rule
def write_place_features(battle: Any, side: int, scratch: Any, features: Any) -> None:
    """Write the features of a side's places: ground, distances, neighbours, characters outside."""
    own = worth_left(battle, side, scratch)
    write_outside_features(battle, side, scratch, own, features)
    write_ground_features(battle, side, scratch, own, features)
    write_distance_features(battle, side, scratch, features)


@inline_rule
def write_outside_features(battle: Any, side: int, scratch: Any, own: float, features: Any) -> None:
    """Write the share of a side's worth `own` that is still outside, and for how many no hex of its entry is free."""
    outside = 0.0
    waiting = doors = 0
    for number in range(HEXES):
        doors += ENTRANCES[side, battle.entry] >> number & 1 != 0 and scratch.there[number] == NOBODY
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        if scratch.at[who] == OUTSIDE:
            waiting += 1
            outside += scratch.worth[who] / own
    features[Feature.OUTSIDE], features[Feature.SHUT_OUT] = outside, max(0, waiting - doors) / FEW


@inline_rule
def write_ground_features(battle: Any, side: int, scratch: Any, own: float, features: Any) -> None:
    """Write the ground on which a side stands, by shares of its worth `own`: advantage, levels, hazards."""
    ground = high = summit = rough = 0.0
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        hexagon = scratch.at[who]
        if hexagon < HEXES:
            share, hazard = scratch.worth[who] / own, HAZARDS[battle.land, hexagon]
            ground += share * GROUND[battle.land, battle.fighters[who].kind, hexagon]
            high += share * (LEVELS[battle.land, hexagon] >= 1)
            summit += share * (LEVELS[battle.land, hexagon] >= 2)
            rough += share * (hazard != Hazard.PLAIN and hazard != Hazard.DRIFT)
    features[Feature.GROUND], features[Feature.HIGH], features[Feature.SUMMIT] = ground, high, summit
    features[Feature.ROUGH] = rough


@inline_rule
def write_distance_features(battle: Any, side: int, scratch: Any, features: Any) -> None:
    """Write a side's distances to the enemy and to both entries, its neighbours, and how many stay where they are."""
    mine, his = ENTRANCES[side, battle.entry], ENTRANCES[1 - side, battle.entry]
    approach = forward = held = shelter = 0.0
    friends = still = 0
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        hexagon = scratch.at[who]
        if hexagon < HEXES:
            still += hexagon == scratch.begin[who]
            steps = nearest_enemy(battle, side, scratch, hexagon)
            if battle.fighters[who].kind == Character.TITAN:
                shelter = steps / MANY
            elif scratch.shoots[who] == 0:
                approach += max(0, steps - 1) / MANY
            forward += steps_to(mine, hexagon) / MANY
            held += steps_to(his, hexagon) / MANY
            friends += neighbours_of(battle, side, scratch, hexagon)
    features[Feature.APPROACH], features[Feature.SHELTER] = approach, shelter
    features[Feature.FORWARD], features[Feature.HELD] = forward, held
    features[Feature.FRIENDS], features[Feature.STILL] = friends / MANY, still / LEGION


@inline_rule
def steps_to(hexes: int, hexagon: int) -> int:
    """Return the number of steps from a place to the nearest of some hexes."""
    nearest = HEXES
    for number in range(HEXES):
        if has_hex(hexes, number):
            nearest = min(nearest, STEPS[hexagon, number])
    return int(nearest)


@inline_rule
def neighbours_of(battle: Any, side: int, scratch: Any, hexagon: int) -> int:
    """Return the number of a side's characters next to a place, with no cliff between."""
    count = 0
    for direction in range(DIRECTIONS):
        other = NEIGHBOURS[hexagon, direction]
        if other != OFF_MAP and has_hex(CONTACT[battle.land, hexagon], other):
            whom = scratch.there[other]
            count += whom != NOBODY and whom // SLOTS == side
    return count
