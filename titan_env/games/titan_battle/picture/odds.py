"""Strikes that can be chosen, as shapes: dice and strike number on the way from each striker to each target."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from titan_env.contract.shapes import Box, Label, Line, Point, Shape, cached_drawing
from titan_env.games.titan_battle.picture.battleland import centre
from titan_env.games.titan_battle.picture.click_targets import Offers, dice_and_number
from titan_env.games.titan_battle.rules.decision import aims
from titan_env.games.titan_battle.rules.fighters import fighter_at
from titan_env.games.titan_battle.rules.hexes import STEPS, has_hex
from titan_env.games.titan_battle.rules.rangestrikes import number_of_shot, shot_dice
from titan_env.games.titan_battle.rules.state import HEXES, Ask
from titan_env.games.titan_battle.rules.strikes import (
    living_enemies,
    number_of_strike,
    strike_dice,
    worse_dice,
    worse_number,
)

_NEAR_TARGET = 0.62
"""The distance of a rangestrike's label from the middle of its target."""


Strike = tuple[int, int, str]
"""From where, at whom, and what is written on the way."""


def odds(strikes: Iterable[Strike]) -> list[Shape]:
    """Draw the strikes among which somebody is choosing."""
    return [shape for strike in strikes for shape in _way(*strike)]


def strikes_offered(battle: Any, offers: Offers) -> Iterator[Strike]:
    """Return the strikes among which somebody is choosing."""
    if battle.ask in (Ask.STRIKE, Ask.TARGET):
        for who in _strikers(battle, offers):
            for number in range(HEXES):
                if has_hex(int(aims(battle, who)), number):
                    yield int(battle.fighters[who].hex), number, pair(battle, who, number)
    elif battle.ask == Ask.HANDICAP:
        here = int(battle.fighters[battle.picked].hex)
        yield here, int(battle.fighters[battle.target].hex), dice_and_number(battle.dice, battle.number)
        for number in _offered_hexes(offers):
            yield here, number, dice_and_number(worse_dice(battle, number), worse_number(battle, number))
    elif battle.ask == Ask.CARRY:
        for number in _offered_hexes(offers):
            yield int(battle.fighters[battle.picked].hex), number, f"+{int(battle.surplus)}"


def pair(battle: Any, who: int, number: int) -> str:
    """Return dice and strike number of a fighter against the enemy on a hex, struck or rangestruck."""
    whom = fighter_at(battle, number)
    if living_enemies(battle, who):
        return dice_and_number(strike_dice(battle, who, whom), number_of_strike(battle, who, whom))
    return dice_and_number(shot_dice(battle, who), number_of_shot(battle, who, whom))


def _strikers(battle: Any, offers: Offers) -> Sequence[int]:
    """Return those who may strike now, or have been picked to."""
    if battle.ask == Ask.TARGET:
        return [int(battle.picked)]
    return [int(fighter_at(battle, number)) for number in _offered_hexes(offers)]


def _offered_hexes(offers: Offers) -> Iterator[int]:
    """Return the hexes that can be clicked."""
    return (number for number in range(HEXES) if f"hex:{number}" in offers)


@cached_drawing
def _way(here: int, there: int, text: str) -> list[Shape]:
    """Draw a line to a target with its text: between neighbours on their common side, else near the target."""
    (ax, ay), (bx, by) = centre(here), centre(there)
    length = math.hypot(bx - ax, by - ay)
    ux, uy = (bx - ax) / length, (by - ay) / length
    if STEPS[here, there] == 1:
        return tag(((ax + bx) / 2, (ay + by) / 2), text, "accent", is_high=abs(ux) > 0.1)
    far = length - _NEAR_TARGET
    line = Line(((ax + ux * 0.4, ay + uy * 0.4), (bx - ux * 0.42, by - uy * 0.42)), "accent", 0.03, 0.12, True)
    return [line, *tag((ax + ux * far, ay + uy * far), text, "accent")]


def tag(middle: Point, text: str, colour: str, is_high: bool = False) -> list[Shape]:
    """Draw a short text on paper, with a rim; where there is little room across its words stand one below the other."""
    x, y = middle
    words = text.split(" ") if is_high else [text]
    labels = [
        Label(x, y + ((len(words) - 1) / 2 - row) * 0.16, word, "ink", 11, bold=True) for row, word in enumerate(words)
    ]
    half, high = max(label.wide for label in labels) / 2 + 0.035, 0.1 + 0.08 * (len(words) - 1)
    return [Box(x - half, y - high, 2 * half, 2 * high, "paper", colour, 0.02, 0.05), *labels]
