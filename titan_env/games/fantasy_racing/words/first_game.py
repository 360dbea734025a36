"""The guided first game of Fantasy Racing: its options, and the five sentences that are said in it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from titan_env.contract.presentation_values import FirstGameData, GuideStep
from titan_env.games.fantasy_racing.rules.state import Ask
from titan_env.games.fantasy_racing.words.translation import _

OPTIONS: Mapping[str, Any] = {"rounds": 5, "circuit": "goblin_meadow", "characters": ["dwarf", "elf"]}
"""Two racers, the fewest rounds, and the person begins."""
SEED = 3


def first_game() -> FirstGameData:
    """Return how the guided first game is begun, and its steps."""
    steps = (
        GuideStep(
            _(
                "Most points win, not the first place: each row forward is 1 point and each new lap 10, and this "
                "race has five rounds."
            ),
            "racer:0",
        ),
        GuideStep(
            _(
                "This is your racer, which runs down a board without end and takes what lies on its way: coins, "
                "clovers, shields and chests."
            ),
            "piece:0",
        ),
        GuideStep(_("Two dice were rolled for you: walk by one of them."), "die:*", Ask.DIE),
        GuideStep(_("Now act: advance by your speed, use an object, spend coins, or rest."), "choices", Ask.TURN),
        GuideStep(
            _(
                "Whoever ends a movement on an opponent fights it for 3 points, and at the end of the fifth round "
                "the points decide."
            ),
            "piece:1",
        ),
    )
    return FirstGameData(OPTIONS, SEED, steps)
