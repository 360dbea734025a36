"""Random streams of games, one for each, handed to the rules apart from the state.

A `luck` record answers all random draws of a game: dice, shuffles, cards. It is not part of the state, so a planner
that copies a state cannot see the next draw, and the answers do not depend on the number of games in a batch.

The stream is SplitMix64 (Steele, Lea, Flood 2014: "Fast Splittable Pseudorandom Number Generators"). The record lists
the answers (chance outcomes) of the latest step. Preset answers come before drawn ones: tests set the dice with them,
and replays need no seed.
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
    """Return the dtype of luck records with room for this many answers in one step."""
    return np.dtype(
        [
            ("stream", np.uint64),  # position in the random stream
            ("odds", np.float64),  # the joint probability of the answers that are not equally likely
            ("asked", np.int16),  # questions in the latest step; one more than there is room for: answers are lost
            ("given", np.int16),  # the number of preset answers
            ("answers", np.int16, (answers,)),  # the answers, preset or drawn, in order
            ("sides", np.int16, (answers,)),  # the number of possible answers; negative: not equally likely
        ]
    )


LUCK = luck_dtype(MOST_ANSWERS)
CHOICE = luck_dtype(1)
"""The dtype of a stream whose answers are not listed."""

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
    """Draw the stream's next number in ``0 .. sides - 1``."""
    luck.stream = luck.stream + _GOLDEN
    return np.int64(((scramble(luck.stream) >> _32) * np.uint64(sides)) >> _32)


@rule
def answered(luck: Any, answer: Any, sides: int) -> None:
    """Append an answer to the list; one for which there is no room is only counted, so that `outcomes` raises."""
    asked = luck.asked
    if asked < len(luck.answers):
        luck.answers[asked] = answer
        luck.sides[asked] = sides
    if asked <= len(luck.answers):
        luck.asked = asked + 1


@rule
def draw(luck: Any, sides: int) -> Any:
    """Draw one of ``0 .. sides - 1`` uniformly: a die, a card, a seat. Up to 32,767 sides."""
    answer: Any
    if luck.asked < luck.given:
        answer = np.int64(luck.answers[luck.asked]) % sides
    else:
        answer = roll(luck, sides)
    answered(luck, answer, sides)
    return answer


@rule
def draw_weighted(luck: Any, weights: Any) -> Any:
    """Draw an index of `weights` (n,), integers, with probabilities in their proportion, as one question."""
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
def draw_successes(luck: Any, dice: int, good: int, sides: int) -> Any:
    """Draw the number of dice, of `dice` with `sides` sides each, that show one of `good` faces, as one question."""
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
    """Clear the answers of the step before, and preset answers that were used."""
    if luck.asked:
        luck.given = 0
    luck.asked = 0
    luck.odds = 1.0


@rule
def likelihood(luck: Any) -> float:
    """Compute the joint probability of the latest step's answers."""
    ways = 1.0
    for place in range(luck.asked):
        if luck.sides[place] > 0:
            ways *= luck.sides[place]
    return luck.odds / ways  # type: ignore[no-any-return]


@rule
def set_next(luck: Any) -> None:
    """Preset the next sequence of answers after the latest step's, in counting order; none after the last."""
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
    """Return the latest step's chance answers as int64 rows of (answer, sides), a copy.

    Raises OverflowError if the step asked more questions than the record has room for.
    """
    asked, answers = int(luck["asked"]), luck["answers"]
    if asked > len(answers):
        raise OverflowError(
            f"expected at most {len(answers)} answers of chance in one step; declare luck=luck_dtype(more)"
        )
    return np.stack([answers[:asked], luck["sides"][:asked]], axis=1).astype(np.int64)


def seeded(seeds: Sequence[int], luck: np.dtype[Any] = LUCK) -> np.recarray[Any, Any]:
    """Return luck records (N,) for N seeds. Equal seeds give equal games, in any batch."""
    words = first_words(seeds)
    records = np.zeros(len(words), luck)
    records["stream"] = words
    return records.view(np.recarray)


def scattered(rng: np.random.Generator, games: int, luck: np.dtype[Any] = LUCK, each: int = 1) -> np.recarray[Any, Any]:
    """Draw luck records (games,) from a generator, as a table with lines of `each`."""
    records = np.zeros(games, luck)
    records["stream"] = rng.integers(0, 2**64, (games // each, each), np.uint64).ravel()
    return records.view(np.recarray)


def preset(luck: Any, answers: Iterable[int]) -> None:
    """Preset the next answers of one luck record, in the order in which they will be asked.

    Raises ValueError for more answers than the record has room for.
    """
    answers = list(answers)
    if len(answers) > len(luck.answers):
        raise ValueError(f"expected at most {len(luck.answers)} answers, got {len(answers)}")
    luck.asked = 0
    luck.given = len(answers)
    luck.answers[: len(answers)] = answers
