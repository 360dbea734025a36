"""Arrays in the memory of a device, as kernels take them: an address, a dtype and a shape."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from enum import Enum
from typing import Any, NamedTuple

import numpy as np

WORD = 4
"""The bytes of a word of a row that lies in another `RowLayout`."""


@dataclass(frozen=True)
class DeviceArray:
    """A C-contiguous array at an address of a device's memory."""

    address: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]


class RowAccess(Enum):
    """The ways in which the threads of a kernel reach their rows, other than one after the other."""

    WORDS = "words"  # the rows of an argument lie as int32 (words, N)
    STAGED = "staged"  # a block copies its rows together, from int32 (N, words), by way of its shared memory
    ORDERED = "ordered"  # int64 (N,) says which row each thread takes


class RowLayout(NamedTuple):
    """The rows of one argument as a kernel reaches them; the array for it follows the loop's own arguments."""

    access: RowAccess
    place: int = 0
    """The number of the argument."""
    reads: bool = True
    """Whether the rows are read, not only written."""


def words_of(argument: Any) -> list[int]:
    """Return an argument of a kernel as the words of eight bytes that Numba passes it in.

    An array is two unused pointers, the numbers of items and of bytes of each, the address, the shape and the strides.
    """
    if isinstance(argument, tuple):
        return [word for part in argument for word in words_of(part)]
    if isinstance(argument, float):
        return [int.from_bytes(struct.pack("<d", argument), "little", signed=True)]
    if not isinstance(argument, DeviceArray):
        return [int(argument)]
    size, shape = argument.dtype.itemsize, argument.shape
    strides = [size * math.prod(shape[axis + 1 :]) for axis in range(len(shape))]
    return [0, 0, math.prod(shape), size, argument.address, *shape, *strides]


def aligned(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype with the same fields in the same order, each aligned to a multiple of its size."""
    if dtype.subdtype is not None:
        item, shape = dtype.subdtype
        return np.dtype((aligned(item), shape))
    if dtype.names is None:
        return dtype
    return np.dtype([(name, aligned(dtype[name])) for name in dtype.names], align=True)
