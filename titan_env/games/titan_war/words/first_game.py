"""The guided first game of Titan: war: its options, and what is said in it up to the end of its first battle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from titan_env.contract.presentation_values import CHOICES, FirstGameData, GuideStep
from titan_env.games.titan_war.rules.state import Ask
from titan_env.games.titan_war.words.translation import _

OPTIONS: Mapping[str, Any] = {"players": 2, "lean": True, "goal": 100, "turns": 16}
"""Two players, and an end by points or after eight turns of each."""
SEED = 24
"""With it the first battle comes soon."""


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
                "eliminate brings you points."
            ),
            "player:*",
        ),
        GuideStep(
            _(
                "This is a battle: in your half you maneuver first, so choose a character, then the hex where it "
                "goes, and say so when nobody else is to move."
            ),
            "piece:*",
            Ask.MANEUVER,
        ),
        GuideStep(
            _(
                "Then all who have an enemy beside them strike: one die for each point of power, and as many hits "
                "as its power slay a character."
            ),
            "legend:strike",
            Ask.GO,
        ),
        GuideStep(
            _(
                "The attacker must win within seven rounds, and whoever wins goes on with who is left, so play on "
                "until the war ends."
            ),
            CHOICES,
        ),
    )
    return FirstGameData(OPTIONS, SEED, steps)
