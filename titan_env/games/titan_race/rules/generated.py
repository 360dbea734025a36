"""Generated circuits: 32,000 levels by number, for learners that shall play on circuits which they have never seen.

They are our own addition, in the manner of the six of the box: row 1 is plain, 6 to 12 spaces have terrain of one or
two of six kinds, in rows, chains and fields, and 4 to 6 are bonus spaces.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import numbered_draw, rule
from titan_env.games.titan_race.rules.board import NEIGHBOUR, column_of
from titan_env.games.titan_race.rules.state import SPACES, Direction, Terrain

KINDS = np.array(
    [
        [Terrain.LAVA] * 3,
        [Terrain.PIRATES] * 3,
        [Terrain.SUPER_RAMP_LEFT, Terrain.SUPER_RAMP_RIGHT, Terrain.MULTI_RAMP],
        [Terrain.STATUE] * 3,
        [Terrain.PENTACLE] * 3,
        [Terrain.ICE] * 3,
    ],
    np.int64,
)
"""The six kinds of terrain, each with three sorts: ramps lead to the left, to the right or everywhere."""
COLUMN = np.array([column_of(space) for space in range(SPACES)], np.int64)
FIELD = np.array([Direction.FL, Direction.FR, Direction.F], np.int64)
"""Where the spaces of a field lie before its first one."""
_SORTS = 3
_ROW = 3  # spaces in a row
_FEWEST, _MOST = 6, 12  # spaces with terrain
_FEWEST_BONUS, _MOST_BONUS = 4, 6
_ROWS, _CHAINS, _FORMS = 0, 1, 3  # the third form is a field
_SHORTEST, _LONGEST = 2, 4
_ICE_IN_COLUMN = 3  # spaces: ice in a whole column would close on itself
_SHAPES, _DRAWS = 80, 8  # shapes that are tried at most, and draws that each may take
_TRIES = 80  # spaces that are tried at most for bonuses


@rule
def generate_circuit(terrain: Any, level: int) -> None:
    """Write the terrain of a generated circuit, (36,): shapes of terrain, then bonus spaces."""
    for space in range(SPACES):
        terrain[space] = Terrain.PLAIN
    kind = numbered_draw(level, 0, len(KINDS))
    other = numbered_draw(level, 1, 2 * len(KINDS))
    left = _FEWEST + numbered_draw(level, 2, _MOST - _FEWEST + 1)
    bonus = _FEWEST_BONUS + numbered_draw(level, 3, _MOST_BONUS - _FEWEST_BONUS + 1)
    step = 4
    for _shape in range(_SHAPES):
        is_other = numbered_draw(level, step, 2) == 0 and other < len(KINDS)
        if left > 0:
            left -= _lay_shape(terrain, level, step + 1, other if is_other else kind, left)
        step += _DRAWS
    for _try in range(_TRIES):
        space = _ROW + numbered_draw(level, step, SPACES - _ROW)
        if bonus > 0 and terrain[space] == Terrain.PLAIN:
            terrain[space] = Terrain.BONUS
            bonus -= 1
        step += 1


@rule
def _lay_shape(terrain: Any, level: int, step: int, kind: int, left: int) -> int:
    """Lay a row, a chain or a field of one sort on plain spaces, at most `left` of them; return on how many."""
    form = numbered_draw(level, step, _FORMS)
    space = numbered_draw(level, step + 1, SPACES)
    direction = numbered_draw(level, step + 2, Direction.B)  # one of those that lead forward
    length = _SHORTEST + numbered_draw(level, step + 3, _LONGEST - _SHORTEST + 1)
    sort = KINDS[kind, numbered_draw(level, step + 4, _SORTS)]
    laid, first = 0, space
    for number in range(length):
        if laid < left and _may_lie(terrain, space, sort):
            terrain[space] = sort
            laid += 1
        if form == _ROWS:
            space = first - first % _ROW + (first + number + 1) % _ROW
        elif form == _CHAINS:
            space = NEIGHBOUR[space, direction]
        else:
            space = NEIGHBOUR[first, FIELD[number % len(FIELD)]]
    return laid


@rule
def _may_lie(terrain: Any, space: int, sort: int) -> bool:
    """Whether terrain may lie on a space: a plain one beyond row 1, and ice where its column has little of it."""
    if space < _ROW or terrain[space] != Terrain.PLAIN:
        return False
    in_column = 0
    for other in range(SPACES):
        in_column += COLUMN[other] == COLUMN[space] and terrain[other] == Terrain.ICE
    return bool(sort != Terrain.ICE or in_column < _ICE_IN_COLUMN)
