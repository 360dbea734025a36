"""Legions that are drawn: such as a game has after so many musters. Our invention, so that both are of about one age.

A lord (a titan, an angel or none, each equally likely); three creatures out of 2 centaurs, 2 gargoyles and 2 ogres;
then for each muster a terrain other than the tower.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import draw, rule
from titan_env.games.titan_battle.rules.characters import IS_CREATURE, POWER, SUPPLY, VALUE
from titan_env.games.titan_battle.rules.musters import LADDERS, LONGEST, NO_KIND, held_by, left_in_box, may_muster
from titan_env.games.titan_battle.rules.state import (
    EMPTY,
    LANDS,
    LEGION,
    NOBODY,
    OUTSIDE,
    SLOTS,
    Character,
    Draw,
)

FIRST_KINDS = np.array([Character.CENTAUR, Character.GARGOYLE, Character.OGRE], np.int64)
"""The creatures with which a player starts, two of each."""
OF_EACH = 2
FIRST_CREATURES = 3
LORDS = np.array([Character.TITAN, Character.ANGEL, NO_KIND], np.int64)
"""With what lord a drawn legion begins."""


@rule
def draw_legion(battle: Any, side: int, how: int, growth: int, luck: Any) -> None:
    """Draw the legion of a side: a lord, three creatures, and so many musters."""
    lord = Character.TITAN.value if how == Draw.WITH_TITAN else LORDS[draw(luck, len(LORDS))]
    if lord != NO_KIND:
        join(battle, side, lord)
    drawn = 0
    for i in range(FIRST_CREATURES):
        drawn |= 1 << nth_left(drawn, draw(luck, len(FIRST_KINDS) * OF_EACH - i))
    for token in range(len(FIRST_KINDS) * OF_EACH):
        if drawn >> token & 1:
            join(battle, side, FIRST_KINDS[token // OF_EACH])
    for _ in range(growth):
        grow(battle, side, draw(luck, LANDS - 1))


@rule
def nth_left(drawn: int, which: int) -> int:
    """One of the tokens that have not been drawn, counted from the first."""
    token = 0
    while drawn >> token & 1 or which > 0:
        which -= 1 - (drawn >> token & 1)
        token += 1
    return token


@rule
def join(battle: Any, side: int, kind: int) -> None:
    """A character joins a legion, outside the map."""
    for who in range(side * SLOTS, side * SLOTS + LEGION):
        if battle.fighters[who].hex == EMPTY:
            place(battle, who, kind)
            return


@rule
def place(battle: Any, who: int, kind: int) -> None:
    """A fighter is of a kind, and still outside the map."""
    fighter = battle.fighters[who]
    fighter.kind = kind
    fighter.power = POWER[kind]
    fighter.hex = OUTSIDE


@rule
def grow(battle: Any, side: int, land: int) -> None:
    """Muster the greatest of a terrain's ladder for which the legion qualifies and the supply has one, if any."""
    for step in range(LONGEST):
        kind = LADDERS[0, land, LONGEST - 1 - step]
        if kind == NO_KIND or left_in_box(battle, kind, SUPPLY[kind]) == 0:
            continue
        if may_muster(held_by(battle, side), land, kind, 0):
            make_room(battle, side)
            join(battle, side, kind)
            return


@rule
def make_room(battle: Any, side: int) -> None:
    """A legion of seven puts its least valuable creature back first; of equals the lowest number."""
    least = NOBODY
    for who in range(side * SLOTS, side * SLOTS + LEGION):
        fighter = battle.fighters[who]
        if fighter.hex == EMPTY:
            return
        if IS_CREATURE[fighter.kind]:
            if least == NOBODY or is_less(fighter.kind, battle.fighters[least].kind):
                least = who
    battle.fighters[least].hex = EMPTY


@rule
def is_less(kind: int, other: int) -> bool:
    """Whether a character is worth less than another; of equals the lower number counts as less."""
    return VALUE[kind] < VALUE[other] or (VALUE[kind] == VALUE[other] and kind < other)


@rule
def sort_legion(battle: Any, side: int) -> None:
    """The fighters of a legion stand in the order of their kinds."""
    first = side * SLOTS
    for end in range(first + 1, first + LEGION):
        who = end
        while who > first and comes_before(battle.fighters[who], battle.fighters[who - 1]):
            swap(battle.fighters[who], battle.fighters[who - 1])
            who -= 1


@rule
def comes_before(fighter: Any, other: Any) -> bool:
    """Whether a fighter stands before another: empty places come last."""
    return fighter.hex != EMPTY and (other.hex == EMPTY or bool(fighter.kind < other.kind))


@rule
def swap(fighter: Any, other: Any) -> None:
    """Two fighters that are still outside change places."""
    fighter.kind, other.kind = other.kind, fighter.kind
    fighter.power, other.power = other.power, fighter.power
    fighter.hex, other.hex = other.hex, fighter.hex


@rule
def copy_legion(battle: Any, side: int, other: int) -> None:
    """The other side gets the same legion."""
    for number in range(LEGION):
        mine, its = battle.fighters[side * SLOTS + number], battle.fighters[other * SLOTS + number]
        its.kind = mine.kind
        its.power = mine.power
        its.hex = mine.hex
