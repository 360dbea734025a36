"""Chance, handed in: one stream per game.

A `luck` record answers every question that dice and shuffles answer at a table. It is not part
of the state, so a planner that copies a state cannot see the next roll, and the answers do not
depend on how many games run side by side.

The stream is SplitMix64 (Steele, Lea, Flood 2014: "Fast Splittable Pseudorandom Number
Generators"). The answers of the latest step stay listed in the record; answers that are set
beforehand come first, which is how tests choose the dice and replays do without the seed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from titan_env.jit import rule

MOST_ANSWERS = 46

LUCK = np.dtype(
    [
        ("stream", np.uint64),  # position in the random stream
        ("asked", np.int8),  # questions answered during the latest step
        ("given", np.int8),  # how many answers were set beforehand
        ("answers", np.int8, (MOST_ANSWERS,)),  # answers, set beforehand or drawn, in order
        ("sides", np.int8, (MOST_ANSWERS,)),  # how many answers each question had
    ]
)

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_MIX_1 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_2 = np.uint64(0x94D049BB133111EB)
_30, _27, _31, _32 = np.uint64(30), np.uint64(27), np.uint64(31), np.uint64(32)


@rule
def scramble(x: Any) -> Any:
    """Mix the 64 bits of `x` (the output function of SplitMix64)."""
    x = (x ^ (x >> _30)) * _MIX_1
    x = (x ^ (x >> _27)) * _MIX_2
    return x ^ (x >> _31)


@rule
def draw(luck: Any, sides: int) -> Any:
    """One of ``0 .. sides - 1``, each as likely: a die, a card, a seat."""
    asked = luck.asked
    if asked < luck.given:
        luck.asked = asked + 1
        luck.sides[asked] = sides
        return np.int64(luck.answers[asked]) % sides
    luck.stream = luck.stream + _GOLDEN
    answer = np.int64(((scramble(luck.stream) >> _32) * np.uint64(sides)) >> _32)
    if asked < MOST_ANSWERS:
        luck.asked = asked + 1
        luck.answers[asked] = answer
        luck.sides[asked] = sides
    return answer


@rule
def begin(luck: Any) -> None:
    """Forget the answers of the step before; those set beforehand stay."""
    luck.asked = 0


def seeded(seeds: Iterable[int]) -> np.recarray[Any, Any]:
    """Luck for one game per seed, shape (N,). Equal seeds give equal games, in any batch."""
    seeds = list(seeds)
    luck = np.zeros(len(seeds), LUCK)
    words = [np.random.SeedSequence(seed).generate_state(1, np.uint64)[0] for seed in seeds]
    luck["stream"] = words
    return luck.view(np.recarray)


def scattered(rng: np.random.Generator, games: int) -> np.recarray[Any, Any]:
    """Luck for many games out of one generator, shape (games,)."""
    luck = np.zeros(games, LUCK)
    luck["stream"] = rng.integers(0, 2**64, games, np.uint64)
    return luck.view(np.recarray)


def preset(luck: Any, answers: Iterable[int]) -> None:
    """Set the next answers of one luck record beforehand, in the order they will be asked.

    Raises ValueError when there are more than the record holds.
    """
    answers = list(answers)
    if len(answers) > MOST_ANSWERS:
        raise ValueError(f"expected at most {MOST_ANSWERS} answers, got {len(answers)}")
    luck.asked = 0
    luck.given = len(answers)
    for i, answer in enumerate(answers):
        luck.answers[i] = answer
