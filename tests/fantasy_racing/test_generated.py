"""Generated circuits: our own addition, in the manner of the six drawn ones."""

from __future__ import annotations

import numpy as np
import pytest

from tests.layouts import check_generated_option
from titan_env.contract import COMPILED
from titan_env.games.fantasy_racing import GAME
from titan_env.games.fantasy_racing.rules.circuits import PRINTED, faults
from titan_env.games.fantasy_racing.rules.generated import generate_circuit
from titan_env.games.fantasy_racing.rules.state import COLUMNS, MOST_RACERS, ROWS, SQUARES, Square

pytestmark = pytest.mark.thorough

LEVELS = range(0, 32_000, 1 if COMPILED else 1000)
WALLS = (Square.BARRIER, Square.ROCK)


def circuit(level: int) -> tuple[np.ndarray, np.ndarray]:
    printed, starts = np.zeros(SQUARES, np.int8), np.zeros(MOST_RACERS, np.int8)
    generate_circuit(printed, starts, level)
    return printed, starts


@pytest.fixture(scope="module")
def circuits() -> np.ndarray:
    return np.array([circuit(level)[0] for level in LEVELS])


def test_a_generated_circuit_keeps_all_that_a_circuit_must_keep(circuits: np.ndarray) -> None:
    for level in LEVELS[::97]:
        printed, starts = circuit(level)
        assert list(faults(printed)) == [], level
        assert starts.tolist() == sorted(set(starts.tolist()))
        assert starts.max() < COLUMNS
    assert set(np.unique(circuits).tolist()) == set(Square)


def test_no_two_levels_are_the_same(circuits: np.ndarray) -> None:
    assert len(np.unique(circuits, axis=0)) == len(circuits)


def test_squares_with_terrain_and_things_to_pick_up_are_as_many_as_on_the_drawn_circuits(circuits: np.ndarray) -> None:
    for least, kinds in ((11, range(Square.BARRIER, Square.COIN)), (13, range(Square.COIN, Square.CHEST + 1))):
        laid, drawn = np.isin(circuits, kinds).sum(axis=1), np.isin(PRINTED, kinds).sum(axis=1)
        assert (laid.min(), laid.max()) == (least, drawn.max())
        assert least >= drawn.min()


def test_there_are_rows_of_walls_with_gates(circuits: np.ndarray) -> None:
    walls = np.isin(circuits, WALLS).reshape(-1, ROWS, COLUMNS)
    assert walls.sum(axis=2).max() == np.isin(PRINTED, WALLS).reshape(-1, ROWS, COLUMNS).sum(axis=2).max() == 5
    beside = (walls & np.roll(walls, 1, axis=2)).any(axis=(1, 2))
    assert beside.mean() > 0.1, "two barriers side by side"


def test_each_race_has_another_circuit_and_a_numbered_one_is_always_the_same() -> None:
    check_generated_option(GAME, "circuit", "printed")
