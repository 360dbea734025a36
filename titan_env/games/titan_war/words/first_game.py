"""The guided first game of Titan: war: its options, and the five sentences that are said in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from titan_env.contract.presentation_values import FirstGameData, GuideStep
from titan_env.games.titan_war.rules.state import Ask
from titan_env.games.titan_war.words.translation import _

OPTIONS: Mapping[str, Any] = {"players": 2, "lean": True, "goal": 100, "turns": 16}
"""Two players, and an end by points or after eight turns of each."""
SEED = 3


def first_game() -> FirstGameData:
    """Return how the guided first game is begun, and its steps."""
    steps = (
        GuideStep(
            _(
                "Whoever's titan falls is out and the last titan wins, but this short war also ends with 100 "
                "points, or after 16 turns."
            ),
            "player:0",
        ),
        GuideStep(
            _(
                "Your eight characters make two legions of four: choose three that go with the titan, and the "
                "others go with the angel."
            ),
            "choice:*",
            Ask.START,
        ),
        GuideStep(
            _(
                "A die was rolled, and each legion may move exactly so far: choose one of yours, then the land "
                "where it goes."
            ),
            "marker:0",
            Ask.MOVE,
        ),
        GuideStep(
            _(
                "Where a legion has moved it may muster: it shows what qualifies it in that terrain, and one more "
                "character joins it."
            ),
            "supply:*",
            Ask.MUSTER,
        ),
        GuideStep(
            _(
                "Legions that meet fight, unless one flees, concedes or both agree to fall, and whom you "
                "eliminate brings you points, so play on until the war ends."
            ),
            "player:*",
        ),
    )
    return FirstGameData(OPTIONS, SEED, steps)
