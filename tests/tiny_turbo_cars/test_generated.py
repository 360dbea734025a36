"""Generated boards: our own addition, in the manner of those of the box."""

from __future__ import annotations

import numpy as np
import pytest

from tests.layouts import check_generated_option
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.rules.boards import check_board, check_joins, kind_of
from titan_env.games.tiny_turbo_cars.rules.setup import configure, track_of
from titan_env.games.tiny_turbo_cars.rules.state import BOARD_ROWS, Terrain

pytestmark = pytest.mark.thorough

NUMBERS = range(0, 32_000, 97)


def test_generated_boards_are_such_as_anybody_could_draw_and_join() -> None:
    met: set[int] = set()
    for number in NUMBERS:
        length = 1 + number % 4
        state = configure(boards=f"generated:{number}", length=length)[0]
        track = track_of(state)
        check_joins(track)
        for place, board in enumerate(np.split(track, length + 2)):
            check_board(kind_of(place, length + 2), board, f"track {number}")
        assert 0 < state.line - (length + 1) * BOARD_ROWS < BOARD_ROWS
        met |= set(track.ravel().tolist())
    assert met == set(Terrain)


def test_each_race_has_other_boards_and_numbered_ones_are_always_the_same() -> None:
    check_generated_option(GAME, "boards", "terrain")
