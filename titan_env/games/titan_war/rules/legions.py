"""Legions: markers on the board, the characters under them, and where they stand."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import rule
from titan_env.games.titan_battle.rules.characters import IS_CREATURE, IS_LORD, POWER, SKILL, VALUE
from titan_env.games.titan_battle.rules.musters import with_one
from titan_env.games.titan_battle.rules.state import KINDS, Character
from titan_env.games.titan_war.rules.state import LEGIONS, NOBODY

POINTS_A_POWER = 100
RETURNS = ~IS_CREATURE & (np.arange(KINDS) != Character.TITAN)
"""Lords and demi-lords go back to the supply; creatures leave the game for good, and titans never return."""


# Who stands where


@rule
def is_own(state: Any, marker: int, seat: int) -> bool:
    """Whether a marker lies on the board and belongs to a seat."""
    legion = state.legions[marker]
    return legion.height > 0 and legion.owner == seat


@rule
def has_legion_at(state: Any, seat: int, land: int) -> bool:
    """Whether a seat has a legion on a land."""
    return int(state.seats_at[land]) >> int(seat) & 1 != 0


@rule
def has_enemy_at(state: Any, seat: int, land: int) -> bool:
    """Whether another seat has a legion on a land."""
    return int(state.seats_at[land]) & ~(1 << int(seat)) != 0


@rule
def is_engaged(state: Any, seat: int, land: int) -> bool:
    """Whether legions of a seat and of an enemy stand on the same land."""
    return has_legion_at(state, seat, land) and has_enemy_at(state, seat, land)


@rule
def legion_at(state: Any, seat: int, land: int, index: int) -> int:
    """The marker of a seat's legion on a land, counted from the oldest, 0; NOBODY if there are not so many."""
    marker, age = NOBODY, 0
    for _ in range(index + 1):
        marker = NOBODY
        for other in range(LEGIONS):
            if is_own(state, other, seat) and state.legions[other].land == land and state.legions[other].age > age:
                if marker == NOBODY or state.legions[other].age < state.legions[marker].age:
                    marker = other
        if marker == NOBODY:
            return NOBODY
        age = int(state.legions[marker].age)
    return marker


@rule
def oldest_at(state: Any, seat: int, land: int) -> int:
    """The marker of a seat's oldest legion on a land, or NOBODY."""
    return legion_at(state, seat, land, 0) if has_legion_at(state, seat, land) else NOBODY


@rule
def enemy_at(state: Any, seat: int, land: int) -> int:
    """The marker of another seat's legion on a land, or NOBODY."""
    for marker in range(LEGIONS):
        legion = state.legions[marker]
        if legion.height > 0 and legion.land == land and legion.owner != seat:
            return marker
    return NOBODY


@rule
def is_alone(state: Any, marker: int) -> bool:
    """Whether no other legion of the same player stands on a legion's land."""
    legion = state.legions[marker]
    for other in range(LEGIONS):
        if other != marker and is_own(state, other, legion.owner) and state.legions[other].land == legion.land:
            return False
    return True


# Markers


@rule
def free_marker(state: Any, seat: int) -> int:
    """A new legion takes the player's lowest free marker; NOBODY: no more legions than markers."""
    for marker in range(LEGIONS):
        if state.legions[marker].owner == seat and state.legions[marker].height == 0:
            return marker
    return NOBODY


@rule
def count_free_markers(state: Any, seat: int) -> int:
    """How many markers of a seat are free."""
    count = 0
    for marker in range(LEGIONS):
        count += state.legions[marker].owner == seat and state.legions[marker].height == 0
    return count


@rule
def raise_legion(state: Any, marker: int, land: int) -> None:
    """Put a free marker on a land, as the youngest legion; nobody is under it yet."""
    legion = state.legions[marker]
    legion.land = land
    legion.age = 1
    for other in range(LEGIONS):
        legion.age += state.legions[other].height > 0
    state.seats_at[land] |= 1 << int(legion.owner)


@rule
def leave_land(state: Any, marker: int) -> None:
    """A legion leaves its land."""
    legion = state.legions[marker]
    if is_alone(state, marker):
        state.seats_at[legion.land] &= ~(1 << int(legion.owner))


@rule
def go_to(state: Any, marker: int, land: int) -> None:
    """A legion stands on another land."""
    leave_land(state, marker)
    legion = state.legions[marker]
    legion.land = land
    state.seats_at[land] |= 1 << int(legion.owner)


@rule
def free_legion(state: Any, marker: int) -> None:
    """A legion leaves the board: its marker is free, and younger legions are one place older."""
    leave_land(state, marker)
    legion = state.legions[marker]
    for other in range(LEGIONS):
        if state.legions[other].age > legion.age:
            state.legions[other].age -= 1
    legion.height = legion.land = legion.age = legion.moved = legion.entry = 0
    legion.holds[:] = 0
    legion.at_least[:] = 0
    legion.at_most[:] = 0


# Characters


@rule
def gain(legion: Any, kind: int) -> None:
    """A legion gets a character in public."""
    legion.height += 1
    legion.holds[kind] += 1
    legion.at_least[kind] += 1
    legion.at_most[kind] += 1


@rule
def lose(legion: Any, kind: int) -> None:
    """A legion loses a character in public."""
    legion.height -= 1
    legion.holds[kind] -= 1
    legion.at_least[kind] = max(0, legion.at_least[kind] - 1)
    legion.at_most[kind] = max(0, legion.at_most[kind] - 1)


@rule
def return_later(state: Any, kind: int, count: int) -> None:
    """Lords and demi-lords go back to the supply when the engagement is over."""
    if RETURNS[kind]:
        state.returning[kind] += count


@rule
def eliminate_legion(state: Any, marker: int) -> None:
    """All characters of a legion are lost."""
    for kind in range(KINDS):
        return_later(state, kind, state.legions[marker].holds[kind])
    free_legion(state, marker)


@rule
def has_lord(legion: Any) -> bool:
    """Whether a legion holds a titan, an angel or an archangel."""
    for kind in range(KINDS):
        if IS_LORD[kind] and legion.holds[kind] > 0:
            return True
    return False


@rule
def held_in(legion: Any) -> int:
    """What a legion holds as one number (see `musters.with_one`)."""
    held = 0
    for kind in range(KINDS):
        for _ in range(legion.holds[kind]):
            held = with_one(held, kind)
    return held


# Values


@rule
def titan_power(state: Any, seat: int) -> int:
    """A titan's power is 6, and 1 more for each 100 points of its player."""
    return int(POWER[Character.TITAN]) + int(state.scores[seat]) // POINTS_A_POWER


@rule
def value_of(state: Any, marker: int) -> int:
    """The value of a legion: power x skill of each of its characters."""
    legion = state.legions[marker]
    value = int(legion.holds[Character.TITAN]) * int(SKILL[Character.TITAN]) * titan_power(state, legion.owner)
    for kind in range(Character.TITAN + 1, KINDS):
        value += int(legion.holds[kind]) * int(VALUE[kind])
    return value


@rule
def value_of_all(state: Any, seat: int) -> int:
    """The value of all legions of a seat."""
    value = 0
    for marker in range(LEGIONS):
        if is_own(state, marker, seat):
            value += value_of(state, marker)
    return value
