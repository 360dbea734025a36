"""Lines of sight: how many are free on empty maps, and what characters in the way do."""

from __future__ import annotations

import pytest

from titan_env.games.titan_battle.rules.hexes import STEPS, hex_number, hex_set
from titan_env.games.titan_battle.rules.sight import NOT_SEEN, brambles_between
from titan_env.games.titan_battle.rules.state import HEXES, Land

FREE = {
    "plains": (186, 186),
    "brush": (186, 186),
    "marsh": (186, 186),
    "tundra": (186, 186),
    "woods": (172, 118),
    "jungle": (176, 138),
    "hills": (144, 62),
    "desert": (158, 100),
    "swamp": (168, 108),
    "mountains": (154, 96),
    "tower": (132, 66),
}


def sees(land: str, a: str, b: str, *taken: str) -> bool:
    """Whether there is a line of sight between two hexes, with characters on some others."""
    held = hex_set(map(hex_number, taken))
    return brambles_between(Land[land.upper()], hex_number(a), hex_number(b), held) != NOT_SEEN


@pytest.mark.parametrize("land", FREE)
def test_free_lines_of_sight_on_an_empty_map(land: str) -> None:
    for steps, free in zip((2, 3), FREE[land], strict=True):
        pairs = [(a, b) for a in range(HEXES) for b in range(HEXES) if STEPS[a, b] == steps]
        assert len(pairs) == 186
        assert sum(brambles_between(Land[land.upper()], a, b, 0) != NOT_SEEN for a, b in pairs) == free


def test_a_character_between_blocks_a_straight_line() -> None:
    assert sees("plains", "D1", "D3")
    assert not sees("plains", "D1", "D3", "D2")
    assert not sees("plains", "D1", "D4", "D3")


def test_along_a_border_one_free_way_is_enough() -> None:
    assert sees("plains", "C2", "E2", "D2")
    assert sees("plains", "C2", "E2", "D3")
    assert not sees("plains", "C2", "E2", "D2", "D3")


def test_a_way_that_leaves_the_map_is_not_free() -> None:
    assert sees("plains", "A1", "C1")
    assert not sees("plains", "A1", "C1", "B1")


def test_who_stands_lower_than_both_ends_blocks_nothing() -> None:
    assert sees("mountains", "B2", "B4", "B3")
    assert not sees("plains", "B2", "B4", "B3")


def test_who_stands_directly_below_a_cliff_of_an_end_blocks_nothing() -> None:
    assert sees("mountains", "B1", "D3", "C2")
    assert sees("mountains", "D3", "B1", "C2")


def test_with_two_free_ways_the_one_with_less_bramble_counts() -> None:
    land = Land.BRUSH
    assert brambles_between(land, hex_number("C1"), hex_number("E1"), 0) == 1
    assert brambles_between(land, hex_number("C4"), hex_number("E4"), 0) == 0
    taken = hex_set([hex_number("D4")])
    assert brambles_between(land, hex_number("C4"), hex_number("E4"), taken) == 1
