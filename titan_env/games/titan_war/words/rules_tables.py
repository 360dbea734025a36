"""The tables of the rules page that are made from the data files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from titan_env.games.titan_battle.rules.state import Land
from titan_env.games.titan_battle.words.translation import land_name
from titan_env.games.titan_war.rules.lands import LAND_NUMBERS, TERRAIN


def rules_tables() -> Mapping[str, Sequence[Sequence[str]]]:
    """Return the rows of each table, in the current language, by the name that stands in RULES.md."""
    return {"lands": [[land_name(land), _lands(land)] for land in Land]}


def _lands(terrain: Land) -> str:
    """Return the numbers of the lands of a terrain."""
    return ", ".join(str(LAND_NUMBERS[land]) for land in np.flatnonzero(terrain == TERRAIN).tolist())
