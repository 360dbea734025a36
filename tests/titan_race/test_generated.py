"""Generated circuits: our own addition, in the manner of the six of the box."""

from __future__ import annotations

import numpy as np
import pytest

from tests.layouts import check_generated_option
from titan_env.contract import COMPILED
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.circuits import TERRAINS, check_circuit
from titan_env.games.titan_race.rules.generated import generate_circuit
from titan_env.games.titan_race.rules.state import SPACES, Terrain

pytestmark = pytest.mark.thorough

LEVELS = range(0, 32_000, 1 if COMPILED else 500)
RAMPS = (Terrain.SUPER_RAMP_LEFT, Terrain.SUPER_RAMP_RIGHT, Terrain.MULTI_RAMP)


def circuit(level: int) -> np.ndarray:
    terrain = np.zeros(SPACES, np.int8)
    generate_circuit(terrain, level)
    return terrain


@pytest.fixture(scope="module")
def circuits() -> np.ndarray:
    return np.array([circuit(level) for level in LEVELS])


def has_terrain(circuits: np.ndarray) -> np.ndarray:
    return circuits > Terrain.BONUS


def test_a_generated_circuit_is_one_that_anybody_could_draw(circuits: np.ndarray) -> None:
    for level, terrain in zip(LEVELS, circuits, strict=True):
        check_circuit(terrain, f"circuit {level}")


def test_no_two_levels_are_the_same(circuits: np.ndarray) -> None:
    assert len(np.unique(circuits, axis=0)) == len(circuits)


def test_spaces_with_terrain_and_bonus_spaces_are_as_many_as_on_the_circuits_of_the_box(circuits: np.ndarray) -> None:
    for count in (lambda drawn: has_terrain(drawn).sum(axis=1), lambda drawn: (drawn == Terrain.BONUS).sum(axis=1)):
        assert set(np.unique(count(circuits))) == set(range(count(TERRAINS).min(), count(TERRAINS).max() + 1))
    in_rows = has_terrain(circuits).reshape(-1, 3).sum(axis=1)
    assert in_rows.max() == has_terrain(TERRAINS).reshape(-1, 3).sum(axis=1).max() == 3, "rows of terrain"


def test_a_circuit_has_one_or_two_kinds_of_terrain(circuits: np.ndarray) -> None:
    kinds = [{RAMPS[0] if kind in RAMPS else kind for kind in terrain[has_terrain(terrain)]} for terrain in circuits]
    assert {len(met) for met in kinds} == {1, 2}
    assert set(np.unique(circuits).tolist()) == set(Terrain)


def test_each_race_has_another_circuit_and_a_numbered_one_is_always_the_same() -> None:
    check_generated_option(GAME, "circuit", "terrain")


def test_a_grand_slam_can_have_three_generated_circuits() -> None:
    check_generated_option(
        GAME, "circuit", "terrain", grand_slam=True, numbered=["generated:1", "random", "generated:5-9"]
    )
