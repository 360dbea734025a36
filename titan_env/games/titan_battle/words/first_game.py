"""The guided first game of Titan: battle: its options, and the five sentences that are said in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from titan_env.contract.presentation_values import FirstGameData, GuideStep
from titan_env.games.titan_battle.rules.state import Ask
from titan_env.games.titan_battle.words.translation import _

OPTIONS: Mapping[str, Any] = {
    "land": "plains",
    "attacker": ["lion", "ogre", "ogre"],
    "defender": ["lion", "centaur", "ogre"],
    "attacker_seat": 1,
}
"""Three against three on open land, and the person, who defends, begins."""
SEED = 3


def first_game() -> FirstGameData:
    """Return how the guided first game is begun, and its steps."""
    steps = (
        GuideStep(
            _("You win when this enemy legion is slain or, since you defend, when seven rounds are over."), "legion:0"
        ),
        GuideStep(
            _(
                "This is your legion: each character has a power, its dice and the hits that slay it, and a "
                "skill, the hexes that it moves."
            ),
            "legion:1",
        ),
        GuideStep(
            _("In your half you maneuver first: choose a character, then the hex where it goes."),
            "piece:8",
            Ask.MANEUVER,
        ),
        GuideStep(
            _(
                "Then all who have an enemy beside them must strike: choose who does, and it rolls as many dice "
                "as its power, of which those hit that reach the strike number."
            ),
            "legend:strike",
            Ask.STRIKE,
        ),
        GuideStep(
            _(
                "As many hits as its power slay a character, which still strikes back in this phase, so play on "
                "until one legion is gone."
            ),
            "legion:0",
        ),
    )
    return FirstGameData(OPTIONS, SEED, steps)
