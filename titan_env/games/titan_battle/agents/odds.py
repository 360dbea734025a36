"""The expected results of strikes as tables: by dice, strike number and the power that is left; by the ground."""

from __future__ import annotations

from math import comb

import numpy as np
from numpy.typing import NDArray

from titan_env.games.titan_battle.rules.characters import FLIES, NATIVE, NATIVE_OF_DUNE, NATIVE_OF_SLOPE, POWER, SKILL
from titan_env.games.titan_battle.rules.hexes import BITS, NEIGHBOURS, OFF_MAP
from titan_env.games.titan_battle.rules.lands import CONTACT, EDGES, ENTRANCES, HAZARDS
from titan_env.games.titan_battle.rules.state import DIRECTIONS, HEXES, LANDS, Edge, Hazard
from titan_env.games.titan_battle.rules.strikes import (
    DOWN_DUNE_DICE,
    DOWN_SLOPE_DICE,
    EVEN,
    FACES,
    UP_DUNE_DICE,
    VOLCANO_DICE,
)
from titan_env.games.titan_battle.rules.ways import FLIGHTS, FLIGHTS_IN, ON_FOOT, as_sets, step_costs

BACK = tuple((direction + DIRECTIONS // 2) % DIRECTIONS for direction in range(DIRECTIONS))
"""The direction from the neighbour in each direction back."""
MOST_DICE = MOST_LEFT = 40
"""More dice, and more power left, are reckoned with as so many."""


def chances(dice: int, number: int) -> NDArray[np.float64]:
    """Return the probabilities of 0, 1, 2 ... hits, (dice + 1,)."""
    each = (FACES + 1 - number) / FACES
    return np.array([comb(dice, hits) * each**hits * (1 - each) ** (dice - hits) for hits in range(dice + 1)])


HITS = np.zeros((MOST_DICE + 1, FACES + 1, MOST_DICE + 1))
"""The probability of so many hits, by dice, strike number and hits."""
for _dice in range(MOST_DICE + 1):
    for _number in range(1, FACES + 1):
        HITS[_dice, _number, : _dice + 1] = chances(_dice, _number)
_HURTS = np.minimum(np.arange(MOST_DICE + 1)[:, None], np.arange(MOST_LEFT + 1))
HURT = HITS @ _HURTS
"""The expected hits, but no more than the power left: by dice, strike number and power left."""
KILL = HITS @ (np.arange(MOST_DICE + 1)[:, None] >= np.arange(MOST_LEFT + 1)).astype(float)
"""The probability that the target is slain, by the same."""


LEAST_SKILL = int(SKILL.min())
KIND_OF_TARGET = 2 * (SKILL - LEAST_SKILL) + NATIVE[:, Hazard.BRAMBLE]
"""The index of a strike number: the target's skill, and whether it is at home in brambles, (24,)."""
_TARGETS = int(KIND_OF_TARGET.max()) + 2 - int(KIND_OF_TARGET.max()) % 2


def _toward() -> NDArray[np.int64]:
    """Return the hex in each direction, (27, 6); the hex itself at the edge of the map."""
    return np.where(NEIGHBOURS == OFF_MAP, np.arange(HEXES)[:, None], NEIGHBOURS)


_NEXT = _toward()
_EDGE = np.array([np.take_along_axis(EDGES[land].astype(np.int64), _NEXT, axis=1) for land in range(LANDS)])
"""The Edge in each direction, (11, 27, 6)."""


def more_dice() -> NDArray[np.int8]:
    """Return the dice that the ground adds to each character's strike in a direction, (11, 24, 27, 6)."""
    edge, kinds = _EDGE[:, None], (None, slice(None), None, None)
    volcano = (HAZARDS == Hazard.VOLCANO)[:, None, :, None] & NATIVE[kinds[:2]][:, :, Hazard.VOLCANO, None, None]
    dice = VOLCANO_DICE * volcano + DOWN_SLOPE_DICE * ((edge == Edge.DOWN_SLOPE) & NATIVE_OF_SLOPE[kinds])
    dice = dice + DOWN_DUNE_DICE * ((edge == Edge.DOWN_DUNE) & NATIVE_OF_DUNE[kinds])
    return (dice + UP_DUNE_DICE * ((edge == Edge.UP_DUNE) & ~NATIVE_OF_DUNE[kinds])).astype(np.int8)


def numbers() -> NDArray[np.int8]:
    """Return the strike number of each character that strikes a target of each `KIND_OF_TARGET`, (11, 24, 6, 27, 6)."""
    edge = _EDGE[:, None, None]
    striker, target = (None, slice(None), None, None, None), (None, None, slice(None), None, None)
    at_home = NATIVE[:, Hazard.BRAMBLE][striker]
    bramble = HAZARDS == Hazard.BRAMBLE
    out = bramble[:, None, None, :, None] & ~at_home
    hides = np.arange(_TARGETS) % 2 == 1
    into = bramble[:, _NEXT][:, None, None] & hides[target] & ~at_home
    skill = SKILL[striker] - out - ((edge == Edge.UP_SLOPE) & ~NATIVE_OF_SLOPE[striker])
    skill = skill + (edge == Edge.DOWN_WALL) - (edge == Edge.UP_WALL)
    other = LEAST_SKILL + np.arange(_TARGETS) // 2
    return np.clip(EVEN - skill + other[target] + into, 1, FACES).astype(np.int8)


MORE_DICE, NUMBERS = more_dice(), numbers()
"""The ground of a strike: added dice by land, striker, hex, direction; strike numbers, with the target's kind."""


def good_ground() -> NDArray[np.float64]:
    """Return each character's advantage on a hex, striking and struck, over a plain, (11, 24, 27).

    In shares of dice that hit, over all directions in which there can be contact and all characters alike.
    """
    numbers_out = NUMBERS[:, :, KIND_OF_TARGET].astype(float)  # land, striker, target, hex, direction
    power = POWER[None, :, None, None, None]
    rates = (FACES + 1 - numbers_out) / FACES * (1 + MORE_DICE[:, :, None] / power)
    even = (FACES + 1 - np.clip(EVEN - SKILL[:, None] + SKILL, 1, FACES)) / FACES
    gains = rates - even[None, :, :, None, None]
    back = np.array(BACK)
    struck = gains[:, :, :, _NEXT, back].swapaxes(1, 2)  # by each on each neighbour, back
    near = (CONTACT[:, :, None] & BITS[_NEXT] != 0)[:, None, None]
    return np.asarray(((gains - struck) * near).mean(axis=(2, 4)))


def _walks(begin: NDArray[np.float32], slow: NDArray[np.float32]) -> NDArray[np.int32]:
    """Return the ends of walks that enter `begin` at a cost of 1, `slow` at 2, if nobody is in the way, as sets."""
    costs = step_costs()
    quick_steps, slow_steps = ((costs == cost).astype(np.float32) for cost in (1, 2))
    spent = [np.zeros_like(begin), begin]
    reached = (begin > 0) & (SKILL[:, None, None] >= 1)
    for budget in range(2, int(SKILL.max()) + 1):
        paid = spent[budget - 1] @ quick_steps + spent[budget - 2] @ slow_steps + (slow if budget == 2 else 0)
        spent.append((paid > 0).astype(np.float32))
        reached |= (spent[budget] > 0) & (SKILL[:, None, None] >= budget)
    return as_sets(reached)


def reach() -> NDArray[np.int32]:
    """Return each character's reach in a maneuver if nobody is in the way, as sets of hexes, (11, 24, 27)."""
    costs = step_costs()
    walks = _walks((costs == 1).astype(np.float32), (costs == 2).astype(np.float32))
    return np.where(FLIES[None, :, None], FLIGHTS, walks)


def reach_in() -> NDArray[np.int32]:
    """Return the same of who comes on, by Side and Entry, (11, 24, 6)."""
    first = (ENTRANCES.ravel()[:, None] & BITS > 0)[None, None]
    cost = np.broadcast_to(ON_FOOT[:, :, None, :], (*ON_FOOT.shape[:2], ENTRANCES.size, HEXES))
    walks = _walks((first & (cost == 1)).astype(np.float32), (first & (cost == 2)).astype(np.float32))
    return np.where(FLIES[None, :, None], FLIGHTS_IN.reshape(walks.shape), walks)


REACH, REACH_IN, GROUND = reach(), reach_in(), good_ground()
