"""The possible musters of a legion, computed by agents; compiled."""

from __future__ import annotations

from typing import Any

from titan_env.contract import inline_rule
from titan_env.games.titan_battle.rules.characters import IS_CREATURE, VALUE
from titan_env.games.titan_battle.rules.musters import GUARDIAN_NEEDS, LADDERS, LONGEST, NEEDS, NO_KIND, TOWER_KINDS
from titan_env.games.titan_battle.rules.state import KINDS, Character, Land

NOBODY = -1
FULL_GAME = 0
"""Ladders of the lean game are not seen by this agent: it takes those of the full one for granted."""


@inline_rule
def best_muster(counts: Any, supply: Any, terrain: int) -> int:
    """Return the most valuable character that such a legion musters in a terrain, out of a supply; NOBODY if none."""
    if terrain == Land.TOWER:
        return best_in_tower(counts, supply)
    greatest = NOBODY
    for rung in range(LONGEST):
        kind = LADDERS[FULL_GAME, terrain, rung]
        if kind == NO_KIND:
            break
        if rung > 0 and counts[LADDERS[FULL_GAME, terrain, rung - 1]] >= NEEDS[FULL_GAME, terrain, rung]:
            greatest = rung
        if counts[kind] > 0:
            greatest = rung
    for rung in range(greatest, -1, -1):
        if supply[LADDERS[FULL_GAME, terrain, rung]] > 0:
            return int(LADDERS[FULL_GAME, terrain, rung])
    return NOBODY


@inline_rule
def best_in_tower(counts: Any, supply: Any) -> int:
    """Return the most valuable character that such a legion musters in a tower."""
    if supply[Character.GUARDIAN] > 0:
        if counts[Character.GUARDIAN] > 0:
            return Character.GUARDIAN.value
        for kind in range(KINDS):
            if IS_CREATURE[kind] and counts[kind] >= GUARDIAN_NEEDS:
                return Character.GUARDIAN.value
    if supply[Character.WARLOCK] > 0 and counts[Character.TITAN] + counts[Character.WARLOCK] > 0:
        return Character.WARLOCK.value
    best = NOBODY
    for kind in TOWER_KINDS:
        if supply[kind] > 0 and (best == NOBODY or counts[kind] > counts[best]):
            best = kind
    return best


@inline_rule
def worth_of_muster(counts: Any, supply: Any, terrain: int) -> float:
    """Return the value of the best muster there."""
    kind = best_muster(counts, supply, terrain)
    return 0.0 if kind == NOBODY else float(VALUE[kind])
