"""Copies of records with fast field access, for positions that are read many times: drawn, described, animated.

NumPy looks a record's field up anew at each access.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, TypeVar

import numpy as np

Function = TypeVar("Function", bound=Callable[..., Any])

_ALONE = " alone"
"""The key of the array (1,) that has a frozen record alone, among the fields that the record keeps."""


class FrozenRecord(np.record):  # type: ignore[misc]  # its base is final to the type checker alone
    """A read-only copy of one record that keeps the fields that were read. Compiled rules take it like any other."""

    __getattribute__ = np.void.__getattribute__  # np.record's own takes many times as long
    # Fields within are of this kind already, and need no other view.
    __getitem__ = np.void.__getitem__  # type: ignore[assignment]

    def __getattr__(self, name: str) -> Any:
        """Return a field, and keep it: NumPy looks for those that are kept first."""
        kept = self.__dict__
        # A view of this record would hold it, and be held: no collector of garbage sees through an array.
        if _ALONE not in kept:
            kept[_ALONE] = np.frombuffer(self.tobytes(), self.dtype)
        try:
            value = kept[_ALONE][name][0]
        except ValueError:
            raise AttributeError(f"expected a field, got {name!r}") from None
        kept[name] = value
        return value

    def __setattr__(self, name: str, value: Any) -> None:
        """Set a field of a copy. Raises ValueError for a record that `freeze` returned."""
        try:
            super().__setattr__(name, value)
        except ValueError as error:
            message = f"expected a text or a picture to leave the state as it is, got another {name} ({error})"
            raise ValueError(message) from None


def freeze(state: Any) -> Any:
    """Return a `FrozenRecord` of a record; a `FrozenRecord` is returned as it is."""
    if isinstance(state, FrozenRecord):
        return state
    alone = np.frombuffer(state.tobytes(), _to_read(state.dtype))
    record = alone[0]
    record.__dict__[_ALONE] = alone
    return record


def given_frozen(function: Function) -> Function:
    """Return a function of a state and further arguments that freezes the state first."""

    @functools.wraps(function)
    def wrapped(state: Any, *arguments: Any) -> Any:
        return function(freeze(state), *arguments)

    return wrapped  # type: ignore[return-value]


@functools.cache
def _to_read(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype whose records, nested ones included, are `FrozenRecord`s."""
    if dtype.subdtype is not None:
        return np.dtype((_to_read(dtype.subdtype[0]), dtype.shape))
    if dtype.fields is None:
        return dtype
    fields = [dtype.fields[name] for name in dtype.names or ()]
    formats, offsets = [_to_read(field[0]) for field in fields], [field[1] for field in fields]
    plain: Any = {"names": dtype.names, "formats": formats, "offsets": offsets, "itemsize": dtype.itemsize}
    return np.dtype((FrozenRecord, np.dtype(plain)))
