"""What may be hidden in this game, for the tests of what planners get of every game."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.games.tiny_turbo_cars.rules.state import UNDEALT, Ask


def exchange(state: Any, rng: np.random.Generator) -> None:
    """While programming, the tiles of a controller that is dealt lie in another order."""
    dealt = np.flatnonzero(state.drivers["controller"][:, 0] != UNDEALT)
    if state.ask == Ask.PROGRAM:
        who = rng.choice(dealt)
        state.drivers["controller"][who] = rng.permutation(state.drivers["controller"][who])
