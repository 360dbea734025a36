"""The dice of a war, beside what was to be expected of them."""

from __future__ import annotations

from typing import Any

from titan_env.contract.presentation_values import Throw
from titan_env.games.titan_battle.words.dice import hits_of
from titan_env.games.titan_war.rules.state import FACES, NOBODY, Event
from titan_env.games.titan_war.words.translation import _

ROLL_MEAN, ROLL_VARIANCE = (FACES + 1) / 2, (FACES * FACES - 1) / 12
"""Of one movement die."""


def dice(before: Any, events: Any) -> list[Throw]:
    """Return the movement dice of a step, and the hits of each strike, by who threw them."""
    engaged = [int(marker) for marker in (before.attacker, before.defender)]
    seats = [int(before.legions[marker].owner) if marker != NOBODY else NOBODY for marker in engaged]
    side, found = 0, []
    for kind, who, other, amount in events.tolist():
        if kind in (Event.BATTLE, Event.ENGAGED):
            seats = [who, other]
        elif kind == Event.STRUCK:
            side = who
        elif kind == Event.DICE:
            found.append(hits_of(seats[side], who, other, amount))
        elif kind == Event.ROLLED:
            found.append(Throw(who, _("movement"), other, ROLL_MEAN, ROLL_VARIANCE))
    return found
