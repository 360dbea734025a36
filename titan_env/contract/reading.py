"""A position that is read many times over: drawn, described, told. NumPy looks a record's field up anew each time."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np


class Reading(np.record):  # type: ignore[misc]  # its base is final to the type checker alone
    """A copy of one record as it stands, not to be written to. The compiled rules take it as they take any other."""

    __getattribute__ = np.void.__getattribute__  # np.record's own takes many times as long
    # Fields within are of this kind already, and need no other view.
    __getitem__ = np.void.__getitem__  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        """A field of a record within this one."""
        try:
            return self[name]
        except ValueError:
            raise AttributeError(f"expected a field, got {name!r}") from None


def copied(rows: Any) -> Any:
    """Rows of records as they stand now, to be written to. Byte for byte: NumPy's own copy goes through every field."""
    return np.frombuffer(bytearray(rows.tobytes()), rows.dtype).view(np.recarray)


def reading(state: Any) -> Any:
    """A record to be read often; one that is made to be is returned as it is."""
    if isinstance(state, Reading):
        return state
    copy = np.frombuffer(state.tobytes(), _to_read(state.dtype))[0]
    copy.__dict__.update({name: copy[name] for name in copy.dtype.names})
    return copy


@functools.cache
def _to_read(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """The same dtype, whose records and those within are for reading."""
    if dtype.subdtype is not None:
        return np.dtype((_to_read(dtype.subdtype[0]), dtype.shape))
    if dtype.fields is None:
        return dtype
    fields = [dtype.fields[name] for name in dtype.names or ()]
    formats, offsets = [_to_read(field[0]) for field in fields], [field[1] for field in fields]
    plain: Any = {"names": dtype.names, "formats": formats, "offsets": offsets, "itemsize": dtype.itemsize}
    return np.dtype((Reading, np.dtype(plain)))
