"""Two legions before a battle as numbers: what the learned value and the plain terms beside it are told."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.games.titan_battle.rules.characters import (
    FLIES,
    NATIVE,
    NATIVE_OF_DUNE,
    NATIVE_OF_SLOPE,
    POWER,
    SHOOTS,
    SKILL,
)
from titan_env.games.titan_battle.rules.lands import BORDERS, ENTRY_NAMES, HAZARDS
from titan_env.games.titan_battle.rules.state import (
    EMPTY,
    KINDS,
    LANDS,
    LEGION,
    SLOTS,
    Border,
    Character,
    Hazard,
    Land,
    Side,
)

Array = NDArray[np.float32]

_TITAN = Character.TITAN.value
_HUNDRED = 100  # points of a legion that stand for 1
_SIX = 6  # more power of a titan that stands for 1


def _at_home() -> NDArray[np.bool_]:
    """Return whether a character is native of something that a land has, (11, 24); slopes and dunes count too."""
    covers = np.zeros((LANDS, len(Hazard)), bool)
    for land in range(LANDS):
        covers[land, np.unique(HAZARDS[land])] = True
    covers[:, [Hazard.PLAIN, Hazard.TREE]] = False
    slopes, dunes = (np.equal(BORDERS, border).any(axis=(1, 2)) for border in (Border.SLOPE, Border.DUNE))
    by_hazard = (covers[:, None, :] & NATIVE[None]).any(axis=2)
    return np.asarray(by_hazard | slopes[:, None] & NATIVE_OF_SLOPE | dunes[:, None] & NATIVE_OF_DUNE)


AT_HOME = _at_home()
"""True for each character at home in each land, (11, 24)."""


class Battles(NamedTuple):
    """B battles before they begin."""

    counts: NDArray[np.int64]  # of each character in both legions, (B, 2, 24)
    titans: NDArray[np.int64]  # power of both titans, (B, 2); 0 without one
    lands: NDArray[np.int64]  # (B,)
    entries: NDArray[np.int64]  # the attacker's, (B,)
    waiting: NDArray[np.int64]  # whether an angel, an archangel waits to be summoned, (B, 2)
    reinforcement: NDArray[np.int64]  # whether the defender may be reinforced, (B,)

    def values(self) -> NDArray[np.float64]:
        """Return what both legions are worth in points: power times skill, (B, 2)."""
        return np.asarray(self.powers() @ SKILL, np.float64)

    def powers(self) -> NDArray[np.int64]:
        """Return the power of all that are of one kind, (B, 2, 24)."""
        powers = self.counts * POWER
        powers[:, :, _TITAN] = self.titans
        return powers

    def take(self, rows: Any) -> Battles:
        """Some of the battles."""
        return Battles(*(part[rows] for part in self))


def battles_of(records: Any) -> Battles:
    """Return battles that have not begun, records (B,) of the rules, from the characters of their legions."""
    fighters = records["fighters"].reshape(-1, 2, SLOTS)[:, :, :LEGION]
    kinds = np.arange(KINDS)
    there = fighters["hex"] != EMPTY
    is_kind = (fighters["kind"][..., None] == kinds) & there[..., None]
    titans = np.where(is_kind[..., _TITAN], fighters["power"], 0).sum(axis=2)
    waiting = np.stack([records["angel_waits"], records["archangel_waits"]], axis=1)
    parts = (records["land"], records["entry"], waiting, records["may_reinforce"])
    land, entry, waits, reinforced = (np.asarray(part, np.int64) for part in parts)
    return Battles(is_kind.sum(axis=2).astype(np.int64), titans.astype(np.int64), land, entry, waits, reinforced)


PLAIN_TERMS = (
    "log of the ratio of values",
    "land",
    "an angel or archangel waits",
    *("the attacker's fliers", "the defender's fliers", "the attacker's natives", "the defender's natives"),
    *("the attacker has his titan", "the defender has his titan"),
)
"""The nine terms that a careful player would count; the land is one of eleven."""


def plain_terms(battles: Battles) -> Array:
    """Return the nine plain terms, float32 (B, 8 + 11)."""
    values = battles.values()
    home = AT_HOME[battles.lands]
    columns = [np.log(values[:, Side.ATTACKER] / values[:, Side.DEFENDER]), battles.waiting.any(axis=1)]
    for side in range(2):
        counts = battles.counts[:, side]
        columns += [counts @ FLIES, (counts * home).sum(axis=1), battles.titans[:, side] > 0]
    return np.concatenate([np.stack(columns, axis=1), np.eye(LANDS)[battles.lands]], axis=1).astype(np.float32)


def features(battles: Battles) -> Array:
    """Return the learned value's input, float32 (B, F): plain terms, who is there, and who is there in which land."""
    rows = len(battles.lands)
    values = battles.values()
    counts = battles.counts.astype(np.float32)
    powers = battles.powers()
    sums = [values / _HUNDRED, np.log(values), np.log(powers.sum(axis=2)), np.log(powers @ SKILL**2)]
    shooters, size = counts @ SHOOTS.astype(np.float32), counts.sum(axis=2)
    more = np.where(battles.titans > 0, battles.titans - POWER[_TITAN], 0) / _SIX
    whole = np.concatenate([*sums, shooters, size / LEGION, more], axis=1)
    entries = np.eye(len(ENTRY_NAMES))[battles.entries] * (battles.lands != Land.TOWER)[:, None]
    here = np.zeros((rows, LANDS, 2 * KINDS), np.float32)
    here[np.arange(rows), battles.lands] = counts.reshape(rows, -1)
    late = np.concatenate([battles.waiting, battles.reinforcement[:, None]], axis=1)
    where = np.zeros((rows, LANDS, len(ENTRY_NAMES)), np.float32)
    where[np.arange(rows), battles.lands] = entries
    parts = (plain_terms(battles), whole, entries, late, counts.reshape(rows, -1))
    return np.concatenate([*parts, where.reshape(rows, -1), here.reshape(rows, -1)], axis=1).astype(np.float32)
