"""Section 8 of the rules: the six circuits."""

from __future__ import annotations

import numpy as np
import pytest

from titan_env.games.titan_race.circuits import CIRCUIT_NAMES, SYMBOLS, TERRAINS, space_number
from titan_env.games.titan_race.state import Terrain

KINDS = {
    "kaldheira": {Terrain.LAVA},
    "dead_mans_lagoon": {Terrain.PIRATES},
    "moltenchest": {Terrain.SUPER_RAMP_LEFT, Terrain.SUPER_RAMP_RIGHT, Terrain.MULTI_RAMP},
    "ban_kog": {Terrain.STATUE},
    "anglieh": {Terrain.PENTACLE},
    "estenguard": {Terrain.ICE},
}
KNOWN = {
    "kaldheira": {"E5": "~", "F6": "~", "D4": "."},
    "dead_mans_lagoon": {"B8": "!", "C9": "!", "D10": "."},
    "moltenchest": {"A3": ">"},
    "ban_kog": {"D6": "S", "C5": "."},
    "anglieh": {"D6": "@", "D10": "@"},
    "estenguard": {"D4": "#", "D6": "#", "D8": "."},
}


def terrain_of(circuit: str) -> np.ndarray:
    return TERRAINS[CIRCUIT_NAMES.index(circuit)]


@pytest.mark.parametrize("circuit", CIRCUIT_NAMES)
def test_each_circuit_has_one_kind_of_terrain_beside_its_bonus_spaces(circuit: str) -> None:
    assert {Terrain(kind) for kind in terrain_of(circuit)} - {Terrain.PLAIN, Terrain.BONUS} == KINDS[circuit]


@pytest.mark.parametrize("circuit", CIRCUIT_NAMES)
def test_each_circuit_has_6_to_12_spaces_of_terrain_and_4_to_6_bonus_spaces(circuit: str) -> None:
    terrain = terrain_of(circuit)
    assert 6 <= (terrain > Terrain.BONUS).sum() <= 12
    assert 4 <= (terrain == Terrain.BONUS).sum() <= 6


@pytest.mark.parametrize("circuit", CIRCUIT_NAMES)
def test_the_entry_spaces_are_plain(circuit: str) -> None:
    assert terrain_of(circuit)[:3].tolist() == [Terrain.PLAIN] * 3


@pytest.mark.parametrize("circuit", CIRCUIT_NAMES)
def test_spaces_known_from_the_printed_examples_are_as_printed(circuit: str) -> None:
    drawn = {name: SYMBOLS[terrain_of(circuit)[space_number(name)]] for name in KNOWN[circuit]}
    assert drawn == KNOWN[circuit]


def test_the_landing_space_of_moltenchests_printed_jump_is_no_multi_ramp() -> None:
    assert terrain_of("moltenchest")[space_number("D6")] != Terrain.MULTI_RAMP
