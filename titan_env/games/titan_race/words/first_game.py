"""The guided first game of Titan Race: its options, and the five sentences that are said in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from titan_env.contract.presentation_values import FirstGameData, GuideStep
from titan_env.games.titan_race.rules.state import Ask
from titan_env.games.titan_race.words.translation import _

OPTIONS: Mapping[str, Any] = {"titans": ["rassik", "craken", "slaugg"], "circuit": "estenguard", "laps": 1}
"""One lap, three Titans, and the person begins."""
SEED = 10


def first_game() -> FirstGameData:
    """Return how the guided first game is begun, and its steps."""
    steps = (
        GuideStep(
            _(
                "Whoever is the first to complete its laps over this line wins, and in this short race a single "
                "lap does it."
            ),
            "line",
        ),
        GuideStep(_("This is your Titan, with its lives and its bonus cards."), "titan:0"),
        GuideStep(
            _(
                "Your turn begins with a die from this pool: its colour says how far your Titan moves, and in "
                "which direction."
            ),
            "die:*",
            Ask.DRAFT,
        ),
        GuideStep(
            _(
                "Now play your die, and before or after it a card and your ability if you like: whoever you move "
                "on to is pushed and loses a life."
            ),
            "piece:0",
            Ask.TURN,
        ),
        GuideStep(
            _(
                "At 0 lives a Titan lies, loses its next turn and comes back with a full gauge, so play on until "
                "one of you has completed the lap."
            ),
            "life:0:*",
        ),
    )
    return FirstGameData(OPTIONS, SEED, steps)
