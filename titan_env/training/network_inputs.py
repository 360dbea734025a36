"""The inputs of a network, made of stored observations: fractions, without the columns that are 0 in all of them."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.extras import extra

with extra("training"):
    import torch

_DENSE = 0.9  # share of used columns from which on the others are not worth a copy
_BITS = {1: torch.int8, 2: torch.int16, 4: torch.int32}  # by the bytes of an element


class NetworkInputs:
    """The inputs of many decisions: their observations (D, F), as the game counts, and masks (D, A).

    `factors` (F,) convert an observation into the network's input, in its precision. `columns` are the columns of the
    input that the observations have, int64; None: all.
    """

    def __init__(
        self,
        observations: torch.Tensor,
        masks: torch.Tensor,
        factors: torch.Tensor,
        columns: torch.Tensor | None = None,
    ) -> None:
        self._observations, self._masks, self._factors, self.columns = observations, masks, factors, columns
        self._picked, self._inputs = observations[:0], factors.new_empty((0, len(factors)))

    def of(self, decisions: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the network's inputs (B, F) and the masks (B, A) of decisions (B,), by number.

        The next call overwrites the inputs: new memory for each minibatch takes longer than the conversion into it.
        """
        if len(decisions) > len(self._inputs):
            shape = (len(decisions), len(self._factors))
            self._picked, self._inputs = self._observations.new_empty(shape), self._factors.new_empty(shape)
        picked, inputs = self._picked[: len(decisions)], self._inputs[: len(decisions)]
        torch.index_select(self._observations, 0, decisions, out=picked)
        inputs.copy_(picked)
        if not picked.is_floating_point():
            inputs.mul_(self._factors)
        return inputs, self._masks.index_select(0, decisions)

    def compact(self, last: int) -> NetworkInputs:
        """Return the same inputs without the columns that are 0 in all observations, but with the `last` columns.

        Products with these inputs and the same columns of the weights are the same. Where few columns are 0, they stay.
        """
        used = _used_columns(self._observations)
        used[len(used) - last :] = True
        if used.float().mean() >= _DENSE:
            return self
        columns = used.nonzero()[:, 0]
        return NetworkInputs(_take_columns(self._observations, columns), self._masks, self._factors[columns], columns)


def _used_columns(numbers: torch.Tensor) -> torch.Tensor:
    """Return which columns of a matrix are not 0 everywhere, bool (F,). On the CPU NumPy is ten times as quick."""
    if numbers.device.type != "cpu":
        return (numbers != 0).any(0)
    return torch.from_numpy(np.bitwise_or.reduce(_bits_of(numbers), axis=0) != 0)


def _take_columns(numbers: torch.Tensor, columns: torch.Tensor) -> torch.Tensor:
    """Return some columns of a matrix. On the CPU NumPy is four times as quick."""
    if numbers.device.type != "cpu":
        return numbers.index_select(1, columns)
    return torch.from_numpy(np.take(_bits_of(numbers), columns.numpy(), axis=1)).view(numbers.dtype)


def _bits_of(numbers: torch.Tensor) -> NDArray[Any]:
    """Return numbers on the CPU as integers of the same bits, a view: NumPy lacks some of their types."""
    return numbers.view(_BITS[numbers.element_size()]).numpy()
