"""The battle before each seat, laid anew from what the seat sees; only the supply is not seen."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.games.titan_battle.rules.characters import POWER
from titan_env.games.titan_battle.rules.hexes import BITS
from titan_env.games.titan_battle.rules.lands import ENTRANCES
from titan_env.games.titan_battle.rules.observation import DICE_SCALE, LEFT_SCALE, MARKS, WINDOWS
from titan_env.games.titan_battle.rules.state import (
    BATTLE,
    EMPTY,
    HEXES,
    LEGION,
    NOBODY,
    OUTSIDE,
    SLOTS,
    Ask,
    Character,
    Phase,
)

Array = NDArray[np.float32]
_MY_ENTRY = -2  # the last but one number of each hex's ground


def positions(fields: Mapping[str, Array]) -> tuple[Any, NDArray[np.int64]]:
    """Return the battle before each seat, records (B,), and the side that the seat plays, (B,)."""
    found = np.zeros(len(fields["ask"]), BATTLE)
    sides = fields["role"][:, :2].argmax(axis=1)
    _lay_course(found, fields, sides)
    _place_fighters(found, fields, sides)
    _lay_strike(found, fields)
    return found, sides


def _lay_course(found: Any, fields: Mapping[str, Array], sides: NDArray[np.int64]) -> None:
    """Write the battle's land, its stage, and the arrivals that are still possible."""
    mine = fields["role"][:, 2] > 0
    found["land"] = fields["terrain"].argmax(axis=1)
    entrance = (fields["hexes"][:, :, _MY_ENTRY] > 0) @ BITS
    found["entry"] = (ENTRANCES[sides] == entrance[:, None]).argmax(axis=1)
    found["rounds_begun"] = 1 + fields["round"].argmax(axis=1)
    found["half"] = np.where(mine, sides, 1 - sides)
    asked = fields["ask"].any(axis=1)
    found["ask"] = np.where(asked, 1 + fields["ask"].argmax(axis=1), Ask.NOTHING)
    found["asked"] = sides
    is_maneuver = (found["ask"] == Ask.MANEUVER) | (found["ask"] == Ask.GO)
    strikes = np.where(mine, Phase.STRIKE, Phase.STRIKE_BACK)
    found["phase"] = np.where(is_maneuver, Phase.MANEUVER, strikes)
    found["window"] = fields["late"][:, :WINDOWS].argmax(axis=1)
    found["may_reinforce"], found["angel_waits"], found["archangel_waits"] = fields["late"][:, WINDOWS:].T > 0


def _place_fighters(found: Any, fields: Mapping[str, Array], sides: NDArray[np.int64]) -> None:
    """Write the fighters on the map, then those outside; each side by hex number, the attacker's first."""
    rows, owners, kinds, hexes = _seen_fighters(fields)
    legion = 2 * rows + owners
    rank = np.arange(len(rows)) - np.searchsorted(legion, legion)
    side = np.where(owners == 0, sides[rows], 1 - sides[rows])
    fighters = found["fighters"]
    fighters["hex"] = EMPTY
    slots = (rows, np.minimum(rank, SLOTS - 1) + SLOTS * side)
    titans = np.rint(DICE_SCALE * fields["titan_power"]).astype(np.int64)
    fighters["kind"][slots], fighters["hex"][slots] = kinds, hexes
    fighters["power"][slots] = np.where(kinds == Character.TITAN, titans[rows, owners], POWER[kinds])
    here = np.minimum(hexes, HEXES - 1)
    on_map = hexes < HEXES
    fighters["hits"][slots] = np.rint(LEFT_SCALE * fields["fighter_hits"][rows, here, owners]) * on_map
    for number, mark in enumerate(MARKS):
        fighters[mark][slots] = fields["fighter_marks"][rows, here, owners, number] * on_map


def _seen_fighters(fields: Mapping[str, Array]) -> tuple[NDArray[np.int64], ...]:
    """Return the row, owner, kind and hex of every fighter on the map and outside, by row, owner and hex."""
    rows, hexes, owners, kinds = np.nonzero(fields["fighter_kind"])
    outside = np.rint(LEGION * fields["outside"]).astype(np.int64)
    waiting = np.array(np.nonzero(outside))
    more = np.repeat(waiting, outside[tuple(waiting)], axis=1)
    rows = np.concatenate([rows, more[0]])
    owners = np.concatenate([owners, more[1]])
    kinds = np.concatenate([kinds, more[2]])
    hexes = np.concatenate([hexes, np.full(more.shape[1], OUTSIDE)])
    order = np.lexsort((hexes, owners, rows))
    return rows[order], owners[order], kinds[order], hexes[order]


def _lay_strike(found: Any, fields: Mapping[str, Array]) -> None:
    """Write the picked character, the target, and the dice."""
    fighters = found["fighters"]
    mine = np.arange(2 * SLOTS) // SLOTS == found["asked"][:, None]
    for name, number in (("picked", 0), ("target", 1)):
        plane = fields["running"][:, :, number]
        there = (plane.max(axis=1)[:, None] > 0) & (fighters["hex"] == plane.argmax(axis=1)[:, None])
        found[name] = np.where(np.any(there, axis=1), np.argmax(there, axis=1), NOBODY)
    outsider = fields["picked_kind"]
    waits = mine & (fighters["hex"] == OUTSIDE) & (fighters["kind"] == outsider.argmax(axis=1)[:, None])
    waits &= outsider.max(axis=1)[:, None] > 0
    found["picked"] = np.where(np.any(waits, axis=1), np.argmax(waits, axis=1), found["picked"])
    found["dice"], found["surplus"] = np.rint(DICE_SCALE * fields["dice"]).T
    found["number"] = np.where(fields["number"].any(axis=1), 1 + fields["number"].argmax(axis=1), 0)
