"""Let hidden things change places: two characters of one player, between two of its legions."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.games.titan_war.rules.battles import see_what_waits
from titan_env.games.titan_war.rules.state import Stage


def exchange(state: Any, rng: np.random.Generator) -> None:
    """Swap two characters of different kinds where the public record allows it; at most one pair."""
    legions = [one for one in state.legions if one.height]
    pairs = [(a, b) for a in legions for b in legions if a is not b and a.owner == b.owner != state.seat]
    if not pairs:
        return
    one, other = pairs[rng.integers(len(pairs))]
    given = np.flatnonzero((one.holds > one.at_least) & (other.holds < other.at_most))
    taken = np.flatnonzero((other.holds > other.at_least) & (one.holds < one.at_most))
    swaps = [(i, k) for i in given for k in taken if i != k]
    if not swaps:
        return
    gone, come = swaps[rng.integers(len(swaps))]
    one.holds[[gone, come]] += np.array([-1, 1], np.int8)
    other.holds[[gone, come]] += np.array([1, -1], np.int8)
    if state.stage == Stage.BATTLE:
        see_what_waits(state)
