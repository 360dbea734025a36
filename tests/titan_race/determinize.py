"""What may be hidden in this game, for the tests of what planners get of every game."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.games.titan_race.rules.state import ASIDE


def exchange(state: Any, rng: np.random.Generator) -> None:
    """Two cards of the race change places."""
    cards = np.flatnonzero(state.cards != ASIDE)
    if len(cards) > 1:
        pair = rng.choice(cards, 2, replace=False)
        state.cards[pair] = state.cards[pair[::-1]]
