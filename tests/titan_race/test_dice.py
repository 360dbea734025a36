"""Sections 1 to 3 of the rules: the board, the dice, the first turn."""

from __future__ import annotations

import numpy as np
import pytest

from tests.titan_race.table import Table, plain
from titan_env.engine.batch import Batch
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.board import CROSSING, NEIGHBOUR
from titan_env.games.titan_race.rules.circuits import space_name, space_number
from titan_env.games.titan_race.rules.state import Direction, Event

YELLOW, BLUE, BROWN, RED, GREEN, PURPLE = range(6)
TURN = "ask: turn\nface: {0}\naction: {0}\npool: yellow\n"


def turn(face: str) -> str:
    """The first Titan has taken a die of this face."""
    extra = "extra_due: 1\n" if face in ("red", "green") else ""
    return TURN.format(face) + extra


# The board


@pytest.mark.parametrize(
    ("space", "around"),
    [
        ("C5", ["C7", "B6", "D6", "C3", "B4", "D4"]),
        ("A1", ["A3", "F2", "B2", "A11", "F12", "B12"]),
        ("F12", ["F2", "E1", "A1", "F10", "E11", "A11"]),
    ],
)
def test_six_directions_lead_to_neighbours_and_wrap_on_every_side(space: str, around: list[str]) -> None:
    assert [space_name(NEIGHBOUR[space_number(space), direction]) for direction in Direction] == around


def test_only_steps_between_the_last_and_the_first_rows_cross_the_line() -> None:
    forward = {space_name(space) for space, direction in np.argwhere(CROSSING == 1) if direction == Direction.F}
    assert forward == {"A11", "C11", "E11", "B12", "D12", "F12"}
    assert (CROSSING[:, :3] >= 0).all()
    assert (CROSSING[:, 3:] <= 0).all()


# The pool


def test_the_first_player_rolls_as_many_dice_as_there_are_titans() -> None:
    batch = Batch(GAME, 30, titans=5)
    batch.seed(0)
    batch.start()
    assert (batch.states["pool"].sum(axis=1) == 5).all()


def test_any_titan_in_the_race_may_be_the_first() -> None:
    batch = Batch(GAME, 200, titans=3)
    batch.seed(0)
    batch.start()
    assert set(batch.states["titan"].tolist()) == {0, 1, 2}


def test_the_pool_is_passed_on_without_rolling() -> None:
    table = Table(plain(A1="Gr", C1="Ra", E1="Sl") + "grinder:\nrassik:\nslaugg:\n", dice="yellow brown red")
    table.play("draft:yellow", "move:SS", "end")
    assert table.may("draft") == ["brown", "red"]


def test_who_finds_one_die_left_rolls_all_of_them() -> None:
    table = Table(plain(A1="Gr", C1="Ra", E1="Sl") + "grinder:\nrassik:\nslaugg:\n", dice="yellow brown")
    table.play("draft:yellow", "move:SS", "end", rolls=[GREEN, GREEN, PURPLE])
    assert table.asked == ("draft", "rassik")
    assert table.may("draft") == ["green", "purple"]
    assert table.state.pool.tolist() == [0, 0, 0, 0, 2, 1]


@pytest.mark.parametrize(
    ("face", "moves"),
    [
        ("yellow", ["SS"]),
        ("blue", ["SL", "SR", "LS", "RS"]),
        ("brown", ["LLL", "RRR"]),
        ("red", ["S"]),
        ("green", ["LL", "RR"]),
    ],
)
def test_each_face_has_its_moves(face: str, moves: list[str]) -> None:
    table = Table(plain(A1="Cr", C7="Ra") + "craken:\nrassik:\n", dice=f"{face} {face}").play(f"draft:{face}")
    assert table.may("move") == moves


# The own colour


def test_a_die_of_the_own_colour_gives_a_life_at_once() -> None:
    table = Table(plain(A1="Ra", C7="Gr") + "rassik: life=2\ngrinder:\n", dice="yellow red").play("draft:yellow")
    assert table.titan("rassik").life == 3


def test_never_above_the_gauge() -> None:
    table = Table(plain(A1="Ra", C7="Gr") + "rassik:\ngrinder:\n", dice="yellow red").play("draft:yellow")
    assert table.titan("rassik").life == 4


def test_another_colour_gives_nothing() -> None:
    table = Table(plain(A1="Ra", C7="Gr") + "rassik: life=2\ngrinder:\n", dice="yellow red").play("draft:red")
    assert table.titan("rassik").life == 2


def test_chtooloo_neither_gains_nor_pays_for_purple() -> None:
    table = Table(plain(A1="Ch", C7="Gr") + "chtooloo: life=3\ngrinder:\n", dice="purple red")
    table.play("draft:purple", "copy:yellow")
    assert table.may("pay") == []
    assert table.play("move:SS").titan("chtooloo").life == 3


# Purple


def test_purple_plays_any_one_of_the_other_five() -> None:
    table = Table(plain(A1="Gr", C7="Ra") + "grinder:\nrassik:\n", dice="purple red").play("draft:purple")
    assert table.may("copy") == ["yellow", "blue", "brown", "red", "green"]
    assert table.play("copy:brown").may("move") == ["LLL", "RRR"]


def test_purple_played_as_the_own_colour_gives_no_life() -> None:
    table = Table(plain(A1="Ra", C7="Gr") + "rassik: life=2\ngrinder:\n", dice="purple red")
    assert table.play("draft:purple", "copy:yellow").titan("rassik").life == 2


def test_the_price_of_purple_may_be_paid_before_the_move() -> None:
    table = Table(plain(A1="Gr", C7="Ra") + "grinder:\nrassik:\n", dice="purple red")
    table.play("draft:purple", "copy:yellow", "pay")
    assert table.titan("grinder").life == 3
    assert table.legal() == ["move:SS"]
    assert table.play("move:SS").titan("grinder").life == 3


def test_else_it_is_taken_after_the_move() -> None:
    table = Table(plain(A1="Gr", C7="Ra") + "grinder:\nrassik:\n", dice="purple red")
    assert table.play("draft:purple", "copy:yellow", "move:SS").titan("grinder").life == 3


def test_who_is_knocked_out_by_paying_before_does_not_move() -> None:
    table = Table(plain(A1="Gr", C7="Ra") + "grinder: life=1\nrassik:\n", dice="purple red")
    table.play("draft:purple", "copy:yellow", "pay", rolls=[0, 0])
    assert (table.at("grinder"), table.asked) == ("A1", ("draft", "rassik"))


def test_no_payment_is_due_from_a_titan_that_its_move_knocked_out() -> None:
    board = plain(A1="Gr", A3="~", C7="Ra")
    table = Table(board + "grinder: life=1\nrassik:\n", dice="purple red")
    table.play("draft:purple", "copy:yellow", "move:SS", rolls=[0, 0])
    assert len(table.events(Event.LOSS)) == 1


# Red


def test_reds_trap_may_be_set_before_the_move() -> None:
    table = Table(plain(C5="Cr", C9="Ra") + "craken:\nrassik:\n" + turn("red")).play("trap:BL")
    assert table.traps() == ["B4"]
    assert table.legal() == ["move:S"]


def test_reds_trap_is_compulsory_after_the_move_where_it_can_be_placed() -> None:
    table = Table(plain(C5="Cr", C9="Ra") + "craken:\nrassik:\n" + turn("red")).play("move:S")
    assert table.legal() == ["trap:B", "trap:BL", "trap:BR"]


def test_reds_trap_is_skipped_where_none_is_left() -> None:
    table = Table(plain(C5="Cr", C11="Ra") + "craken:\nrassik:\nsupply: 0\n" + turn("red"))
    assert table.play("move:S", rolls=[0, 0]).asked == ("draft", "rassik")


def test_reds_trap_is_skipped_where_traps_lie_on_all_three_spaces() -> None:
    # The ramp carries over C7, so that traps may lie on all three spaces behind C9.
    board = plain(C5="^Cr", C7="x", B8="x", D8="x", C11="Ra")
    table = Table(board + "craken:\nrassik:\n" + turn("red")).play("move:S")
    assert table.at("craken") == "C9"
    assert table.may("trap") == []
    assert "end" in table.legal()


# Green


def test_greens_damage_may_be_dealt_before_the_move() -> None:
    table = Table(plain(C5="Cr", C7="Ra") + "craken:\nrassik:\n" + turn("green")).play("strike:F")
    assert table.titan("rassik").life == 3
    assert table.legal() == ["move:LL", "move:RR"]


def test_greens_damage_is_compulsory_after_the_move_where_a_living_titan_is_before() -> None:
    table = Table(plain(C5="Cr", A9="Ra", F8="x") + "craken:\nrassik:\n" + turn("green")).play("move:LL")
    assert table.at("craken") == "A7"
    assert table.legal() == ["strike:F", "strike:FL"]
    message = "Only green's damage may be left, after the move, where a trap is before and no living Titan."
    assert table.why_not("pass") == message
    assert table.play("strike:FL").traps() == []


def test_greens_damage_may_be_left_where_only_traps_are_before() -> None:
    table = Table(plain(C5="Cr", C1="Ra", A9="x") + "craken:\nrassik:\n" + turn("green")).play("move:LL")
    assert table.legal() == ["strike:F", "pass"]
    assert table.play("pass", rolls=[0, 0]).traps() == ["A9"]


def test_greens_damage_is_skipped_where_nothing_is_before_or_only_a_knocked_out_titan() -> None:
    out = "rassik: life=0 condition=knocked_out\n"
    table = Table(plain(C5="Cr", A9="Ra") + "craken:\n" + out + turn("green")).play("move:LL")
    assert table.may("strike") == []
    assert "end" in table.legal()


# The first turn


FIRST = "first_turn: 1\nturns: 1\n"


def test_in_the_first_turn_the_die_comes_before_the_entry_space_and_then_its_action() -> None:
    table = Table(plain() + "grinder:\nrassik:\nhand 0: wings\n" + FIRST, dice="yellow red")
    table.play("draft:yellow")
    assert table.legal() == ["enter:A1", "enter:C1", "enter:E1"]
    table.play("enter:C1")
    assert table.legal() == ["move:SS"]
    assert table.play("move:SS").at("grinder") == "C5"


def test_an_occupied_entry_space_may_not_be_chosen() -> None:
    table = Table(plain(C1="Ra") + "grinder:\nrassik:\n" + FIRST, dice="yellow red").play("draft:yellow")
    assert table.may("enter") == ["A1", "E1"]
    assert table.why_not("enter:C1") == "C1 is occupied."


def test_being_placed_on_a_trapped_entry_space_triggers_nothing() -> None:
    table = Table(plain(A1="x", C5="Ra") + "grinder:\nrassik:\n" + FIRST, dice="yellow red")
    table.play("draft:yellow", "enter:A1")
    assert (table.titan("grinder").life, table.traps()) == (4, ["A1"])
    assert table.play("move:SS").traps() == ["A1"]


def test_titans_that_have_not_entered_can_not_be_targets() -> None:
    table = Table(plain(C5="Gr") + "grinder:\nrassik:\nhand 0: lightning explosion\n" + turn("yellow"))
    assert table.may("play") == []


def test_the_pentacle_may_be_used_in_the_first_turn() -> None:
    table = Table(plain(A5="@") + "grinder:\nrassik:\n" + FIRST, dice="yellow red")
    table.play("draft:yellow", "enter:A1", "move:SS")
    assert table.legal() == ["reroll", "end"]
