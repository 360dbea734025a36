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
GAMES = 2  # the full game, and the lean one

LADDERS = np.full((GAMES, LANDS, LONGEST), NO_KIND, np.int64)
"""The characters of each terrain's ladder from the least to the greatest, by full and lean game, (2, 11, 4)."""
NEEDS = np.zeros((GAMES, LANDS, LONGEST), np.int64)
"""How many of the kind just below let a legion muster each, (2, 11, 4)."""
IN_LADDER = np.zeros((GAMES, LANDS, KINDS), bool)
"""Whether a terrain musters a character at all, (2, 11, 24)."""
ENTRIES = table("musters.toml", LAND_NAMES)
TOWER_KINDS = tuple(CHARACTERS.index(name) for name in ENTRIES["tower"]["anyone"])
"""Who joins any legion in a tower, and whom players start with."""
LEAN_KINDS = (Character.LION, Character.TROLL, Character.CYCLOPS)
"""Who takes their places in a lean game, which goes without them."""
ANYONE = np.array([np.isin(np.arange(KINDS), kinds) for kinds in (TOWER_KINDS, LEAN_KINDS)])
"""Whether a character joins any legion in a tower, by full and lean game, (2, 24)."""


def _read_ladder(land: int, entry: dict[str, Any]) -> None:
    """Take the ladder of a terrain over. Raises ValueError for one that cannot be climbed."""
    ladder, needs, where = entry["ladder"], entry["needs"], f"musters.toml, {LAND_NAMES[land]}"
    if not set(ladder) <= set(CHARACTERS) or not 1 < len(ladder) <= LONGEST:
        raise ValueError(f"{where}: expected a ladder of 2 to {LONGEST} characters, got {ladder}")
    if len(needs) != len(ladder) or needs[0] != 0 or any(not 1 <= need <= 3 for need in needs[1:]):
        raise ValueError(f"{where}: expected needs for each character, 0 for the first, then 1 to 3, got {needs}")
    steps = [(CHARACTERS.index(name), need) for name, need in zip(ladder, needs, strict=True)]
    for game in range(GAMES):
        kept = [(kind, need) for kind, need in steps if game == 0 or kind not in TOWER_KINDS]
        LADDERS[game, land, : len(kept)] = [kind for kind, _ in kept]
        NEEDS[game, land, : len(kept)] = [need for _, need in kept]
        IN_LADDER[game, land, [kind for kind, _ in kept]] = True


for _land in range(LANDS):
    if _land == Land.TOWER:
        IN_LADDER[:, _land, [Character.GUARDIAN, Character.WARLOCK]] = True
        IN_LADDER[:, _land] |= ANYONE
    else:
        _read_ladder(_land, ENTRIES[LAND_NAMES[_land]])


def needs_shown(land: int, kind: int, shown: int, lean: int) -> int:
    """How many of a kind are shown to muster another one in a terrain; 0: that kind does not qualify for it.

    One of the same kind, or of any greater kind of the ladder, or the stated number of the kind just below it.
    """
    if land == Land.TOWER:
        return demilord_needs(kind, shown)
    needed = 0
    for step in range(LONGEST):
        if LADDERS[lean, land, step] == kind:
            needed = 1
        elif step + 1 < LONGEST and LADDERS[lean, land, step + 1] == kind and LADDERS[lean, land, step] == shown:
            return int(NEEDS[lean, land, step + 1])
        if LADDERS[lean, land, step] == shown:
            return needed
    return 0


def demilord_needs(kind: int, shown: int) -> int:
    """In a tower three identical creatures, or a guardian, call a guardian; the titan, or a warlock, a warlock."""
    if kind == Character.GUARDIAN and IS_CREATURE[shown]:
        return GUARDIAN_NEEDS
    if kind == Character.WARLOCK and shown == Character.TITAN:
        return 1
    return int(kind == shown and (kind == Character.GUARDIAN or kind == Character.WARLOCK))


SHOWN = np.array(
    [
        [[[needs_shown(land, kind, shown, lean) for shown in range(KINDS)] for kind in range(KINDS)] for land in Land]
        for lean in range(GAMES)
    ],
    np.int8,
)
"""How many of a kind are shown to muster another, by game, terrain, wanted and shown kind, (2, 11, 24, 24)."""


# What a legion has, as one number: two bits for each kind, which count up to three, and no more is ever needed

COUNT_BITS = 2
MOST_COUNTED = 3


@rule
def count_of(held: int, kind: int) -> int:
    """How many of a kind there are in such a number, up to three."""
    return held >> COUNT_BITS * kind & MOST_COUNTED


@rule
def with_one(held: int, kind: int) -> int:
    """Such a number with one more of a kind."""
    return held + (1 << COUNT_BITS * kind) if count_of(held, kind) < MOST_COUNTED else held


@rule
def held_by(battle: Any, side: int) -> int:
    """What the living of a legion are, as one number."""
    held = 0
    for who in range(side * SLOTS, side * SLOTS + SLOTS):
        fighter = battle.fighters[who]
        if fighter.hex <= OUTSIDE:
            held = with_one(held, int(fighter.kind))
    return held


@rule
def left_in_box(battle: Any, kind: int, box: int) -> int:
    """How many characters of a kind the box still has, beside those of the two legions."""
    for who in range(FIGHTERS):
        fighter = battle.fighters[who]
        box -= fighter.kind == kind and fighter.hex <= OUTSIDE
    return box


@rule
def may_muster(held: int, land: int, kind: int, lean: int) -> bool:
    """Whether a legion qualifies for a character in a terrain."""
    if not IN_LADDER[lean, land, kind]:
        return False
    if ANYONE[lean, kind] and land == Land.TOWER:
        return True
    for shown in range(KINDS):
        if shows_enough(held, land, kind, shown, lean):
            return True
    return False


@rule
def shows_enough(held: int, land: int, kind: int, shown: int, lean: int) -> bool:
    """Whether a legion has enough of one kind to muster another in a terrain by showing it."""
    needed = SHOWN[lean, land, kind, shown]
    return needed > 0 and count_of(held, shown) >= needed
