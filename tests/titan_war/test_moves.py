"""Rare cases of commencement, movement and enlistment, played on both implementations of the war."""

from __future__ import annotations

from collections import Counter

from tests.titan_war.compared_war import ComparedWar
from tests.titan_war.positions import FixedDice, answer, begin_movement, begin_turn, war_at
from tests.titan_war.reference import War

FIRST = ("pick:centaur", "pick:gargoyle", "pick:ogre")


def first_turn(die: int) -> War:
    """Two players' choices, and the first movement die of the first."""
    war = ComparedWar([200, 100]).start(FixedDice())
    answer(war, *FIRST, *FIRST[:2])
    war.answer(FIRST[2], FixedDice(die))
    war.answer("keep")
    return war


def test_whoever_has_the_highest_tower_plays_first() -> None:
    assert ComparedWar([100, 300, 200]).start(FixedDice()).seat == 1


def test_titan_and_angel_begin_apart_each_with_three_of_two_centaurs_gargoyles_and_ogres() -> None:
    one, other = (legion.holds for legion in first_turn(1).table.of(0))
    assert one + other == Counter(titan=1, angel=1, centaur=2, gargoyle=2, ogre=2)
    assert one["titan"] + one["angel"] == other["titan"] + other["angel"] == 1
    assert one.total() == other.total() == 4


def test_one_of_the_starting_legions_must_leave_and_both_may() -> None:
    war = first_turn(1)
    assert (war.ask, war.legal()) == ("MOVE", {"pick:200"})
    answer(war, "pick:200", "stack:1", "to:10")
    assert war.legal() == {"pick:200", "end"}
    answer(war, "pick:200", "to:6")
    assert war.ask == "MUSTER"


def test_a_first_six_may_teleport_one_of_the_two() -> None:
    war = first_turn(6)
    answer(war, "pick:200", "stack:2")
    assert "teleport" in war.legal()
    answer(war, "teleport")
    assert {"to:300", "to:1", "to:600"} <= war.legal()
    assert "to:100" not in war.legal(), "only vacant towers"
    answer(war, "to:300", "pick:200")
    assert (war.ask, "teleport" in war.legal()) == ("GO_LAND", False), "one teleport in a turn"


def test_demi_lords_do_not_teleport_and_may_flee() -> None:
    war = begin_movement(war_at("0 on 100: guardian warlock ogre\n1 on 300: titan"), 6)
    answer(war, "pick:100")
    assert "teleport" not in war.legal()


def test_teleports_never_end_where_an_own_legion_is_engaged() -> None:
    war = begin_movement(war_at("0 on 100: titan\n0 on 1: ogre\n1 on 1: ogre\n1 on 30: titan ogre", [400, 0]), 6)
    answer(war, "pick:100", "teleport")
    assert "to:30" in war.legal()
    assert "to:1" not in war.legal()


def test_a_loop_ends_on_the_starting_land_and_lets_muster() -> None:
    war = begin_turn(war_at("0 on 3: gargoyle gargoyle\n0 on 40: titan\n1 on 300: titan"), 6)
    answer(war, "pick:3")
    assert "to:3" in war.legal()
    answer(war, "to:3", "end")
    assert (war.ask, war.legal()) == ("MUSTER", {"muster:gargoyle", "muster:cyclops", "pass"})


def test_nobody_loops_to_its_land_while_an_own_legion_stays_there() -> None:
    war = begin_movement(war_at("0 on 3: ogre ogre\n0 on 3: gargoyle gargoyle\n1 on 300: titan"), 6)
    answer(war, "pick:3", "stack:1")
    assert "to:3" not in war.legal()
    answer(war, "to:9", "pick:3")
    assert "to:3" in war.legal()


def test_what_cannot_leave_joins_the_oldest_again() -> None:
    """Land 4 with a 1 leads to 103 only."""
    war = war_at("0 on 4: ogre ogre\n0 on 4: lion lion\n0 on 4: centaur gargoyle\n1 on 300: titan")
    oldest, second, *_ = war.table.legions
    begin_turn(war, 1)
    assert war.legal() == {"pick:4"}
    answer(war, "pick:4", "stack:1")
    assert (war.ask, oldest.land) == ("MUSTER", 103)
    assert second.kinds == ["centaur", "gargoyle", "lion", "lion"]
    assert (second.land, second.moved, len(war.table.of(0))) == (4, False, 2)


def test_a_score_of_400_teleports_the_titan_to_an_enemy() -> None:
    position = "0 on 41: titan\n1 on 300: titan\n1 on 30: ogre"
    war = begin_movement(war_at(position, [399, 0]), 6)
    assert not any("teleport" in option for option in answer(war, "pick:41").legal())
    war = answer(begin_movement(war_at(position, [400, 0]), 6), "pick:41", "teleport")
    assert war.legal() == {"to:300", "to:30"}
    legion = war.table.of(0)[0]
    answer(war, "to:300")
    assert (legion.land, legion.side, legion.least["titan"]) == (300, "B", 1)
    war = answer(begin_movement(war_at(position, [400, 0]), 6), "pick:41", "teleport", "to:30")
    assert (war.ask, war.legal()) == ("SIDE", {"side:R", "side:B", "side:L"})


def test_all_conclude_from_a_titan_that_is_shown_before_its_side_is_chosen() -> None:
    laid = war_at("0 on 20: titan ogre\n0 on 41: angel ogre\n1 on 30: titan", [400, 0])
    first, second = laid.table.of(0)
    for legion in (first, second):
        legion.least |= {"titan": 0, "angel": 0, "ogre": 1}
        legion.most |= {"titan": 1, "angel": 1, "ogre": 1}
    war = answer(begin_movement(laid, 6), "pick:20", "teleport")
    assert war.ask == "SIDE"
    assert (first.least["titan"], first.most["angel"]) == (1, 0)
    assert (second.most["titan"], second.least["angel"]) == (0, 1)


def test_of_two_legions_that_join_others_know_what_both_may_hold_together() -> None:
    """Land 4 with a 1 leads to 103 only, where one of the three goes, so that the others join."""
    laid = war_at("0 on 4: ogre lion\n0 on 4: ogre lion\n0 on 4: titan\n0 on 41: ogre lion\n1 on 300: titan")
    first, second, *_ = laid.table.of(0)
    assert first.most["lion"] == second.most["lion"] == 2
    answer(begin_turn(laid, 1), "pick:4", "stack:3", "end")
    assert (first.height, first.least["lion"], first.most["lion"]) == (4, 0, 3), "there are three lions in all"


def test_of_a_legion_that_splits_beside_an_uncertain_one_others_learn_how_many_went() -> None:
    laid = war_at("0 on 4: ogre ogre lion lion\n0 on 41: ogre lion\n0 on 42: titan\n1 on 300: titan")
    old, uncertain, _ = laid.table.of(0)
    answer(begin_turn(laid, 1), "pick:lion")
    *_, new = laid.table.of(0)
    assert [(legion.least["lion"], legion.most["lion"]) for legion in (old, new, uncertain)] == [(0, 2), (0, 2), (0, 2)]


def test_two_ways_to_an_enemy_let_choose_the_side() -> None:
    """Land 1 with a 4 to 4000."""
    war = begin_movement(war_at("0 on 1: ogre\n1 on 300: titan"), 4)
    answer(war, "pick:1", "to:4000")
    assert not war.ask
    war = begin_movement(war_at("0 on 1: ogre\n1 on 4000: titan"), 4)
    answer(war, "pick:1", "to:4000")
    assert (war.ask, war.legal()) == ("SIDE", {"side:R", "side:L"})


def test_several_kinds_of_lord_let_choose_which_is_shown() -> None:
    war = begin_movement(war_at("0 on 100: titan angel ogre\n0 on 41: ogre ogre\n1 on 300: titan"), 6)
    legion = war.table.of(0)[0]
    legion.least["titan"] = 0
    answer(war, "pick:100", "teleport", "to:200")
    assert (war.ask, war.legal()) == ("SHOW", {"pick:titan", "pick:angel"})
    answer(war, "pick:angel")
    assert legion.least["angel"] == 1


def test_what_is_not_in_the_supply_is_not_offered() -> None:
    war = war_at("0 on 1: centaur centaur\n1 on 300: titan")
    war.table.supply["centaur"] = 0
    begin_turn(war, 1)
    answer(war, "pick:1", "to:1000")
    assert not war.ask
    war = war_at("0 on 42: centaur centaur\n1 on 300: titan")
    war.table.supply["centaur"] = 0
    answer(begin_turn(war, 1), "pick:42", "to:1")
    assert (war.ask, war.legal()) == ("MUSTER", {"muster:lion", "pass"})


def test_a_legion_shows_the_characters_that_qualify_for_its_muster() -> None:
    position = "0 on 42: centaur centaur lion lion ranger\n0 on 30: ogre ogre ogre\n1 on 300: titan"
    war = answer(begin_turn(war_at(position), 1), "pass", "pick:42", "to:1", "end")
    legion = war.table.at(1)[0]
    assert war.legal() == {"muster:centaur", "muster:lion", "muster:ranger", "pass"}
    answer(war, "muster:lion")
    assert (war.ask, war.legal()) == ("SHOW", {"pick:centaur", "pick:lion", "pick:ranger"})
    answer(war, "pick:centaur")
    assert (legion.least["centaur"], legion.least["lion"]) == (2, 1)


def test_a_known_legion_of_seven_splits_and_is_known_by_bounds() -> None:
    war = war_at("0 on 42: centaur ogre ogre ogre ogre ogre lion\n1 on 300: titan")
    old = war.table.of(0)[0]
    old.reveal()
    begin_turn(war, 1)
    assert (war.ask, war.legal()) == ("SPLIT", {"pick:centaur", "pick:ogre", "pass"})
    answer(war, "pick:centaur")
    assert war.legal() == {"pick:ogre", "pick:lion"}
    answer(war, "pick:lion")
    new = war.table.of(0)[1]
    assert (old.least["ogre"], old.most["ogre"], old.most["lion"]) == (3, 5, 1)
    assert (new.least["ogre"], new.most["ogre"], new.most["centaur"]) == (0, 2, 1)


def test_a_split_is_in_ascending_order_and_leaves_two() -> None:
    war = begin_turn(war_at("0 on 42: titan ogre ogre lion\n1 on 300: titan"), 1)
    assert war.legal() == {"pick:titan", "pick:ogre", "pass"}
    answer(war, "pick:ogre")
    assert war.legal() == {"pick:ogre", "pick:lion"}
    answer(war, "pick:lion")
    assert (war.ask, len(war.table.of(0))) == ("MOVE", 2), "with two left to stay the split ends by itself"
