"""Arrays in the memory of a device, as kernels take them: an address, a dtype and a shape."""

from __future__ import annotations

import math
import struct
from dataclasses import dataclass
from typing import Any

import numpy as np


@dataclass(frozen=True)
class DeviceArray:
    """A C-contiguous array at an address of a device's memory."""

    address: int
    dtype: np.dtype[Any]
    shape: tuple[int, ...]


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
