"""What a seat sees: every field against the position, from both sides."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.titan_battle.table import Table
from titan_env.games.titan_battle import GAME
from titan_env.games.titan_battle.rules.characters import CHARACTERS
from titan_env.games.titan_battle.rules.hexes import hex_number
from titan_env.games.titan_battle.rules.observation import FIELDS
from titan_env.games.titan_battle.rules.state import Ask, Hazard, Land, Window

ATTACKER, DEFENDER = 0, 1


def seen(table: Table, seat: int) -> dict[str, Any]:
    """The fields of a seat's observation in whole numbers, by name."""
    vector = np.full(FIELDS.size, 99, np.int8)
    GAME.rules.observe(table.state, seat, vector)
    low, high = FIELDS.bounds(whole=True)
    assert (low <= vector).all()
    assert (vector <= high).all()
    return FIELDS.split(vector)


def place(kind: str) -> int:
    return CHARACTERS.index(kind)


def test_it_has_2737_whole_numbers_of_one_byte() -> None:
    assert (FIELDS.size, FIELDS.dtype) == (2737, np.int8)
    names = "ask role round terrain hexes fighter_kind fighter_marks fighter_left fighter_hits outside running dice"
    assert [part.name for part in FIELDS.parts] == [*names.split(), "number", "titan_power", "late", "picked_kind"]


def test_the_question_the_role_and_the_round() -> None:
    table = Table("desert", "ogre C3", "lion C4", begun=5)
    mine, theirs = seen(table, ATTACKER), seen(table, DEFENDER)
    for fields in (mine, theirs):
        assert np.flatnonzero(fields["ask"]).tolist() == [Ask.STRIKE - 1]
        assert np.flatnonzero(fields["round"]).tolist() == [4]
        assert np.flatnonzero(fields["terrain"]).tolist() == [Land.DESERT]
    assert mine["role"].tolist() == [1, 0, 1, 1]
    assert theirs["role"].tolist() == [0, 1, 0, 0]
    table.play("pick:C3", hits=[0])
    assert seen(table, ATTACKER)["role"].tolist() == [1, 0, 1, 0]
    assert seen(table, DEFENDER)["role"].tolist() == [0, 1, 0, 1]


def test_the_ground_and_both_entries() -> None:
    hexes = seen(Table("mountains", "ogre A1", "lion C5", entry="L"), DEFENDER)["hexes"]
    volcano = hexes[hex_number("D4")]
    assert volcano[: len(Hazard)].tolist() == [0, 0, 0, 0, 0, 0, 1]
    assert volcano[7:9].tolist() == [1, 1]
    borders = volcano[9:33].reshape(6, 4)
    slope, cliff = 0, 3
    expected = [[0, slope], [1, slope], [2, slope], [3, slope], [4, cliff], [5, slope]]
    assert np.argwhere(borders).tolist() == expected
    assert np.flatnonzero(hexes[:, 33]).tolist() == sorted(map(hex_number, ("F1", "E1", "D1")))
    assert np.flatnonzero(hexes[:, 34]).tolist() == sorted(map(hex_number, ("A3", "B4", "C5", "D6")))


def test_fighters_their_marks_and_hits() -> None:
    table = Table("plains", "ogre C3 2, lion A3", "troll C4 1", phase="maneuver").play("pick:A3", "to:B3")
    mine, theirs = seen(table, ATTACKER), seen(table, DEFENDER)
    for own, fields in ((0, mine), (1, theirs)):
        kinds, marks = fields["fighter_kind"], fields["fighter_marks"]
        assert kinds.sum() == 3
        assert kinds[hex_number("C3"), own, place("ogre")] == 1
        assert kinds[hex_number("C4"), 1 - own, place("troll")] == 1
        assert (fields["fighter_left"][hex_number("C3"), own], fields["fighter_hits"][hex_number("C3"), own]) == (4, 2)
        assert (fields["fighter_left"][hex_number("C4"), 1 - own], fields["fighter_left"].sum()) == (7, 4 + 5 + 7)
        assert marks.sum() == 0, "the phase has ended by itself: nobody can move any more"
    table = Table("plains", "ogre C3 2, lion A3, lion A1", "troll C4", phase="maneuver").play("pick:A3", "to:B4")
    marks = seen(table, ATTACKER)["fighter_marks"]
    assert marks[hex_number("B4"), 0].tolist() == [1, 0, 0, 0]
    assert marks[hex_number("C3"), 0].tolist() == [0, 1, 0, 0]
    table = Table("plains", "ogre C3 5", "troll C4 7, lion F1").play("pick:C3", hits=[1])
    assert seen(table, ATTACKER)["fighter_marks"][hex_number("C3"), 0].tolist() == [0, 0, 1, 0]
    assert seen(table, ATTACKER)["fighter_marks"][hex_number("C4"), 1].tolist() == [0, 0, 0, 1]


def test_who_is_outside_and_who_is_picked_from_there() -> None:
    fields = {"half": "defender", "phase": "maneuver", "begun": 1}
    table = Table("plains", "titan outside", "ogre outside, ogre outside, lion outside", **fields).play("pick:ogre")
    mine = seen(table, DEFENDER)
    assert mine["outside"][0, place("ogre")] == 2
    assert mine["outside"][1, place("titan")] == 1
    assert np.flatnonzero(mine["picked_kind"]).tolist() == [place("ogre")]
    assert not mine["running"].any()
    assert mine["titan_power"].tolist() == [0, 6]


def test_the_strike_that_is_being_made() -> None:
    table = Table("plains", "ogre C3", "lion C4 3, centaur C2").play("pick:C3", "hit:C4")
    view = seen(table, ATTACKER)
    assert view["running"][hex_number("C3")].tolist() == [1, 0]
    assert view["running"][hex_number("C4")].tolist() == [0, 1]
    assert view["dice"].tolist() == [6, 0]
    assert np.flatnonzero(view["number"]).tolist() == [4]
    view = seen(table.play("carry:C2", hits=[4]), ATTACKER)
    assert view["dice"].tolist() == [6, 2]
    assert np.flatnonzero(view["number"]).tolist() == [5]


@pytest.mark.parametrize(("window", "waits"), [(Window.NOT_YET, 1), (Window.OPEN, 1), (Window.PAST, 0)])
def test_what_may_still_arrive(window: Window, waits: int) -> None:
    fields = {"window": window, "angel_waits": 1, "may_reinforce": 1, "begun": 3}
    table = Table("plains", "ogre A1", "lion F4", half="defender", phase="maneuver", **fields)
    expected = [0, 0, 0, 1, waits, 0]
    expected[window] = 1
    assert seen(table, ATTACKER)["late"].tolist() == expected
    assert seen(table, DEFENDER)["late"].tolist() == [*expected[:4], 0, 0]


def test_much_power_is_cut_off() -> None:
    table = Table("plains", "titan C3", "lion A3", phase="maneuver")
    table.battle.fighters[0].power = 100
    view = seen(table, ATTACKER)
    assert (view["titan_power"][0], view["fighter_left"][hex_number("C3"), 0]) == (80, 72)
