"""What a maneuver costs: for each land and character, where a step or a flight leads, laid out once as sets of hexes.

| may he end (and, not flying, pass) there? | non-flier          | flier                              |
| ----------------------------------------- | ------------------ | ---------------------------------- |
| tree                                      | never              | never lands                        |
| bog, volcano                              | natives only       | natives only; volcano: to cross too |
| sand                                      | non-native slowed  | not slowed                         |
| bramble, drift                            | non-native slowed  | non-native slowed when landing     |
| up a slope; up a wall                     | non-native; anyone slowed | not slowed                  |
| cliff                                     | forbidden          | no effect                          |
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.games.titan_battle.rules.characters import FLIES, NATIVE, NATIVE_OF_SLOPE, SKILL
from titan_env.games.titan_battle.rules.hexes import BITS, STEPS
from titan_env.games.titan_battle.rules.lands import EDGES, ENTRANCES, HAZARDS
from titan_env.games.titan_battle.rules.state import HEXES, Edge, Hazard

FORBIDDEN = 0  # instead of a cost
_HAZARD = HAZARDS[:, None, :]
_AT_HOME = NATIVE[:, HAZARDS].transpose(1, 0, 2)
"""Whether each character is at home in what covers a hex, by land, character and hex, (11, 24, 27)."""
_BESIDE = STEPS == 1


def landing_costs(flies: bool) -> NDArray[np.int64]:
    """What a hex costs who ends there, or walks into it, by its hazard alone, (11, 24, 27); FORBIDDEN where he may not.

    Natives are never slowed. Bog and volcano are for natives only, a tree is for nobody.
    """
    closed = np.isin(_HAZARD, (Hazard.BOG, Hazard.VOLCANO))
    slows = np.isin(_HAZARD, (Hazard.BRAMBLE, Hazard.DRIFT) if flies else (Hazard.SAND, Hazard.BRAMBLE, Hazard.DRIFT))
    strange = np.where(closed, FORBIDDEN, np.where(slows, 2, 1))
    return np.where(_HAZARD == Hazard.TREE, FORBIDDEN, np.where(_AT_HOME, 1, strange))


ON_FOOT, BY_AIR = landing_costs(False), landing_costs(True)


def may_stand(land: int, kind: int, number: int) -> bool:
    """Whether a character may stand on a hex of a land at all."""
    costs = BY_AIR if FLIES[kind] else ON_FOOT
    return bool(costs[land, kind, number] != FORBIDDEN)


def step_costs() -> NDArray[np.int64]:
    """What a step from each hex to each neighbour costs who walks, (11, 24, 27, 27).

    Up a slope it slows who is not native, up a wall everybody; several slowing causes together still cost 2.
    """
    edges = EDGES[:, None, :, :]
    slopes = (edges == Edge.UP_SLOPE) & ~NATIVE_OF_SLOPE[None, :, None, None]
    cliffs = np.isin(edges, (Edge.DOWN_CLIFF, Edge.UP_CLIFF))
    hazard = ON_FOOT[:, :, None, :]
    costs = np.where(slopes | (edges == Edge.UP_WALL), 2, hazard)
    return np.where(cliffs | (hazard == FORBIDDEN) | ~_BESIDE, FORBIDDEN, costs)


def flights(first: NDArray[Any]) -> NDArray[np.int32]:
    """Where a flight can end that pays for one of the hexes `first` (..., 27) first, as sets.

    1 for each hex flown over, whatever is on it, and the landing cost for the last; only a dragon flies over a volcano.
    """
    shape = (len(HAZARDS), len(SKILL), *first.shape)
    inner = tuple(range(2, 1 + first.ndim))
    cost, may_cross, skill = (
        np.expand_dims(part, inner) for part in (BY_AIR, (_HAZARD != Hazard.VOLCANO) | _AT_HOME, SKILL[None, :, None])
    )
    over = np.broadcast_to(first, shape)
    landings = np.zeros(shape, bool)
    for spent in range(int(SKILL.max())):
        landings |= over & (cost != FORBIDDEN) & (spent + cost <= skill)
        over = (over & may_cross).astype(np.float32) @ _BESIDE.astype(np.float32) > 0
    return as_sets(landings)


def as_sets(hexes: NDArray[np.bool_]) -> NDArray[np.int32]:
    """Sets of hexes, of whether each hex is in them (..., 27)."""
    return (hexes @ BITS).astype(np.int32)


_STEPS = step_costs()
QUICK, SLOW = as_sets(_STEPS == 1), as_sets(_STEPS == 2)
"""Where a step on foot from each hex leads at a cost of 1, and of 2: sets by land, character and hex, (11, 24, 27)."""
FIRST_QUICK, FIRST_SLOW = as_sets(ON_FOOT == 1), as_sets(ON_FOOT == 2)
"""The hexes which who enters on foot pays with 1, and with 2, if they are entry hexes: sets, (11, 24)."""
FLIGHTS = flights(_BESIDE)
"""Where a flight from each hex can end, if nobody stands there: sets, (11, 24, 27)."""
FLIGHTS_IN = flights((ENTRANCES[:, :, None] >> np.arange(HEXES) & 1).astype(bool))
"""Where a flight onto the map can end, if nobody stands there: sets by Side and Entry, (11, 24, 2, 3)."""
