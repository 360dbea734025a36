"""The chances that compiled agents work out are those of the package's own network, battle by battle."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from titan_env import registry
from titan_env.contract import rule
from titan_env.games.titan_battle.agents.legion_features import battles_of
from titan_env.games.titan_battle.rules.characters import POWER
from titan_env.games.titan_battle.rules.state import Character
from titan_env.games.titan_battle.value.battles import draw_battles
from titan_env.games.titan_battle.value.chances import foretell
from titan_env.games.titan_battle.value.quick import foretell_one, layers, meeting

pytestmark = pytest.mark.thorough

GAME = registry.load("titan_battle")
DRAWN = 300


@rule
def tell(met: Any, land: int, entry: int, angel: int, archangel: int, reinforced: int, network: Any) -> None:
    """Call the inlined rule."""
    foretell_one(met, land, entry, angel, archangel, reinforced, network)


def test_one_battle_is_foretold_as_many_are() -> None:
    battles = battles_of(draw_battles(GAME, DRAWN, 7)[0]["battle"])
    expected, met, network = foretell(battles), meeting(), layers()
    for i in range(DRAWN):
        met.holds[:] = battles.counts[i]
        met.titans[:] = np.maximum(battles.titans[i], POWER[Character.TITAN])
        angel, archangel = battles.waiting[i].tolist()
        tell(
            met,
            int(battles.lands[i]),
            int(battles.entries[i]),
            angel,
            archangel,
            int(battles.reinforcement[i]),
            network,
        )
        np.testing.assert_allclose(met.forecast, expected[i], rtol=1e-3, atol=1e-3)
