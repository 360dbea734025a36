"""Moving: ramps in the middle of a move, slides, and every way of entering a space."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.titan_race.table import Table, plain
from tests.titan_race.test_cards import own_turn
from tests.titan_race.test_dice import turn
from titan_env.games.titan_race.rules.actions import CARDS
from titan_env.games.titan_race.rules.state import Event

OUT = "life=0 condition=knocked_out"
TWO = "rassik:\ngrinder:\n"


def moved(symbol: str, hand: str = "") -> Table:
    return Table(plain(C5="Gr", C7=symbol, E11="Ra") + f"grinder:\nrassik:\nhand 0: {hand}\n" + turn("red")).play(
        "move:S"
    )


def pushed(symbol: str, hand: str = "") -> Table:
    board = plain(C3="Ra", C5="Gr", C7=symbol)
    return Table(
        board + f"grinder: seat=0\nrassik: seat=1\nhand 0: {hand}\ntitan: 1\nasked: 1\nseat: 1\n" + turn("red")
    ).play("move:S")


def shoved(symbol: str, hand: str = "") -> Table:
    board = plain(C3="Rg", C5="Gr", C7=symbol)
    text = f"grinder:\nragnarok:\nhand 0: {hand}\ntitan: 1\nasked: 1\nseat: 1\n"
    return Table(board + text + turn("red")).play("ability:F", "shove:F")


def swapped(symbol: str, hand: str = "") -> Table:
    board = plain(C5="Gr", C7=f"{symbol}Cr")
    text = f"grinder:\ncraken:\nhand 0: {hand}\ntitan: 1\nasked: 1\nseat: 1\n"
    return Table(board + text + turn("red")).play("ability:B")


def retreated(symbol: str, hand: str = "") -> Table:
    table = own_turn("retreat", hand, C9="Gr", C7=symbol, E11="Ra")
    return table.play("play:retreat", "aim:B")


WAYS: list[Callable[..., Table]] = [moved, pushed, shoved, swapped, retreated]
ways = pytest.mark.parametrize("enter", WAYS, ids=[way.__name__ for way in WAYS])


@ways
def test_lava_burns_whoever_enters_it_in_whatever_way(enter: Callable[..., Table]) -> None:
    table = enter("~")
    assert table.at("grinder") == "C7"
    assert table.titan("grinder").life == (2 if enter is pushed else 3)


@ways
def test_pirates_attack_whoever_enters_in_whatever_way(enter: Callable[..., Table]) -> None:
    table = enter("!", "gust")
    assert table.asked == ("pirates", "grinder")
    before = table.titan("grinder").life
    assert table.play("suffer").titan("grinder").life == before - (2 if enter is pushed else 1)


@ways
def test_a_statue_is_set_off_in_whatever_way_it_is_entered(enter: Callable[..., Table]) -> None:
    assert len(enter("S").events(Event.BLAST)) == 1


@ways
def test_a_bonus_space_gives_a_card_in_whatever_way_it_is_entered(enter: Callable[..., Table]) -> None:
    assert len(enter("*").events(Event.BONUS)) == 1


@pytest.mark.parametrize(
    ("enter", "end"), [(moved, "C9"), (pushed, "C9"), (shoved, "C9"), (swapped, "C7"), (retreated, "C5")]
)
def test_everybody_slides_on_ice_but_who_is_swapped(enter: Callable[..., Table], end: str) -> None:
    assert enter("#").at("grinder") == end


@ways
def test_only_a_movement_of_its_own_serves_the_pentacle(enter: Callable[..., Table]) -> None:
    table = enter("@")
    if enter is moved:
        table.play("trap:B")
    assert ("reroll" in table.legal()) == (enter is moved)


# Ramps


def test_a_ramp_serves_from_the_space_on_which_a_step_begins() -> None:
    table = Table(plain(C1="Ra", C3="^", E11="Gr") + TWO + turn("yellow")).play("move:SS")
    assert table.at("rassik") == "C7"


def test_from_ramp_to_ramp() -> None:
    assert Table(plain(C1="^Ra", C5="^", E11="Gr") + TWO + turn("yellow")).play("move:SS").at("rassik") == "C9"


def test_a_super_ramp_to_the_left() -> None:
    assert Table(plain(E3="<Ra", E11="Gr") + TWO + turn("green")).play("move:LL").at("rassik") == "A7"


def test_a_jump_over_the_line_completes_a_lap() -> None:
    table = Table(plain(C11="^Ra", E5="Gr") + TWO + turn("red")).play("move:S")
    assert (table.at("rassik"), table.titan("rassik").lap) == ("C3", 2)


def test_nobody_goes_backward_by_a_ramp() -> None:
    assert own_turn("retreat", C5="^Gr", C1="Ra").play("play:retreat", "aim:BL").at("grinder") == "B4"


def test_a_card_that_moves_takes_the_ramp() -> None:
    assert own_turn("speed_potion", C5="^Gr", C1="Ra").play("play:speed_potion", "aim:FL").at("grinder") == "A7"


def test_a_swapped_titan_lands_on_a_ramp_and_stays() -> None:
    assert swapped("^").at("grinder") == "C7"


# Slides


def test_a_slide_goes_on_diagonally_and_over_the_line() -> None:
    board = plain(D10="Ra", E11="#", F12="#", C7="Gr")
    table = Table(board + TWO + turn("green")).play("move:RR")
    assert (table.at("rassik"), table.titan("rassik").lap) == ("A1", 2)


def test_wings_on_to_ice_slide_on_one_space_at_a_time() -> None:
    assert own_turn("wings", C1="Gr", C5="#", C7="#", E1="Ra").play("play:wings").at("grinder") == "C9"


def test_a_step_that_would_turn_after_a_slide_is_lost() -> None:
    assert Table(plain(C1="Ra", C3="#", E11="Gr") + TWO + turn("blue")).play("move:SR").at("rassik") == "C5"


def test_the_damage_of_the_die_is_still_due_after_a_slide() -> None:
    table = Table(plain(A1="Ra", B2="#", D4="Gr") + TWO + turn("green")).play("move:RR")
    assert (table.at("rassik"), table.may("strike")) == ("C3", ["FR"])


def test_the_slide_of_a_pushed_titan_does_not_end_the_movers_movement() -> None:
    table = Table(plain(C1="Ra", C3="Gr", C5="#") + TWO + turn("blue")).play("move:SR")
    assert (table.at("rassik"), table.at("grinder")) == ("D4", "C7")


def test_who_is_pushed_in_a_slide_loses_one_life_however_often() -> None:
    board = plain(C1="Ra", C3="#", C5="#Gr")
    table = Table(board + TWO + turn("yellow")).play("move:SS")
    assert (table.at("rassik"), table.at("grinder"), table.titan("grinder").life) == ("C7", "C9", 3)


# On the way


def test_a_statue_is_set_off_in_passing_and_at_once() -> None:
    board = plain(C1="Ra", C3="S", D4="Gr", D6="Sl")
    table = Table(board + "rassik:\ngrinder:\nslaugg:\n" + turn("yellow")).play("move:SS")
    assert [table.titan(name).life for name in ("rassik", "grinder", "slaugg")] == [4, 3, 4]


def test_a_trap_knocks_out_and_the_statue_under_it_is_set_off_all_the_same() -> None:
    board = plain(C1="Ra", C3="Sx", D4="Gr")
    table = Table(board + "rassik: life=1\ngrinder:\n" + turn("yellow")).play("move:SS", rolls=[0, 0])
    assert (table.at("rassik"), table.titan("rassik").life, table.titan("grinder").life) == ("C3", 0, 3)


def test_a_mover_knocked_out_on_a_bonus_space_still_draws() -> None:
    table = Table(plain(C1="Ra", C3="*x", E11="Gr") + "rassik: life=1\ngrinder:\n" + turn("red"))
    table.play("move:S", rolls=[CARDS.index("wings"), 0, 0])
    assert (table.titan("rassik").life, table.hand(0)) == (0, ["wings"])


def test_several_bonus_spaces_give_several_cards_up_to_two() -> None:
    board = plain(C1="Ra", D2="*", E3="*", F4="*", A9="Gr")
    table = Table(board + TWO + turn("brown")).play("move:RRR", rolls=[0, 0])
    assert len(table.hand(0)) == 2


def test_each_crossing_counts_forward_and_backward() -> None:
    board = plain(A11="Rg", A1="Gr")
    table = Table(board + "ragnarok:\ngrinder: lap=2\n" + turn("red")).play("ability:F", "shove:BL")
    assert (table.at("grinder"), table.titan("grinder").lap) == ("F12", 1)


def test_a_shove_over_the_line_may_win_the_race_for_the_shoved() -> None:
    table = Table(plain(C9="Rg", C11="Gr") + "ragnarok:\ngrinder: lap=3\n" + turn("red")).play("ability:F", "shove:F")
    assert table.state.won.tolist()[:2] == [0, 1]


@pytest.mark.parametrize("side", ["F", "FL", "FR"])
def test_each_of_the_three_ways_over_the_line_completes_a_lap(side: str) -> None:
    table = own_turn("speed_potion", F12="Gr", C1="Ra", titans="grinder: lap=3\nrassik:")
    table.play("play:speed_potion", f"aim:{side}")
    assert table.state.won.tolist()[:2] == [1, 0]
