"""Kinds of arguments, for each of which a rule is compiled: numbers, records, arrays, and tuples of these."""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Hashable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

_SCALARS: dict[type, str] = {
    **dict.fromkeys((int, np.int8, np.int16, np.int32, np.int64, np.uint8, np.uint16, np.uint32), "i"),
    **dict.fromkeys((bool, np.bool_), "b"),
    **dict.fromkeys((float, np.float64), "d"),
    np.uint64: "u",
    np.float32: "f",
}
"""The letters of numbers: what is counted with up to 64 bits and a sign is one kind."""


@dataclass(frozen=True)
class Row:
    """The kind of a contiguous one-dimensional array."""

    dtype: np.dtype[Any]


def kind_of(value: Any) -> Hashable:
    """Return the kind of an argument. Raises TypeError for what no compiled function takes."""
    if (letter := _SCALARS.get(type(value))) is not None:
        return letter
    if isinstance(value, np.ndarray):
        flags = value.flags
        layout = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
        return value.dtype, value.ndim, layout, flags.writeable
    if isinstance(value, np.void):
        return value.dtype
    if isinstance(value, tuple):
        return "(", *map(kind_of, value)
    if isinstance(value, int):  # a member of an IntEnum
        return "i"
    raise TypeError(f"expected numbers, records, arrays or tuples of these, got {type(value).__name__}")


def text_of(kind: Any) -> str:
    """Return a kind as a text that is equal in all processes."""
    if isinstance(kind, str):
        return kind
    if isinstance(kind, np.dtype):
        return dtype_text(kind)
    if kind[0] == "(":
        return f"({' '.join(map(text_of, kind[1:]))})"
    dtype, dimensions, layout, is_writeable = kind
    return f"{layout}{dimensions}{'' if is_writeable else '!'}{dtype_text(dtype)}"


@functools.lru_cache(1024)
def dtype_text(dtype: np.dtype[Any]) -> str:
    """Return a dtype as a text: of records a hash of their fields with types and places."""
    if dtype.names is None:
        return f"{dtype.base.str}{dtype.shape or ''}" if dtype.base.names is None else _packed(dtype)
    fields: Any = dtype.fields
    places = [(name, dtype_text(fields[name][0]), fields[name][1]) for name in dtype.names]
    return "V" + hashlib.sha256(repr((places, dtype.itemsize)).encode()).hexdigest()[:16]


def _packed(dtype: np.dtype[Any]) -> str:
    """Return the text of a dtype of several records."""
    return f"{dtype_text(dtype.base)}{dtype.shape}"


def leaves_of(kinds: Iterable[Any]) -> Iterator[tuple[str, Any]]:
    """Yield four letters for each number, record and array of these kinds, as ``entry.c`` reads them, and its dtype."""
    for kind in kinds:
        if isinstance(kind, str):
            yield f"{kind}...", None
        elif isinstance(kind, np.dtype):
            yield "V...", kind
        elif kind[0] == "(":
            yield from leaves_of(kind[1:])
        else:
            dtype, dimensions, layout, is_writeable = kind
            yield f"A{dimensions}{layout}{'=' if is_writeable else '!'}", dtype
