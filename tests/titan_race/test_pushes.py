"""Sections 4 and 6 of the rules: steps, pushes and queues, laps, lives and K.O."""

from __future__ import annotations

import pytest

from tests.titan_race.table import Table, plain
from tests.titan_race.test_dice import turn
from titan_env.games.titan_race.rules.state import Event

OUT = "life=0 condition=knocked_out"


# Pushes


def test_who_stands_on_the_landing_space_is_pushed_and_loses_one_life_and_the_pusher_none() -> None:
    table = Table(plain(A1="Ra", A3="Gr") + "rassik:\ngrinder:\n" + turn("red")).play("move:S")
    assert (table.at("rassik"), table.at("grinder")) == ("A3", "A5")
    assert (table.titan("rassik").life, table.titan("grinder").life) == (4, 3)


@pytest.mark.parametrize("pushed", [1, 2, 3, 4])
def test_a_whole_queue_is_pushed_one_space_each_the_front_one_first(pushed: int) -> None:
    letters, names = ["Gr", "Sl", "Cr", "Ch"][:pushed], ["grinder", "slaugg", "craken", "chtooloo"][:pushed]
    queue = {f"A{3 + 2 * place}": letter for place, letter in enumerate(letters)}
    lines = "rassik:\n" + "".join(f"{name}: life=4\n" for name in names)
    table = Table(plain(A1="Ra", **queue) + lines + turn("red")).play("move:S")
    assert [table.at(name) for name in names] == [f"A{5 + 2 * place}" for place in range(pushed)]
    assert all(table.titan(name).life == 3 for name in names)
    assert [event[1] for event in table.events(Event.LOSS)] == list(range(pushed, 0, -1))


def test_a_column_full_of_titans_moves_on_by_one_space_each() -> None:
    board = plain(A1="Ra", A3="Gr", A5="Sl", A7="Cr", A9="Ch", A11="Rg")
    lines = "rassik:\ngrinder:\nslaugg:\ncraken:\nchtooloo:\nragnarok:\n"
    table = Table(board + lines + turn("red")).play("move:S")
    names = ["rassik", "grinder", "slaugg", "craken", "chtooloo", "ragnarok"]
    assert [table.at(name) for name in names] == ["A3", "A5", "A7", "A9", "A11", "A1"]
    assert table.titan("ragnarok").lap == 2


def test_a_titan_may_be_pushed_on_to_the_movers_own_starting_space() -> None:
    board = plain(A1="^Ra", A5="Gr", A7="Sl", A9="Cr", A11="Ch")
    table = Table(board + "rassik:\ngrinder:\nslaugg:\ncraken:\nchtooloo:\n" + turn("red")).play("move:S")
    assert (table.at("rassik"), table.at("chtooloo")) == ("A5", "A1")


def test_a_pushed_titan_loses_one_life_however_far_it_is_pushed() -> None:
    table = Table(plain(A1="Ra", A3="Gr") + "rassik:\ngrinder:\n" + turn("yellow")).play("move:SS")
    assert (table.at("rassik"), table.at("grinder"), table.titan("grinder").life) == ("A5", "A7", 3)


def test_once_the_mover_turns_away_the_pushed_titan_is_left() -> None:
    table = Table(plain(A1="Ra", A3="Gr") + "rassik:\ngrinder:\n" + turn("blue")).play("move:SR")
    assert (table.at("rassik"), table.at("grinder")) == ("B4", "A5")


def test_each_step_pushes_in_its_own_direction() -> None:
    board = plain(A1="Ra", A3="Gr", B4="Sl")
    table = Table(board + "rassik:\ngrinder:\nslaugg:\n" + turn("blue")).play("move:SR")
    assert (table.at("rassik"), table.at("slaugg")) == ("B4", "C5")


def test_a_pushed_titan_leaves_by_the_side_and_comes_in_at_the_other() -> None:
    table = Table(plain(E1="Ra", F2="Gr") + "rassik:\ngrinder:\n" + turn("brown")).play("move:RRR")
    assert (table.at("rassik"), table.at("grinder")) == ("B4", "C5")


def test_a_titan_pushed_over_the_top_gains_a_lap() -> None:
    table = Table(plain(A9="Ra", A11="Gr") + "rassik:\ngrinder:\n" + turn("red")).play("move:S")
    assert (table.at("grinder"), table.titan("grinder").lap) == ("A1", 2)


def test_a_titan_pushed_over_the_bottom_loses_a_lap() -> None:
    board = plain(A3="Ra", A1="Gr")
    table = Table(board + "rassik:\ngrinder: lap=2\nhand 0: retreat\n" + turn("red")).play("play:retreat", "aim:B")
    assert (table.at("grinder"), table.titan("grinder").lap) == ("A11", 1)


@pytest.mark.parametrize("life", ["life=4", OUT])
def test_a_titan_pushed_over_the_line_for_its_last_lap_wins_at_once(life: str) -> None:
    table = Table(plain(A9="Ra", A11="Gr") + f"rassik:\ngrinder: lap=3 {life}\n" + turn("red")).play("move:S")
    assert table.state.over == 1
    assert table.state.won.tolist() == [0, 1, 0, 0, 0, 0]
    assert table.at("rassik") == "A9"  # the race is over before the pusher arrives
    assert table.legal() == []


def test_the_line_comes_first_then_the_trap_then_the_terrain_then_the_loss_for_the_push() -> None:
    board = plain(A9="Ra", A11="Gr", A1="~x")
    table = Table(board + "rassik:\ngrinder:\n" + turn("red")).play("move:S")
    causes = [event[2] for event in table.events(Event.LOSS)]
    assert causes == [1, 2, 0]  # trap, lava, push
    kinds = [event[0] for event in table.history]
    assert kinds.index(Event.LAP) < kinds.index(Event.LOSS)


def test_at_the_end_of_the_race_a_trap_under_the_winner_lies_where_it_lay() -> None:
    table = Table(plain(A11="Ra", A1="x", C7="Gr") + "rassik: lap=3\ngrinder:\n" + turn("red")).play("move:S")
    assert (table.at("rassik"), table.traps(), table.state.supply) == ("A1", ["A1"], 14)
    assert table.events(Event.TRAP_SPRUNG) == []


# K.O.


def test_who_is_knocked_out_on_the_way_stops_there_and_the_turn_ends() -> None:
    board = plain(A1="Gr", B2="~", C3="~", D4="~", E7="Ra")
    table = Table(board + "grinder: life=2\nrassik:\n" + turn("brown")).play("move:RRR", rolls=[0, 0])
    assert (table.at("grinder"), table.titan("grinder").life) == ("C3", 0)
    assert table.asked == ("draft", "rassik")


def test_the_next_turn_of_a_knocked_out_titan_takes_a_die_and_nothing_else() -> None:
    table = Table(plain(A1="Ra", C7="Gr") + f"rassik: {OUT}\ngrinder:\nhand 0: wings\n", dice="yellow red")
    table.play("draft:yellow", rolls=[0, 0])
    assert table.asked == ("draft", "grinder")
    assert table.at("rassik") == "A1"
    assert table.titan("rassik").life == 0  # no gain from the own colour


def test_the_turn_after_that_begins_with_a_full_gauge() -> None:
    lines = "rassik:\ngrinder: life=0 condition=recovering\n"
    table = Table(plain(A1="Ra", C7="Gr") + lines + turn("red")).play("move:S", "trap:B", rolls=[1, 1])
    assert table.asked == ("draft", "grinder")
    assert table.titan("grinder").life == 4


def test_chtooloo_begins_again_on_four() -> None:
    lines = "rassik:\nchtooloo: life=0 condition=recovering\n"
    table = Table(plain(A1="Ra", C7="Ch") + lines + turn("red")).play("move:S", "trap:B", rolls=[1, 1])
    assert table.titan("chtooloo").life == 4


@pytest.mark.parametrize("condition", ["knocked_out", "recovering"])
def test_a_knocked_out_titan_is_immune_but_may_be_pushed(condition: str) -> None:
    board = plain(A1="Ra", A3="Gr", A5="~x")
    table = Table(board + f"rassik:\ngrinder: life=0 condition={condition}\n" + turn("red")).play("move:S")
    assert (table.at("grinder"), table.titan("grinder").life) == ("A5", 0)
    assert table.events(Event.LOSS) == []
    assert table.traps() == []  # the token goes back all the same
    assert table.state.supply == 15


def test_a_titan_that_its_own_shove_knocks_out_ends_its_turn_at_once() -> None:
    table = Table(plain(A3="Rg", A1="Gr") + "ragnarok: life=1\ngrinder:\n" + turn("red"))
    table.play("ability:B", "shove:F", rolls=[0, 0])
    assert (table.at("ragnarok"), table.at("grinder")) == ("A5", "A3")
    assert table.asked == ("draft", "grinder")
