"""Grand Slam: the edges between its boards and the bottom; one hand for two Titans."""

from __future__ import annotations

import pytest

from tests.titan_race.table import Table, plain
from tests.titan_race.test_dice import turn
from tests.titan_race.test_variants import slam
from titan_env.games.titan_race.rules.actions import CARDS
from titan_env.games.titan_race.rules.state import DISCARD, Event

TWO = "rassik:\ngrinder:\n"
PLAYERS = (
    "rassik: seat=0 side=0\ngrinder: seat=1 side=1\nslaugg: seat=0 side=0\ncraken: seat=1 side=1\nseats: 2\nsides: 2\n"
)


# Grand Slam


def test_a_push_goes_on_over_the_seam_and_counts_the_lap() -> None:
    table = Table(slam(B10="Ra", B12="Gr") + TWO + turn("red")).play("move:S")
    assert (table.at("grinder"), table.titan("grinder").lap) == ("2:B2", 2)
    assert (table.at("rassik"), table.titan("rassik").lap) == ("B12", 1)


def test_a_push_back_over_the_seam_takes_the_lap_away() -> None:
    titans = "rassik: lap=2\ngrinder: lap=2\nhand 0: retreat\n"
    table = Table(slam(B16="Ra", B14="Gr") + titans + turn("red")).play("play:retreat", "aim:B")
    assert (table.at("grinder"), table.titan("grinder").lap) == ("B12", 1)


def test_a_swap_over_the_seam_changes_both_laps() -> None:
    table = Table(slam(B12="Cr", B14="Gr") + "craken:\ngrinder: lap=2\n" + turn("red")).play("ability:F")
    assert (table.at("craken"), table.titan("craken").lap) == ("2:B2", 2)
    assert (table.at("grinder"), table.titan("grinder").lap) == ("B12", 1)


@pytest.mark.parametrize("card", ["explosion", "fireball"])
def test_titans_on_different_boards_meet_over_the_seam_only(card: str) -> None:
    board = slam(A1="Ra", A13="Gr", A11="Sl")
    table = Table(board + f"rassik:\ngrinder: lap=2\nslaugg:\nhand 0: {card}\n" + turn("yellow"))
    assert table.may("play") == []  # A13 is A1 of the second board; A11 is not behind A1


def test_pushed_out_at_the_top_of_the_third_board_wins() -> None:
    table = Table(slam(B34="Ra", B36="Gr") + "rassik: lap=3\ngrinder: lap=3\n" + turn("red")).play("move:S")
    assert table.state.won.tolist()[:2] == [0, 1]


def test_no_queue_closes_around_a_grand_slam() -> None:
    table = Table(slam(A33="Ra", A35="Gr", A1="Sl") + "rassik: lap=3\ngrinder: lap=3\nslaugg:\n" + turn("red"))
    assert table.play("move:S").state.over == 1
    assert table.titan("slaugg").life == 4


def test_a_queue_against_the_bottom_stays_and_each_of_it_loses_the_life() -> None:
    board = slam(C5="Ra", C3="Sl", C1="Gr")
    table = Table(board + "rassik:\nslaugg:\ngrinder:\nhand 0: retreat\n" + turn("yellow"))
    table.play("play:retreat", "aim:B")
    assert [table.at(name) for name in ("rassik", "slaugg", "grinder")] == ["C5", "C3", "C1"]
    assert [table.titan(name).life for name in ("rassik", "slaugg", "grinder")] == [4, 3, 3]
    assert len(table.events(Event.STOPPED)) == 3


def test_a_shove_against_the_bottom_leaves_both() -> None:
    board = slam(C5="Rg", C3="Sl", C1="Gr")
    table = Table(board + "ragnarok:\nslaugg:\ngrinder:\n" + turn("yellow")).play("ability:B", "shove:B")
    assert [table.at(name) for name in ("slaugg", "grinder")] == ["C3", "C1"]
    assert [table.titan(name).life for name in ("slaugg", "grinder")] == [4, 3]


def test_gust_into_the_bottom_is_not_offered() -> None:
    table = Table(slam(C3="Ra", C1="Gr") + TWO + "hand 0: gust\n" + turn("yellow"))
    assert table.may("play") == []


def test_a_slide_to_the_bottom_ends_there() -> None:
    board = slam(C5="Ra", E11="Gr").replace("\n3 . . .", "\n3 . # .")
    table = Table(board + TWO + "hand 0: retreat\n" + turn("yellow")).play("play:retreat", "aim:B")
    assert table.at("rassik") == "C1"


def test_wings_may_fly_over_the_last_line() -> None:
    table = Table(slam(B34="Ra", A1="Gr") + "rassik: lap=3\ngrinder:\nhand 0: wings\n" + turn("yellow"))
    assert table.play("play:wings").state.won.tolist()[:2] == [1, 0]


# Two players


def test_both_titans_of_a_player_share_a_hand_of_two() -> None:
    board = plain(A1="Ra", A3="*", C1="Sl", E1="Gr", E5="Cr")
    table = Table(board + PLAYERS + "hand 0: gust mimic\n" + turn("yellow")).play("move:SS")
    assert table.hand(0) == ["mimic", "gust"]


def test_a_card_drawn_by_one_titan_is_in_the_hand_of_the_other() -> None:
    board = plain(A1="Ra", A3="Sl", A5="*", E1="Gr", E5="Cr")
    table = Table(board + PLAYERS + turn("red")).play("move:S", rolls=[CARDS.index("wings")])
    assert table.at("slaugg") == "A5"
    assert table.hand(0) == ["wings"]


def test_ability_and_card_serve_once_in_each_titans_turn() -> None:
    board = plain(C5="Ra", C3="Gr", E3="Sl", E11="Cr")
    table = Table(board + PLAYERS + "hand 0: wings retreat\n" + turn("yellow"), dice="red red")
    table.play("play:wings", "move:SS").play("draft:red", "move:S", "trap:B")
    if "end" in table.legal():
        table.play("end")
    assert table.asked == ("draft", "slaugg")
    table.play("draft:yellow")
    assert table.may("play") == ["retreat"]
    assert table.hand(DISCARD) == ["wings"]


def test_the_shield_of_a_player_is_offered_to_each_of_both_titans() -> None:
    board = plain(C5="Gr", C7="Ra", D6="Sl", E1="Cr")
    text = PLAYERS.replace(
        "rassik: seat=0 side=0\ngrinder: seat=1 side=1", "grinder: seat=0 side=0\nrassik: seat=1 side=1"
    )
    text = text.replace("slaugg: seat=0 side=0\ncraken: seat=1 side=1", "craken: seat=0 side=0\nslaugg: seat=1 side=1")
    table = Table(board + text + "hand 0: explosion\nhand 1: shield\n" + turn("yellow")).play("play:explosion")
    assert table.asked == ("shield", "rassik")
    assert table.play("pass").asked == ("shield", "slaugg")
    table.play("play:shield")
    assert (table.titan("rassik").life, table.titan("slaugg").life) == (3, 4)


def test_an_own_titan_may_be_hit_and_its_player_may_shield_it() -> None:
    board = plain(C5="Sl", C7="Ra", E1="Gr", E5="Cr")
    text = PLAYERS.replace("rassik: seat=0 side=0\ngrinder: seat=1 side=1\nslaugg: seat=0 side=0\n", "")
    text = "slaugg: seat=0 side=0\ngrinder: seat=1 side=1\nrassik: seat=0 side=0\n" + text
    table = Table(board + text + "hand 0: shield\n" + turn("yellow")).play("ability")
    assert (table.asked, table.state.seat) == (("shield", "rassik"), 0)
