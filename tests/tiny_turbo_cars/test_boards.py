"""The track: boards, their checks and the data files."""

from __future__ import annotations

import tomllib
from pathlib import Path

import numpy as np
import pytest

from titan_env import Batch
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.rules.actions import CARS
from titan_env.games.tiny_turbo_cars.rules.boards import (
    BOARD_NAMES,
    BOARDS,
    FIRST_FINISH,
    FIRST_MIDDLE,
    KINDS,
    MIDDLES,
    board_drawing,
    check_joins,
    parse_board,
)
from titan_env.games.tiny_turbo_cars.rules.controller import CONTENTS
from titan_env.games.tiny_turbo_cars.rules.state import Terrain, Tile
from titan_env.games.tiny_turbo_cars.rules.track import cell

DATA = Path(GAME.metadata.folder) / "data"


def drawing(**rows: str) -> str:
    """A middle board of empty cells, save for these rows: ``drawing(r7="X X X o X X")``."""
    return "\n".join(f"{row}  {rows.get(f'r{row}', '. . . . . .')}" for row in range(10, 0, -1))


@pytest.mark.parametrize("name", BOARD_NAMES)
def test_each_board_says_where_it_comes_from(name: str) -> None:
    assert "source: " in board_drawing(name)


def test_the_sheets_have_two_sides_each() -> None:
    sheets = [board.sheet for board in BOARDS[FIRST_MIDDLE:FIRST_FINISH]]
    assert sheets == [0, 0, 1, 1, 2, 2, 3, 3]
    sides = [board_drawing(name).split("sheet:")[1].split()[1] for name in MIDDLES]
    assert sides == ["front", "back"] * 4


@pytest.mark.parametrize(("file", "names"), [("cars.toml", CARS), ("tiles.toml", [tile.name for tile in Tile][:-1])])
def test_each_entry_of_the_data_has_a_source(file: str, names: list[str]) -> None:
    entries = tomllib.loads((DATA / file).read_text("utf-8"))
    assert list(entries) == [name.lower() for name in names]
    assert all(entry["source"] for entry in entries.values())


def test_a_controller_holds_fifteen_tiles_of_fourteen_kinds_and_the_hole() -> None:
    counts = np.bincount(CONTENTS, minlength=len(Tile))
    assert counts.tolist() == [2] + [1] * 14


def test_a_drawn_board_lies_on_the_track_where_it_was_put() -> None:
    own = drawing(r7="X . . . . w", r1="b . . o . .")
    state = GAME.rules.configure(boards=["driveway", "kitchen", own, "garden"])[0]
    assert state.terrain[cell(27, 0)] == Terrain.IMPASSABLE
    assert state.terrain[cell(27, 5)] == Terrain.PUDDLE
    assert state.terrain[cell(21, 0)] == Terrain.BOOST
    assert (state.boards, state.line) == (4, 31)
    assert state.terrain[cell(0, 3)] == Terrain.IMPASSABLE


def test_a_drawing_with_headings_and_lane_names_is_read_as_well() -> None:
    for name, board in zip(BOARD_NAMES, BOARDS, strict=True):
        again = parse_board(board_drawing(name), board.kind)
        assert np.array_equal(again.terrain, board.terrain)


START = board_drawing("driveway")
FINISH = board_drawing("garden")

BAD = {
    "an unknown symbol": (drawing(r4=". . ? . . ."), "middle", r"line 7: expected 6 symbols of .*got '\. \. \? "),
    "a short row": (drawing(r4=". . . . ."), "middle", "line 7: expected 6 symbols"),
    "a row twice": (drawing().replace("\n9 ", "\n10 "), "middle", "line 2: expected row 9, got row 10"),
    "a row too few": (drawing().rsplit("\n", 1)[0], "middle", "line 9: expected 10 rows, got 9"),
    "a row too many": (drawing() + "\n0 . . . . . .", "middle", "line 11: expected no more rows, got row 0"),
    "nothing": ("\n", "middle", "expected 10 rows, got 0"),
    "an unknown heading": ("colour: red\n" + drawing(), "middle", "line 1: expected one of title, kind.*'colour'"),
    "a remark": (drawing() + "\nlovely", "middle", "line 11: expected a row of the board.*'lovely'"),
    "another kind": ("kind: finish\n" + drawing(), "middle", "line 1: expected a board of kind middle here.*finish"),
    "an unknown sheet": ("sheet: 5 top\n" + drawing(), "middle", "line 1: expected a sheet from 1 to 4.*'5 top'"),
    "places in the middle": (drawing(r4="S . . . . ."), "middle", "line 7: expected 0 places S.*got 1"),
    "five places": (START.replace("S . S . S .", "S . S . . ."), "start", r"line \d+: expected 6 places S.*got 5"),
    "a line in the middle": (drawing() + "\n======", "middle", "line 11: expected no finish line"),
    "no line at the end": (drawing(), "finish", "line 10: expected a finish line"),
    "two lines": (FINISH + "\n=====", "finish", "expected one finish line, got another"),
    "a wall": (drawing(r7="X X X X X X", r6="X X X X X X"), "middle", "expected a way on from A5"),
    "a wall of obstacles": (drawing(r7="o o o o o o", r6="o X o o o o"), "middle", "expected a way on from A5"),
    "a pocket": (drawing(r10="X X X . . .", r9="X X X . . ."), "middle", r"line 3: expected a way on from A8"),
}


@pytest.mark.parametrize("case", BAD)
def test_a_damaged_board_is_refused_with_line_and_reason(case: str) -> None:
    text, kind, message = BAD[case]
    with pytest.raises(ValueError, match=message):
        parse_board(text, kind, "board 2")


def test_a_wall_of_one_row_can_be_jumped() -> None:
    assert parse_board(drawing(r7="X X X X X X"), "middle").sheet is None


def test_an_error_in_an_option_names_the_board() -> None:
    with pytest.raises(ValueError, match="boards: board 2, line 7: expected 6 symbols"):
        GAME.rules.configure(boards=["driveway", drawing(r4="x"), "garden"])


FUNNEL = """
10  . X X X X X
 9  . X X X X X
 8  . X X X X X
 7  . X X X X X
 6  . . X X X X
 5  . . . X X X
 4  . . . . X X
 3  . . . . . X
 2  . . . . . .
 1  . . . . . .
"""
LANE_A_SHUT = drawing(r2="X X . . . .", r1="X X . . . .")


def test_boards_that_are_closed_where_they_join_are_refused_with_the_board_and_the_cell() -> None:
    parse_board(FUNNEL, "middle")
    parse_board(LANE_A_SHUT, "middle")
    with pytest.raises(ValueError, match=r"^boards: expected a way on from A10 of board 2 into board 3, past"):
        GAME.rules.configure(boards=["driveway", FUNNEL, LANE_A_SHUT, "garden"])
    GAME.rules.configure(boards=["driveway", FUNNEL, drawing(), "garden"])


def test_a_typed_position_on_boards_that_are_closed_where_they_join_is_refused() -> None:
    batch = Batch(GAME, 1, boards=["driveway", FUNNEL, drawing(), "garden"])
    batch.start()
    state = batch.states[0]
    GAME.text.validate_position(state)
    state.terrain[[cell(21, 0), cell(21, 1), cell(22, 0)]] = Terrain.IMPASSABLE
    with pytest.raises(ValueError, match=r"^expected a way on from A10 of board 2 into board 3, past"):
        GAME.text.validate_position(state)


def test_every_board_of_the_box_leads_into_every_other_one() -> None:
    """Boards that are drawn are not looked at again: pairs are enough, as every cell of a sound board leads on."""
    pairs = [(one, other) for one in BOARDS for other in BOARDS if KINDS.index(one.kind) <= KINDS.index(other.kind)]
    joined = [(one, other) for one, other in pairs if one.kind == other.kind == "middle" or one.kind != other.kind]
    for one, other in joined:
        check_joins(np.concatenate([one.terrain, other.terrain]), f"{one.title} and {other.title}: ")
    assert len(joined) == 8 * 8 + 2 * 8 + 8 * 2 + 2 * 2


def test_on_every_track_that_is_accepted_a_race_without_a_round_limit_ends() -> None:
    chooser = np.random.default_rng(3)
    refused = 0
    for _ in range(200):
        rows = chooser.choice(list("......XXo"), (2, 10, 6))
        boards = [drawing(**{f"r{10 - i}": " ".join(row) for i, row in enumerate(board)}) for board in rows]
        try:
            batch = Batch(GAME, 4, boards=["driveway", *boards, "garden"], players=2, round_limit=None)
        except ValueError:
            refused += 1
            continue
        batch.seed(1)
        batch.start()
        batch.rollout(200_000, restart=False)
        assert batch.over.all()
    assert 100 < refused < 195
