"""The random numbers of a training run, drawn where they are used."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from titan_env.extras import extra

with extra("training"):
    import torch


class RandomNumbers:
    """Random tensors on a device: drawn by the run's generator of NumPy on the processor, by torch's on a GPU.

    The generator on a GPU is seeded by the run's at the beginning of each rollout, so that the state of the run is that
    of its own generator alone.
    """

    def __init__(self, rng: np.random.Generator, device: str) -> None:
        self.rng, self._device = rng, device
        on_gpu = torch.device(device).type != "cpu"
        self._generator = torch.Generator(device) if on_gpu else None

    def begin(self) -> None:
        """Begin the numbers of a rollout."""
        if self._generator is not None:
            self._generator.manual_seed(int(self.rng.integers(2**63)))

    def exponential(self, shape: Sequence[int]) -> torch.Tensor:
        """Return numbers of the standard exponential distribution, float32."""
        if self._generator is None:
            return torch.from_numpy(self.rng.standard_exponential(tuple(shape), np.float32))
        return torch.empty(*shape, device=self._device).exponential_(generator=self._generator)

    def uniform(self, count: int) -> torch.Tensor:
        """Return numbers from 0 up to 1, (N,)."""
        if self._generator is None:
            return torch.from_numpy(self.rng.random(count))
        return torch.rand(count, device=self._device, generator=self._generator)

    def permutation(self, count: int) -> torch.Tensor:
        """Return the numbers below `count` in a random order, int64 (N,)."""
        if self._generator is None:
            return torch.from_numpy(self.rng.permutation(count))
        return torch.randperm(count, device=self._device, generator=self._generator)
