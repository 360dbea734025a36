"""Generated circuits: 32,000 by number, for learners that shall play on circuits which they have never seen.

They are our own addition, in the manner of the six printed circuits: row 1 is plain, two kinds of terrain lie on up to
14 spaces, and up to 6 are bonus spaces.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import numbered_draw, rule
from titan_env.games.titan_race.rules.state import SPACES, Terrain

KINDS = np.array(
    [
        Terrain.LAVA,
        Terrain.PIRATES,
        Terrain.SUPER_RAMP_LEFT,
        Terrain.SUPER_RAMP_RIGHT,
        Terrain.MULTI_RAMP,
        Terrain.STATUE,
        Terrain.PENTACLE,
        Terrain.ICE,
    ],
    np.int64,
)
_ROW = 3  # spaces in a row
_FEWEST, _MOST = 6, 14  # spaces with terrain; those that are taken already stay as they are
_FEWEST_BONUS, _MOST_BONUS = 3, 6


@rule
def generate_circuit(terrain: Any, number: int) -> None:
    """Write the terrain of a generated circuit, (36,): bonus spaces, then two kinds, either as likely."""
    for space in range(SPACES):
        terrain[space] = Terrain.PLAIN
    first, second = KINDS[numbered_draw(number, 0, len(KINDS))], KINDS[numbered_draw(number, 1, len(KINDS))]
    placed = _FEWEST + numbered_draw(number, 2, _MOST - _FEWEST + 1)
    bonus = _FEWEST_BONUS + numbered_draw(number, 3, _MOST_BONUS - _FEWEST_BONUS + 1)
    step = 4
    for _turn in range(bonus):
        terrain[_ROW + numbered_draw(number, step, SPACES - _ROW)] = Terrain.BONUS
        step += 1
    for _turn in range(placed):
        kind = first if numbered_draw(number, step, 2) == 0 else second
        space = _ROW + numbered_draw(number, step + 1, SPACES - _ROW)
        step += 2
        if terrain[space] == Terrain.PLAIN and (kind != Terrain.STATUE or stands_alone(terrain, space)):
            terrain[space] = kind


@rule
def stands_alone(terrain: Any, space: int) -> bool:
    """Whether a statue leaves a way past it from every space: no other one is in its row or the two next to it."""
    row = space // _ROW
    for other in range(max(0, row - 2) * _ROW, min(SPACES, (row + 3) * _ROW)):
        if terrain[other] == Terrain.STATUE:
            return False
    return True
