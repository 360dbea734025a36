"""The dice of a game beside what was to be expected of them."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any

from titan_env.contract import Game
from titan_env.records.replay import ReplayStep
from titan_env.records.visible import heard


def dice_so_far(game: Game, moments: Sequence[ReplayStep], viewer: int | None) -> list[dict[str, Any]]:
    """Return a line for each seat and name of dice that `viewer` may know of: how often, result, expectation, luck.

    `luck` is the difference from the expectation in standard deviations; None where nothing could vary.
    """
    if game.presentation.dice is None:
        return []
    sums: dict[tuple[int, str], list[float]] = {}
    for before, moment in itertools.pairwise(moments):
        for throw in game.presentation.dice(before.read, heard(game, moment, viewer)) if len(moment.events) else ():
            line = sums.setdefault((throw.seat, throw.name), [0, 0.0, 0.0, 0.0])
            for column, number in enumerate((1, throw.got, throw.expected, throw.variance)):
                line[column] += number
    return [
        {
            "seat": seat,
            "name": name,
            "times": times,
            "got": round(got, 1),
            "expected": round(expected, 1),
            "luck": round((got - expected) / math.sqrt(variance), 2) if variance > 0 else None,
        }
        for (seat, name), (times, got, expected, variance) in sorted(sums.items(), key=lambda item: item[0])
    ]
