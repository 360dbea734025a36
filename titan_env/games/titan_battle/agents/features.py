"""The features of the situation in which a plan is made: role and land, time, and both sides."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.games.titan_battle.agents.legion_features import AT_HOME
from titan_env.games.titan_battle.agents.state_from_observation import Array
from titan_env.games.titan_battle.rules.characters import FLIES, SHOOTS, SKILL
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES, LAND_NAMES
from titan_env.games.titan_battle.rules.state import (
    HEXES,
    LANDS,
    LEGION,
    OUTSIDE,
    ROUNDS,
    SLOTS,
    Character,
    Land,
    Side,
    Window,
)

_ROLES = ("attacking", "defending")
_OF_SIDE = (
    *("worth", "log_worth", "power", "living", "waiting", "fliers", "shooters", "natives"),
    *("slow", "quick", "hits", "titan", "titan_left"),
)
SITUATION = (
    *(f"{role}_{land}" for role in _ROLES for land in LAND_NAMES),
    *(f"{role}_{part}" for role in _ROLES for part in ("hurry", "ahead", "ahead_late")),
    *(f"round_{number + 1}" for number in range(ROUNDS)),
    *(f"{role}_{entry.lower()}" for role in _ROLES for entry in ENTRY_NAMES),
    *("may_be_reinforced", "angel_waits", "archangel_waits", "window_open", "window_past"),
    *(f"{whose}_{part}" for whose in ("own", "enemy") for part in _OF_SIDE),
)
"""The names of its numbers, most of them from 0 to 1."""

_POINTS, _POWER, _TITAN_LEFT = 100.0, 50.0, 10.0  # that stand for 1
_QUICK, _SLOW = 4, 2  # skills


def situations(battles: Any, sides: NDArray[np.int64]) -> Array:
    """Return the features of B positions for the side that is asked, (B, S)."""
    rows, lands = np.arange(len(battles)), battles["land"].astype(np.int64)
    fighters = battles["fighters"].reshape(len(battles), 2, SLOTS)
    both = [_side(fighters[:, side], lands) for side in range(2)]
    own = np.where((sides == 0)[:, None], both[0], both[1])
    enemy = np.where((sides == 0)[:, None], both[1], both[0])
    ahead = own[:, 1] - enemy[:, 1]
    late = (battles["rounds_begun"] - 1) / (ROUNDS - 1)
    by_land = np.zeros((len(battles), 2, LANDS))
    by_land[rows, sides, lands] = 1
    by_role = np.zeros((len(battles), 2, 3))
    by_role[rows, sides] = np.stack([late, ahead, ahead * late], axis=1)
    by_entry = np.zeros((len(battles), 2, len(ENTRY_NAMES)))
    by_entry[rows, sides, battles["entry"].astype(np.int64)] = lands != Land.TOWER
    rounds = np.eye(ROUNDS)[battles["rounds_begun"].astype(np.int64) - 1]
    flat = [part.reshape(len(battles), -1) for part in (by_land, by_role, rounds, by_entry)]
    return np.concatenate([*flat, _arrivals(battles, sides), own, enemy], axis=1).astype(np.float32)


def _arrivals(battles: Any, sides: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the features of who may still arrive, (B, 5)."""
    attacks = sides == Side.ATTACKER
    flags = [
        battles["may_reinforce"],
        battles["angel_waits"] * attacks,
        battles["archangel_waits"] * attacks,
        battles["window"] == Window.OPEN,
        battles["window"] == Window.PAST,
    ]
    return np.stack(flags, axis=1)


def _side(fighters: Any, lands: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the features of one side of B battles, fighters (B, 8): its value and abilities, (B, 13)."""
    kinds = fighters["kind"].astype(np.int64)
    lives = (fighters["hex"] <= OUTSIDE) & (fighters["slain"] == 0)
    left = (fighters["power"] - fighters["hits"]) * lives
    worth = (left * SKILL[kinds]).sum(axis=1)
    titan = lives & (kinds == Character.TITAN)
    columns = [
        worth / _POINTS,
        np.log1p(worth),
        left.sum(axis=1) / _POWER,
        lives.sum(axis=1) / LEGION,
        (lives & (fighters["hex"] == HEXES)).sum(axis=1) / LEGION,
        (lives & FLIES[kinds]).sum(axis=1) / LEGION,
        (lives & SHOOTS[kinds]).sum(axis=1) / LEGION,
        (lives & AT_HOME[lands[:, None], kinds]).sum(axis=1) / LEGION,
        (lives & (SKILL[kinds] == _SLOW)).sum(axis=1) / LEGION,
        (lives & (SKILL[kinds] == _QUICK)).sum(axis=1) / LEGION,
        (fighters["hits"] * lives).sum(axis=1) / _POWER,
        titan.any(axis=1),
        (left * titan).sum(axis=1) / _TITAN_LEFT,
    ]
    return np.stack(columns, axis=1).astype(np.float64)
