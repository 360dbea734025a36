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

_WORD = 8  # actions, a byte each, that are counted at once
_LOT = 8  # words that are counted at once where there are many
_MANY = 16  # words; where there are more it pays to pass over whole lots first
_BYTES, _TOP_BITS = np.uint64(0x0101010101010101), np.uint64(0x8080808080808080)
_TO_LAST_BYTE, _TO_LOWEST_BIT = np.uint64(56), np.uint64(7)

_SALT = np.uint64(0xD1B54A32D192ED03)
"""Separates the stream of random choices from that of the game's chance."""


def seed_choices(choices: Any, streams: NDArray[np.uint64]) -> None:
    """Set streams of random choices to those that belong to these streams of chance."""
    choices["stream"] = streams ^ _SALT


@rule
def word_of(mask: Any, first: Any) -> Any:
    """Return eight actions of a mask as one uint64, a byte each.

    The indices are unsigned: none of them counts from the end.
    """
    word = np.uint64(0)
    for place in range(_WORD):
        word |= np.uint64(np.uint8(mask[first + np.uint64(place)])) << np.uint64(8 * place)
    return word


@rule
def added_up(word: Any) -> Any:
    """Return the sum of a word's bytes, which must be less than 256."""
    return np.int64((word * _BYTES) >> _TO_LAST_BYTE)


@rule
def count_legal(mask: Any) -> Any:
    """Return the number of legal actions. It is summed as int16, which the processor vectorizes."""
    legal = np.int16(0)
    for action in range(len(mask)):
        legal = np.int16(legal + mask[np.uint64(action)])
    return np.int64(legal)


@rule
def pass_over(mask: Any, action: Any, lots: Any, words: Any, left: Any) -> Any:
    """Skip lots of words from `action` on while at most `left` legal actions come before their end.

    Returns the action after them, and the number of legal ones left to skip from there.
    """
    seen: Any = 0
    passed: Any = 0
    first = action
    for lot in range(lots):
        total = np.uint64(0)
        for word in range(words):
            total += word_of(mask, np.uint64(first + _WORD * (words * lot + word)))
        seen += added_up(total)
        is_before = seen <= left
        action += _WORD * words if is_before else 0
        passed = seen if is_before else passed
    return action, left - passed


@rule
def pass_within(word: Any, left: Any) -> Any:
    """Return the place in a word of its legal action that `left` other legal ones precede.

    Each byte of ``word * _BYTES`` counts the legal ones up to its place: those with at most `left` come before.
    """
    at_most = ((np.uint64(left) * _BYTES) | _TOP_BITS) - word * _BYTES
    return added_up((at_most & _TOP_BITS) >> _TO_LOWEST_BIT)


@rule
def sample_legal(mask: Any, choice: Any) -> int:
    """Draw a legal action uniformly from the `choice` stream; -1 if none is legal.

    The actions before it are skipped without branches: a mispredicted one costs more than to count them all.
    """
    legal = count_legal(mask)
    if legal == 0:
        return -1
    left = roll(choice, legal)
    words = len(mask) // _WORD
    action: Any = 0
    if words > _MANY:
        action, left = pass_over(mask, action, words // _LOT, _LOT, left)
        words = min(words, action // _WORD + _LOT)
    action, left = pass_over(mask, action, words - action // _WORD, 1, left)
    if action < _WORD * words:
        return action + pass_within(word_of(mask, np.uint64(action)), left)
    while left >= mask[action]:
        left -= mask[action]
        action += 1
    return action
