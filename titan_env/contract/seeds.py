"""The first random words of many seeds: NumPy's `SeedSequence`, vectorized over seeds.

The constants and steps are those of ``numpy/random/bit_generator.pyx`` (after Melissa O'Neill's ``seed_seq_fe128``);
a test holds that the words are the same.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

Words = NDArray[np.uint32]

_MANY = 16  # seeds from which on it is quicker to work by columns
_POOL = 4  # words of entropy that are mixed
_SHIFT = np.uint32(16)
_MIX_LEFT, _MIX_RIGHT = np.uint32(0xCA01F9DD), np.uint32(0x4973F715)


def first_words(seeds: Sequence[int]) -> NDArray[np.uint64]:
    """Compute ``SeedSequence(seed).generate_state(1, np.uint64)[0]`` of every seed: uint64 (N,)."""
    if len(seeds) < _MANY:
        return _one_by_one(seeds)
    try:
        numbers = np.fromiter(seeds, np.uint64, len(seeds))
    except OverflowError:
        return _one_by_one(seeds)
    empty = np.zeros(len(numbers), np.uint32)
    entropy = [numbers.astype(np.uint32), (numbers >> np.uint64(32)).astype(np.uint32), empty, empty]
    keys = _keys(0x43B0D7E5, 0x931E8875)
    pool = [_hashed(words, keys) for words in entropy]
    for source in range(_POOL):
        for other in range(_POOL):
            if other != source:
                pool[other] = _mixed(pool[other], _hashed(pool[source], keys))
    keys = _keys(0x8B51F9DD, 0x58F38DED)
    low, high = (_hashed(words, keys).astype(np.uint64) for words in pool[:2])
    return low | high << np.uint64(32)


def _one_by_one(seeds: Sequence[int]) -> NDArray[np.uint64]:
    """Compute the words with NumPy's own class, for few seeds or seeds beyond 64 bits: uint64 (N,)."""
    return np.array([np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] for seed in seeds], np.uint64)


def _keys(key: int, factor: int) -> Iterator[tuple[np.uint32, np.uint32]]:
    """Yield the pairs of numbers that words are hashed with: each number is the one before times a factor."""
    while True:
        key, before = key * factor % 2**32, key
        yield np.uint32(before), np.uint32(key)


def _hashed(words: Words, keys: Iterator[tuple[np.uint32, np.uint32]]) -> Words:
    """Hash words with the next pair of keys."""
    first, second = next(keys)
    hashed = (words ^ first) * second
    return hashed ^ hashed >> _SHIFT


def _mixed(left: Words, right: Words) -> Words:
    """Mix two columns of words into one."""
    mixed = _MIX_LEFT * left - _MIX_RIGHT * right
    return mixed ^ mixed >> _SHIFT
