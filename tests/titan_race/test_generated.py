"""Generated circuits: our own addition, in the manner of the six of the box."""

from __future__ import annotations

import numpy as np
import pytest

from tests.layouts import check_generated_option
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.board import NEIGHBOUR
from titan_env.games.titan_race.rules.circuits import check_circuit
from titan_env.games.titan_race.rules.generated import generate_circuit
from titan_env.games.titan_race.rules.state import SPACES, Direction, Terrain

pytestmark = pytest.mark.thorough

NUMBERS = range(0, 32_000, 53)


def circuit(number: int) -> np.ndarray:
    terrain = np.zeros(SPACES, np.int8)
    generate_circuit(terrain, number)
    return terrain


@pytest.fixture(scope="module")
def circuits() -> np.ndarray:
    return np.array([circuit(number) for number in NUMBERS])


def test_a_generated_circuit_is_one_that_anybody_could_draw(circuits: np.ndarray) -> None:
    for number, terrain in zip(NUMBERS, circuits, strict=True):
        check_circuit(terrain, f"circuit {number}")


def test_it_has_at_most_two_kinds_of_terrain_and_up_to_6_bonus_spaces(circuits: np.ndarray) -> None:
    for terrain in circuits:
        assert len({*terrain.tolist()} - {Terrain.PLAIN, Terrain.BONUS}) <= 2
        assert 1 <= (terrain == Terrain.BONUS).sum() <= 6
        assert (terrain > Terrain.BONUS).sum() <= 14


def test_every_kind_of_terrain_is_met(circuits: np.ndarray) -> None:
    assert set(np.unique(circuits).tolist()) == set(Terrain)


def test_from_every_space_a_way_leads_past_the_statues(circuits: np.ndarray) -> None:
    ahead = NEIGHBOUR[:, [Direction.F, Direction.FL, Direction.FR]]
    assert ((circuits[:, ahead] == Terrain.STATUE).sum(axis=2) <= 1).all()


def test_each_race_has_another_circuit_and_a_numbered_one_is_always_the_same() -> None:
    check_generated_option(GAME, "circuit", "terrain")


def test_a_grand_slam_can_have_three_generated_circuits() -> None:
    check_generated_option(GAME, "circuit", "terrain", grand_slam=True, numbered=["generated:1", "random", "generated"])
