"""Generated circuits: our own addition, in the manner of the six drawn ones."""

from __future__ import annotations

import numpy as np
import pytest

from tests.layouts import check_generated_option
from titan_env.games.fantasy_racing import GAME
from titan_env.games.fantasy_racing.rules.circuits import TERRAIN, faults
from titan_env.games.fantasy_racing.rules.generated import generate_circuit
from titan_env.games.fantasy_racing.rules.state import COLUMNS, MOST_RACERS, SQUARES, Square

pytestmark = pytest.mark.thorough

NUMBERS = range(0, 32_000, 97)


def test_a_generated_circuit_keeps_all_that_a_circuit_must_keep() -> None:
    met = set()
    for number in NUMBERS:
        printed, starts = np.zeros(SQUARES, np.int8), np.zeros(MOST_RACERS, np.int8)
        generate_circuit(printed, starts, number)
        assert list(faults(printed)) == [], number
        assert starts.tolist() == sorted(set(starts.tolist()))
        assert starts.max() < COLUMNS
        assert np.isin(printed, TERRAIN).sum() <= 12
        met |= set(printed.tolist())
    assert met == set(Square)


def test_each_race_has_another_circuit_and_a_numbered_one_is_always_the_same() -> None:
    check_generated_option(GAME, "circuit", "printed")
