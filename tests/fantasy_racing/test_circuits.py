"""Circuits that people draw: read as they stand, and refused with the line and the reason."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from titan_env import Batch
from titan_env.games.fantasy_racing import GAME
from titan_env.games.fantasy_racing.rules.circuits import (
    CIRCUIT_NAMES,
    CIRCUITS,
    SYMBOLS,
    circuit_drawing,
    circuit_name,
    leads_over_the_line,
    parse_circuit,
    square_name,
    square_number,
)
from titan_env.games.fantasy_racing.rules.setup import configure
from titan_env.games.fantasy_racing.rules.state import OWN_CIRCUIT, ROWS, Square
from titan_env.games.fantasy_racing.words.position_editor import validate_position


def drawn(**pieces: str) -> str:
    """A circuit of plain squares with the pieces named."""
    lines = []
    for row in range(1, 19):
        cells = [pieces.get(f"{column}{row}", ".") for column in "ABCDEFG"]
        if row == 1:
            cells = [pieces.get(f"{c}1", start) for c, start in zip("ABCDEFG", "123.456", strict=True)]
        lines.append(f"{row:>2} |  {' '.join(cells)}  |")
    return "\n".join(lines) + "\n"


COUNTS = {
    "goblin_meadow": [3, 1, 2, 1, 9, 3, 2, 6],
    "toll_road": [13, 1, 1, 1, 7, 2, 2, 6],
    "sieve": [1, 1, 12, 1, 5, 2, 1, 5],
    "stonefall": [1, 10, 1, 1, 6, 2, 1, 4],
    "wizards_folly": [1, 1, 1, 11, 6, 2, 2, 4],
    "gauntlet": [7, 3, 4, 3, 5, 2, 1, 5],
}


@pytest.mark.parametrize("name", CIRCUIT_NAMES)
def test_the_six_circuits_are_as_they_were_printed(name: str) -> None:
    circuit = CIRCUITS[CIRCUIT_NAMES.index(name)]
    assert np.bincount(circuit.printed, minlength=9)[1:].tolist() == COUNTS[name]
    for number, line in enumerate(line for line in circuit_drawing(name).splitlines() if "|" in line):
        symbols = line.split("|")[1].split()
        for column, symbol in enumerate(symbols):
            square = number * 7 + column
            if symbol in SYMBOLS:
                assert circuit.printed[square] == SYMBOLS.index(symbol)
            else:
                assert circuit.starts[int(symbol) - 1] == square
    assert all(circuit_name(name))
    assert "source:" in circuit_drawing(name)


def test_an_own_circuit_is_raced_on() -> None:
    state = configure(circuit=drawn(D5="^", E9="O", G3="$"))[0]
    assert state.circuit == OWN_CIRCUIT
    assert state.printed[square_number("D5")] == Square.ROCK
    assert state.starts.tolist() == [0, 1, 2, 4, 5, 6]


@pytest.mark.parametrize(
    ("pieces", "line", "reason"),
    [
        ({"D2": "="}, 2, "without barrier"),
        ({"D18": "@"}, 18, "without barrier"),
        ({"A1": "O"}, 1, "start squares 1 to 6"),
        (dict.fromkeys(["A5", "B5", "C5", "D5", "E5", "F5"], "="), 5, "at least two squares"),
        ({"D9": "O", "D8": "@"}, 9, "above the hole D9"),
        ({"D9": "O", "D10": "="}, 9, "below the hole D9"),
        ({"D9": "^", "E8": "="}, 9, "above the rock D9"),
        ({"A9": "^", "G8": "^"}, 9, "above the rock A9"),
        ({"D9": "@", "D14": "@"}, 9, "below the shortcut D9"),
        ({"D9": "@", "D5": "@"}, 5, "below the shortcut D5"),
        ({"D9": "x"}, 9, "seven symbols"),
        ({"D9": "1"}, 9, "start squares 1 to 6 once each"),
        ({"D1": "1"}, 1, "start squares 1 to 6 once each"),
        ({"A1": "."}, 1, "got 5 of them"),
    ],
)
def test_a_faulty_circuit_is_refused_with_its_line_and_the_reason(
    pieces: dict[str, str], line: int, reason: str
) -> None:
    with pytest.raises(ValueError, match=f"circuit, line {line}: .*{reason}"):
        parse_circuit(drawn(**pieces))


def test_a_pocket_without_a_way_out_is_refused() -> None:
    walls = dict.fromkeys(["A10", "B10", "C10", "E10", "F10"], "=") | {"D9": ".", "G10": "."}
    pocket = drawn(**walls, D10=".", C8="=", E8="=")
    parse_circuit(pocket)
    with pytest.raises(ValueError, match="line 9: expected a way forward over the line from D9"):
        parse_circuit(drawn(D10="=", C8="=", E8="="))


CLOSED = dict.fromkeys(["C8", "D8", "E8", "F8", "G8", "A9", "B9", "C9", "D9", "E9"], "=")
"""Row 8 is open on the left and row 9 on the right: the only way over the line leads back over it first."""


def test_a_way_back_over_the_line_is_no_way_forward() -> None:
    parse_circuit(drawn(**CLOSED | {"B9": "."}))
    with pytest.raises(ValueError, match="circuit, line 8: expected a way forward over the line from B8"):
        configure(circuit=drawn(**CLOSED))


def test_a_typed_position_on_a_closed_circuit_is_refused_with_its_row() -> None:
    batch = Batch(GAME, 1, circuit=drawn(**CLOSED | {"B9": "."}))
    batch.start()
    state = batch.states[0]
    validate_position(state)
    state.printed[square_number("B9")] = Square.BARRIER
    with pytest.raises(ValueError, match="row 8: expected a way forward over the line from B8"):
        validate_position(state)


def unrolled(free: NDArray[np.bool_], laps: int = 50) -> NDArray[np.bool_]:
    """From which squares of the last lap the next one is reached, walked square by square over so many laps."""
    board = np.tile(free, (laps, 1))
    reached = np.zeros((len(board) + 1, 7), bool)
    reached[-1] = free[0]
    todo = [(len(board), column) for column in np.flatnonzero(free[0])]
    while todo:
        row, column = todo.pop()
        for before, beside in ((row - 1, column), (row + 1, column - 1), (row + 1, column + 1)):
            beside %= 7
            if 0 <= before < len(board) and board[before, beside] and not reached[before, beside]:
                reached[before, beside] = True
                todo.append((before, beside))
    return reached[-1 - ROWS : -1].reshape(-1)


def test_ways_over_the_line_are_those_of_the_unrolled_board() -> None:
    """50 laps are enough: there are 49 pairs of columns in which a lap can be left backward and forward again."""
    chooser, closed = np.random.default_rng(7), 0
    for _ in range(60):
        printed = np.where(chooser.random((ROWS, 7)) < chooser.uniform(0.1, 0.5), Square.BARRIER, Square.PLAIN)
        printed[[0, 1, -1]] = Square.PLAIN
        expected = unrolled(printed != Square.BARRIER)
        np.testing.assert_array_equal(leads_over_the_line(printed.reshape(-1).astype(np.int8)), expected)
        closed += not expected[0]
    assert 15 < closed < 45


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        (drawn().replace(" 7 |", " 8 |", 1), "line 7: expected row 7 before the bar, got '8'"),
        ("\n".join(drawn().splitlines()[:17]) + "\n", "expected rows 1 to 18, got no row 18"),
        (drawn() + "19 |  . . . . . . .  |\n", "line 19: expected no more rows"),
    ],
)
def test_rows_are_counted(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        parse_circuit(text)


@pytest.mark.parametrize("name", ["A1", "D10", "G18"])
def test_squares_have_names(name: str) -> None:
    assert square_name(square_number(name)) == name


@pytest.mark.parametrize("name", ["", "H1", "A0", "A19", "1A"])
def test_what_is_no_square_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="expected a square from A1 to G18"):
        square_number(name)


@pytest.mark.parametrize(
    ("options", "error", "reason"),
    [
        ({"players": 1}, ValueError, "players: expected 2 to 6, got 1"),
        ({"players": 7}, ValueError, "players: expected 2 to 6, got 7"),
        ({"players": True}, TypeError, "players: expected a whole number, got True"),
        ({"rounds": 5.5}, TypeError, "rounds: expected a whole number, got 5.5"),
        ({"circuit": "monaco"}, ValueError, "circuit: expected one of goblin_meadow, .*, generated, got 'monaco'"),
        ({"circuit": 3}, TypeError, "circuit: expected one of goblin_meadow, .*, random, generated, got 3"),
        ({"circuit": drawn(D9="x")}, ValueError, "circuit, line 9: expected seven symbols"),
        ({"characters": "vote"}, ValueError, "characters: expected one of deal, choose, got 'vote'"),
        ({"characters": None}, TypeError, "characters: expected one of deal, choose, got None"),
        ({"characters": ["elf", "wizard"]}, ValueError, "characters: expected one of elf, .*, got 'wizard'"),
        ({"characters": ["elf"]}, ValueError, "characters: expected 2 to 6 names, got 1"),
        ({"characters": ["elf", "orc"], "players": 3}, ValueError, "characters: expected a name for each of 3 players"),
        ({"laps": 3}, TypeError, "'laps'"),
    ],
)
def test_options_that_cannot_be_raced_are_refused(options: dict[str, Any], error: type[Exception], reason: str) -> None:
    with pytest.raises(error, match=reason):
        configure(**options)
