"""Random numbers of a run: on a GPU torch draws them, seeded by the run's own generator at each rollout."""

from __future__ import annotations

import numpy as np
import pytest
import torch

from titan_env.training.random_numbers import RandomNumbers


def numbers_of(seed: int, by_torch: bool) -> RandomNumbers:
    """Return the numbers of a seed on the processor, by NumPy's generator or, as on a GPU, by torch's."""
    numbers = RandomNumbers(np.random.default_rng(seed), "cpu")
    if by_torch:
        numbers._generator = torch.Generator("cpu")
    return numbers


def drawn(numbers: RandomNumbers) -> list[torch.Tensor]:
    """Return the numbers of a rollout."""
    numbers.begin()
    return [numbers.exponential((200, 50)), numbers.uniform(10_000), numbers.permutation(100)]


@pytest.mark.parametrize("by_torch", [False, True])
def test_equal_seeds_draw_equal_numbers_of_the_distributions_asked_for(by_torch: bool) -> None:
    exponential, uniform, permutation = drawn(numbers_of(1, by_torch))
    assert exponential.dtype == torch.float32
    assert float((exponential > 1).float().mean()) == pytest.approx(np.exp(-1), abs=0.02)
    assert float(uniform.mean()) == pytest.approx(0.5, abs=0.02)
    assert sorted(permutation.tolist()) == list(range(100))
    again, other = drawn(numbers_of(1, by_torch)), drawn(numbers_of(2, by_torch))
    assert torch.equal(again[0], exponential)
    assert not torch.equal(other[0], exponential)


@pytest.mark.parametrize("by_torch", [False, True])
def test_the_runs_own_generator_is_all_that_the_next_rollout_depends_on(by_torch: bool) -> None:
    whole, part = numbers_of(1, by_torch), numbers_of(1, by_torch)
    drawn(whole), drawn(part)
    later = RandomNumbers(part.rng, "cpu")
    later._generator = torch.Generator("cpu") if by_torch else None
    first, second = drawn(whole), drawn(later)
    assert all(torch.equal(one, other) for one, other in zip(first, second, strict=True))
