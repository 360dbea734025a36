"""Observations in as few bits as their fields need, for replay memories and data sets.

A field of yes and no takes one bit a number, one from 0 to 9 four, where an array of whole numbers takes eight and one
of float32 thirty-two. Nothing is lost: packing needs games that observe in whole numbers.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Fields, rule

if TYPE_CHECKING:
    import torch

_BITS = 8


class ObservationPacker:
    """Packs observations in whole numbers, laid out as `fields` says, into bytes and back.

    `fields` is that of a game (``game.rules.fields``) or what a learner sees of it (``env.view.layout``). Raises
    ValueError for fields that are no whole numbers.
    """

    def __init__(self, fields: Fields) -> None:
        if not fields.whole:
            raise ValueError("expected fields of whole numbers, which a game with Fields(..., whole=True) has")
        self.fields = fields
        self._low, self._high = (ends.astype(np.int64) for ends in fields.bounds(whole=True))
        self._widths = np.array([int(span).bit_length() for span in self._high - self._low], np.int64)
        self._scales = fields.divisors
        self.size = -(-int(self._widths.sum()) // _BITS)
        """The number of bytes of a packed observation."""

    def pack(self, observations: NDArray[Any]) -> NDArray[np.uint8]:
        """Return observations in whole numbers (..., F) packed: uint8 (..., size).

        Raises ValueError for a number outside of its field's bounds, and for fractions.
        """
        if observations.dtype.kind not in "iu" or observations.shape[-1:] != (self.fields.size,):
            expected = f"observations of {self.fields.size} whole numbers, as environments with whole=True return them"
            raise ValueError(f"expected {expected}, got {observations.dtype} of shape {observations.shape}")
        rows = np.ascontiguousarray(observations.reshape(-1, self.fields.size))
        packed = np.zeros((len(rows), self.size), np.uint8)
        outside = pack_rows(rows, self._low, self._high, self._widths, packed)
        if outside >= 0:
            row, index = divmod(outside, self.fields.size)
            expected = f"number {index} of an observation from {self._low[index]} to {self._high[index]}"
            raise ValueError(f"expected {expected}, got {rows[row, index]}")
        return packed.reshape(*observations.shape[:-1], self.size)

    def unpack(self, packed: NDArray[np.uint8]) -> NDArray[Any]:
        """Return packed observations (..., size) in whole numbers again, (..., F) in the dtype of the fields."""
        if packed.dtype != np.uint8 or packed.shape[-1:] != (self.size,):
            raise ValueError(f"expected {self.size} bytes an observation, got {packed.dtype} of shape {packed.shape}")
        rows = np.ascontiguousarray(packed.reshape(-1, self.size))
        observations = np.empty((len(rows), self.fields.size), self.fields.dtype)
        unpack_rows(rows, self._low, self._widths, observations)
        return observations.reshape(*packed.shape[:-1], self.fields.size)

    def unpack_torch(self, packed: torch.Tensor) -> torch.Tensor:
        """Return packed observations (..., size), on whichever device they lie, as fractions float32 (..., F)."""
        import torch

        device = packed.device
        steps = torch.arange(_BITS, device=device)
        entry = np.repeat(np.arange(self.fields.size), self._widths)
        weight = np.exp2(np.concatenate([np.arange(width) for width in self._widths])).astype(np.float32)
        bits = ((packed[..., None] >> steps) & 1).flatten(-2)[..., : len(entry)].to(torch.float32)
        weights, entries, low, scales = (
            torch.as_tensor(numbers, device=device) for numbers in (weight, entry, self._low, self._scales)
        )
        values = torch.zeros((*packed.shape[:-1], self.fields.size), device=device)
        return (values.index_add_(-1, entries, bits * weights) + low) / scales


@rule
def pack_rows(observations: Any, low: Any, high: Any, widths: Any, packed: Any) -> int:
    """Write the bits of each observation (N, F) into zeroed bytes (N, size), each number's lowest bit first.

    Returns the flat index of the first number that is outside of its bounds, at which it stops; -1 for none.
    """
    for row in range(len(observations)):
        at = 0
        for index in range(len(low)):
            value = np.int64(observations[row, index])
            if value < low[index] or value > high[index]:
                return row * len(low) + index
            value -= low[index]
            for bit in range(widths[index]):
                packed[row, at >> 3] |= np.uint8((value >> bit & 1) << (at & 7))
                at += 1
    return -1


@rule
def unpack_rows(packed: Any, low: Any, widths: Any, observations: Any) -> None:
    """Write the numbers (N, F) whose bits `pack_rows` wrote."""
    for row in range(len(packed)):
        at = 0
        for index in range(len(low)):
            value = np.int64(0)
            for bit in range(widths[index]):
                value |= np.int64(packed[row, at >> 3] >> (at & 7) & 1) << bit
                at += 1
            observations[row, index] = value + low[index]
