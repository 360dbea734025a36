"""Copies of records as bytes, as NumPy's own go through every field, and the views that compiled loops take fastest.

Records are arrays with a structured dtype: states, luck, logs. All functions take any shape and keep it.
"""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.jit import COMPILED

_DTYPES: dict[np.dtype[Any], np.dtype[Any]] = {}
"""One object for each dtype: Numba compares equal dtypes of different identity field by field at every call."""


def as_arrays(records: Any) -> Any:
    """Return records as an ndarray view, which compiled loops take fastest; without compiling, unchanged."""
    return records.view(_DTYPES.setdefault(records.dtype, records.dtype), np.ndarray) if COMPILED else records


def zero_records(dtype: np.dtype[Any], count: int) -> Any:
    """Return records (count,) of zeros as compiled loops take them fastest; without compiling, a recarray."""
    records = np.zeros(count, _DTYPES.setdefault(dtype, dtype))
    return records if COMPILED else records.view(np.recarray)


def records_in(data: NDArray[np.uint8], dtype: np.dtype[Any]) -> Any:
    """Return bytes (N, size) as records (N,) that share their memory, as compiled loops take them fastest."""
    kind: type[Any] = np.ndarray if COMPILED else np.recarray
    return np.ndarray.__new__(kind, (len(data),), _DTYPES.setdefault(dtype, dtype), data)


def as_bytes(records: Any) -> NDArray[np.void]:
    """Return a view of records as opaque bytes, of the same shape, which NumPy copies and assigns whole."""
    view: NDArray[np.void] = records.view(_opaque(records.dtype.itemsize), np.ndarray)
    return view


def copy_records(records: Any) -> Any:
    """Return a writable copy of records, a recarray."""
    return _records(as_bytes(records).copy(), records.dtype)


def take_records(records: Any, rows: Any) -> Any:
    """Return a copy of the records in these rows (indices, a mask or a slice), a recarray."""
    taken = as_bytes(records)[rows]
    return _records(taken if taken.flags.owndata else taken.copy(), records.dtype)


def repeat_records(records: Any, times: int) -> Any:
    """Return each of the records (N,) `times` times in a row: a recarray (N * times,)."""
    return _records(np.repeat(as_bytes(records), times), records.dtype)


def put_records(into: Any, rows: Any, records: Any) -> None:
    """Overwrite the records of `into` in these rows with others of the same dtype, which are broadcast to them.

    Raises TypeError for records of another kind.
    """
    if into.dtype != records.dtype:
        raise TypeError(f"expected records of {into.dtype!s:.200}, got {records.dtype!s:.200}")
    as_bytes(into)[rows] = as_bytes(records)


@functools.cache
def _opaque(size: int) -> np.dtype[np.void]:
    """Return the dtype of `size` bytes."""
    return np.dtype((np.void, size))


def _records(data: NDArray[np.void], dtype: np.dtype[Any]) -> Any:
    """Return bytes as a recarray that shares their memory."""
    return np.ndarray.__new__(np.recarray, data.shape, dtype, data)
