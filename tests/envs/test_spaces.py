"""Drawing from a mask and seeding in bulk are quicker than Gymnasium's and NumPy's own, and otherwise the same."""

from __future__ import annotations

import copy
import pickle
from typing import Any

import numpy as np
import pytest
from gymnasium.spaces import Discrete

from titan_env.contract.seeds import first_words
from titan_env.envs.spaces import MaskedDiscrete


def mask_of(*legal: int, size: int = 80) -> Any:
    mask = np.zeros(size, np.int8)
    mask[list(legal)] = 1
    return mask


def test_every_legal_action_is_drawn_as_often_and_no_other() -> None:
    space = MaskedDiscrete(80, seed=1)
    drawn = [space.sample(mask_of(0, 7, 33, 79)) for _ in range(8000)]
    assert {type(action) for action in drawn} == {np.int64}
    counts = np.bincount(drawn, minlength=80)
    assert np.flatnonzero(counts).tolist() == [0, 7, 33, 79]
    assert (abs(counts[counts > 0] - 2000) < 4 * np.sqrt(8000 * 0.25 * 0.75)).all()


def test_seeds_fix_what_is_drawn() -> None:
    one, other = MaskedDiscrete(80, seed=3), MaskedDiscrete(80, seed=3)
    mask = np.ones(80, np.int8)
    assert [one.sample(mask) for _ in range(20)] == [other.sample(mask) for _ in range(20)]
    for copied in (copy.deepcopy(one), pickle.loads(pickle.dumps(one))):
        again = copy.deepcopy(one)
        assert [copied.sample(mask) for _ in range(20)] == [again.sample(mask) for _ in range(20)]


BAD = {
    "a list": [1] * 80,
    "bools": np.ones(80, np.bool_),
    "another length": np.ones(79, np.int8),
    "a 2": mask_of(3) * 2,
    "a negative number": -mask_of(3),
}


@pytest.mark.parametrize("mask", BAD.values(), ids=BAD)
def test_what_is_no_mask_is_refused_as_gymnasium_does(mask: Any) -> None:
    with pytest.raises(AssertionError) as ours:
        MaskedDiscrete(80).sample(mask)
    with pytest.raises(AssertionError) as theirs:
        Discrete(80).sample(mask)
    assert str(ours.value) == str(theirs.value)


def test_all_else_is_gymnasiums() -> None:
    space, plain = MaskedDiscrete(80, seed=5), Discrete(80, seed=5)
    assert space == plain
    assert plain == space
    assert repr(space) == repr(plain)
    assert space.sample() == plain.sample()
    likely = np.full(80, 1 / 80)
    assert space.sample(probability=likely) == plain.sample(probability=likely)
    assert space.sample(mask_of()) == plain.sample(mask_of()) == 0


def test_many_seeds_give_the_words_that_each_gives_alone() -> None:
    seeds = [
        0,
        1,
        2**31,
        2**32 - 1,
        2**32,
        2**63,
        2**64 - 1,
        *range(100),
        *map(int, np.random.default_rng(0).integers(2**62, size=100)),
    ]
    for chosen in (seeds, [5, 2**64, 2**200], [np.int64(7), 8], range(3)):
        alone = [int(np.random.SeedSequence(seed).generate_state(1, np.uint64)[0]) for seed in chosen]
        assert first_words(chosen).tolist() == alone
