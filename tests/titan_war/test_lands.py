"""The masterboard of the package: its table, the ways over it, and what stands in them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.titan_war.reference_lands import LANDS as REFERENCE
from tests.titan_war.test_reference_lands import vectors
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES, LAND_NAMES
from titan_env.games.titan_war import GAME
from titan_env.games.titan_war.rules.lands import (
    DATA,
    LAND_NUMBERS,
    NOWHERE,
    TELEPORTS,
    TERRAIN,
    TOWER_LANDS,
    land_number,
    parse_lands,
)
from titan_env.games.titan_war.rules.legions import raise_legion
from titan_env.games.titan_war.rules.movement import ENTRIES, walk, ways_of

TEXT = (DATA / "lands.txt").read_text("utf-8")


def board(start: int, roll: int, others: list[str]) -> tuple[Any, int]:
    """A legion on `start`, and others in its way: e41 an enemy, f41 an own legion, g41 both."""
    states = GAME.rules.configure()
    states[0].roll = roll
    for word in others:
        if word[0] in "fg":
            _raise(states[0], 0, int(word[1:]))
        if word[0] in "eg":
            _raise(states[0], 1, int(word[1:]))
    return states, _raise(states[0], 0, start)


def _raise(state: Any, seat: int, land: int) -> int:
    marker = next(i for i, one in enumerate(state.legions) if one.owner == seat and not one.height)
    raise_legion(state, marker, land_number(land))
    state.legions[marker].height = 2
    return marker


def test_a_move_ends_where_the_vectors_say() -> None:
    for (start, roll, *others), ends in vectors():
        if roll == "teleport":
            there = np.flatnonzero(TELEPORTS[land_number(int(start))])
            assert {str(LAND_NUMBERS[land]) for land in there} == set(ends)
            continue
        states, marker = board(int(start), int(roll), others)
        found = [walk(states[0], marker, way) for way in range(ways_of(states[0], marker))]
        written = {f"{LAND_NUMBERS[end // ENTRIES]}{ENTRY_NAMES[end % ENTRIES]}" for end in found if end != NOWHERE}
        assert written == set(ends), (start, roll, others)


def test_terrains_and_towers_are_those_of_the_second_implementation() -> None:
    assert {LAND_NUMBERS[land]: LAND_NAMES[TERRAIN[land]] for land in range(len(LAND_NUMBERS))} == {
        land: entry.terrain for land, entry in REFERENCE.items()
    }
    assert [LAND_NUMBERS[land] for land in TOWER_LANDS] == [100, 200, 300, 400, 500, 600]


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ("# source: ", "# from: ", "expected a source"),
        ("7,5  plains ", "7,5  plain ", "expected a terrain"),
        ("T2 S1000", "X2 S1000", "expected a terrain and signs"),
        ("42:R 1000:B 2:L", "42:Q 1000:B 2:L", "expected entry sides"),
        ("T2 S1000", "T3 S1000", "signs to lead to neighbours"),
        ("     1   7,5", "     1  15,5", "expected a place in"),
        ("     1   7,5", "     1   8,5", "a place of its own"),
        ("     1   7,5", "     2   7,5", "with numbers of their own"),
        ("42:R 1000:B 2:L", "42:R 1000:R 2:L", "each side to face one neighbour"),
    ],
)
def test_a_board_that_cannot_be_is_refused(old: str, new: str, complaint: str) -> None:
    assert old in TEXT
    with pytest.raises(ValueError, match=complaint):
        parse_lands(TEXT.replace(old, new, 1), "lands.txt")


def test_a_land_that_is_not_there_is_named() -> None:
    with pytest.raises(ValueError, match="43"):
        land_number(43)
