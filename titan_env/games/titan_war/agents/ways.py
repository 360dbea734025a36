"""Where legions can go on the masterboard by each roll, as an agent works it out; compiled."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import inline_rule
from titan_env.games.titan_war.rules.lands import MASTERBOARD_LANDS, SIGNS

ROLLS = 6
MOST_WAYS = 24
"""Ways of one roll that are followed at once."""
NOWHERE = -1
_MOST_SIGNS = 3


def _targets(is_first: bool) -> Any:
    """Return where each land's signs lead, (96, 3): by its block alone in a first step, by arrows in later ones."""
    found = np.full((MASTERBOARD_LANDS, _MOST_SIGNS), NOWHERE, np.int64)
    for land, signs in enumerate(SIGNS):
        blocks = [other for sign, other in signs if sign == "B"]
        arrows = [other for sign, other in signs if sign in "AT"]
        first = blocks or [other for _sign, other in signs]
        row = first if is_first else arrows
        found[land, : len(row)] = row
    return found


FIRST, LATER = _targets(True), _targets(False)

ROOM = np.dtype(
    [
        ("here", np.int64, MOST_WAYS),
        ("origin", np.int64, MOST_WAYS),
        ("next_here", np.int64, MOST_WAYS),
        ("next_origin", np.int64, MOST_WAYS),
        ("own", np.int64, MASTERBOARD_LANDS),  # 1: an own legion, beside the one that moves
        ("enemy", np.int64, MASTERBOARD_LANDS),  # 1: an enemy
        ("ends", np.int64, MASTERBOARD_LANDS),  # 1: a way ends there
    ],
    align=True,
)
"""What the agent works with."""


@inline_rule
def find_ends(room: Any, land: int, roll: int) -> None:
    """Mark in `room.ends` every land where a normal move with a roll ends."""
    room.ends[:] = 0
    room.here[0] = land
    room.origin[0] = NOWHERE
    count = 1
    for step in range(roll):
        found = 0
        for way in range(count):
            here, origin = room.here[way], room.origin[way]
            for sign in range(_MOST_SIGNS):
                there = FIRST[here, sign] if step == 0 else LATER[here, sign]
                if there == NOWHERE or there == origin or (room.own[there] and room.enemy[there]):
                    continue
                if room.enemy[there] or step == roll - 1:
                    if not room.own[there]:
                        room.ends[there] = 1
                elif found < MOST_WAYS:
                    room.next_here[found] = there
                    room.next_origin[found] = here
                    found += 1
        count = found
        for way in range(count):
            room.here[way] = room.next_here[way]
            room.origin[way] = room.next_origin[way]
