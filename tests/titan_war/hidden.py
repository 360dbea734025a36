"""What may be hidden in this game, for the tests of what planners get of every game."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.games.titan_war.rules.state import LEGIONS


def exchange(state: Any, rng: np.random.Generator) -> None:
    """Two characters of different kinds change places between two legions of a player, where the record allows it.

    Not on one land: there a player sees both own legions together, and would not be told of the difference.
    """
    ways = []
    legions = [state.legions[marker] for marker in range(LEGIONS)]
    for one, other in [(a, b) for a in range(LEGIONS) for b in range(LEGIONS) if a != b]:
        giver, taker = legions[one], legions[other]
        if giver.height and taker.height and giver.owner == taker.owner and giver.land != taker.land:
            spare = np.flatnonzero((giver.holds > giver.at_least) & (taker.holds < taker.at_most))
            back = np.flatnonzero((taker.holds > taker.at_least) & (giver.holds < giver.at_most))
            ways += [(one, other, a, b) for a in spare for b in back if a != b]
    if ways:
        one, other, given, got = ways[rng.integers(len(ways))]
        for marker, kind, more in ((one, given, -1), (other, given, 1), (other, got, -1), (one, got, 1)):
            legions[marker].holds[kind] += more
