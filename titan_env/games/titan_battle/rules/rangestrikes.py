"""Rangestrikes: at range 3 or 4, in the own strike phase, with half the power."""

from __future__ import annotations

from typing import Any

from titan_env.contract import rule
from titan_env.games.titan_battle.rules.characters import IS_LORD, NATIVE, SHOOTS, SKILL
from titan_env.games.titan_battle.rules.fighters import (
    enemies_around,
    fighter_at,
    hexes_of,
    is_on_map,
    living_hexes,
    occupied,
    side_of,
)
from titan_env.games.titan_battle.rules.hexes import RING, STEPS, has_hex
from titan_env.games.titan_battle.rules.lands import CLIMB, HAZARDS
from titan_env.games.titan_battle.rules.sight import NOT_SEEN, brambles_between
from titan_env.games.titan_battle.rules.state import HEXES, Character, Hazard, Phase
from titan_env.games.titan_battle.rules.strikes import VOLCANO_DICE, hides, strike_number

NEAR, FAR = 2, 3  # steps at range 3 and range 4, which count both ends


@rule
def can_shoot(battle: Any, who: int) -> bool:
    """Only in the own half, with a range, without having struck, and with no enemy in contact, living or slain."""
    fighter = battle.fighters[who]
    if battle.phase != Phase.STRIKE or not SHOOTS[fighter.kind] or fighter.struck or not is_on_map(battle, who):
        return False
    return enemies_around(battle, who, hexes_of(battle, 1 - side_of(who))) == 0


@rule
def may_shoot_at(battle: Any, who: int, number: int, held: int) -> bool:
    """Lords cannot be targets, and there must be a line of sight; a warlock needs none, and aims at lords too.

    `held`: the set of hexes that hold a character.
    """
    striker = battle.fighters[who]
    if striker.kind == Character.WARLOCK:
        return True
    if IS_LORD[battle.fighters[fighter_at(battle, number)].kind]:
        return False
    return brambles_between(battle.land, striker.hex, number, held) != NOT_SEEN


@rule
def in_range(battle: Any, who: int) -> int:
    """Range 3 or 4, not above the striker's skill; a warlock's also 2, where a cliff keeps it from striking."""
    fighter = battle.fighters[who]
    hexes = RING[fighter.hex, NEAR]
    if SKILL[fighter.kind] > FAR:
        hexes |= RING[fighter.hex, FAR]
    if fighter.kind == Character.WARLOCK:
        hexes |= RING[fighter.hex, 1]
    return hexes


@rule
def targets(battle: Any, who: int) -> int:
    """The living enemies that a fighter may rangestrike, as a set of hexes."""
    aims = in_range(battle, who) & living_hexes(battle, 1 - side_of(who))
    if aims == 0:
        return 0
    held = occupied(battle)
    seen = 0
    for number in range(HEXES):
        if has_hex(aims, number) and may_shoot_at(battle, who, number, held):
            seen |= 1 << number
    return seen


@rule
def shot_dice(battle: Any, who: int) -> int:
    """Half the power, rounded down; two more for a dragon on a volcano."""
    striker = battle.fighters[who]
    dice = int(striker.power) // 2
    if HAZARDS[battle.land, striker.hex] == Hazard.VOLCANO and NATIVE[striker.kind, Hazard.VOLCANO]:
        dice += VOLCANO_DICE
    return dice


@rule
def number_of_shot(battle: Any, who: int, whom: int) -> int:
    """The strike number of a rangestrike; nothing changes a warlock's.

    Skill: less 1 at range 4, for each bramble between, for each level that a target on a walled hex stands higher.
    The number: 1 more for a target at home in its bramble, and on a volcano.
    """
    striker, target = battle.fighters[who], battle.fighters[whom]
    land, here, there = battle.land, striker.hex, target.hex
    skill, other = int(SKILL[striker.kind]), int(SKILL[target.kind])
    if striker.kind == Character.WARLOCK:
        return strike_number(skill, other)
    skill -= STEPS[here, there] == FAR
    if not NATIVE[striker.kind, Hazard.BRAMBLE]:
        skill -= brambles_between(land, here, there, occupied(battle))
        other += hides(land, target)
    skill -= CLIMB[land, here, there]
    other += HAZARDS[land, there] == Hazard.VOLCANO
    return strike_number(skill, other)


@rule
def shoot_at(battle: Any, whom: int) -> None:
    """One target; nothing carries over."""
    battle.target = whom
    battle.dice = shot_dice(battle, battle.picked)
    battle.number = number_of_shot(battle, battle.picked, whom)
