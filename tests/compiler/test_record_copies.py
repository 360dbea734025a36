"""Records copied as bytes are the records that NumPy copies field by field."""

from __future__ import annotations

import numpy as np
import pytest

from titan_env.compiler.record_copies import copy_records, put_records, repeat_records, take_records
from titan_env.contract import Game
from titan_env.engine.batch import Batch, Records


@pytest.fixture
def states(game: Game) -> Records:
    """Five positions after ten decisions."""
    batch = Batch(game, 5)
    batch.seed(3)
    batch.start()
    batch.rollout(10)
    return batch.states


ROWS = [
    np.array([4, 0, 4]),
    np.array([True, False, True, True, False]),
    slice(1, 4),
    slice(None, None, -2),
    np.array([], np.int64),
]


@pytest.mark.parametrize("rows", ROWS, ids=str)
def test_chosen_records_are_those_that_numpy_chooses(states: Records, rows: object) -> None:
    taken = take_records(states, rows)
    assert isinstance(taken, np.recarray)
    assert taken.dtype == states.dtype
    assert taken.tobytes() == states[rows].tobytes()
    assert not np.shares_memory(taken, states)


@pytest.mark.parametrize("rows", ROWS, ids=str)
def test_records_are_put_where_numpy_puts_them(states: Records, rows: object) -> None:
    ours, numpys = copy_records(states), states.copy()
    put_records(ours, rows, states[:1])
    numpys[rows] = states[:1]
    assert ours.tobytes() == numpys.tobytes()


def test_a_copy_is_equal_and_its_own(states: Records) -> None:
    copy = copy_records(states)
    assert copy.tobytes() == states.tobytes()
    assert copy[0].decisions == states[0].decisions
    copy.decisions[0] += 1
    assert copy[0].decisions == states[0].decisions + 1
    assert copy_records(states[::2]).tobytes() == states[::2].tobytes()


def test_repeated_records_stand_side_by_side(states: Records) -> None:
    assert repeat_records(states, 3).tobytes() == np.repeat(states, 3).tobytes()


def test_records_of_another_kind_are_refused_before_anything_is_written() -> None:
    into = np.zeros(2, [("a", np.int8), ("b", np.int8)])
    with pytest.raises(TypeError, match=r"expected records of .*'i1'.*, got .*'<i2'"):
        put_records(into, slice(None), np.ones(2, [("c", np.int16)]))
    assert into.tobytes() == bytes(4)
