"""A legion's moves with the roll: lands that it reaches, musters there, and what qualifies for them."""

from __future__ import annotations

from typing import Any

from titan_env.games.titan_battle.rules.characters import VALUE
from titan_env.games.titan_battle.rules.musters import ANYONE, IN_LADDER, SHOWN, may_muster, shows_enough
from titan_env.games.titan_battle.rules.state import KINDS, LEGION
from titan_env.games.titan_battle.rules.state import Land as Terrain
from titan_env.games.titan_battle.words.translation import character_name, land_name
from titan_env.games.titan_war.rules.lands import NOWHERE, TERRAIN
from titan_env.games.titan_war.rules.legions import has_enemy_at, held_in
from titan_env.games.titan_war.rules.movement import ENTRIES, can_teleport, walk, ways_of
from titan_env.games.titan_war.words.legions import names_of
from titan_env.games.titan_war.words.sentences import enemies_on
from titan_env.games.titan_war.words.translation import _, counted, number_of, player_name


def lands_on_foot(state: Any, marker: int) -> list[int]:
    """Return the lands where a normal move of a legion can end with the roll, in their order."""
    ends = {walk(state, marker, way) for way in range(ways_of(state, marker))} - {NOWHERE}
    return sorted({int(end) // ENTRIES for end in ends})


def musters_on(state: Any, marker: int, land: int) -> list[int]:
    """Return the kinds that a legion could muster on a land, the most valuable first; [] if it would meet an enemy."""
    legion = state.legions[marker]
    if legion.height >= LEGION or has_enemy_at(state, int(legion.owner), land):
        return []
    held, terrain, lean = int(held_in(legion)), int(TERRAIN[land]), int(state.lean)
    kinds = [kind for kind in range(KINDS) if IN_LADDER[lean, terrain, kind] and state.supply[kind] > 0]
    found = [kind for kind in kinds if may_muster(held, terrain, kind, lean)]
    return sorted(found, key=lambda kind: -int(VALUE[kind]))


def qualifying(state: Any, marker: int, kind: int) -> list[list[int]]:
    """Return the sets of kinds that a legion may show for a character where it stands; [] if it need show none."""
    legion = state.legions[marker]
    terrain, lean = int(TERRAIN[legion.land]), int(state.lean)
    if terrain == Terrain.TOWER and ANYONE[lean, kind]:
        return []
    held = int(held_in(legion))
    shown = [other for other in range(KINDS) if shows_enough(held, terrain, kind, other, lean)]
    return [[other] * int(SHOWN[lean, terrain, kind, other]) for other in shown]


def told_musters(state: Any, marker: int, land: int) -> str:
    """Return a legion's prospects on a land as a part of a sentence: the enemy there, or its musters; "" for none."""
    enemies = enemies_on(state, land, int(state.legions[marker].owner))
    if enemies:
        return _("meets {whom}", whom=player_name(enemies[0]))
    kinds = musters_on(state, marker, land)
    return _("can muster {kinds}", kinds=counted([character_name(kind) for kind in kinds])) if kinds else ""


def told_reach(state: Any, marker: int) -> list[str]:
    """Return a line for each land that a legion reaches with the roll, the best musters first."""
    lands = lands_on_foot(state, marker)
    best = {land: max((int(VALUE[kind]) for kind in musters_on(state, marker, land)), default=0) for land in lands}
    lines = []
    for land in sorted(lands, key=lambda land: -best[land]):
        there = f"→ {number_of(land)}, {land_name(TERRAIN[land])}"
        found = told_musters(state, marker, land)
        lines.append(_("{name}: {text}", name=there, text=found) if found else there)
    return lines + ([_("→ teleport")] if can_teleport(state, marker) else [])


def told_qualifying(state: Any, marker: int, kind: int) -> str:
    """Return the sets that qualify a legion for a character as a part of a sentence; "" where none is needed."""
    return _(" or ").join(names_of(shown) for shown in qualifying(state, marker, kind))
