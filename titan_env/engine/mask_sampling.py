"""Sampling of legal actions from a mask, eight actions at a time by arithmetic on 64-bit words.

`sample_legal` draws the same action as the plain loop "skip a drawn number of legal actions, take the next", with which
a test compares it mask by mask. Counting in words of eight bytes takes a fraction of the time of that loop, and random
legal play spends much of its time here.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import rule
from titan_env.contract.luck import roll

_WORD = 8  # actions, one byte each
_BLOCK = 8  # words
_MIN_WORDS = 16  # masks with more words are skipped by whole blocks first
_BYTES, _TOP_BITS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_TO_LAST_BYTE, _TO_LOWEST_BIT = np.uint64(56), np.uint64(7)

_SALT = np.uint64(0xD1B54A32D192ED03)
"""Separates the stream of random choices from that of the game's chance."""


def seed_choices(choices: Any, streams: NDArray[np.uint64]) -> None:
    """Set streams of random choices to those that belong to these streams of chance."""
    choices["stream"] = streams ^ _SALT


@rule
def load_word(mask: Any, first: Any) -> Any:
    """Load eight bytes of a mask, from index `first` on, as one uint64.

    The indices are unsigned, so that none counts from the end.
    """
    word = np.uint64(0)
    for byte in range(_WORD):
        word |= np.uint64(np.uint8(mask[first + np.uint64(byte)])) << np.uint64(8 * byte)
    return word


@rule
def sum_bytes(word: Any) -> Any:
    """Sum the bytes of a word; the sum must be less than 256."""
    return np.int64((word * _BYTES) >> _TO_LAST_BYTE)


@rule
def count_legal(mask: Any) -> Any:
    """Return the number of legal actions. It is summed as int16, which the processor vectorizes."""
    legal = np.int16(0)
    for action in range(len(mask)):
        legal = np.int16(legal + mask[np.uint64(action)])
    return np.int64(legal)


@rule
def skip_blocks(mask: Any, action: Any, blocks: Any, words: Any, left: Any) -> Any:
    """Skip blocks of `words` words from `action` on while they hold at most `left` legal actions altogether.

    Returns the action after the skipped blocks, and the number of legal actions left to skip from there.
    """
    counted: Any = 0
    skipped: Any = 0
    first = action
    for block in range(blocks):
        total = np.uint64(0)
        for word in range(words):
            total += load_word(mask, np.uint64(first + _WORD * (words * block + word)))
        counted += sum_bytes(total)
        is_before = counted <= left
        action += _WORD * words if is_before else 0
        skipped = counted if is_before else skipped
    return action, left - skipped


@rule
def skip_within(word: Any, left: Any) -> Any:
    """Return the index in a word of the legal action that `left` other legal ones precede.

    Each byte of ``word * _BYTES`` counts the legal actions up to its index; those with at most `left` come before.
    """
    at_most = ((np.uint64(left) * _BYTES) | _TOP_BITS) - word * _BYTES
    return sum_bytes((at_most & _TOP_BITS) >> _TO_LOWEST_BIT)


@rule
def sample_legal(mask: Any, choice: Any) -> int:
    """Draw a legal action uniformly from the `choice` stream; -1 if none is legal.

    The actions before it are skipped without branches: one misprediction costs more than counting them all.
    """
    legal = count_legal(mask)
    if legal == 0:
        return -1
    left = roll(choice, legal)
    words = len(mask) // _WORD
    action: Any = 0
    if words > _MIN_WORDS:
        action, left = skip_blocks(mask, action, words // _BLOCK, _BLOCK, left)
        words = min(words, action // _WORD + _BLOCK)
    action, left = skip_blocks(mask, action, words - action // _WORD, 1, left)
    if action < _WORD * words:
        return action + skip_within(load_word(mask, np.uint64(action)), left)
    while left >= mask[action]:
        left -= mask[action]
        action += 1
    return action
