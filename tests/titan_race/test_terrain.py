"""Terrain: ramps, ice, lava, pirates, statues, pentacles, bonus spaces, traps."""

from __future__ import annotations

import pytest

from tests.titan_race.table import Table, plain
from tests.titan_race.test_dice import turn
from titan_env.games.titan_race.rules.actions import CARDS
from titan_env.games.titan_race.rules.state import DISCARD, Event

OUT = "life=0 condition=knocked_out"
TWO = "rassik:\ngrinder:\n"


# Ramps


@pytest.mark.parametrize(("move", "end"), [("RS", "D8"), ("SR", "B6"), ("LS", "F6")])
def test_a_super_ramp_serves_one_side_only(move: str, end: str) -> None:
    table = Table(plain(A3=">Ra", E11="Gr") + TWO + turn("blue")).play(f"move:{move}")
    assert table.at("rassik") == end


@pytest.mark.parametrize(("move", "end"), [("SL", "B10"), ("LS", "A9"), ("RS", "E9")])
def test_a_multi_ramp_serves_all_three_directions(move: str, end: str) -> None:
    assert Table(plain(C5="^Ra", E11="Gr") + TWO + turn("blue")).play(f"move:{move}").at("rassik") == end


def test_nothing_on_jumped_spaces_happens_and_who_stands_on_the_landing_space_is_pushed_one() -> None:
    table = Table(plain(C1="^Ra", C3="~x", C5="Gr") + TWO + turn("red")).play("move:S")
    assert (table.at("rassik"), table.titan("rassik").life) == ("C5", 4)
    assert (table.at("grinder"), table.traps()) == ("C7", ["C3"])


def test_a_pushed_titan_never_takes_a_ramp() -> None:
    assert Table(plain(C1="Ra", C3="^Gr") + TWO + turn("red")).play("move:S").at("grinder") == "C5"


def test_a_shoved_titan_never_takes_a_ramp() -> None:
    table = Table(plain(C1="Rg", C3="^Gr") + "ragnarok:\ngrinder:\n" + turn("red")).play("ability:F", "shove:F")
    assert table.at("grinder") == "C5"


# Ice


def test_a_slide_enters_every_space_on_its_way_and_pushes_whoever_is_there() -> None:
    table = Table(plain(C1="Ra", C3="#x", C5="#Gr") + TWO + turn("red")).play("move:S")
    assert (table.at("rassik"), table.titan("rassik").life) == ("C7", 3)
    assert (table.at("grinder"), table.titan("grinder").life) == ("C9", 3)


def test_the_slide_ends_the_own_movement_and_the_steps_that_are_left_are_lost() -> None:
    assert Table(plain(C1="Ra", C3="#", E11="Gr") + TWO + turn("yellow")).play("move:SS").at("rassik") == "C5"


def test_who_is_knocked_out_sliding_by_its_own_movement_stops_on_the_ice() -> None:
    board = plain(C1="Ra", C3="#x", C5="#", E11="Gr")
    table = Table(board + "rassik: life=1\ngrinder:\n" + turn("red")).play("move:S", rolls=[0, 0])
    assert table.at("rassik") == "C3"


def test_a_pushed_titan_slides_on_though_knocked_out() -> None:
    table = Table(plain(C1="Ra", C3="Gr", C5="#x", C7="#") + "rassik:\ngrinder: life=1\n" + turn("red")).play("move:S")
    assert (table.at("grinder"), table.titan("grinder").life) == ("C9", 0)


def test_a_swap_does_not_slide() -> None:
    table = Table(plain(C3="Cr", C5="#Gr") + "craken:\ngrinder:\n" + turn("red")).play("ability:F")
    assert (table.at("craken"), table.at("grinder")) == ("C5", "C3")


# Lava and pirates


def test_lava_burns_whoever_is_pushed_into_it() -> None:
    assert Table(plain(C1="Ra", C3="Gr", C5="~") + TWO + turn("red")).play("move:S").titan("grinder").life == 2


def test_pirates_ask_the_pushed_titans_player_in_the_middle_of_the_move_which_then_goes_on() -> None:
    board = plain(C1="Ra", C3="Gr", C5="!")
    table = Table(board + TWO + "hand 1: wings retreat\n" + turn("yellow")).play("move:SS")
    assert table.asked == ("pirates", "grinder")
    assert table.state.seat == 1
    assert table.legal() == ["discard:retreat", "discard:wings", "suffer"]
    assert table.at("rassik") == "C1"
    table.play("discard:retreat")
    assert (table.at("rassik"), table.at("grinder"), table.titan("grinder").life) == ("C5", "C7", 3)
    assert table.hand(DISCARD) == ["retreat"]


def test_who_suffers_the_pirates_loses_a_life_and_keeps_the_card() -> None:
    table = Table(plain(C1="Ra", C3="!", E11="Gr") + TWO + "hand 0: wings\n" + turn("red")).play("move:S", "suffer")
    assert (table.titan("rassik").life, table.hand(0)) == (3, ["wings"])


def test_without_a_card_pirates_take_a_life_without_a_question() -> None:
    assert Table(plain(C1="Ra", C3="!", E11="Gr") + TWO + turn("red")).play("move:S").titan("rassik").life == 3


def test_pirates_leave_a_knocked_out_titan_alone() -> None:
    board = plain(C1="Ra", C3="Gr", C5="!")
    table = Table(board + f"rassik:\ngrinder: {OUT}\nhand 1: wings\n" + turn("red")).play("move:S")
    assert table.asked[0] != "pirates"
    assert table.hand(1) == ["wings"]


# Statues


def test_a_statue_entered_under_a_titan_costs_that_titan_the_push_and_the_blast() -> None:
    table = Table(plain(C1="Ra", C3="SGr") + TWO + turn("red")).play("move:S")
    assert (table.titan("grinder").life, table.titan("rassik").life) == (2, 4)


def test_a_titan_pushed_on_to_a_statue_sets_it_off_also_when_knocked_out() -> None:
    board = plain(C1="Ra", C3="Gr", C5="S", D6="Sl")
    table = Table(board + f"rassik:\ngrinder: {OUT}\nslaugg:\n" + turn("red")).play("move:S")
    assert (table.titan("slaugg").life, table.titan("rassik").life) == (3, 4)


def test_a_trap_placed_on_a_statue_triggers_nothing() -> None:
    table = Table(plain(C3="Gr", C5="S", D6="Sl") + "grinder:\nslaugg:\n" + turn("red")).play("ability:F")
    assert (table.traps(), table.titan("slaugg").life) == (["C5"], 4)


# The pentacle


def test_the_pentacle_needs_two_lives() -> None:
    for life, offered in ((2, True), (1, False)):
        table = Table(plain(C1="Ra", C5="@", E11="Gr") + f"rassik: life={life}\ngrinder:\n" + turn("yellow"))
        table.play("move:SS", rolls=[0, 0])
        assert ("reroll" in table.legal()) == offered


def test_the_pentacle_does_not_serve_who_only_passed_it() -> None:
    table = Table(plain(C1="Ra", C3="@", E11="Gr") + TWO + turn("yellow")).play("move:SS", rolls=[0, 0])
    assert table.asked == ("draft", "grinder")


def test_the_pentacle_does_not_serve_who_was_pushed_on_to_it() -> None:
    table = Table(plain(C1="Ra", C3="Gr", C5="@") + TWO + turn("red")).play("move:S", "trap:B", rolls=[0, 0])
    assert table.asked == ("draft", "grinder")
    assert table.may("reroll") == []


def test_the_pentacle_does_not_serve_who_has_left_it_again() -> None:
    table = Table(plain(C1="Ra", C5="@", D4="Gr") + TWO + turn("yellow")).play("move:SS")
    assert "reroll" in table.legal()
    assert "reroll" not in table.play("ability:F").legal()


def test_the_pentacle_serves_whose_kick_after_the_die_ends_on_it() -> None:
    table = Table(plain(A1="Ra", A7="@", B4="Gr") + TWO + turn("yellow")).play("move:SS", "ability:F")
    assert table.legal() == ["reroll", "end"]


@pytest.mark.parametrize(("card", "way"), [("speed_potion", ["aim:FR"]), ("retreat", ["aim:BR"]), ("wings", [])])
def test_the_pentacle_serves_who_moves_on_to_it_by_a_card_after_the_die(card: str, way: list[str]) -> None:
    table = Table(
        plain(A1="Gr", B6="@", B4="@", A9="@", E11="Ra") + f"grinder:\nrassik:\nhand 0: {card}\n" + turn("yellow")
    )
    table.play("move:SS", f"play:{card}", *way)
    assert "reroll" in table.legal()


def test_a_potion_before_the_die_counts_for_nothing_on_the_pentacle() -> None:
    table = Table(plain(A1="Gr", A3="@", E11="Ra") + "grinder:\nrassik:\nhand 0: speed_potion\n" + turn("yellow"))
    assert "reroll" not in table.play("play:speed_potion", "aim:F").legal()
    assert "reroll" not in table.play("move:SS").legal()


def test_a_swap_on_to_the_pentacle_is_no_movement() -> None:
    table = Table(plain(A1="Cr", A7="@Gr", E11="Ra") + "craken:\ngrinder:\nrassik:\nhand 0: wings\n" + turn("yellow"))
    assert "reroll" not in table.play("move:SS", "ability:F").legal()


def test_who_has_left_the_pentacle_must_end_a_movement_of_its_own_there_again() -> None:
    """Ragnarok shoves Grinder into himself, off the pentacle, and changes places with him by Mimic."""
    text = "ragnarok:\ngrinder:\ncraken:\nhand 0: mimic\n" + turn("yellow")
    table = Table(plain(C1="Rg", C5="@", C7="Gr", B4="Cr") + text).play("move:SS")
    assert "reroll" in table.legal()
    table.play("ability:F", "shove:B", "play:mimic", "aim:FL", "ability:F", rolls=[0, 0, 0])
    assert (table.at("ragnarok"), table.asked) == ("C5", ("draft", "grinder"))


def test_a_movement_that_could_move_nobody_has_ended_where_its_mover_stands() -> None:
    """On the first board of a Grand Slam nobody is pushed below row 1."""
    rows = [f"{row} . . ." for row in range(36, 3, -1)] + ["3 . @Gr .", "2 . . .", "1 . .Ra ."]
    lines = "grinder:\nrassik:\nhand 0: retreat\nface: yellow\naction: yellow\nask: turn\npool: red\n"
    table = Table("\n".join(rows) + f"\n{lines}begun: 1\nmoved: 1\ndie_done: 1\n").play("play:retreat", "aim:B")
    assert table.at("grinder") == "C3"
    assert "reroll" in table.legal()


def test_a_rerolled_die_gives_its_colours_life_and_costs_its_purple() -> None:
    board = plain(C1="Ra", C5="@", E11="Gr")
    table = Table(board + "rassik: life=3\ngrinder:\n" + turn("yellow")).play("move:SS").play("reroll", rolls=[0])
    assert table.titan("rassik").life == 3
    table = Table(board + "rassik: life=4\ngrinder:\n" + turn("yellow")).play("move:SS").play("reroll", rolls=[5])
    table.play("copy:yellow", "pay")
    assert table.titan("rassik").life == 2


def test_the_pentacle_may_be_used_again_where_the_new_move_ends_on_one() -> None:
    table = Table(plain(C1="Ra", C5="@", C9="@", E11="Gr") + TWO + turn("yellow")).play("move:SS")
    table.play("reroll", rolls=[0]).play("move:SS")
    assert table.legal() == ["reroll", "end"]


# Bonus spaces


def test_a_bonus_space_gives_a_card_to_who_passes_it() -> None:
    table = Table(plain(C1="Ra", C3="*", E11="Gr") + TWO + turn("yellow"))
    table.play("move:SS", rolls=[CARDS.index("mimic")])
    assert table.hand(0) == ["mimic"]


@pytest.mark.parametrize("state", ["life=4", OUT])
def test_a_bonus_space_gives_a_card_to_who_is_pushed_on_to_it(state: str) -> None:
    table = Table(plain(C1="Ra", C3="Gr", C5="*") + f"rassik:\ngrinder: {state}\n" + turn("red"))
    table.play("move:S", rolls=[CARDS.index("mimic")])
    assert table.hand(1) == ["mimic"]


def test_a_hand_of_two_draws_nothing() -> None:
    table = Table(plain(C1="Ra", C3="*", E11="Gr") + TWO + "hand 0: wings gust\n" + turn("yellow")).play("move:SS")
    assert table.hand(0) == ["wings", "gust"]


def test_an_empty_deck_is_renewed_from_the_discard_pile() -> None:
    others = " ".join(card for card in CARDS if card not in ("wings", "mimic"))
    table = Table(plain(C1="Ra", C3="*", E11="Gr") + TWO + f"hand 1: wings mimic\ndiscard: {others}\n" + turn("yellow"))
    table.play("move:SS", rolls=[0])
    assert table.hand(0) == ["surprise_trap"]
    assert table.hand(DISCARD) == []


def test_with_deck_and_discard_pile_empty_there_is_no_card() -> None:
    table = Table(plain(C1="Ra", C3="*", E11="Gr") + TWO + f"hand 1: {' '.join(CARDS)}\n" + turn("yellow"))
    assert table.play("move:SS").hand(0) == []


# Traps


def test_whoever_enters_a_trap_loses_a_life_and_the_token_returns() -> None:
    table = Table(plain(C1="Ra", C3="x", E11="Gr") + TWO + turn("yellow")).play("move:SS")
    assert (table.titan("rassik").life, table.traps(), table.state.supply) == (3, [], 15)


def test_a_trap_placed_on_a_titan_fires_at_once() -> None:
    table = Table(plain(C3="Gr", D4="Ra") + "grinder:\nrassik:\n" + turn("red")).play("ability:FR")
    assert (table.titan("rassik").life, table.traps(), table.state.supply) == (3, [], 15)


def test_a_trap_on_ice_does_not_slide_and_fires_under_who_slides_over_it() -> None:
    table = Table(plain(C1="Ra", C3="#", C5="#x", E11="Gr") + TWO + turn("red")).play("move:S")
    assert (table.at("rassik"), table.titan("rassik").life) == ("C7", 3)


def test_chtooloos_drain_destroys_no_trap() -> None:
    table = Table(plain(C3="Ch", C5="x", D4="Ra") + "chtooloo: life=3\nrassik:\n" + turn("red"))
    assert table.may("ability") == ["FR"]
    assert table.play("ability:FR").traps() == ["C5"]


def test_a_jump_is_told_as_an_event() -> None:
    assert len(Table(plain(C1="^Ra", E11="Gr") + TWO + turn("red")).play("move:S").events(Event.JUMPED)) == 1
