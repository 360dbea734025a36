"""The ways of legions on the masterboard by each roll, computed by agents; compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import inline_rule
from titan_env.games.titan_war.rules.lands import ENTRY_SIDE, WAY_COUNT, WAYS
from titan_env.games.titan_war.rules.state import LANDS

ROLLS = 6

MOVE_SCRATCH = np.dtype(
    [
        ("own", np.int64, LANDS),  # 1: an own legion, beside the one that moves
        ("enemy", np.int64, LANDS),  # 1: an enemy
        ("ends", np.int64, LANDS),  # 1: a way ends there
        ("sides", np.int64, LANDS),  # on which sides, a set of Entry
    ],
    align=True,
)
"""The arrays of the agent."""


@inline_rule
def find_ends(scratch: Any, land: int, roll: int) -> None:
    """Mark in `scratch.ends` every land where a normal move with a roll ends, in `scratch.sides` the last steps."""
    scratch.ends[:] = 0
    scratch.sides[:] = 0
    for way in range(WAY_COUNT[land, roll]):
        before = land
        for step in range(roll):
            there = WAYS[land, roll, way, step]
            if there < 0 or (scratch.own[there] and scratch.enemy[there]):
                break
            if scratch.enemy[there] or step == roll - 1:
                if not scratch.own[there]:
                    scratch.ends[there] = 1
                    scratch.sides[there] |= 1 << ENTRY_SIDE[there, before]
                break
            before = there
