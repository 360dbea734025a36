"""The probabilities of a battle's ends, learned from positions of finished battles, for the page and for planners.

A small network that `python -m titan_env.games.titan_battle.value.fit` has made; its file is read when it is
first asked. It knows who is left with how many hits, land, round and half, and what both sides could do to each other
from where they stand.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules.state import BATTLE
from titan_env.games.titan_battle.value.chances import WEIGHTS as CHANCES
from titan_env.games.titan_battle.value.chances import OutcomeNetwork, probabilities, read
from titan_env.games.titan_battle.value.position_features import features
from titan_env.games.titan_battle.words.translation import _

WEIGHTS: Path = CHANCES.with_name("forecast.npz")
"""The file that comes with the package."""
NAMES = (mark("The attacker wins"), mark("The defender wins"), mark("Both are eliminated"))
"""The names of the ends, in the order of the outputs."""


def foretell(battles: Any, network: OutcomeNetwork | None = None) -> NDArray[np.float64]:
    """Return how likely each end is of B battles under way, records (B,): (B, 3), the columns as in `ENDS`."""
    return probabilities((network or read(WEIGHTS))(features(battles)))


def position_values(states: Any) -> NDArray[np.float64]:
    """Return the expected payoff of each seat in battles under way, records (N,): (N, 2), from -1 to 1."""
    ends = foretell(np.ascontiguousarray(states["battle"]))
    lead = ends[:, 0] - ends[:, 1]
    first = np.where(states["attacker"] == 0, lead, -lead)
    return np.stack([first, -first], axis=1)


def forecast(state: Any) -> Mapping[str, float]:
    """Return how likely each end of a battle is, by its name in the language that is spoken."""
    battles = np.zeros(1, BATTLE)
    battles[0] = state.battle
    return {_(name): float(share) for name, share in zip(NAMES, foretell(battles)[0], strict=True)}
