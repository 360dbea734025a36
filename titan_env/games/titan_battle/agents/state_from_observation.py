"""The battle before each seat, laid anew from what the seat sees; only the supply is not seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import COMPILED, inline_rule, rule
from titan_env.games.titan_battle.rules.characters import POWER
from titan_env.games.titan_battle.rules.fighters import fighter_at
from titan_env.games.titan_battle.rules.lands import ENTRANCES
from titan_env.games.titan_battle.rules.observation import BEGIN, DICE_SCALE, FIELDS, LEFT_SCALE, MARKS, WINDOWS
from titan_env.games.titan_battle.rules.state import (
    BATTLE,
    EMPTY,
    FIGHTERS,
    HEXES,
    KINDS,
    LANDS,
    LEGION,
    NOBODY,
    OUTSIDE,
    ROUNDS,
    SLOTS,
    Ask,
    Character,
    Phase,
)
from titan_env.play.score_rules import index_in, whole

Array = NDArray[np.float32]

_AT = {name: span.start - BEGIN for name, span in FIELDS.slices.items()}
_ROLE, _ROUND, _TERRAIN, _GROUND, _KIND = (_AT[name] for name in ("role", "round", "terrain", "hexes", "fighter_kind"))
_MARKS, _HITS, _OUTSIDE, _RUNNING = (_AT[name] for name in ("fighter_marks", "fighter_hits", "outside", "running"))
_DICE, _NUMBER, _TITAN_POWER = _AT["dice"], _AT["number"], _AT["titan_power"]
_LATE, _PICKED_KIND = _AT["late"], _AT["picked_kind"]
_WIDTH = FIELDS.parts[[part.name for part in FIELDS.parts].index("hexes")].shape[1]
_MY_ENTRY = _GROUND + _WIDTH - 2  # the last but one number of each hex's ground
_ASKS, _NUMBERS = len(Ask) - 1, FIELDS.slices["number"].stop - FIELDS.slices["number"].start
_OWNERS, _MARKED = 2, len(MARKS)
_PICKED, _TARGET = range(2)


def positions(fields: Mapping[str, Array]) -> tuple[Any, NDArray[np.int64]]:
    """Return the battle before each seat, records (B,), and the side that the seat plays, (B,)."""
    seen = FIELDS.join(fields)
    found, sides = np.zeros(len(seen), BATTLE), np.zeros(len(seen), np.int64)
    read_all(seen, found if COMPILED else found.view(np.recarray), sides)
    return found, sides


@rule
def read_all(seen: Any, battles: Any, sides: Any) -> None:
    """Write the battle that each observation (B, F) shows, and the side of the seat."""
    for i in range(len(seen)):
        sides[i] = read_battle(seen[i, BEGIN:], asked(seen[i]), battles[i])


@inline_rule
def asked(seen: Any) -> int:
    """Return the Ask that an observation begins with."""
    return 1 + index_in(seen, 0, _ASKS)


@inline_rule
def read_battle(seen: Any, ask: int, battle: Any) -> int:
    """Write the battle that an observation shows from the field `role` on, as `see_battle` does; return the side."""
    side = max(0, index_in(seen, _ROLE, _OWNERS))
    read_course(seen, ask, side, battle)
    for who in range(FIGHTERS):
        fighter = battle.fighters[who]
        fighter.kind = fighter.hits = fighter.power = 0
        fighter.moved = fighter.locked = fighter.struck = fighter.slain = 0
        fighter.hex = EMPTY
    for owner in range(_OWNERS):
        read_fighters(seen, owner, side if owner == 0 else 1 - side, battle)
    read_strike(seen, side, battle)
    return side


@inline_rule
def read_course(seen: Any, ask: int, side: int, battle: Any) -> None:
    """Write the battle's land, its stage, and the arrivals that are still possible."""
    mine = seen[_ROLE + 2] > 0
    battle.land = max(0, index_in(seen, _TERRAIN, LANDS))
    entrance = 0
    for hexagon in range(HEXES):
        if seen[_MY_ENTRY + _WIDTH * hexagon] > 0:
            entrance |= 1 << hexagon
    battle.entry = 0
    for entry in range(ENTRANCES.shape[1]):
        if ENTRANCES[side, entry] == entrance:
            battle.entry = entry
    battle.rounds_begun = 1 + max(0, index_in(seen, _ROUND, ROUNDS))
    battle.half = side if mine else 1 - side
    battle.ask, battle.asked = ask, side
    battle.phase = Phase.STRIKE.value if mine else Phase.STRIKE_BACK.value
    if ask == Ask.MANEUVER or ask == Ask.GO:
        battle.phase = Phase.MANEUVER.value
    battle.window = max(0, index_in(seen, _LATE, WINDOWS))
    battle.may_reinforce = seen[_LATE + WINDOWS] > 0
    battle.angel_waits = seen[_LATE + WINDOWS + 1] > 0
    battle.archangel_waits = seen[_LATE + WINDOWS + 2] > 0


@inline_rule
def read_fighters(seen: Any, owner: int, side: int, battle: Any) -> None:
    """Write the fighters of a side on the map, by hex number, then those outside."""
    count = 0
    for hexagon in range(HEXES):
        here = _OWNERS * hexagon + owner
        kind = index_in(seen, _KIND + KINDS * here, KINDS)
        if kind >= 0:
            who = SLOTS * side + min(count, SLOTS - 1)
            place(seen, owner, kind, hexagon, battle, who)
            fighter, marks = battle.fighters[who], _MARKS + _MARKED * here
            fighter.hits = whole(seen[_HITS + here], LEFT_SCALE)
            fighter.moved, fighter.locked = seen[marks] > 0, seen[marks + 1] > 0
            fighter.struck, fighter.slain = seen[marks + 2] > 0, seen[marks + 3] > 0
            count += 1
    for kind in range(KINDS):
        for _ in range(whole(seen[_OUTSIDE + KINDS * owner + kind], LEGION)):
            place(seen, owner, kind, OUTSIDE, battle, SLOTS * side + min(count, SLOTS - 1))
            count += 1


@inline_rule
def place(seen: Any, owner: int, kind: int, hexagon: int, battle: Any, who: int) -> None:
    """Write one fighter where it stands."""
    fighter = battle.fighters[who]
    fighter.kind, fighter.hex, fighter.power = kind, hexagon, POWER[kind]
    if kind == Character.TITAN:
        fighter.power = whole(seen[_TITAN_POWER + owner], DICE_SCALE)


@inline_rule
def read_strike(seen: Any, side: int, battle: Any) -> None:
    """Write the picked character, the target, and the dice."""
    battle.picked, battle.target = marked(seen, _PICKED, battle), marked(seen, _TARGET, battle)
    kind = index_in(seen, _PICKED_KIND, KINDS)
    for i in range(SLOTS):
        who = SLOTS * side + SLOTS - 1 - i
        if battle.fighters[who].hex == OUTSIDE and battle.fighters[who].kind == kind:
            battle.picked = who
    battle.dice, battle.surplus = whole(seen[_DICE], DICE_SCALE), whole(seen[_DICE + 1], DICE_SCALE)
    battle.number = 1 + index_in(seen, _NUMBER, _NUMBERS)


@inline_rule
def marked(seen: Any, number: int, battle: Any) -> int:
    """Return the fighter on the hex that is marked as the picked one's, or as the target's, or NOBODY."""
    for hexagon in range(HEXES):
        if seen[_RUNNING + _OWNERS * hexagon + number] > 0:
            return int(fighter_at(battle, hexagon))
    return NOBODY
