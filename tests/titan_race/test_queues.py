"""Pushing: queues that close on themselves around the board, also over ice."""

from __future__ import annotations

import pytest

from tests.titan_race.table import Table, plain
from tests.titan_race.test_dice import turn
from titan_env.games.titan_race.rules.circuits import space_name
from titan_env.games.titan_race.rules.state import EMPTY, TRAP, Event

OUT = "life=0 condition=knocked_out"
NAMES = ["rassik", "grinder", "slaugg", "craken", "chtooloo", "ragnarok"]
LETTERS = ["Ra", "Gr", "Sl", "Cr", "Ch", "Rg"]


def places(table: Table) -> dict[str, str]:
    """Where each Titan is, by the Titans and by the board, which must agree."""
    racing = table.state.titans[: table.state.titans_in_race]
    by_titan = {who: space_name(titan.space) for who, titan in enumerate(racing)}
    by_board = {
        int(token) % TRAP - 1: space_name(space)
        for space, token in enumerate(table.state.on)
        if int(token) % TRAP != EMPTY
    }
    assert by_titan == by_board
    return {name: table.at(name) for name in NAMES[: len(racing)]}


def lines(**notes: str) -> str:
    """The Titans in turn order, with what is said of some of them."""
    return "".join(f"{name}: {note}\n" for name, note in notes.items())


@pytest.mark.parametrize("titans", [2, 3, 4, 5, 6])
def test_everybody_in_a_queue_moves_one_space_and_all_but_the_pusher_lose_one_life(titans: int) -> None:
    queue = {f"A{1 + 2 * place}": letters for place, letters in enumerate(LETTERS[:titans])}
    table = Table(plain(**queue) + lines(**dict.fromkeys(NAMES[:titans], "life=4")) + turn("red")).play("move:S")
    spaces = ["A3", "A5", "A7", "A9", "A11", "A1"]
    assert places(table) == dict(zip(NAMES, spaces[:titans], strict=False))
    assert [table.titan(name).life for name in NAMES[:titans]] == [4] + [3] * (titans - 1)


def test_a_diagonal_queue_is_pushed_around_the_side_and_over_the_line() -> None:
    board = plain(D10="Ra", E11="Gr", F12="Sl", A1="Cr")
    table = Table(board + lines(rassik="", grinder="", slaugg="", craken="") + turn("green")).play("move:RR")
    assert places(table) == {"rassik": "F12", "grinder": "A1", "slaugg": "B2", "craken": "C3"}
    assert [table.titan(name).lap for name in ("rassik", "grinder", "slaugg", "craken")] == [1, 2, 2, 1]


def test_a_gap_ends_the_queue() -> None:
    board = plain(A1="Ra", A3="Gr", A7="Sl")
    table = Table(board + lines(rassik="", grinder="", slaugg="") + turn("red")).play("move:S")
    assert places(table) == {"rassik": "A3", "grinder": "A5", "slaugg": "A7"}
    assert table.titan("slaugg").life == 4


def test_a_queue_pushed_backward_over_the_line_loses_its_laps() -> None:
    board = plain(A5="Ra", A3="Gr", A1="Sl")
    table = Table(board + lines(rassik="", grinder="", slaugg="lap=2") + "hand 0: retreat\n" + turn("yellow"))
    table.play("play:retreat", "aim:B")
    assert places(table) == {"rassik": "A3", "grinder": "A1", "slaugg": "A11"}
    assert [table.titan(name).lap for name in ("grinder", "slaugg")] == [1, 1]


def test_the_crossing_that_was_lost_must_be_made_again_and_nothing_more() -> None:
    table = Table(plain(A1="Ra", C7="Gr") + "rassik:\ngrinder:\nhand 0: retreat\n" + turn("yellow"))
    table.play("play:retreat", "aim:B")
    assert table.titan("rassik").lap == 0
    assert table.play("move:SS").titan("rassik").lap == 1


def test_a_slide_that_comes_around_to_the_pushers_start_ends_there() -> None:
    ice = {f"C{row}": "#" for row in (5, 7, 9, 11)}
    table = Table(plain(C1="Ra", C3="Gr", **ice) + lines(rassik="", grinder="") + turn("red")).play("move:S")
    assert places(table) == {"rassik": "C3", "grinder": "C1"}
    assert table.titan("grinder").lap == 2


def test_a_queue_that_slides_around_to_the_space_it_was_pushed_off_ends_before_it() -> None:
    """Only D2 and D8 of column D are not ice: the third Titan has to rest on the ice."""
    board = plain(D2="Ra", D4="#", D6="#Gr", D8="Sl", D10="#", D12="#")
    table = Table(board + lines(rassik="", grinder=OUT, slaugg="") + turn("red")).play("move:S")
    assert places(table) == {"rassik": "D8", "grinder": "D2", "slaugg": "D6"}
    assert [table.titan(name).lap for name in ("rassik", "grinder", "slaugg")] == [1, 2, 2]
    assert table.titan("slaugg").life == 3  # pushed twice in one movement
    assert len(table.events(Event.STOPPED)) == 1


def test_no_two_titans_share_a_space_when_a_full_column_slides() -> None:
    board = plain(D12="Ra", D2="Gr", D4="#", D6="#Sl", D8="Cr", D10="Ch")
    titans = dict.fromkeys(NAMES[:5], "life=4")
    table = Table(board + lines(**titans) + turn("red")).play("move:S")
    assert places(table) == {"rassik": "D2", "grinder": "D6", "slaugg": "D8", "craken": "D10", "chtooloo": "D12"}
    assert [table.titan(name).life for name in NAMES[:5]] == [4, 3, 3, 3, 3]


def test_statue_fire_in_the_middle_of_a_push_also_reaches_who_is_still_to_move() -> None:
    board = plain(C3="Ra", C5="Gr", C7="S", C9="Sl", B8="x")
    table = Table(board + lines(rassik="", grinder="", slaugg="") + turn("yellow")).play("move:SS")
    # Grinder is pushed on to the statue, then pushed on; Rassik enters the statue himself.
    assert places(table) == {"rassik": "C7", "grinder": "C9", "slaugg": "C11"}
    assert len(table.events(Event.BLAST)) == 2
    assert (table.titan("rassik").life, table.traps()) == (4, [])
    # Grinder: the push, once, and the second blast. Slaugg: the first blast and the push; C11 is out of reach.
    assert (table.titan("grinder").life, table.titan("slaugg").life) == (2, 2)


def ring_that_wings_close(ice: str) -> Table:
    """Grinder flies from A9 to A1 and pushes everybody on; who is pushed off the statue enters A9 meanwhile."""
    board = plain(A9=f"{ice}Gr", A7="SCr", A5="Rg", A3="Ch", A1="Sl")
    racing = dict.fromkeys(("grinder", "craken", "ragnarok", "chtooloo", "slaugg"), "life=4")
    table = Table(board + lines(**racing) + "hand 0: wings\n" + turn("yellow")).play("play:wings")
    assert [table.at(name) for name in ("grinder", "ragnarok", "chtooloo", "slaugg")] == ["A1", "A7", "A5", "A3"]
    assert [table.titan(name).life for name in ("ragnarok", "chtooloo", "slaugg")] == [3, 3, 3]
    return table


def test_a_blast_hits_who_is_between_two_spaces_though_a_pushed_titan_slid_over_where_its_step_began() -> None:
    table = ring_that_wings_close(ice="#")
    assert (table.at("craken"), table.titan("craken").life) == ("A11", 3)
    assert table.titan("grinder").life == 3


def test_a_blast_hits_who_was_pushed_to_where_the_step_of_another_began_and_stands_there_still() -> None:
    table = ring_that_wings_close(ice=".")
    assert (table.at("craken"), table.titan("craken").life) == ("A9", 2)
    assert table.titan("grinder").life == 4
