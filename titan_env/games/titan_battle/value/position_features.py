"""The features of a battle under way from which the forecast beside the board is computed, the attacker's first."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.games.titan_battle.agents.features import situations
from titan_env.games.titan_battle.agents.legion_features import Array
from titan_env.games.titan_battle.agents.odds import (
    GROUND,
    HURT,
    KILL,
    KIND_OF_TARGET,
    MORE_DICE,
    MOST_DICE,
    MOST_LEFT,
    NUMBERS,
)
from titan_env.games.titan_battle.rules.characters import SHOOTS, SKILL, VALUE
from titan_env.games.titan_battle.rules.hexes import NEIGHBOURS, OFF_MAP, STEPS
from titan_env.games.titan_battle.rules.lands import CONTACT, LEVELS
from titan_env.games.titan_battle.rules.state import DIRECTIONS, HEXES, KINDS, LEGION, OUTSIDE, SLOTS, Phase, Side

_POINTS, _FAR, _FEW = 50.0, 10.0, 3.0  # of harm, steps and characters that stand for 1
_NEAR = 2  # steps: nobody rangestrikes from nearer
_LEAST = 6.0  # points: no side is worth less
_PHASES = len(Phase)


def _directions() -> NDArray[np.int64]:
    """Return the direction from each hex to each of its neighbours, (27, 27); 0 for hexes that are not neighbours."""
    found = np.zeros((HEXES, HEXES), np.int64)
    for number in range(HEXES):
        for direction in range(DIRECTIONS):
            if (other := NEIGHBOURS[number, direction]) != OFF_MAP:
                found[number, other] = direction
    return found


_DIRECTION = _directions()


def features(battles: Any) -> Array:
    """Return the features of B battles under way, records (B,): float32 (B, F)."""
    rows = np.arange(len(battles))
    fighters = battles["fighters"].reshape(len(battles), 2, SLOTS)
    kinds = fighters["kind"].astype(np.int64)
    lives = (fighters["hex"] <= OUTSIDE) & (fighters["slain"] == 0)
    share = np.where(lives, 1 - fighters["hits"] / np.maximum(1, fighters["power"]), 0)
    living = np.zeros((len(battles), 2, KINDS))
    np.add.at(living, (rows[:, None, None], np.arange(2)[:, None], kinds), share)
    moment = np.zeros((len(battles), 2 * _PHASES))
    moment[rows, battles["half"].astype(np.int64) * _PHASES + battles["phase"]] = 1
    whole = (situations(battles, np.zeros(len(battles), np.int64)), moment, living.reshape(len(battles), -1))
    parts: list[NDArray[Any]] = [*whole, *(_side(battles, fighters, share, side) for side in Side)]
    return np.concatenate(parts, axis=1).astype(np.float32)


def _side(battles: Any, fighters: Any, share: NDArray[np.float64], side: Side) -> NDArray[np.float64]:
    """Return the features of one side's strikes and places, (B, 9); `share` (B, 2, 8) is the power left of each."""
    land = battles["land"].astype(np.int64)[:, None]
    own, enemy = fighters[:, side], fighters[:, 1 - side]
    kinds, others = own["kind"].astype(np.int64), enemy["kind"].astype(np.int64)
    here = np.minimum(own["hex"], HEXES - 1).astype(np.int64)
    there = np.minimum(enemy["hex"], HEXES - 1).astype(np.int64)
    is_here, is_there = ((one["hex"] < HEXES) & (one["slain"] == 0) for one in (own, enemy))
    both = is_here[:, :, None] & is_there[:, None]
    near = both & (CONTACT[land, here][:, :, None] >> there[:, None] & 1 != 0)
    steps = np.where(both, STEPS[here[:, :, None], there[:, None]], HEXES)
    direction = _DIRECTION[here[:, :, None], there[:, None]]
    strike = (land[:, :, None], kinds[:, :, None])
    dice = np.clip(own["power"][:, :, None] + MORE_DICE[(*strike, here[:, :, None], direction)], 0, MOST_DICE)
    number = NUMBERS[(*strike, KIND_OF_TARGET[others][:, None], here[:, :, None], direction)]
    left = np.clip(enemy["power"].astype(np.int64) - enemy["hits"], 0, MOST_LEFT)[:, None]
    worth = np.where(enemy["hex"] <= OUTSIDE, VALUE[others], 0) / np.maximum(1, enemy["power"])
    damage = (HURT[dice, number, left] * worth[:, None] * near).max(axis=2).sum(axis=1)
    enemy_left = np.maximum(_LEAST, (worth * left[:, 0]).sum(axis=1))
    kills = (KILL[dice, number, left] * near).max(axis=1).sum(axis=1)
    nearest = np.where(is_here, np.minimum(steps.min(axis=2), _FAR), 0).sum(axis=1) / np.maximum(1, is_here.sum(axis=1))
    may_shoot = (steps >= _NEAR) & (steps < SKILL[kinds][:, :, None]) & SHOOTS[kinds][:, :, None]
    shooters = (may_shoot.any(axis=2) & ~near.any(axis=2)).sum(axis=1)
    points = VALUE[kinds] * share[:, side] * is_here
    own_left = np.maximum(_LEAST, points.sum(axis=1))
    columns = [
        damage / _POINTS,  # the best strike of each
        damage / enemy_left,
        kills / _FEW,
        near.any(axis=2).sum(axis=1) / _FEW,  # how many are in contact
        nearest / _FAR,  # mean steps to the nearest enemy
        (points * GROUND[land, kinds, here]).sum(axis=1) / own_left,
        (points * (LEVELS[land, here] >= 1)).sum(axis=1) / own_left,
        shooters / _FEW,
        (own["struck"] * is_here).sum(axis=1) / LEGION,
    ]
    return np.stack(columns, axis=1)
