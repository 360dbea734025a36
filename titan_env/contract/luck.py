"""Chance, handed in: one stream per game.

A `luck` record answers every question that dice and shuffles answer at a table. It is not part
of the state, so a planner that copies a state cannot see the next roll, and the answers do not
depend on how many games run side by side.

The stream is SplitMix64 (Steele, Lea, Flood 2014: "Fast Splittable Pseudorandom Number
Generators"). The answers of the latest step (the chance outcomes, as the field says) stay listed in the
record; answers that are set beforehand come first, which is how tests choose the dice and replays do
without the seed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract.jit import rule
from titan_env.contract.seeds import first_words

MOST_ANSWERS = 64


def luck_dtype(answers: int) -> np.dtype[Any]:
    """The luck of a game in which chance answers up to so many questions in one step."""
    return np.dtype(
        [
            ("stream", np.uint64),  # position in the random stream
            ("odds", np.float64),  # how likely the answers to questions with unequal answers were, together
            ("asked", np.int16),  # questions answered during the latest step; more than there is room: lost
            ("given", np.int16),  # how many answers were set beforehand
            ("answers", np.int16, (answers,)),  # answers, set beforehand or drawn, in order
            ("sides", np.int16, (answers,)),  # how many answers each question had; negative: not equally likely
        ]
    )


LUCK = luck_dtype(MOST_ANSWERS)
CHOICE = luck_dtype(1)
"""A stream of which nobody reads the answers."""

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
def roll(luck: Any, sides: int) -> Any:
    """The next number ``0 .. sides - 1`` of the stream."""
    luck.stream = luck.stream + _GOLDEN
    return np.int64(((scramble(luck.stream) >> _32) * np.uint64(sides)) >> _32)


@rule
def answered(luck: Any, answer: Any, sides: int) -> None:
    """Write an answer down; one for which there is no room is counted all the same, so that `outcomes` finds out."""
    asked = luck.asked
    if asked < len(luck.answers):
        luck.answers[asked] = answer
        luck.sides[asked] = sides
    if asked <= len(luck.answers):
        luck.asked = asked + 1


@rule
def draw(luck: Any, sides: int) -> Any:
    """One of ``0 .. sides - 1``, each as likely: a die, a card, a seat. Up to 32,767 sides."""
    answer: Any
    if luck.asked < luck.given:
        answer = np.int64(luck.answers[luck.asked]) % sides
    else:
        answer = roll(luck, sides)
    answered(luck, answer, sides)
    return answer


@rule
def draw_weighted(luck: Any, weights: Any) -> Any:
    """One of the places of `weights` (n,), whole numbers: how likely each is. One question with unequal answers."""
    total = 0
    for weight in weights:
        total += weight
    answer: Any
    if luck.asked < luck.given:
        answer = np.int64(luck.answers[luck.asked]) % len(weights)
    else:
        left = roll(luck, total)
        answer = 0
        while left >= weights[answer]:
            left -= weights[answer]
            answer += 1
    luck.odds *= weights[answer] / total
    answered(luck, answer, -len(weights))
    return answer


@rule
def hits(luck: Any, dice: int, good: int, sides: int) -> Any:
    """How many of `dice` dice with so many sides show one of `good` faces. One question with unequal answers."""
    answer: Any
    if luck.asked < luck.given:
        answer = np.int64(luck.answers[luck.asked]) % (dice + 1)
    else:
        answer = 0
        for _ in range(dice):
            answer += roll(luck, sides) < good
    chance = good / sides
    for die in range(dice):
        if die < answer:
            luck.odds *= chance * (dice - die) / (die + 1)
        else:
            luck.odds *= 1.0 - chance
    answered(luck, answer, -(dice + 1))
    return answer


@rule
def begin(luck: Any) -> None:
    """Forget the answers of the step before, those that were set beforehand for it included."""
    if luck.asked:
        luck.given = 0
    luck.asked = 0
    luck.odds = 1.0


@rule
def likelihood(luck: Any) -> float:
    """How likely the answers of the latest step were, together."""
    ways = 1.0
    for place in range(luck.asked):
        if luck.sides[place] > 0:
            ways *= luck.sides[place]
    return luck.odds / ways  # type: ignore[no-any-return]


@rule
def set_next(luck: Any) -> None:
    """Set the answers that follow those of the latest step, as one counts, for all it may ask; none after the last."""
    place = luck.asked - 1
    while place >= 0 and luck.answers[place] + 1 == abs(luck.sides[place]):
        place -= 1
    luck.asked = 0
    luck.given = 0
    if place >= 0:
        luck.answers[place] += 1
        luck.answers[place + 1 :] = 0
        luck.given = len(luck.answers)


def outcomes(luck: Any) -> NDArray[np.int64]:
    """What chance has answered during the latest step of one game: rows of (answer, sides), as a copy.

    Raises OverflowError where a step has asked more than there is room for.
    """
    if luck.asked > len(luck.answers):
        room = len(luck.answers)
        raise OverflowError(f"expected at most {room} answers of chance in one step; declare luck=luck_dtype(more)")
    asked = int(luck.asked)
    return np.stack([luck.answers[:asked], luck.sides[:asked]], axis=1).astype(np.int64)


def seeded(seeds: Sequence[int], luck: np.dtype[Any] = LUCK) -> np.recarray[Any, Any]:
    """Luck for one game per seed, shape (N,). Equal seeds give equal games, in any batch."""
    words = first_words(seeds)
    records = np.zeros(len(words), luck)
    records["stream"] = words
    return records.view(np.recarray)


def scattered(rng: np.random.Generator, games: int, luck: np.dtype[Any] = LUCK, each: int = 1) -> np.recarray[Any, Any]:
    """Luck for many games out of one generator, shape (games,), drawn as a table with a line for `each` so many."""
    records = np.zeros(games, luck)
    records["stream"] = rng.integers(0, 2**64, (games // each, each), np.uint64).ravel()
    return records.view(np.recarray)


def preset(luck: Any, answers: Iterable[int]) -> None:
    """Set the next answers of one luck record beforehand, in the order they will be asked.

    Raises ValueError when there are more than the record holds.
    """
    answers = list(answers)
    if len(answers) > len(luck.answers):
        raise ValueError(f"expected at most {len(luck.answers)} answers, got {len(answers)}")
    luck.asked = 0
    luck.given = len(answers)
    luck.answers[: len(answers)] = answers
