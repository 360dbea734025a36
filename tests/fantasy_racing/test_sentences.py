"""The rulebook's sentences as tests. Shocks are told by the face of the victim's die."""

from __future__ import annotations

import numpy as np
import pytest

from tests.fantasy_racing.table import Table, rolled
from titan_env.contract import seeded
from titan_env.games.fantasy_racing import GAME
from titan_env.games.fantasy_racing.rules.actions import OBJECTS, RULES
from titan_env.games.fantasy_racing.rules.circuits import square_name
from titan_env.games.fantasy_racing.rules.data_tables import (
    ALTERNATIVE,
    CHARACTER_ENTRIES,
    CRUSHING,
    FIGHT,
    OBJECT_ENTRIES,
    SHORTCUT_ROWS,
    SPEED,
)
from titan_env.games.fantasy_racing.rules.dice import sides_of
from titan_env.games.fantasy_racing.rules.fights import outcome
from titan_env.games.fantasy_racing.rules.flips import opposite
from titan_env.games.fantasy_racing.rules.points import colour_of
from titan_env.games.fantasy_racing.rules.setup import configure
from titan_env.games.fantasy_racing.rules.state import Character, Colour, Event, Roll, Size

BACK_1 = 5
"""The face of a small shock that leads one row straight back."""


# Moving


def test_left_of_a_is_g_and_each_row_back_costs_a_point() -> None:
    table = Table("human:\n" + rolled(1, 1), A5="Hu").play("die:1", "skid:L2")
    assert (table.at("human"), table.points("human")) == ("F4", 1 - 2)


def test_each_square_towards_the_line_is_a_point() -> None:
    table = Table("human:\n" + rolled(3, 1), D4="Hu").play("die:1")
    assert (table.at("human"), table.points("human")) == ("D7", 3)


def test_the_line_leads_back_to_the_top_and_is_worth_ten_points() -> None:
    table = Table("human:\n" + rolled(4, 1), D17="Hu").play("die:1")
    assert (table.at("human"), table.points("human")) == ("D3", 4 + 10)
    assert table.racer("human").laps == 1


# Fights


def test_a_defeat_is_a_small_shock_to_the_attacker() -> None:
    table = Table("human:\nelf:\n" + rolled(1, 2), D4="Hu", D5="El").play_and_stay("die:1", rolls=[30, BACK_1])
    assert (table.points("elf"), table.points("human")) == (3 + 1, 1 - 1)
    assert (table.at("human"), table.at("elf")) == ("D4", "D5")


def test_a_crushing_win_is_a_big_shock_to_the_defender() -> None:
    table = Table("human:\nelf:\n" + rolled(1, 2), D4="Hu", D5="El").play_and_stay("die:1", rolls=[78, 10])
    assert (table.points("human"), table.points("elf")) == (1 + 3 + 2, -1)
    assert (table.at("human"), table.at("elf")) == ("D5", "D4")


@pytest.mark.parametrize("roll", [31, 77])
def test_a_simple_win_is_a_small_shock_to_the_defender(roll: int) -> None:
    table = Table("human:\nelf:\n" + rolled(1, 2), D4="Hu", D5="El").play_and_stay("die:1", rolls=[roll, BACK_1])
    assert (table.points("human"), table.points("elf")) == (1 + 3 + 1, -1)
    assert table.at("elf") == "D4"


def test_who_ends_on_a_hole_falls_and_comes_out_before_it() -> None:
    table = Table("human:\n" + rolled(4, 1), D4="Hu", D8="O").play("die:1")
    assert (table.at("human"), table.points("human")) == ("D7", 4 - 2 - 1)


def test_a_shield_costs_two_points_and_nobody_has_inflicted_the_shock() -> None:
    table = Table("human:\nelf: shield=1\n" + rolled(1, 2), D4="Hu", D5="El").play("die:1", rolls=[31])
    assert table.asked == ("shield", "elf")
    table.play_and_stay("shield")
    assert (table.at("elf"), table.points("elf"), table.holds("elf")) == ("D5", -2, {})
    assert table.points("human") == 1 + 3


@pytest.mark.parametrize("rounds", [4, 16])
def test_a_race_has_5_to_15_rounds(rounds: int) -> None:
    with pytest.raises(ValueError, match=f"rounds: expected 5 to 15, got {rounds}"):
        configure(rounds=rounds)
    assert configure(rounds=5)[0].rounds == 5
    assert configure(rounds=15)[0].rounds == 15


@pytest.mark.parametrize(
    ("roll", "small", "sides"),
    [
        (Roll.MOVEMENT, False, 6),
        (Roll.SHOCK, True, 6),
        (Roll.SHOCK, False, 10),
        (Roll.SHORTCUT, False, 10),
        (Roll.TWO_D3, False, 3),
        (Roll.TWO_D10, False, 10),
        (Roll.FIGHT, False, 100),
        (Roll.THEFT, False, 100),
    ],
)
def test_opposite_faces_add_up_to_one_more_than_the_sides(roll: Roll, small: bool, sides: int) -> None:
    assert sides_of(roll, small) == sides
    table = Table(f"human: clover=1\nroll: {roll.name.lower()}\n", D4="Hu")
    if roll == Roll.SHOCK:
        table.state.agenda[0] = [10, 0, Size.SMALL if small else Size.BIG, -1, 0]
        table.state.due = 1
    for face in range(1, sides + 1):
        table.state.dice[0] = face
        assert opposite(table.state, 0) == sides + 1 - face


@pytest.mark.parametrize(("face", "flipped"), [(2, 5), (5, 2), (3, 4), (4, 3)])
def test_a_clover_turns_the_fast_die_to_its_opposite_face(face: int, flipped: int) -> None:
    table = Table("elf: clover=1\n" + rolled(1, 1, face), D4="El").play("flip:3")
    assert table.at("elf") == f"D{4 + flipped}"


def test_a_protected_racer_is_neither_fought_nor_aimed_at() -> None:
    table = Table("human: axe=1\nelf: protected=1\ndwarf:\n" + rolled(1, 2), D4="Hu", D5="El", D6="Dw").play("die:1")
    assert (table.at("human"), table.at("elf"), table.asked) == ("D5", "D5", ("skid", "human"))
    table.play("skid:stay", "use:axe", rolls=[BACK_1, 90, 1])  # at:+1,+0 is the only target; the dwarf meets the human
    assert table.events(Event.AIMED)[0][2] == 7 * 5 + 3  # D6


def test_the_last_in_points_plays_first_and_of_equals_who_played_earlier() -> None:
    lines = "human: points=3\nelf: points=1\norc: points=1\norder: 2 0 1 0 0 0\nturn: 2\nseat: 1\n"
    table = Table(lines, A5="Hu", C5="El", E5="Or").play("rest", rolls=[1, 2])
    assert table.state.order[:3].tolist() == [2, 1, 0]
    assert table.asked == ("die", "orc")


@pytest.mark.parametrize(("action", "at"), [("die:1", "D6"), ("die:2", "D9")])
def test_one_of_two_dice_is_chosen(action: str, at: str) -> None:
    table = Table("human:\n" + rolled(2, 5), D4="Hu")
    assert table.legal() == ["die:1", "die:2"]
    assert table.play(action).at("human") == at


@pytest.mark.parametrize(("skid", "at"), [("stay", "D8"), ("L1", "C7"), ("L2", "B6"), ("R1", "E7"), ("R2", "F6")])
def test_a_skid_goes_diagonally_back(skid: str, at: str) -> None:
    table = Table("human:\n" + rolled(1, 1), D7="Hu").play("die:1")
    assert table.may("skid") == ["stay", "L1", "L2", "R1", "R2"]
    assert table.play(f"skid:{skid}").at("human") == at


@pytest.mark.parametrize(("coins", "squares"), [(1, 1), (2, 3), (3, 6), (4, 10), (5, 15)])
def test_coins_carry_further_the_more_are_spent_once_a_turn(coins: int, squares: int) -> None:
    table = Table("human: coin=7\n", D2="Hu")
    assert table.may("coins") == ["1", "2", "3", "4", "5"]
    table.play(f"coins:{coins}")
    assert table.points("human") == squares
    assert (table.holds("human")["coin"], table.may("coins")) == (7 - coins, [])


@pytest.mark.parametrize("character", Character)
def test_low_faces_are_a_defeat_and_a_third_of_the_wins_is_crushing(character: Character) -> None:
    table = Table("", D4="ElHuDwGoOrBe") if character < 6 else Table("", D4="SoBaThLi")
    who = int(character) % 6
    results = [outcome(table.state, who, face) for face in range(1, 101)]
    assert results == sorted(results)
    fight = int(FIGHT[character])
    assert results.count(0) == 100 - fight
    assert results.count(2) == round(fight / 3) == CRUSHING[character]
    assert (100 - 60, 60 - round(60 / 3), round(60 / 3)) == (40, 40, 20)  # the rulebook's base of 60


def test_who_was_knocked_on_to_an_opponent_is_attacked() -> None:
    lines = "human:\nelf:\ndwarf:\n" + rolled(1, 2)
    table = Table(lines, D4="Hu", D5="El", D3="Dw").play_and_stay("die:1", rolls=[40, 2, 90, 10])
    assert (Event.FIGHT, 2, 1, 2) in table.history
    assert (table.at("elf"), table.points("elf")) == ("D2", -2 - 1)
    assert (table.points("dwarf"), table.points("human")) == (3 + 2, 1 + 3 + 1)


def test_initiative_attacks_who_comes() -> None:
    table = Table("human:\norc:\n" + rolled(1, 2), D4="Hu", D5="Or").play_and_stay("die:1", rolls=[21, BACK_1])
    assert table.points("orc") == 3 + 1 + 2
    assert (table.at("human"), table.points("human")) == ("D4", 0)


def test_the_winner_shifts_aside_but_not_on_to_a_rock() -> None:
    table = Table("human:\nelf:\n" + rolled(1, 2), D4="Hu", D5="El", C5="^").play("die:1", rolls=[40, BACK_1])
    assert table.asked == ("shift", "human")
    assert table.may("shift") == ["stay", "R"]
    assert table.play("shift:R").at("human") == "E5"


# Shocks


@pytest.mark.parametrize(("face", "at"), list(enumerate(["C6", "D6", "E6", "C7", "D7", "E7"], 1)))
def test_a_small_shock_throws_to_one_of_six_squares_by_its_face(face: int, at: str) -> None:
    table = Table("goblin: axe=1\nhuman:\n", D12="Go", D8="Hu").play("use:axe", rolls=[face])
    assert table.at("human") == at


@pytest.mark.parametrize(
    ("face", "at"), list(enumerate(["D4", "C5", "D5", "E5", "C6", "E6", "D6", "C7", "E7", "D7"], 1))
)
def test_a_big_shock_throws_to_one_of_ten_squares_by_its_face(face: int, at: str) -> None:
    table = Table("goblin: spear=1\nhuman:\n", D12="Go", D8="Hu").play("use:spear", rolls=[face])
    assert (table.at("human"), table.points("goblin")) == (at, 2)


@pytest.mark.parametrize(
    ("face", "at"), list(enumerate(["D7", "C8", "D7", "E6", "C8", "E6", "D7", "C8", "E7", "D7"], 1))
)
def test_barriers_and_rocks_protect_who_recoils(face: int, at: str) -> None:
    pieces = {"C7": "=", "D6": "=", "E5": "^"}
    table = Table("goblin: spear=1\nhuman:\n", D12="Go", D8="Hu", **pieces)
    assert table.play("use:spear", "at:-4,+0", rolls=[face]).at("human") == at


# Terrain


def test_who_leaps_on_to_a_barrier_destroys_it() -> None:
    table = Table("human: shield=1\n" + rolled(1, 2), D4="Hu", D5="@", D8="=").play("die:1", "shield", rolls=[7])
    assert (table.at("human"), table.points("human")) == ("D8", 4 - 2)
    assert table.is_gone("D8")


def test_no_shield_helps_against_a_rock() -> None:
    table = Table("human: shield=1\n" + rolled(1, 2), D4="Hu", D5="@", D8="^").play("die:1", rolls=[7, 4])
    assert (table.at("human"), table.points("human"), table.holds("human")) == ("C7", 3, {"shield": 1})
    assert not table.is_gone("D8")


def test_two_squares_before_a_hole_are_run_up_enough() -> None:
    assert Table("human:\n" + rolled(6, 1), D4="Hu", D7="O").play("die:1").at("human") == "D10"


@pytest.mark.parametrize("start", ["D5", "D6"])
def test_with_less_run_up_the_walk_ends_behind_the_hole(start: str) -> None:
    table = Table("human:\n" + rolled(6, 1), **{start: "Hu", "D7": "O"}).play("die:1")
    assert table.at("human") == "D8"
    assert table.events(Event.HOLE_STOP)


def test_a_shortcut_leads_back_on_four_faces_and_forward_on_six() -> None:
    assert (SHORTCUT_ROWS < 0).sum() == 4
    assert (SHORTCUT_ROWS > 0).sum() == 6
    assert (SHORTCUT_ROWS.min(), SHORTCUT_ROWS.max()) == (-4, 5)


def test_a_walk_may_be_interrupted_on_a_shortcut() -> None:
    table = Table("human:\n" + rolled(5, 1), D4="Hu", D6="@").play("die:1")
    assert table.legal() == ["stop", "pass"]
    assert table.play("stop", rolls=[10]).at("human") == "D11"
    assert Table("human:\n" + rolled(5, 1), D4="Hu", D6="@").play("die:1", "pass").at("human") == "D9"


def test_a_trap_gives_a_big_shock_to_the_first_who_comes() -> None:
    table = Table("human:\nelf:\n" + rolled(5, 1), D4="Hu", D6=".x1", A12="El").play("die:1", rolls=[10])
    assert (table.at("human"), table.points("human"), table.points("elf")) == ("D5", 2 - 1, 2)
    assert table.traps() == []


# Objects


def test_a_chest_interrupts_the_walk_and_a_clover_changes_the_object() -> None:
    table = Table("elf: clover=1\n" + rolled(5, 1, 2), D4="El", D6="?", D7="O").play("die:1", rolls=[1])
    assert table.legal() == ["flip:1", "keep"]
    table.play("flip:1")
    assert (table.holds("elf"), table.at("elf")) == ({"syringe": 1}, "D9")


def test_who_leads_has_the_worst_chest_and_who_is_last_the_best_one() -> None:
    state = Table("human: points=9\nelf: points=5\norc: points=1\n", A5="Hu", C5="El", E5="Or").state
    assert [colour_of(state, who) for who in range(3)] == [Colour.RED, Colour.WHITE, Colour.DARK_GREEN]


def test_what_was_taken_comes_back_when_round_4_begins() -> None:
    lines = "human:\nelf:\nrounds_begun: 1\nturn: 1\nseat: 1\n"
    table = Table(lines, A5="Hu", E5="El", C9="$'", C10="?'", C11="='")
    while table.state.rounds_begun < 5:
        assert table.is_gone("C9") == table.is_gone("C10") == (table.state.rounds_begun < 4)
        assert table.is_gone("C11")
        choices = table.legal()
        table.play(next(text for text in ("rest", "skid:stay", "die:1", "shift:stay", choices[0]) if text in choices))


def test_the_fire_ball_zigzags_and_never_turns_back() -> None:
    pieces = {"D4": "Hu", "D5": ".x1", "D6": "El", "E7": "Dw", "E9": "Go", "F9": "Th"}
    table = Table("human: fire_ring=1\nelf:\ndwarf:\ngoblin:\nthief:\n", **pieces)
    table.play("use:fire_ring", rolls=[5, 5])
    assert table.may("fire") == ["F", "B", "L", "R"]
    assert "release" not in table.legal()
    table.play("fire:F")
    assert table.may("fire") == ["F", "L", "R"]
    table.play("fire:F", "fire:R")
    assert table.may("fire") == ["F", "R"]
    table.play("fire:F")
    assert table.may("fire") == ["F", "L", "R"]
    table.play("fire:F", "fire:F", "fire:R", "release", rolls=[BACK_1, BACK_1, BACK_1, 10])
    shocks = [(victim, size) for _, victim, _, size in table.events(Event.SHOCK)]
    assert shocks == [(1, Size.SMALL), (2, Size.SMALL), (3, Size.SMALL), (4, Size.BIG)]
    assert (table.points("human"), table.traps()) == (3 + 2, [])


def test_lightning_strikes_who_has_as_many_points_or_more() -> None:
    lines = "human: points=5 lightning_ring=1\nelf: points=9\ndwarf: points=5\ngoblin: points=4\n"
    table = Table(lines, D4="Hu", A8="El", B8="Dw", C8="Go").play("use:lightning_ring", rolls=[2, 3])
    assert [table.at(name) for name in ("elf", "dwarf", "goblin")] == ["A3", "B6", "C8"]
    assert [table.points(name) for name in ("human", "elf", "dwarf", "goblin")] == [5 + 4, 4, 3, 4]


@pytest.mark.parametrize(("action", "squares"), [("die:1", 1), ("die:2", 3), ("flip:1", 6), ("flip:2", 4)])
def test_a_clover_turns_a_die_to_its_opposite_face(action: str, squares: int) -> None:
    table = Table("human: clover=1\n" + rolled(1, 3), D4="Hu")
    assert table.legal() == ["die:1", "die:2", "flip:1", "flip:2"]
    table.play(action)
    assert table.points("human") == squares
    assert table.holds("human") == ({} if action.startswith("flip") else {"clover": 1})


def test_a_3_on_a_d10_flips_to_8() -> None:
    table = Table("human: clover=1\n" + rolled(1, 1), D4="Hu", D5="@").play("die:1", "flip:1", rolls=[3])
    assert table.at("human") == "D9"  # face 8: four forward


@pytest.mark.parametrize(("thing", "rolls"), [("bottle", [3, 3]), ("syringe", [1, 3])])
def test_bottle_and_syringe_carry_as_far_as_one_likes(thing: str, rolls: list[int]) -> None:
    table = Table(f"human: {thing}=1\n", D1="Hu").play(f"use:{thing}", rolls=rolls)
    assert table.legal() == [f"go:{squares}" for squares in range(1, 7)]
    assert table.play("go:4").at("human") == "D5"
    assert table.holds("human") == {}


# Characters


def test_fight_values_and_speeds_are_those_of_the_characters_cards() -> None:
    assert FIGHT.tolist() == [40, 70, 80, 50, 80, 65, 50, 50, 40, 75]
    assert SPEED.tolist() == [3, 2, 1, 2, 1, 2, 2, 1, 2, 1]


@pytest.mark.parametrize("character", ["human", "thief"])
@pytest.mark.parametrize("thing", OBJECTS)
def test_the_alternative_is_another_object_of_the_characters_kind(character: str, thing: str) -> None:
    kind = CHARACTER_ENTRIES[Character[character.upper()]]["alternative"]
    other = int(ALTERNATIVE[int(kind == "offensive"), OBJECTS.index(thing)])
    assert OBJECT_ENTRIES[other]["kind"] == kind
    assert OBJECTS[other] != thing


@pytest.mark.parametrize("rule", RULES[:9])
def test_the_human_has_one_of_nine_rules(rule: str) -> None:
    states = configure(characters=["human", "orc"], circuit="goblin_meadow")
    luck = seeded([1])
    GAME.rules.setup(states[0], luck[0])
    table = Table("human:\n", D4="Hu")
    table.states, table.luck = states, luck
    assert table.may("rule") == RULES[:9]
    assert len(table.legal()) == 9
    table.play(f"rule:{rule}")
    for _ in range(9):
        if table.state.order[table.state.turn] == table.seat("human"):
            break
        table.play(next(text for text in ("rest", "skid:stay", *table.legal()) if text in table.legal()))
    assert table.state.free_flip == (rule == "defusing")
    assert np.flatnonzero([table.racer("human").rules >> bit & 1 for bit in range(10)]).tolist() == [RULES.index(rule)]


def test_square_names_are_as_drawn() -> None:
    assert [square_name(square) for square in (0, 6, 7, 125)] == ["A1", "G1", "A2", "G18"]
