"""Lines of sight: for each land and each two hexes at range 3 or 4, what blocks the line, laid out once.

The straight line runs from centre to centre. Where it runs along a border there are two possible ways, and one free
way is enough.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import numpy as np

from titan_env.contract import rule
from titan_env.games.titan_battle.rules.hexes import PLACES, STEPS, cube, hex_at, hex_set
from titan_env.games.titan_battle.rules.lands import EDGES, HAZARDS, LEVELS, is_cliff
from titan_env.games.titan_battle.rules.state import HEXES, LANDS, OUTSIDE, UPHILL, Edge, Hazard

WAYS = 2
NO_WAY = 1 << OUTSIDE
"""Instead of the hexes that block a way: it is never free."""
NOT_SEEN = -1  # instead of brambles
_NEAR, _FAR = 2, 3  # steps at range 3 and 4
_DUNES_AND_CLIFFS = (Edge.DOWN_DUNE, Edge.UP_DUNE, Edge.DOWN_CLIFF, Edge.UP_CLIFF)


def hex_of_cube(x: int, depth: int) -> int:
    """The number of the hex with these cube coordinates; OFF_MAP where there is none."""
    return hex_at(x, depth + (x - x % 2) // 2)


def nearest(a: int, b: int, share: float) -> int:
    """The hex nearest to the point that lies on the line from one hex to another after such a share of it."""
    begin, end = cube(*PLACES[a]), cube(*PLACES[b])
    point = [p + (q - p) * share for p, q in zip(begin, end, strict=True)]
    rounded = [round(part) for part in point]
    errors = [abs(whole - part) for whole, part in zip(rounded, point, strict=True)]
    worst = errors.index(max(errors))
    rounded[worst] -= sum(rounded)
    return hex_of_cube(rounded[0], rounded[2])


def ways_between(a: int, b: int) -> list[list[int]]:
    """The hexes strictly between two at range 3 or 4, for each possible way; ways that leave the map are left out."""
    if STEPS[a, b] == _FAR:
        ways = [[nearest(a, b, 1 / 3), nearest(a, b, 2 / 3)]]
    else:
        ways = [[number] for number in range(HEXES) if STEPS[a, number] == 1 and STEPS[number, b] == 1]
    return [way for way in ways if min(way) >= 0]


def is_barred(land: int, path: Sequence[int]) -> bool:
    """Whether the ground itself blocks a way, from the striker's hex to the target's, both included."""
    edges = [int(EDGES[land, a, b]) for a, b in pairwise(path)]
    last = len(edges) - 1
    owned = [
        index
        for index, edge in enumerate(edges)
        if (index == 0 and 0 < edge <= UPHILL) or (index == last and edge > UPHILL)
    ]  # the crossed borders that belong to an end
    crossed = [index for index, edge in enumerate(edges) if edge != Edge.NONE]
    has_tree = any(HAZARDS[land, number] == Hazard.TREE for number in path[1:-1])
    is_steep = any(edges[index] in _DUNES_AND_CLIFFS for index in crossed if index not in owned)
    is_walled = edges[0] == Edge.UP_WALL or edges[last] == Edge.DOWN_WALL
    is_hidden = len(crossed) > 0 and not owned
    is_rugged = len(crossed) == _FAR and len(owned) < 2 and not any(is_cliff(edges[index]) for index in owned)
    return has_tree or is_steep or is_walled or is_hidden or is_rugged


def blockers(land: int, path: Sequence[int]) -> int:
    """The hexes of a way on which any character blocks it, as a set; NO_WAY where the ground does.

    Their level is at least the lower of the two ends' levels; not directly below a cliff of an end.
    """
    if is_barred(land, path):
        return NO_WAY
    low = min(LEVELS[land, path[0]], LEVELS[land, path[-1]])
    between = [number for number in path[1:-1] if LEVELS[land, number] >= low]
    if EDGES[land, path[0], path[1]] == Edge.DOWN_CLIFF and path[1] in between:
        between.remove(path[1])
    if EDGES[land, path[-2], path[-1]] == Edge.UP_CLIFF and path[-2] in between:
        between.remove(path[-2])
    return hex_set(between)


BLOCKERS = np.full((LANDS, HEXES, HEXES, WAYS), NO_WAY, np.int32)
"""The hexes on which characters block the line between two hexes, by way, as sets, (11, 27, 27, 2)."""
BRAMBLES = np.zeros((LANDS, HEXES, HEXES, WAYS), np.int8)
"""How many hexes strictly between two are bramble, by way, (11, 27, 27, 2)."""
for _a, _b in np.argwhere((STEPS == _NEAR) | (STEPS == _FAR)).tolist():
    for _number, _between in enumerate(ways_between(_a, _b)):
        for _land in range(LANDS):
            BLOCKERS[_land, _a, _b, _number] = blockers(_land, [_a, *_between, _b])
            BRAMBLES[_land, _a, _b, _number] = (HAZARDS[_land, _between] == Hazard.BRAMBLE).sum()


@rule
def brambles_between(land: int, a: int, b: int, occupied: int) -> int:
    """How many bramble hexes lie between two: with two free ways, those of the one with less; NOT_SEEN with none.

    `occupied`: the set of hexes that hold a character, living or slain.
    """
    least = NOT_SEEN
    for way in range(WAYS):
        if BLOCKERS[land, a, b, way] & (occupied | NO_WAY) == 0:
            brambles = int(BRAMBLES[land, a, b, way])
            if least == NOT_SEEN or brambles < least:
                least = brambles
    return least
