"""A row that is streamed is the same row, and its neighbours stay as they are."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from titan_env.compiler.streaming import fence, room_like, stream
from titan_env.compiler.streaming_code import LINE
from titan_env.contract import rule

pytestmark = pytest.mark.compiled


@rule
def count_up(row: Any, first: int) -> None:
    """Fill a row with numbers from the first one on, by way of room on the stack."""
    room = room_like(row, np.int8)
    for place in range(len(row)):
        room[place] = first + place
    whole = room_like(row, np.float32)
    for place in range(len(row)):
        whole[place] = np.float32(room[place])
    stream(whole, row)


@pytest.mark.parametrize("length", [0, 1, 15, 16, 17, 31, 33, 50, 100])
def test_rows_of_any_length_are_copied_wherever_they_begin(length: int) -> None:
    for start in range(LINE // 4 + 1):
        line = np.full(start + length + 40, -1.0, np.float32)
        count_up(line[start : start + length], 5)
        fence()
        assert line[start : start + length].tolist() == list(range(5, 5 + length))
        assert (line[:start] == -1).all()
        assert (line[start + length :] == -1).all()


def test_every_row_has_room_of_its_own_for_as_long_as_it_is_made() -> None:
    @rule
    def count_up_all(rows: Any) -> None:
        for i in range(len(rows)):
            count_up(rows[i], i % 50)

    rows = np.zeros((20_000, 70), np.float32)  # more than a stack holds
    count_up_all(rows)
    np.testing.assert_array_equal(rows, np.arange(70) + (np.arange(20_000) % 50)[:, None])


@pytest.mark.parametrize("dtype", [np.int8, np.uint8, np.int16, np.float32])
def test_bytes_of_all_kinds_are_streamed(dtype: type) -> None:
    source: NDArray[Any] = np.random.default_rng(0).integers(0, 100, 333).astype(dtype)
    target = np.zeros_like(source)
    stream(source, target)
    np.testing.assert_array_equal(target, source)
