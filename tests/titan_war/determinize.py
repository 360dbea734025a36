"""What may be hidden in this game, for the tests of what planners get of every game."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.games.titan_war.rules.state import LEGIONS


def exchange(state: Any, rng: np.random.Generator) -> None:
    """Two characters of different kinds change places between two legions of a player, where the record allows it.

    Not on one land: there a player sees both own legions together, and would not be told of the difference.
    """
    of = state.legions
    owner, land, height, holds, least, most = (
        of[name] for name in ("owner", "land", "height", "holds", "at_least", "at_most")
    )
    there = np.flatnonzero(height[:LEGIONS])
    ways = []
    for one, other in [(a, b) for a in there for b in there if a != b and owner[a] == owner[b] and land[a] != land[b]]:
        spare = np.flatnonzero((holds[one] > least[one]) & (holds[other] < most[other]))
        back = np.flatnonzero((holds[other] > least[other]) & (holds[one] < most[one]))
        ways += [(one, other, a, b) for a in spare for b in back if a != b]
    if ways:
        one, other, given, got = ways[rng.integers(len(ways))]
        for marker, kind, more in ((one, given, -1), (other, given, 1), (other, got, -1), (one, got, 1)):
            holds[marker, kind] += more
