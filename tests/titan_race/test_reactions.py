"""Cards: reactions to every kind of loss and movement, Mimic's loans, the hourglass."""

from __future__ import annotations

import pytest

from tests.titan_race.table import Table, plain
from tests.titan_race.test_cards import TURN, own_turn
from tests.titan_race.test_dice import FIRST, turn
from titan_env.games.titan_race.rules.state import Cause, Event

OUT = "life=0 condition=knocked_out"

LOSSES = {
    Cause.PUSH: ("C7", "Ra", "red", ["move:S"]),
    Cause.STRIKE: ("C7", "Ra", "green", ["strike:F"]),
    Cause.SLAUGG: ("C7", "Sl", "yellow", ["ability"]),
    Cause.CHTOOLOO: ("C7", "Ch", "yellow", ["ability:F"]),
    Cause.TRAP: ("C3", "Ra", "red", ["trap:B"]),
    Cause.EXPLOSION: ("C3", "Ra", "yellow", ["play:explosion"]),
    Cause.FIREBALL: ("C7", "Ra", "yellow", ["play:fireball", "aim:F"]),
    Cause.LIGHTNING: ("F12", "Ra", "yellow", ["play:lightning"]),
}
NAMES = {"Ra": "rassik", "Sl": "slaugg", "Ch": "chtooloo"}


@pytest.mark.parametrize("cause", LOSSES)
def test_the_shield_answers_every_loss_that_another_causes(cause: Cause) -> None:
    there, letters, face, plays = LOSSES[cause]
    text = f"{NAMES[letters]}:\ngrinder:\nhand 0: explosion fireball\nhand 1: shield\n"
    if cause == Cause.LIGHTNING:
        text = text.replace("fireball", "lightning")
    table = Table(plain(**{"C5": letters, there: "Gr"}) + text + turn(face)).play(*plays)
    assert table.asked == ("shield", "grinder")
    table.play("play:shield")
    assert table.titan("grinder").life == 4
    assert (Event.SHIELDED, 1, -1, cause) in table.history


@pytest.mark.parametrize(("symbol", "cause"), [("~", Cause.LAVA), ("x", Cause.TRAP), ("!", Cause.PIRATES)])
def test_the_shield_answers_what_the_circuit_does(symbol: str, cause: Cause) -> None:
    table = Table(plain(C5="Ra", C7=symbol, E11="Gr") + "rassik:\ngrinder:\nhand 0: shield\n" + turn("yellow"))
    table.play("move:SS")
    if cause == Cause.PIRATES:
        table.play("suffer")
    table.play("play:shield")
    assert (Event.SHIELDED, 0, -1, cause) in table.history
    assert table.titan("rassik").life == 4


def test_the_shield_answers_a_statue() -> None:
    table = Table(plain(C5="Ra", C7="S", D8="Gr") + "rassik:\ngrinder:\nhand 1: shield\n" + turn("red")).play("move:S")
    assert table.asked == ("shield", "grinder")
    assert table.play("play:shield").titan("grinder").life == 4


def test_the_shield_answers_the_price_of_purple() -> None:
    text = "grinder:\nrassik:\nhand 0: shield\n"
    table = Table(plain(A1="Gr", C7="Ra") + text, dice="purple red").play("draft:purple", "copy:yellow", "pay")
    assert table.asked == ("shield", "grinder")
    assert table.play("play:shield").titan("grinder").life == 4
    assert table.legal() == ["move:SS"]


def test_the_shield_does_not_answer_the_price_of_the_pentacle() -> None:
    text = "rassik:\ngrinder:\nhand 0: shield\n"
    table = Table(plain(C1="Ra", C5="@", E11="Gr") + text + turn("yellow")).play("move:SS", "reroll", rolls=[0])
    assert (len(table.events(Event.LOSS)), table.legal()) == (1, ["move:SS"])


def test_the_shield_answers_thorns() -> None:
    text = f"grinder:\nrassik:\n{TURN}hand 0: shield\nhand 1: thorns\n"
    table = Table(plain(A1="Gr", A3="Ra") + text).play("move:SS", "play:thorns")
    assert table.asked == ("shield", "grinder")
    assert table.play("play:shield").titan("grinder").life == 4


def test_thorns_are_asked_right_after_the_loss_for_the_push_before_the_pusher_arrives() -> None:
    text = f"grinder:\nrassik:\n{TURN}hand 1: thorns\n"
    table = Table(plain(A1="Gr", A3="Ra") + text).play("move:SS")
    assert table.asked == ("thorns", "rassik")
    assert (table.at("grinder"), table.at("rassik"), table.titan("rassik").life) == ("A1", "A5", 3)


def test_thorns_answer_a_kick_and_a_card_that_moves() -> None:
    text = "rassik:\ngrinder:\nslaugg:\nhand 2: thorns\n"
    table = Table(plain(C5="Ra", C3="Gr", C7="Sl") + text + turn("yellow")).play("ability:F", "play:thorns")
    assert table.titan("rassik").life == 3
    table = own_turn("retreat", C5="Gr", C3="Ra", titans="grinder:\nrassik:\nhand 1: thorns")
    assert table.play("play:retreat", "aim:B", "play:thorns").titan("grinder").life == 3


def test_thorns_in_a_queue_are_asked_after_all_in_front_have_moved_and_the_push_is_carried_out() -> None:
    text = f"grinder: life=1\nslaugg:\nrassik:\n{TURN}hand 1: thorns\n"
    table = Table(plain(C1="Gr", C3="Sl", C5="Ra") + text).play("move:SS")
    assert [table.at(name) for name in ("grinder", "slaugg", "rassik")] == ["C1", "C5", "C7"]
    table.play("play:thorns", rolls=[0, 0, 0])
    assert (table.at("grinder"), table.titan("grinder").life, table.at("slaugg")) == ("C1", 0, "C5")


def test_in_ones_first_turn_no_card_of_any_kind_is_played() -> None:
    text = f"grinder:\nrassik:\nhand 0: shield wings\n{FIRST}"
    table = Table(plain(A3="~", C7="Ra") + text, dice="yellow red")
    table.play("draft:yellow", "enter:A1", "move:SS", rolls=[0, 0])
    assert (table.asked, table.titan("grinder").life) == (("draft", "rassik"), 3)


def test_whoever_has_entered_answers_in_anothers_first_turn_as_in_any_other() -> None:
    text = f"grinder:\nrassik:\nhand 1: shield\n{FIRST}"
    table = Table(plain(A3="Ra") + text, dice="yellow red").play("draft:yellow", "enter:A1", "move:SS")
    assert table.asked == ("shield", "rassik")


def test_after_a_reroll_on_the_pentacle_no_card_of_any_kind_is_played() -> None:
    text = "rassik:\ngrinder:\nhand 0: shield wings\n" + turn("yellow")
    table = Table(plain(C1="Ra", C5="@", C7="~", E11="Gr") + text).play("move:SS", "reroll", rolls=[0])
    table.play("move:SS", rolls=[0, 0])
    assert (table.asked, len(table.events(Event.LOSS))) == (("draft", "grinder"), 2)


def test_who_holds_shield_and_thorns_is_asked_for_both() -> None:
    text = f"grinder:\nrassik:\n{TURN}hand 1: shield thorns\n"
    table = Table(plain(A1="Gr", A3="Ra") + text).play("move:SS", "play:shield", "play:thorns")
    assert (table.titan("grinder").life, table.titan("rassik").life) == (3, 4)


def test_in_the_turns_of_others_as_many_reactions_are_played_as_one_holds() -> None:
    text = f"grinder:\nrassik:\n{TURN}hand 1: shield thorns\n"
    table = Table(plain(A1="Gr", A3="Ra") + text).play("move:SS", "play:shield", "play:thorns")
    assert (table.titan("rassik").life, table.titan("grinder").life) == (4, 3)


PAIRS = "rassik: seat=0 side=0\ngrinder: seat=1 side=1\nslaugg: seat=0 side=0\ncraken: seat=1 side=1\n"
"""Two players with two Titans each."""


def test_both_titans_of_one_player_share_the_one_card_of_a_turn() -> None:
    text = f"{PAIRS}seats: 2\nsides: 2\nhand 0: shield wings\n{TURN}"
    table = Table(plain(A1="Ra", A3="Sl", C1="Gr", E1="Cr") + text).play("move:SS", "play:shield")
    assert (table.titan("slaugg").life, table.may("play")) == (4, [])


@pytest.mark.parametrize("bar", ["first_turn: 1", "rerolled: 1", "card_played: 1"])
def test_no_titan_of_the_player_answers_where_its_turn_allows_no_card(bar: str) -> None:
    text = f"{PAIRS}seats: 2\nsides: 2\nhand 0: shield thorns\n{TURN}{bar}\n"
    table = Table(plain(A1="Ra", A3="Sl", C1="Gr", E1="Cr") + text).play("move:SS")
    assert (table.at("rassik"), table.titan("slaugg").life) == ("A5", 3)


def test_own_titans_of_one_player_may_answer_each_other_with_thorns() -> None:
    text = f"{PAIRS}seats: 2\nsides: 2\nhand 0: thorns\n{TURN}"
    table = Table(plain(A1="Ra", A3="Sl", C1="Gr", E1="Cr") + text).play("move:SS")
    assert table.asked == ("thorns", "slaugg")
    assert table.play("play:thorns").titan("rassik").life == 3


def test_the_hourglass_bars_the_reactions_of_its_titan_only() -> None:
    text = f"{PAIRS}seats: 2\nsides: 2\nhand 0: shield\n{TURN}barred: 1\n"
    table = Table(plain(A1="Ra", A3="Sl", C1="Gr", E1="Cr") + text).play("move:SS")
    assert table.asked == ("shield", "slaugg")


def test_a_shoved_titan_that_thorns_knock_out_goes_on() -> None:
    board = plain(C5="Rg", C7="Gr", C9="#Sl")
    table = Table(board + "ragnarok:\ngrinder: life=1\nslaugg:\nhand 2: thorns\n" + turn("yellow"))
    table.play("ability:F", "shove:F", "play:thorns")
    assert (table.at("grinder"), table.titan("grinder").life, table.at("slaugg")) == ("C11", 0, "C1")


# Mimic


MIMICRY = {
    "Ra": ("rassik", "C3", "B", ["ability:FR"], "D6"),
    "Cr": ("craken", "D6", "FR", ["ability:FR"], "D6"),
    "Rg": ("ragnarok", "C7", "F", ["ability:F", "shove:B"], "C3"),
}


@pytest.mark.parametrize("letters", MIMICRY)
def test_mimic_moves_as_the_lender_would(letters: str) -> None:
    name, there, where, plays, end = MIMICRY[letters]
    table = own_turn("mimic", titans=f"grinder:\n{name}:", **{"C5": "Gr", there: letters})
    assert table.play("play:mimic", f"aim:{where}", *plays).at("grinder") == end


def test_mimic_breathes_as_slaugg_does_also_a_knocked_out_one() -> None:
    table = own_turn("mimic", titans=f"grinder:\nslaugg: {OUT}\nrassik:", C5="Gr", C3="Sl", B6="Ra")
    assert table.play("play:mimic", "aim:B", "ability").titan("rassik").life == 3


def test_mimic_is_not_played_where_the_loan_would_do_nothing() -> None:
    assert own_turn("mimic", C5="Gr", C7="Ra").may("play") == []  # nobody is behind to be kicked off


# The hourglass, and targets


def test_the_hourglass_lasts_for_one_turn() -> None:
    table = Table(plain(A1="Ra", C7="Gr") + "rassik:\ngrinder: barred=1\n", dice="yellow yellow")
    table.play("draft:yellow", "move:SS", rolls=[0, 0])
    assert table.play("draft:yellow").legal() == ["move:SS"]
    table.play("move:SS", rolls=[0, 0]).play("draft:yellow", "move:SS", rolls=[0, 0])
    assert table.play("draft:yellow").may("ability") != []


def test_the_hourglass_bars_neither_a_knocked_out_titan_nor_one_that_is_barred() -> None:
    for state in (OUT, "barred=1"):
        assert own_turn("hourglass", C5="Gr", C7="Ra", titans=f"grinder:\nrassik: {state}").may("play") == []


def test_the_hourglass_leaves_reactions_on_the_turns_of_others() -> None:
    text = f"grinder:\nrassik: barred=1\n{TURN}hand 1: shield\n"
    assert Table(plain(A1="Gr", A3="Ra") + text).play("move:SS").asked == ("shield", "rassik")


@pytest.mark.parametrize("card", ["explosion", "fireball", "lightning"])
def test_cards_that_harm_do_not_serve_against_a_knocked_out_titan_alone(card: str) -> None:
    assert own_turn(card, C5="Gr", C7="Ra", titans=f"grinder:\nrassik: {OUT}").may("play") == []


def test_surprise_trap_needs_a_trap_in_the_supply() -> None:
    assert own_turn("surprise_trap", C5="Gr", C7="Ra", titans="grinder:\nrassik:\nsupply: 0").may("play") == []


def test_surprise_trap_is_not_aimed_at_a_knocked_out_titan_and_harms_a_living_one() -> None:
    table = own_turn("surprise_trap", C5="Gr", C7="Ra", D6="Sl", titans=f"grinder:\nrassik: {OUT}\nslaugg:")
    table.play("play:surprise_trap")
    assert table.may("aim") == ["FL", "FR", "B", "BL", "BR"]
    assert table.play("aim:FR").titan("slaugg").life == 3


def test_lightning_spares_traps_and_its_own_player_even_in_the_lead() -> None:
    table = own_turn("lightning", A11="Gr", C5="Ra", E1="x", titans="grinder: lap=3\nrassik:").play("play:lightning")
    assert (table.titan("grinder").life, table.titan("rassik").life, table.traps()) == (4, 3, ["E1"])


def test_gust_moves_a_knocked_out_titan_too_and_whom_it_bumps_is_pushed() -> None:
    board = {"C5": "Gr", "C7": "Ra", "C9": "Sl"}
    table = own_turn("gust", titans=f"grinder:\nrassik: {OUT}\nslaugg:", **board).play("play:gust", "aim:F")
    assert (table.at("rassik"), table.at("slaugg"), table.titan("slaugg").life) == ("C9", "C11", 3)
