"""What is legal: the mask of the seat that is asked, out of the `may_` functions of the rules."""

from __future__ import annotations

from typing import Any

from titan_env.contract import rule
from titan_env.games.titan_battle.rules import actions
from titan_env.games.titan_battle.rules.arrivals import may_reinforce_with, may_summon_one
from titan_env.games.titan_battle.rules.decision import aims
from titan_env.games.titan_battle.rules.fighters import living_hexes, occupied
from titan_env.games.titan_battle.rules.maneuver import destinations, may_go
from titan_env.games.titan_battle.rules.state import HEXES, KINDS, OUTSIDE, SLOTS, Ask, Character
from titan_env.games.titan_battle.rules.strikes import may_announce, may_carry
from titan_env.games.titan_battle.rules.turn import may_shoot, must_strike


@rule
def legal(state: Any, mask: Any) -> None:
    """Write the mask (159,) int8 of the seat that is asked: 1 for each legal action."""
    mask[:] = 0
    if state.ask != Ask.NOTHING:
        legal_in_battle(state.battle, mask)


@rule
def legal_in_battle(battle: Any, mask: Any) -> None:
    """Write 1 for each legal answer to a battle's question."""
    asked = battle.ask
    if asked == Ask.MANEUVER:
        _legal_maneuver(battle, mask)
    elif asked == Ask.GO:
        _mark(destinations(battle, battle.picked), actions.TO, mask)
    elif asked == Ask.STRIKE:
        _legal_strike(battle, mask)
    elif asked == Ask.TARGET:
        _mark(aims(battle, battle.picked), actions.HIT, mask)
    elif asked == Ask.HANDICAP:
        mask[actions.PLAIN] = 1
        for number in range(HEXES):
            mask[actions.CARRY + number] = may_announce(battle, number)
    elif asked == Ask.CARRY:
        mask[actions.PASS] = 1
        for number in range(HEXES):
            mask[actions.CARRY + number] = may_carry(battle, number)
    elif asked == Ask.REINFORCE:
        mask[actions.PASS] = 1
        for kind in range(KINDS):
            mask[actions.MUSTER + kind] = may_reinforce_with(battle, kind)
    elif asked == Ask.SUMMON:
        mask[actions.PASS] = 1
        for kind in (Character.ANGEL.value, Character.ARCHANGEL.value):
            mask[actions.PICK_KIND + kind] = may_summon_one(battle, kind)


@rule
def _mark(hexes: int, first: int, mask: Any) -> None:
    """The actions of a group, from its first one on, that name a hex of a set."""
    for number in range(HEXES):
        mask[first + number] = hexes >> number & 1


@rule
def _legal_maneuver(battle: Any, mask: Any) -> None:
    """Who is outside, by kind; who is on the map, by hex; and the end."""
    mask[actions.END] = 1
    free = ~occupied(battle)
    for who in range(battle.half * SLOTS, battle.half * SLOTS + SLOTS):
        if may_go(battle, who, free):
            fighter = battle.fighters[who]
            mask[actions.PICK_KIND + fighter.kind if fighter.hex == OUTSIDE else actions.PICK + fighter.hex] = 1


@rule
def _legal_strike(battle: Any, mask: Any) -> None:
    """Who must strike and who may rangestrike; the end only when nobody must strike."""
    must = False
    side = battle.asked
    enemies = living_hexes(battle, 1 - side)
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        if must_strike(battle, who, enemies):
            must = True
            mask[actions.PICK + battle.fighters[who].hex] = 1
        elif may_shoot(battle, who):
            mask[actions.PICK + battle.fighters[who].hex] = 1
    mask[actions.END] = not must
