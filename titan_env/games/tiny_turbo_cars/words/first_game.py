"""The guided first game of Tiny Turbo Cars: its options, and the five sentences that are said in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from titan_env.contract.presentation_values import FirstGameData, GuideStep
from titan_env.games.tiny_turbo_cars.rules.state import Ask
from titan_env.games.tiny_turbo_cars.words.translation import _

OPTIONS: Mapping[str, Any] = {"cars": ["dogtor", "m1_lapin"], "boards": ["driveway", "living_room", "garden"]}
"""Two cars, and a single board between start and finish."""
SEED = 3


def first_game() -> FirstGameData:
    """Return how the guided first game is begun, and its steps."""
    steps = (
        GuideStep(_("When a round ends with a car past this finish line, the car that is furthest wins."), "cell:21,*"),
        GuideStep(
            _("This is your car with its batteries: choose the place on the starting grid where it stands."),
            "seat:0",
            Ask.PLACE,
        ),
        GuideStep(
            _(
                "Slide the tiles of your controller: its two middle rows are the program, eight commands for your "
                "car, and whoever is done first drives first."
            ),
            "tile:0:*",
            Ask.PROGRAM,
        ),
        GuideStep(
            _(
                "Let your car drive: it carries out its commands one after the other, and obstacles, walls and "
                "other cars stop it and cost a battery."
            ),
            "car:0",
            Ask.DRIVE,
        ),
        GuideStep(
            _(
                "After each round a car gains a shield for each car before it, and new rounds follow until a car "
                "is past the line."
            ),
            "seat:*",
        ),
    )
    return FirstGameData(OPTIONS, SEED, steps)
