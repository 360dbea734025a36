"""Interactions of several rules. Shocks are told by the face of the victim's die."""

from __future__ import annotations

import pytest

from tests.fantasy_racing.table import Table, rolled
from titan_env.games.fantasy_racing.rules.actions import AT as FIRST_AIM
from titan_env.games.fantasy_racing.rules.actions import PLACES
from titan_env.games.fantasy_racing.rules.board import AT
from titan_env.games.fantasy_racing.rules.circuits import square_name, square_number
from titan_env.games.fantasy_racing.rules.state import NOBODY, Event, Outcome, Phase, Reason, Size

BACK_1, BACK_2 = 5, 2
"""Faces of a small shock that lead straight back."""
BIG_BACK_1 = 10


def test_a_crossing_that_was_lost_must_be_made_again_and_earns_nothing() -> None:
    table = Table("goblin: axe=1\nhuman: laps=1 highest=1\n", D4="Go", D1="Hu").play("use:axe", rolls=[BACK_2])
    assert (table.at("human"), table.points("human"), table.racer("human").laps) == ("D17", -2, 0)
    table = Table("human: highest=1 points=-2\n" + rolled(3, 1), D17="Hu").play("die:1")
    assert (table.at("human"), table.points("human"), table.racer("human").laps) == ("D2", -2 + 3, 1)
    assert table.racer("human").highest == 1


def test_who_recoils_into_a_hole_falls() -> None:
    table = Table("human:\nelf:\n" + rolled(1, 2), D6="Hu", D7="El", D5="O")
    table.play_and_stay("die:1", rolls=[40, BACK_2])
    assert (table.at("elf"), table.points("elf")) == ("D4", -2 - 2 - 1)


def test_a_chain_of_fights_is_settled_from_its_end() -> None:
    table = Table("human:\nelf:\ndwarf:\n" + rolled(1, 2), D6="Hu", D7="El", D5="O", D4="Dw")
    table.play("die:1", rolls=[40, BACK_2, 20, BACK_1])
    assert (Event.FIGHT, 2, 1, Outcome.DEFEAT) in table.history  # the dwarf attacks
    assert (table.at("dwarf"), table.points("elf")) == ("D3", -5 + 3 + 1)
    assert table.asked == ("shift", "elf")
    assert table.play("shift:stay").asked == ("shift", "human")


def test_of_several_on_a_square_one_is_fought() -> None:
    table = Table("human:\nelf: shield=1\n" + rolled(1, 2), D6="Hu", D7="El").play("die:1", "shield", rolls=[40])
    table.play("shift:stay")
    assert table.at("human") == table.at("elf") == "D7"
    table = Table("dwarf:\nhuman: points=4\nelf: points=5\n" + rolled(1, 2), D6="Dw", D7="HuEl")
    table.play_and_stay("die:1", rolls=[50, BACK_1])
    assert table.events(Event.FIGHT) == [(Event.FIGHT, 0, 2, Outcome.SIMPLE)]


def test_who_cannot_go_back_stays_and_the_points_are_won() -> None:
    lines = "human: clover=1\nelf:\nask: roll\nroll: fight\ndice: 40 0 0\ndue: fight 0 1 0 0\n"
    table = Table(lines, D7="HuEl", D6="=").play_and_stay("keep", rolls=[BACK_1])
    assert (table.at("elf"), table.points("elf"), table.points("human")) == ("D7", 0, 3 + 1)


def test_a_trap_laid_on_an_opponent_springs_at_once() -> None:
    table = Table("human: trap=1\nelf:\n", D4="Hu", D6="El").play("use:trap", "at:+2,+0", rolls=[BIG_BACK_1])
    assert (table.at("elf"), table.points("human"), table.traps()) == ("D5", 2, [])


def test_a_trap_laid_on_a_dwarf_is_the_dwarfs() -> None:
    table = Table("human: trap=1\ndwarf:\n", D4="Hu", D6="Dw").play("use:trap", "at:+2,+0")
    assert (table.holds("dwarf"), table.points("dwarf")) == ({"trap": 1}, 1)
    assert (table.holds("human"), table.points("human"), table.at("dwarf")) == ({}, 0, "D6")


def test_who_shields_itself_from_a_trap_fights_who_stands_there() -> None:
    lines = "human: shield=1\nelf:\n" + rolled(2, 1)
    table = Table(lines, D4="Hu", D6=".x1El").play("die:1", "shield", rolls=[40, BACK_1])
    assert [event[2:] for event in table.events(Event.POINTS)][1] == (Reason.SHIELD, -2)
    assert (table.at("human"), table.at("elf"), table.traps()) == ("D6", "D5", [])


def test_ones_own_trap_gives_points_to_nobody() -> None:
    table = Table("human:\nelf:\n" + rolled(2, 1), D4="Hu", D6=".x0", A13="El").play("die:1", rolls=[BIG_BACK_1])
    assert (table.at("human"), table.points("human"), table.points("elf")) == ("D5", 2 - 1, 0)
    assert (Event.SHOCK, 0, NOBODY, Size.BIG) in table.history


def test_the_board_is_seen_around_its_edges() -> None:
    assert square_name(AT[square_number("A1"), PLACES.index((-1, -1))]) == "G18"
    table = Table("human: axe=1\nelf:\nbeastman:\n", A1="Hu", G18="El", D4="Be").play("use:axe")
    assert table.may("at") == ["-1,-1", "+3,+3"]
    assert FIRST_AIM == 71


def test_rocks_stop_axe_and_spear_but_not_the_fire_wand() -> None:
    walls = dict.fromkeys(("C7", "D7", "E7", "C8", "E8", "C9", "D9", "E9"), "^")
    table = Table("sorceress: axe=1 spear=1\nelf:\n", D8="So", D10="El", **walls)
    assert table.may("use") == []
    assert "fire_wand" in table.legal()
    table.play("fire_wand", rolls=[BACK_1])
    assert (table.at("elf"), table.points("sorceress")) == ("D10", 1)  # the rock D9 protects


def test_a_spear_flies_past_a_barrier() -> None:
    table = Table("human: spear=1\nelf:\n", D8="Hu", D10="El", D9="=").play("use:spear")
    assert table.may("at") == ["+1,+0", "+2,+0"]
    table.play("at:+1,+0")
    assert table.is_gone("D9")
    assert table.points("human") == 0


def test_a_spear_reaches_who_shares_its_square_whatever_stands_around() -> None:
    table = Table("human: spear=1\nelf:\n", D8="HuEl", D7="^", D9="^")
    table.play("use:spear", rolls=[BIG_BACK_1])  # the only target
    assert table.events(Event.AIMED)[0][2] == square_number("D8")


def test_poison_is_worth_three_points_and_leaves_one_die() -> None:
    table = Table("lizardman:\nelf:\n" + rolled(1, 2), D4="Li", D5="El").play_and_stay("die:1", rolls=[50, BACK_1])
    assert table.points("lizardman") == 1 + 3 + 1 + 3
    assert table.racer("elf").poisoned == 1
    table = Table("goblin:\nelf: poisoned=1\n", D13="Go", D5="El").play("rest", rolls=[4])
    assert table.events(Event.ROLLED) == [(Event.ROLLED, 1, 1, 4)]
    assert (table.at("elf"), table.racer("elf").poisoned) == ("D9", 0)
    assert table.state.phase == Phase.ACTION  # the skid is asked: the only die was no question


def test_the_plague_drives_back_who_stands_beside() -> None:
    table = Table("beastman:\nelf:\n", D8="Be", E7="El").play("rest")
    assert (table.at("elf"), table.points("elf"), table.points("beastman")) == ("E6", -1, 2)
    table = Table("beastman:\nelf:\n", D8="Be", E7="El", E6="=").play("rest")
    assert (table.at("elf"), table.points("elf"), table.points("beastman")) == ("E7", 0, 0)


def test_cerebral_capacities_flip_one_die_in_each_own_turn() -> None:
    lines = "dwarf:\nfree_flip: 1\n" + rolled(1, 3)
    table = Table(lines, D4="Dw", D8="@")
    assert table.may("flip") == ["1", "2"]
    table.play("flip:2")  # 4 squares, on to the shortcut, whose die is not offered any more
    assert table.events(Event.SHORTCUT)
    table = Table("goblin: axe=1\ndwarf:\nfree_flip: 1\n", D12="Go", D8="Dw").play("use:axe", rolls=[BACK_2])
    assert table.at("dwarf") == "D6"  # none out of turn


def test_the_teleport_wand_needs_an_empty_square() -> None:
    table = Table("goblin:\nelf:\n", D4="Go", E4="El", B4="^").play("teleport_wand")
    assert table.may("at") == ["+0,-1", "+0,+2"]
    assert table.play("at:+0,+2").at("goblin") == "F4"
    assert table.points("goblin") == 0


@pytest.mark.parametrize(("arrivals", "fights"), [(19, 1), (20, 0)])
def test_the_21st_arrival_of_a_turn_does_nothing(arrivals: int, fights: int) -> None:
    table = Table(f"human:\nelf:\narrivals: {arrivals}\n" + rolled(1, 2), D4="Hu", D5="El").play("die:1")
    assert len(table.events(Event.FIGHT)) == fights
    assert len(table.events(Event.GUARD)) == 1 if not fights else True
    assert table.at("human") == "D5"


def test_who_does_not_move_at_all_enters_and_meets_nothing() -> None:
    table = Table("human:\nelf:\n" + rolled(5, 1), D4="?HuEl", D5="=").play("die:1")
    assert (table.at("human"), table.points("human")) == ("D4", 0)
    assert not table.events(Event.FIGHT, Event.CHEST)
    assert table.events(Event.BLOCKED) == [(Event.BLOCKED, 0, square_number("D5"), 0)]


def test_a_shortcut_may_lead_into_a_hole() -> None:
    table = Table("human:\n" + rolled(1, 2), D4="Hu", D5="@", D8="O").play("die:1", rolls=[7])
    assert (table.at("human"), table.points("human")) == ("D7", 4 - 2 - 1)


def test_a_protected_racer_is_never_touched() -> None:
    lines = "human:\nelf:\ndwarf: protected=1 points=9\n" + rolled(1, 2)
    table = Table(lines, D4="Hu", D5="ElDw").play_and_stay("die:1", rolls=[40, BACK_1])
    assert (table.at("elf"), table.at("dwarf"), table.at("human")) == ("D4", "D5", "D5")
    table = Table("goblin: axe=1\nelf:\ndwarf: protected=1\n", D9="Go", D5="El", D4="Dw").play(
        "use:axe", rolls=[BACK_1]
    )
    assert table.at("elf") == table.at("dwarf") == "D4"
    assert not table.events(Event.FIGHT)


def test_who_burns_is_settled_at_the_release() -> None:
    table = Table("human: fire_ring=1\nelf:\ndwarf:\n", D3="Hu", D7="El", D6="Dw")
    table.play("use:fire_ring", *["fire:F"] * 5, rolls=[5, 5])
    table.play_and_stay("release", rolls=[BACK_1, 20, BACK_1, BACK_1])
    assert table.events(Event.FIGHT) == [(Event.FIGHT, 2, 1, Outcome.DEFEAT)]
    assert (table.at("elf"), table.points("elf")) == ("D6", -1 + 3 + 1)
    assert (table.at("dwarf"), table.points("human")) == ("D4", 1 + 1)


def test_of_two_with_initiative_the_mover_attacks() -> None:
    table = Table("human: rules=initiative\norc:\n" + rolled(1, 2), D4="Hu", D5="Or")
    table.play_and_stay("die:1", rolls=[40, BACK_1])
    assert table.events(Event.FIGHT) == [(Event.FIGHT, 0, 1, Outcome.SIMPLE)]


def test_a_trap_on_the_way_ends_a_skid() -> None:
    table = Table("human:\nelf:\n" + rolled(1, 1), D8="Hu", E8=".x1", A13="El").play("die:1")
    table.play("skid:R2", rolls=[BIG_BACK_1])
    assert (table.at("human"), table.traps()) == ("E7", [])


def test_the_plague_of_the_last_turn_still_counts() -> None:
    lines = "elf: points=6\nbeastman: points=5\nrounds_begun: 10\nturn: 1\nseat: 1\n"
    table = Table(lines, D7="El", D8="Be").play("rest")
    assert table.state.over
    assert table.state.won[:2].tolist() == [0, 1]
    assert (table.points("elf"), table.points("beastman")) == (5, 7)
    assert table.state.place[:2].tolist() == [2, 1]


def test_equal_racers_at_the_top_all_win() -> None:
    lines = "elf: points=6\nbeastman: points=4\nrounds_begun: 10\nturn: 1\nseat: 1\n"
    table = Table(lines + "", D7="El", D8="Be", D6="=")
    table.play("rest")
    assert table.state.won[:2].tolist() == [1, 0]
    table = Table(lines.replace("4", "6"), D17="El", D8="Be").play("rest")
    assert table.state.won[:2].tolist() == [1, 1]
    assert table.state.place[:2].tolist() == [1, 1]
