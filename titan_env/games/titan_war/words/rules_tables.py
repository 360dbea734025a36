"""The tables of the rules page that are made from the data files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES
from titan_env.games.titan_battle.rules.state import Land
from titan_env.games.titan_battle.words.translation import land_name
from titan_env.games.titan_war.rules.lands import ENTRY_SIDE, LAND_NUMBERS, NEIGHBOURS, TERRAIN, land_number

FIRST_PART = (*range(1, 8), *range(101, 108), 100, 1000)
"""The numbers of the lands of the first sixth of the board; the other five are like it."""


def rules_tables() -> Mapping[str, Sequence[Sequence[str]]]:
    """Return the rows of each table, in the current language, by the name that stands in RULES.md."""
    return {
        "lands": [[land_name(land), _lands(land)] for land in Land],
        "entries": [_entries(number) for number in FIRST_PART],
    }


def _lands(terrain: Land) -> str:
    """Return the numbers of the lands of a terrain."""
    return ", ".join(str(LAND_NUMBERS[land]) for land in np.flatnonzero(terrain == TERRAIN).tolist())


def _entries(number: int) -> list[str]:
    """Return a land's number, then from which lands it is entered on each side; "-" for none."""
    land = land_number(number)
    sides = [
        ", ".join(str(LAND_NUMBERS[other]) for other in NEIGHBOURS[land] if ENTRY_SIDE[land, other] == side)
        for side in range(len(ENTRY_NAMES))
    ]
    return [str(number), *(there or "-" for there in sides)]
