"""Generated boards: our own addition, in the manner of those of the box."""

from __future__ import annotations

import numpy as np
import pytest

from tests.layouts import check_generated_option
from titan_env.contract import COMPILED
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.rules.boards import (
    BOARD_TERRAIN,
    FIRST_FINISH,
    FIRST_MIDDLE,
    check_board,
    check_joins,
    kind_of,
)
from titan_env.games.tiny_turbo_cars.rules.setup import configure, track_of
from titan_env.games.tiny_turbo_cars.rules.state import BOARD_ROWS, LANES, Terrain

pytestmark = pytest.mark.thorough

LEVELS = range(0, 32_000, 1 if COMPILED else 1000)
STOPPING, SOFT = (Terrain.OBSTACLE, Terrain.IMPASSABLE), (Terrain.CARPET, Terrain.BOOST, Terrain.PUDDLE)
LENGTH = 3


@pytest.fixture(scope="module")
def tracks() -> np.ndarray:
    return np.array([track_of(configure(boards=f"generated:{level}", length=LENGTH)[0]) for level in LEVELS])


def test_generated_boards_are_such_as_anybody_could_draw_and_join() -> None:
    for level in LEVELS[::97]:
        length = 1 + level % 4
        state = configure(boards=f"generated:{level}", length=length)[0]
        track = track_of(state)
        check_joins(track)
        for place, board in enumerate(np.split(track, length + 2)):
            check_board(kind_of(place, length + 2), board, f"track {level}")
        assert 0 < state.line - (length + 1) * BOARD_ROWS < BOARD_ROWS


def test_no_two_levels_are_the_same(tracks: np.ndarray) -> None:
    assert len(np.unique(tracks, axis=0)) == len(tracks)
    assert set(np.unique(tracks).tolist()) == set(Terrain)


@pytest.mark.parametrize("kinds", [STOPPING, SOFT], ids=["stopping", "soft"])
def test_boards_have_as_much_on_them_as_those_of_the_box(kinds: tuple[Terrain, ...], tracks: np.ndarray) -> None:
    boards = np.isin(tracks, kinds).reshape(len(tracks), LENGTH + 2, -1).sum(axis=2)
    of_box = np.isin(BOARD_TERRAIN, kinds).reshape(len(BOARD_TERRAIN), -1).sum(axis=1)
    for laid, drawn in (
        (boards[:, 0], of_box[:FIRST_MIDDLE]),
        (boards[:, 1:-1], of_box[FIRST_MIDDLE:FIRST_FINISH]),
        (boards[:, -1], of_box[FIRST_FINISH:]),
    ):
        assert drawn.min() <= np.percentile(laid, 1)
        assert laid.max() <= drawn.max()


def test_what_stops_a_car_may_fill_a_row_but_for_a_gap_as_on_the_study(tracks: np.ndarray) -> None:
    in_row = np.isin(tracks, STOPPING).sum(axis=2)
    assert in_row.max() == np.isin(BOARD_TERRAIN, STOPPING).sum(axis=2).max() == LANES - 1


def test_each_race_has_other_boards_and_numbered_ones_are_always_the_same() -> None:
    check_generated_option(GAME, "boards", "terrain")
