"""The value of a position to the maneuvering side: strikes at hand, threats, ways, time; compiled.

Fighters stand where `scratch.at` says; the battle's record says the rest.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import inline_rule
from titan_env.games.titan_battle.agents.odds import (
    BACK,
    GROUND,
    HURT,
    KIND_OF_TARGET,
    MORE_DICE,
    MOST_DICE,
    MOST_LEFT,
    NUMBERS,
    REACH,
    REACH_IN,
)
from titan_env.games.titan_battle.rules.characters import IS_LORD, NATIVE, SHOOTS, SKILL
from titan_env.games.titan_battle.rules.hexes import NEIGHBOURS, OFF_MAP, STEPS, has_hex
from titan_env.games.titan_battle.rules.lands import CONTACT, ENTRANCES, HAZARDS
from titan_env.games.titan_battle.rules.sight import NOT_SEEN, brambles_between
from titan_env.games.titan_battle.rules.state import (
    DIRECTIONS,
    FIGHTERS,
    HEXES,
    NOBODY,
    OUTSIDE,
    ROUNDS,
    SLOTS,
    Character,
    Hazard,
    Side,
)
from titan_env.games.titan_battle.rules.strikes import strike_number

_NEAR, _FAR = 2, 3  # steps of rangestrikes
_ENTRIES = 3  # sides of the map on which an attacker can enter
_BACK = np.array(BACK)


@inline_rule
def expect_strikes(battle: Any, side: int, scratch: Any, weights: Any) -> None:
    """Write the hits that both sides' strikes, a side's rangestrikes and drift are expected to do after its plan."""
    set_out(scratch)
    scratch.hits[:] = 0
    scratch.busy[:] = 0
    scratch.alive[:] = 1
    scratch.shoots[:] = 0
    find_contacts(battle, side, scratch)
    freeze_all(battle, scratch)
    strike_all(battle, side, scratch)
    strike_all(battle, 1 - side, scratch)
    shoot_all(battle, side, scratch, weights.shot)


@inline_rule
def outlook(battle: Any, side: int, scratch: Any, weights: Any) -> float:
    """Return the plan's value to a side: harm done less harm taken, now and in the enemy's half."""
    expect_strikes(battle, side, scratch, weights)
    given, taken = harm(battle, 1 - side, scratch), harm(battle, side, scratch)
    late = (battle.rounds_begun - 1) / (ROUNDS - 1)
    if side == Side.ATTACKER:
        fear = weights.taken * (1 - weights.late * late)
        threat, counter = weights.threat * (1 - weights.late * late), weights.counter
    else:
        fear, threat = weights.taken_defending * (1 + weights.stall * late), weights.threat_defending
        counter = weights.counter_defending
    if scratch.bold:
        return float(given + positional_value(battle, side, scratch, weights))
    threaten(battle, side, scratch, weights)
    value = given - fear * taken
    value += counter * (harm(battle, 1 - side, scratch) - given) - threat * (harm(battle, side, scratch) - taken)
    return float(value + positional_value(battle, side, scratch, weights))


@inline_rule
def set_out(scratch: Any) -> None:
    """Note who stands on each hex."""
    scratch.there[:] = NOBODY
    for who in range(FIGHTERS):
        if scratch.at[who] < HEXES:
            scratch.there[scratch.at[who]] = who


@inline_rule
def held_by(scratch: Any, first: int, count: int) -> int:
    """Return the hexes on which so many fighters stand, from a first one on, as a set."""
    held = 0
    for who in range(first, first + count):
        if scratch.at[who] < HEXES:
            held |= 1 << scratch.at[who]
    return held


@inline_rule
def left_of(battle: Any, scratch: Any, who: int) -> float:
    """Return the power that a fighter has left after the hits that are expected."""
    fighter = battle.fighters[who]
    return float(max(0.0, fighter.power - fighter.hits - scratch.hits[who]))


@inline_rule
def harm(battle: Any, side: int, scratch: Any) -> float:
    """Return the value of the expected hits on a side: a share hit by hit, the rest by the chance to be slain."""
    value = 0.0
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        if scratch.hits[who] > 0:
            fighter = battle.fighters[who]
            left = fighter.power - fighter.hits
            done = min(1.0, scratch.hits[who] / max(1, left))
            share = (1 - scratch.slain) * done * left / fighter.power + scratch.slain * done * done
            value += scratch.worth[who] * share
    return value


@inline_rule
def expected(battle: Any, scratch: Any, who: int, whom: int, hexagon: int, direction: int) -> float:
    """Return the hits that one fighter, on a place, is expected to do to another one in a direction."""
    striker, land = battle.fighters[who], battle.land
    dice = min(MOST_DICE, max(0, striker.power + MORE_DICE[land, striker.kind, hexagon, direction]))
    number = NUMBERS[land, striker.kind, KIND_OF_TARGET[battle.fighters[whom].kind], hexagon, direction]
    left = min(MOST_LEFT, int(left_of(battle, scratch, whom) + 0.5))
    return float(HURT[dice, number, left])


@inline_rule
def find_contacts(battle: Any, side: int, scratch: Any) -> None:
    """Mark everybody who is in contact."""
    enemies = held_by(scratch, (1 - side) * SLOTS, SLOTS)
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        hexagon = scratch.at[who]
        if hexagon >= HEXES or CONTACT[battle.land, hexagon] & enemies == 0:
            continue
        scratch.busy[who] = 1
        for direction in range(DIRECTIONS):
            other = NEIGHBOURS[hexagon, direction]
            if other != OFF_MAP and has_hex(CONTACT[battle.land, hexagon] & enemies, other):
                scratch.busy[scratch.there[other]] = 1


@inline_rule
def freeze_all(battle: Any, scratch: Any) -> None:
    """Drift hits who is not at home in it."""
    for who in range(FIGHTERS):
        hexagon = scratch.at[who]
        if hexagon < HEXES and HAZARDS[battle.land, hexagon] == Hazard.DRIFT:
            scratch.hits[who] += not NATIVE[battle.fighters[who].kind, Hazard.DRIFT]


@inline_rule
def strike_all(battle: Any, side: int, scratch: Any) -> None:
    """Strike with each character of a side in contact where it is expected to do most harm."""
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        hexagon = scratch.at[who]
        if scratch.busy[who] == 0 or hexagon >= HEXES:
            continue
        near = CONTACT[battle.land, hexagon]
        target, most, done = NOBODY, 0.0, 0.0
        for direction in range(DIRECTIONS):
            other = NEIGHBOURS[hexagon, direction]
            if other == OFF_MAP or not has_hex(near, other):
                continue
            whom = scratch.there[other]
            if whom == NOBODY or whom // SLOTS == side:
                continue
            hits = expected(battle, scratch, who, whom, hexagon, direction)
            value = scratch.worth[whom] * hits / battle.fighters[whom].power
            if value > most:
                target, most, done = whom, value, hits
        if target != NOBODY:
            scratch.hits[target] += scratch.alive[who] * done


@inline_rule
def shoot_all(battle: Any, side: int, scratch: Any, share: float) -> None:
    """Rangestrike with each character of a side that can, at the most valuable target it sees."""
    held = held_by(scratch, 0, FIGHTERS)
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        hexagon = scratch.at[who]
        if hexagon >= HEXES or scratch.busy[who] or not SHOOTS[battle.fighters[who].kind]:
            continue
        target, most, done = NOBODY, 0.0, 0.0
        for whom in range((1 - side) * SLOTS, (1 - side) * SLOTS + SLOTS):
            if scratch.at[whom] < HEXES:
                hits = shot(battle, scratch, who, whom, held)
                value = scratch.worth[whom] * hits / battle.fighters[whom].power
                if value > most:
                    target, most, done = whom, value, hits
        if target != NOBODY:
            scratch.hits[target] += share * done
            scratch.shoots[who] = 1


@inline_rule
def shot(battle: Any, scratch: Any, who: int, whom: int, held: int) -> float:
    """Return the hits that a rangestrike is expected to do; brambles count as nothing."""
    striker, target = battle.fighters[who], battle.fighters[whom]
    steps = STEPS[scratch.at[who], scratch.at[whom]]
    skill, is_magic = SKILL[striker.kind], striker.kind == Character.WARLOCK
    if steps < _NEAR or steps > _FAR or steps >= skill:
        return 0.0
    if not is_magic:
        if IS_LORD[target.kind] or brambles_between(battle.land, scratch.at[who], scratch.at[whom], held) == NOT_SEEN:
            return 0.0
        skill -= steps == _FAR
    dice = striker.power // 2
    if HAZARDS[battle.land, scratch.at[who]] == Hazard.VOLCANO and NATIVE[striker.kind, Hazard.VOLCANO]:
        dice += 2
    left = min(MOST_LEFT, int(left_of(battle, scratch, whom) + 0.5))
    return float(HURT[min(MOST_DICE, dice), strike_number(skill, SKILL[target.kind]), left])


@inline_rule
def shot_after_move(battle: Any, scratch: Any, who: int, whom: int) -> float:
    """Return the hits of a rangestrike after a move that brings the striker near enough, if nothing is in the way."""
    striker, target = battle.fighters[who], battle.fighters[whom]
    skill = SKILL[striker.kind]
    if IS_LORD[target.kind] and striker.kind != Character.WARLOCK:
        return 0.0
    if STEPS[striker.hex, scratch.at[whom]] > skill + _NEAR:
        return 0.0
    left = min(MOST_LEFT, int(left_of(battle, scratch, whom) + 0.5))
    dice = min(MOST_DICE, striker.power // 2)
    return float(HURT[dice, strike_number(skill, SKILL[target.kind]), left])


@inline_rule
def threaten(battle: Any, side: int, scratch: Any, weights: Any) -> None:
    """Add the enemy's half: those in contact strike again, each free enemy attacks where it gains most."""
    for who in range(FIGHTERS):
        if scratch.hits[who] > 0:
            fighter = battle.fighters[who]
            done = min(1.0, scratch.hits[who] / max(1, fighter.power - fighter.hits))
            scratch.alive[who] = 1 - done * done
    freeze_all(battle, scratch)
    strike_all(battle, side, scratch)
    strike_all(battle, 1 - side, scratch)
    for who in range((1 - side) * SLOTS, (1 - side) * SLOTS + SLOTS):
        if battle.fighters[who].hex <= OUTSIDE and not scratch.busy[who]:
            attack_freely(battle, side, scratch, weights, who)


@inline_rule
def attack_freely(battle: Any, side: int, scratch: Any, weights: Any, who: int) -> None:
    """Rangestrike with a free enemy, or move it next to a target that strikes back, whichever it gains most by."""
    fighter = battle.fighters[who]
    hexes = hexes_in_reach(battle, side, fighter)
    target, most, done, back = NOBODY, 0.0, 0.0, 0.0
    for whom in range(side * SLOTS, side * SLOTS + SLOTS):
        hexagon = scratch.at[whom]
        if hexagon >= HEXES:
            continue
        if SHOOTS[fighter.kind] and fighter.hex != OUTSIDE:
            hits = weights.arrow * shot_after_move(battle, scratch, who, whom)
            hits *= shots_to_come(battle, side, whom, weights)
            value = scratch.worth[whom] * hits / battle.fighters[whom].power
            if value > most:
                target, most, done, back = whom, value, hits, 0.0
        near = CONTACT[battle.land, hexagon] & hexes
        value, hits, returned = best_assault(battle, scratch, weights, who, whom, near, most)
        if value > most:
            target, most, done, back = whom, value, hits, returned
    if target != NOBODY:
        scratch.hits[target] += scratch.alive[who] * done
        scratch.hits[who] += scratch.alive[target] * back


@inline_rule
def hexes_in_reach(battle: Any, side: int, fighter: Any) -> int:
    """Return the hexes that an enemy of a side reaches in its maneuver if nobody is in the way, as a set."""
    if fighter.hex == OUTSIDE:
        return int(REACH_IN[battle.land, fighter.kind, (1 - side) * _ENTRIES + battle.entry])
    return int(REACH[battle.land, fighter.kind, fighter.hex] | 1 << fighter.hex)


@inline_rule
def best_assault(
    battle: Any, scratch: Any, weights: Any, who: int, whom: int, near: int, most: float
) -> tuple[float, float, float]:
    """Return the worth, hits and hits taken of the best strike at a target from one of the hexes `near` it.

    Only what is worth more than `most` counts: the worth is `most` where nothing is.
    """
    best, done, back = most, 0.0, 0.0
    hexagon = scratch.at[whom]
    for direction in range(DIRECTIONS):
        other = NEIGHBOURS[hexagon, direction]
        if other == OFF_MAP or not has_hex(near, other):
            continue
        if scratch.there[other] != NOBODY and scratch.there[other] != who:
            continue
        hits = expected(battle, scratch, who, whom, other, _BACK[direction])
        value = scratch.worth[whom] * hits / battle.fighters[whom].power
        if value <= best:
            continue
        returned = expected(battle, scratch, whom, who, hexagon, direction)
        value -= weights.caution * scratch.worth[who] * returned / battle.fighters[who].power
        if value > best:
            best, done, back = value, hits, returned
    return best, done, back


@inline_rule
def shots_to_come(battle: Any, side: int, whom: int, weights: Any) -> float:
    """Return the number of expected rangestrikes: more against a defender who cannot answer them."""
    if side == Side.ATTACKER or SHOOTS[battle.fighters[whom].kind]:
        return 1.0
    return float(1.0 + weights.siege * (ROUNDS - battle.rounds_begun))


@inline_rule
def positional_value(battle: Any, side: int, scratch: Any, weights: Any) -> float:
    """Return the positional term: distance to the enemy, units off the map, free entry hexes, titan safety."""
    value = 0.0
    outside = doors = 0
    ground = weights.ground if side == Side.ATTACKER else weights.ground_defending
    door = ENTRANCES[side, battle.entry]
    approach = weights.approach if side == Side.ATTACKER else weights.approach_defending
    if side == Side.ATTACKER:
        approach += weights.hurry * (battle.rounds_begun - 1)
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        hexagon, kind = scratch.at[who], battle.fighters[who].kind
        if hexagon == OUTSIDE:
            outside += 1
            value -= weights.outside * scratch.worth[who]
        elif hexagon < HEXES:
            value += ground * scratch.worth[who] * GROUND[battle.land, kind, hexagon]
            steps = 1 if scratch.shoots[who] else nearest_enemy(battle, side, scratch, hexagon)
            if kind == Character.TITAN:
                value += weights.shelter * min(steps, 4)
            else:
                value -= approach * max(0, steps - 1)
    if outside > 0:
        for number in range(HEXES):
            doors += door >> number & 1 != 0 and scratch.there[number] == NOBODY
    return value - weights.door * max(0, outside - doors)


@inline_rule
def nearest_enemy(battle: Any, side: int, scratch: Any, hexagon: int) -> int:
    """Return the number of steps to the nearest enemy; to their entry while they are all outside."""
    nearest = HEXES
    for whom in range((1 - side) * SLOTS, (1 - side) * SLOTS + SLOTS):
        if scratch.at[whom] < HEXES:
            nearest = min(nearest, STEPS[hexagon, scratch.at[whom]])
    if nearest == HEXES:
        entrance = ENTRANCES[1 - side, battle.entry]
        for number in range(HEXES):
            if has_hex(entrance, number):
                nearest = min(nearest, STEPS[hexagon, number])
    return int(nearest)
