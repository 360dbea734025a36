"""Sections 2, 3, 9, 13 and 14 of the rules: the course of a turn, what is due when, and when it ends."""

from __future__ import annotations

import pytest

from tests.titan_race.table import Table, plain
from tests.titan_race.test_dice import FIRST, GREEN, RED, YELLOW, turn
from titan_env.games.titan_race.rules.actions import FACES
from titan_env.games.titan_race.rules.circuits import TITANS
from titan_env.games.titan_race.rules.dice import COLOUR, FACE_MOVES
from titan_env.games.titan_race.rules.state import Cause, Event, Face

OUT = "life=0 condition=knocked_out"
COLOURS = {
    "rassik": "yellow",
    "ragnarok": "blue",
    "craken": "brown",
    "grinder": "red",
    "slaugg": "green",
    "chtooloo": "purple",
}
LETTERS = {"rassik": "Ra", "ragnarok": "Rg", "craken": "Cr", "grinder": "Gr", "slaugg": "Sl", "chtooloo": "Ch"}


# The pool goes around


def test_the_roller_moves_back_one_seat_in_each_cycle() -> None:
    text = plain(A1="Gr", C1="Ra", E1="Sl") + "grinder:\nrassik:\nslaugg:\n"
    table = Table(text, dice="yellow yellow yellow")
    rollers = []
    for _ in range(9):
        table.play("draft:yellow", "move:SS", rolls=[YELLOW] * 3)
        if "end" in table.legal():
            table.play("end", rolls=[YELLOW] * 3)
        rollers += [
            event[1] for event in table.log[0].events[: table.log[0].count].tolist() if event[0] == Event.ROLLED
        ]
    assert rollers == [2, 1, 0, 2]  # every second turn of three Titans


@pytest.mark.parametrize(("titan", "colour"), COLOURS.items())
def test_each_titan_has_its_colour_and_only_chtooloo_gains_nothing_by_it(titan: str, colour: str) -> None:
    other = "slaugg" if titan != "slaugg" else "rassik"
    board = plain(A1=LETTERS[titan], C7=LETTERS[other])
    table = Table(board + f"{titan}: life=2\n{other}:\n", dice=f"{colour} red").play(f"draft:{colour}")
    assert table.titan(titan).life == (2 if titan == "chtooloo" else 3)


def test_the_colour_of_each_titan_is_read_from_its_data() -> None:
    assert [Face(face).name.lower() for face in COLOUR] == [titan["colour"] for titan in TITANS]


def test_a_purple_die_played_as_another_face_is_still_purple_and_gives_chtooloo_that_faces_action() -> None:
    table = Table(plain(A1="Ch", C7="Gr") + "chtooloo:\ngrinder:\n", dice="purple red")
    table.play("draft:purple", "copy:red")
    assert table.legal() == ["move:S", "trap:B", "trap:BL", "trap:BR"]
    assert table.state.face == Face.PURPLE


def test_chtooloo_starts_on_four_of_six() -> None:
    table = Table(plain(A1="Ch", C7="Gr") + "chtooloo:\ngrinder:\n")
    assert (table.titan("chtooloo").life, table.titan("chtooloo").life_max) == (4, 6)


def test_without_help_a_race_takes_at_least_nine_turns() -> None:
    most = max(sum(2 if step == "S" else 1 for step in move) for moves in FACE_MOVES.values() for move in moves)
    assert 3 * 12 / most == 9


# What is due, and when


def test_the_price_of_purple_is_taken_before_a_late_trap() -> None:
    table = Table(plain(C5="Cr", C11="Ra") + "craken:\nrassik:\n", dice="purple red")
    table.play("draft:purple", "copy:red", "move:S")
    assert table.titan("craken").life == 3
    assert table.legal() == ["trap:B", "trap:BL", "trap:BR"]


def test_purple_may_be_paid_before_or_after_a_trap_that_is_set_before_the_move() -> None:
    table = Table(plain(C5="Cr", C11="Ra") + "craken:\nrassik:\n", dice="purple red")
    table.play("draft:purple", "copy:red", "trap:B")
    assert table.legal() == ["pay", "move:S"]
    assert table.play("pay").legal() == ["move:S"]


def test_who_cannot_survive_the_price_after_the_move_sets_no_trap() -> None:
    table = Table(plain(C5="Cr", C11="Ra") + "craken: life=1\nrassik:\n", dice="purple red")
    table.play("draft:purple", "copy:red", "move:S", rolls=[0, 0])
    assert (table.at("craken"), table.traps(), table.asked) == ("C7", [], ("draft", "rassik"))


@pytest.mark.parametrize("face", ["red", "green"])
def test_what_is_left_of_the_action_is_lost_when_the_move_knocks_out(face: str) -> None:
    board = plain(C5="Cr", C7="~", B6="~", D6="~", E9="Ra")
    table = Table(board + "craken: life=1\nrassik:\n" + turn(face))
    table.play("move:S" if face == "red" else "move:RR", rolls=[0, 0])
    assert (table.titan("craken").life, table.asked) == (0, ("draft", "rassik"))
    assert table.events(Event.TRAP_SET) == []


def test_reds_trap_placed_on_a_titan_behind_fires_at_once() -> None:
    table = Table(plain(C5="Cr", C3="Ra") + "craken:\nrassik:\n" + turn("red")).play("trap:B")
    assert (table.titan("rassik").life, table.traps(), table.state.supply) == (3, [], 15)


def test_reds_trap_may_be_placed_on_a_knocked_out_titan_who_does_not_mind() -> None:
    table = Table(plain(C5="Cr", C3="Ra") + f"craken:\nrassik: {OUT}\n" + turn("red")).play("trap:B")
    assert (table.titan("rassik").life, table.traps(), table.state.supply) == (0, [], 15)


def test_greens_zone_is_looked_at_when_the_damage_is_due() -> None:
    """Nobody is before C5; after the move the Titan on A11 is before A9."""
    table = Table(plain(C7="Cr", A11="Ra") + "craken:\nrassik:\n" + turn("green"))
    assert table.may("strike") == []
    assert table.play("move:LL").legal() == ["strike:F"]


def test_the_zones_go_on_over_the_line() -> None:
    table = Table(plain(B12="Sl", B2="Ra", A1="Gr", C1="x") + "slaugg:\nrassik:\ngrinder:\n" + turn("yellow"))
    table.play("ability")
    assert [table.titan(name).life for name in ("rassik", "grinder")] == [3, 3]
    assert table.traps() == []


# The order within a turn


def test_die_ability_and_card_come_in_any_order() -> None:
    board = plain(C5="Gr", E11="Ra") + "grinder: life=1\nrassik:\nhand 0: healing_potion\n"
    parts = {"move": "move:SS", "ability": "ability:B", "play": "play:healing_potion"}
    for order in ("move ability play", "ability play move", "play move ability", "ability move play"):
        table = Table(board + turn("yellow")).play(*(parts[part] for part in order.split()), rolls=[0, 0])
        assert table.asked == ("draft", "rassik")


def test_no_ability_and_no_card_in_the_middle_of_a_die_action() -> None:
    table = Table(plain(C5="Gr", E11="Ra") + "grinder:\nrassik:\nhand 0: wings\n" + turn("red")).play("trap:B")
    assert table.legal() == ["move:S"]
    assert table.why_not("ability:F") == (
        "Each action must be carried out entirely before another one begins: the die action comes first."
    )


def test_the_die_action_must_be_played_before_the_turn_may_end() -> None:
    table = Table(plain(C5="Gr", E11="Ra") + "grinder:\nrassik:\n" + turn("yellow"))
    assert "end" not in table.legal()
    assert table.why_not("end") == "The die action must be carried out before the turn can end."


def test_the_turn_ends_by_itself_when_nothing_is_left_to_choose() -> None:
    table = Table(plain(C5="Ra", E11="Gr") + "rassik:\ngrinder:\n" + turn("yellow")).play("move:SS", rolls=[0, 0])
    assert table.asked == ("draft", "grinder")


def test_the_first_turn_ends_with_its_die_action() -> None:
    text = plain(C7="Ra") + "grinder:\nrassik:\nhand 0: wings\n" + FIRST
    table = Table(text, dice="red red").play("draft:red", "enter:A1", "move:S", "trap:B", rolls=[0, 0])
    assert table.asked == ("draft", "rassik")
    assert table.hand(0) == ["wings"]


def test_the_dice_come_first_in_the_first_turn_also_for_purple() -> None:
    table = Table(plain() + "grinder:\nrassik:\n" + FIRST, dice="purple red").play("draft:purple")
    assert table.may("enter") == ["A1", "C1", "E1"]
    assert table.play("enter:A1").may("copy") == FACES[:5]


def test_entering_pushes_nobody_but_the_first_move_does() -> None:
    table = Table(plain(A3="Ra") + "grinder:\nrassik:\n" + FIRST, dice="red red").play("draft:red", "enter:A1")
    assert table.titan("rassik").life == 4
    assert table.play("move:S").titan("rassik").life == 3


def test_who_finds_all_three_entry_spaces_occupied_takes_a_die_and_enters_in_its_next_turn() -> None:
    """Three Titans with a single life have paid it for purple before they moved."""
    text = f"grinder: life=1\nrassik: {OUT}\nslaugg: {OUT}\ncraken: {OUT}\n" + FIRST
    table = Table(plain(A1="Ra", C1="Sl", E1="Cr") + text, dice="red red red red").play("draft:red")
    assert (table.asked, table.at("grinder")) == (("draft", "rassik"), "none")
    table.play("draft:red").play("draft:red", rolls=[RED] * 4)  # the calendar of the K.O.'d goes on
    table.play("draft:red").play("draft:red")
    assert (table.asked, table.at("grinder")) == (("draft", "rassik"), "none")
    table.play("draft:red", "move:S", "trap:BL", rolls=[RED] * 4).play("draft:red", "move:S", "trap:BL")
    assert table.asked == ("draft", "craken")
    table.play("draft:red", "move:S", "trap:BL", rolls=[RED] * 4).play("draft:red")
    assert table.may("enter") == ["A1", "C1", "E1"]
    assert table.play("enter:A1").legal() == ["move:S", "trap:B", "trap:BL", "trap:BR"]


# K.O.


def test_the_calendar_of_a_knock_out() -> None:
    """K.O. in one turn, the next one drafts and is lost, the one after begins with a full gauge."""
    board = plain(A1="Ra", A3="~", E1="Gr")
    table = Table(board + "rassik: life=1\ngrinder:\n" + turn("yellow")).play("move:SS", rolls=[GREEN, YELLOW])
    assert (table.at("rassik"), table.titan("rassik").life) == ("A3", 0)
    table.play("draft:green", "move:RR", rolls=[YELLOW, RED]).play("end", rolls=[YELLOW, RED])
    assert table.asked == ("draft", "rassik")
    table.play("draft:yellow", rolls=[GREEN, GREEN])  # the own colour gives nothing, and the die is not played
    assert (table.asked, table.titan("rassik").life) == (("draft", "grinder"), 0)
    table.play("draft:green", "move:RR", rolls=[YELLOW, RED]).play("end", rolls=[RED, RED])
    assert (table.asked, table.titan("rassik").life) == (("draft", "rassik"), 4)
    assert table.play("draft:red").may("move") == ["S"]


def test_a_titan_knocked_out_by_its_card_in_its_own_turn_ends_the_turn() -> None:
    table = Table(
        plain(C5="Gr", D6="~", E11="Ra") + "grinder: life=1\nrassik:\nhand 0: speed_potion\n" + turn("yellow")
    )
    table.play("play:speed_potion", "aim:FR", rolls=[0, 0])
    assert (table.at("grinder"), table.asked) == ("D6", ("draft", "rassik"))


def test_a_loss_says_why() -> None:
    table = Table(plain(C5="Gr", C7="~x", E11="Ra") + "grinder:\nrassik:\n" + turn("yellow")).play("move:SS")
    assert [Cause(event[2]) for event in table.events(Event.LOSS)] == [Cause.TRAP, Cause.LAVA]
