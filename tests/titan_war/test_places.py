"""Lands that join are drawn beside each other, and no two lands lie on each other."""

from __future__ import annotations

import itertools
import math

import pytest

from tests.titan_war.reference_lands import LANDS
from titan_env.games.titan_war.picture.masterboard import FILLS, signs
from titan_env.games.titan_war.picture.places import (
    BOARD_HIGH,
    BOARD_WIDE,
    SIDE,
    common_side,
    middle,
    outline,
    points_down,
    way_over,
)
from titan_env.games.titan_war.rules.lands import ENTRIES, land_number

ALL = range(96)
JOINED = [(land_number(land), land_number(other)) for land, entry in LANDS.items() for other in entry.enter]


def test_there_are_132_borders_between_lands() -> None:
    assert len(JOINED) == 2 * 132


@pytest.mark.parametrize(("land", "other"), JOINED, ids=lambda land: str(ENTRIES[land].number))
def test_lands_that_join_share_a_side_of_their_triangles(land: int, other: int) -> None:
    assert common_side(land, other) is not None
    assert points_down(land) != points_down(other)
    assert math.dist(middle(land), middle(other)) == pytest.approx(SIDE / math.sqrt(3))


def test_lands_that_do_not_join_share_no_side() -> None:
    touching = {(a, b) for a, b in itertools.permutations(ALL, 2) if common_side(a, b) is not None}
    assert touching == set(JOINED)


def test_every_land_lies_on_the_board_and_apart_from_every_other() -> None:
    for land in ALL:
        for x, y in outline(land):
            assert 0 < x < BOARD_WIDE
            assert -BOARD_HIGH < y < 0
    for one, other in itertools.combinations(ALL, 2):
        assert math.dist(middle(one), middle(other)) > 0.99 * SIDE / math.sqrt(3)


def test_the_board_is_the_same_in_every_sixth_part_turned_by_sixty_degrees() -> None:
    centre = (BOARD_WIDE / 2, -BOARD_HIGH / 2)

    def turned(land: int) -> tuple[float, float]:
        (x, y), (cx, cy) = middle(land), centre
        turn = math.pi / 3
        across, up = x - cx, y - cy
        return cx + across * math.cos(turn) - up * math.sin(turn), cy + across * math.sin(turn) + up * math.cos(turn)

    for block in range(6):
        for first, step in ((1, 7), (101, 7), (100, 100), (1000, 1000)):
            for place in range(7 if step == 7 else 1):
                here = land_number(first + block * step + place)
                there = land_number(first + (block + 1) % 6 * step + place)
                assert turned(here) == pytest.approx(middle(there))


def test_every_sign_is_drawn_on_the_side_that_it_points_over() -> None:
    drawn = sum(3 if sign == "T" else 1 for land in ALL for sign, _number in ENTRIES[land].signs)
    assert len(signs()) == drawn
    for land in ALL:
        for _sign, number in ENTRIES[land].signs:
            other = land_number(number)
            foot, out, _right = way_over(land, other, 0.0)
            beyond = (foot[0] + out[0] * 0.1, foot[1] + out[1] * 0.1)
            assert math.dist(beyond, middle(other)) < math.dist(beyond, middle(land))


def test_lands_without_a_common_side_have_no_way_over() -> None:
    with pytest.raises(ValueError, match="expected lands beside each other"):
        way_over(land_number(1), land_number(20), 0.0)


def test_each_terrain_has_a_colour_of_its_own() -> None:
    assert len(set(FILLS.values())) == 11
