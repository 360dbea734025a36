"""Mustering: what a legion qualifies for in a terrain, by the ladders of `musters.toml`."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import rule
from titan_env.games.titan_battle.rules.characters import CHARACTERS, IS_CREATURE, table
from titan_env.games.titan_battle.rules.lands import LAND_NAMES
from titan_env.games.titan_battle.rules.state import FIGHTERS, KINDS, LANDS, OUTSIDE, SLOTS, Character, Land

LONGEST = 4  # ladder
NO_KIND = -1  # above the top of a shorter ladder
GUARDIAN_NEEDS = 3  # creatures of one kind

LADDERS = np.full((LANDS, LONGEST), NO_KIND, np.int64)
"""The characters of each terrain's ladder from the least to the greatest, (11, 4)."""
NEEDS = np.zeros((LANDS, LONGEST), np.int64)
"""How many of the kind just below let a legion muster each, (11, 4)."""
IN_LADDER = np.zeros((LANDS, KINDS), bool)
"""Whether a terrain musters a character at all, (11, 24)."""
ENTRIES = table("musters.toml", LAND_NAMES)
TOWER_KINDS = tuple(CHARACTERS.index(name) for name in ENTRIES["tower"]["anyone"])
"""Who joins any legion in a tower."""
ANYONE = np.isin(np.arange(KINDS), TOWER_KINDS)


def _read_ladder(land: int, entry: dict[str, Any]) -> None:
    """Take the ladder of a terrain over. Raises ValueError for one that cannot be climbed."""
    ladder, needs, where = entry["ladder"], entry["needs"], f"musters.toml, {LAND_NAMES[land]}"
    if not set(ladder) <= set(CHARACTERS) or not 1 < len(ladder) <= LONGEST:
        raise ValueError(f"{where}: expected a ladder of 2 to {LONGEST} characters, got {ladder}")
    if len(needs) != len(ladder) or needs[0] != 0 or any(not 1 <= need <= 3 for need in needs[1:]):
        raise ValueError(f"{where}: expected needs for each character, 0 for the first, then 1 to 3, got {needs}")
    LADDERS[land, : len(ladder)] = [CHARACTERS.index(name) for name in ladder]
    NEEDS[land, : len(ladder)] = needs


for _land in range(LANDS):
    if _land == Land.TOWER:
        IN_LADDER[_land, [*TOWER_KINDS, Character.GUARDIAN, Character.WARLOCK]] = True
    else:
        _read_ladder(_land, ENTRIES[LAND_NAMES[_land]])
        IN_LADDER[_land, LADDERS[_land][LADDERS[_land] >= 0]] = True


@rule
def count_of(battle: Any, side: int, kind: int) -> int:
    """How many living characters of a kind a legion has."""
    count = 0
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        fighter = battle.fighters[who]
        count += fighter.kind == kind and fighter.hex <= OUTSIDE
    return count


@rule
def left_in_box(battle: Any, kind: int, box: int) -> int:
    """How many characters of a kind the box still has, beside those of the two legions."""
    for who in range(FIGHTERS):
        fighter = battle.fighters[who]
        box -= fighter.kind == kind and fighter.hex <= OUTSIDE
    return box


@rule
def may_muster(battle: Any, side: int, land: int, kind: int) -> bool:
    """Whether a legion qualifies for a character in a terrain: by living members only."""
    if not IN_LADDER[land, kind]:
        return False
    if land == Land.TOWER:
        return ANYONE[kind] or may_muster_demilord(battle, side, kind)
    place = 0
    while LADDERS[land, place] != kind:
        place += 1
    if place > 0 and count_of(battle, side, LADDERS[land, place - 1]) >= NEEDS[land, place]:
        return True
    for greater in range(place, LONGEST):
        if LADDERS[land, greater] != NO_KIND and count_of(battle, side, LADDERS[land, greater]) > 0:
            return True
    return False


@rule
def may_muster_demilord(battle: Any, side: int, kind: int) -> bool:
    """In a tower three identical creatures, or a guardian, call a guardian; the titan, or a warlock, a warlock."""
    if count_of(battle, side, kind) > 0:
        return True
    if kind == Character.WARLOCK:
        return count_of(battle, side, Character.TITAN) > 0
    for creature in range(KINDS):
        if IS_CREATURE[creature] and count_of(battle, side, creature) >= GUARDIAN_NEEDS:
            return True
    return False
