"""The dice of a battle, beside what was to be expected of them."""

from __future__ import annotations

from typing import Any

from titan_env.contract.presentation_values import Throw
from titan_env.games.titan_battle.rules.decision import seat_of
from titan_env.games.titan_battle.rules.state import Event, Side
from titan_env.games.titan_battle.words.translation import _

FACES = 6


def hits_of(seat: int, dice: int, number: int, hits: int) -> Throw:
    """Return a strike with so many dice and this strike number, and the hits that were to be expected."""
    chance = (FACES + 1 - number) / FACES
    return Throw(seat, _("hits"), hits, dice * chance, dice * chance * (1 - chance))


def dice(before: Any, events: Any) -> list[Throw]:
    """Return the hits of each strike of a step, by who struck."""
    seats = [int(seat_of(before, side)) for side in Side]
    side, found = 0, []
    for kind, who, other, amount in events.tolist():
        if kind == Event.STRUCK:
            side = who
        elif kind == Event.DICE:
            found.append(hits_of(seats[side], who, other, amount))
    return found
