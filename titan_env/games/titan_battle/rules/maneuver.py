"""Maneuvers: who may move or come on, and where to. Only the destination is chosen; if any path is legal, the move is.

A battle knows sides and no seats: every rule here works on its record, on chance and the log alone.
"""

from __future__ import annotations

from typing import Any

from titan_env.contract import log_event, rule
from titan_env.games.titan_battle.rules.characters import FLIES, SKILL
from titan_env.games.titan_battle.rules.fighters import enemies_around, hexes_of, is_on_map, occupied, side_of, spot
from titan_env.games.titan_battle.rules.lands import DEPLOYMENT, ENTRANCES
from titan_env.games.titan_battle.rules.state import (
    ARRIVAL_SLOT,
    EMPTY,
    GONE,
    HEXES,
    NOBODY,
    OUTSIDE,
    SLOTS,
    Event,
    Land,
    Phase,
    Side,
)
from titan_env.games.titan_battle.rules.ways import FIRST_QUICK, FIRST_SLOW, FLIGHTS, FLIGHTS_IN, QUICK, SLOW


@rule
def begin_maneuvers(battle: Any) -> None:
    """The phase starts: one's legion may be conceded, and is held by the enemies that it is in contact with."""
    battle.phase = Phase.MANEUVER
    battle.may_concede = battle.concessions
    lock_in_contact(battle)


@rule
def lock_in_contact(battle: Any) -> None:
    """Who is in contact with an enemy when the phase starts, and so has not moved in it, may not move."""
    enemies = hexes_of(battle, 1 - battle.half)
    for who in range(battle.half * SLOTS, battle.half * SLOTS + SLOTS):
        if is_on_map(battle, who) and battle.fighters[who].moved == 0 and enemies_around(battle, who, enemies) != 0:
            battle.fighters[who].locked = 1


@rule
def is_deployment(battle: Any) -> bool:
    """In a tower the defender's first half is his deployment."""
    return battle.land == Land.TOWER and battle.rounds_begun == 1 and battle.half == Side.DEFENDER


@rule
def walk(land: int, kind: int, first: int, later: int, free: int) -> int:
    """Where a walk leads that enters one of the hexes `first` at a cost of 1, or one of `later` at a cost of 2.

    Each entered hex costs 1, or 2 where it slows him, and the sum may be at most his skill. He may not enter a hex
    with another character.
    """
    reached = 0
    budget = SKILL[kind]
    for spent in range(budget):
        first &= free & ~reached
        reached |= first
        if spent + 1 < budget:
            quick, slow = later, 0
            for number in range(HEXES):
                if first >> number & 1:
                    quick |= QUICK[land, kind, number]
                    slow |= SLOW[land, kind, number]
            first, later = quick, slow
    return reached


@rule
def destinations(battle: Any, who: int) -> int:
    """Where a fighter may go in this phase, as a set of hexes."""
    fighter = battle.fighters[who]
    land, kind, number = battle.land, fighter.kind, fighter.hex
    free = ~occupied(battle)
    if number == OUTSIDE:
        return entries(battle, who, free)
    if FLIES[kind]:
        return FLIGHTS[land, kind, number] & free
    return walk(land, kind, QUICK[land, kind, number], SLOW[land, kind, number], free)


@rule
def entries(battle: Any, who: int, free: int) -> int:
    """Where a fighter may come on: the first hex counts against its skill, and no border is crossed there."""
    side = side_of(who)
    land, kind = battle.land, battle.fighters[who].kind
    if is_deployment(battle):
        return DEPLOYMENT & free
    if FLIES[kind]:
        return FLIGHTS_IN[land, kind, side, battle.entry] & free
    first = ENTRANCES[side, battle.entry]
    return walk(land, kind, first & FIRST_QUICK[land, kind], first & FIRST_SLOW[land, kind], free)


@rule
def may_go(battle: Any, who: int, free: int) -> bool:
    """Each character moves at most once in a phase, if it was not in contact when the phase began, and can at all."""
    fighter = battle.fighters[who]
    if fighter.hex > OUTSIDE or fighter.moved or fighter.locked:
        return False
    land, kind, number = battle.land, fighter.kind, fighter.hex
    if number == OUTSIDE:
        if is_deployment(battle) or FLIES[kind]:
            return entries(battle, who, free) != 0
        first = ENTRANCES[side_of(who), battle.entry]
        return (FIRST_QUICK[land, kind] | FIRST_SLOW[land, kind]) & first & free != 0
    if FLIES[kind]:
        return FLIGHTS[land, kind, number] & free != 0
    return (QUICK[land, kind, number] | SLOW[land, kind, number]) & free != 0


@rule
def may_anybody_go(battle: Any) -> bool:
    """When nobody can move or enter any more, the phase ends by itself."""
    free = ~occupied(battle)
    for who in range(battle.half * SLOTS, battle.half * SLOTS + SLOTS):
        if may_go(battle, who, free):
            return True
    return False


@rule
def outsider(battle: Any, kind: int) -> int:
    """The first of the own characters of a kind that are still outside, or NOBODY."""
    for who in range(battle.half * SLOTS, battle.half * SLOTS + SLOTS):
        fighter = battle.fighters[who]
        if fighter.kind == kind and fighter.hex == OUTSIDE:
            return who
    return NOBODY


@rule
def go(battle: Any, log: Any, number: int) -> None:
    """The picked character moves, comes on or is deployed."""
    who = battle.picked
    fighter = battle.fighters[who]
    if fighter.hex == OUTSIDE:
        log_event(log, Event.ENTERED, side_of(who), fighter.kind, number)
    else:
        log_event(log, Event.WENT, side_of(who), spot(fighter), number)
    fighter.hex = number
    fighter.moved = 1
    battle.picked = NOBODY
    battle.may_concede = 0


@rule
def end_maneuvers(battle: Any, log: Any) -> bool:
    """Who is still outside is eliminated, but an arrival goes back where it came from; whether anybody was lost."""
    lost = False
    battle.may_concede = 0
    for who in range(battle.half * SLOTS, battle.half * SLOTS + SLOTS):
        fighter = battle.fighters[who]
        fighter.moved = fighter.locked = 0
        if fighter.hex != OUTSIDE:
            continue
        if who % SLOTS == ARRIVAL_SLOT:
            log_event(log, Event.RETURNED, side_of(who), fighter.kind, 0)
            fighter.kind = fighter.power = 0
            fighter.hex = EMPTY
        else:
            log_event(log, Event.LEFT_OUTSIDE, side_of(who), fighter.kind, 0)
            fighter.hex = GONE
            lost = True
    return lost
