"""Whole programs as decisions: the ends of random walks of slides, with what each leads to, the best looking first.

One slide of thirty is hardly ever worth anything by itself, so a learner of slides stops after one or two. Here it
chooses among 24 walkers and finishing at once. A walker's slides follow from its number, the slides that are left and
the controller alone, and it stops at so many slides left, in every thirty of them: whoever is asked again on the way
finds the rest of the same walk. Vertical and horizontal slides take turns, so that none is taken back at once.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import COMPILED, NO_ACTION, Candidates, Field, MacroActions, inline_rule, specialize
from titan_env.games.tiny_turbo_cars.agents.beam_search import scratch_for
from titan_env.games.tiny_turbo_cars.agents.program_outcomes import FIELDS as OUTCOMES
from titan_env.games.tiny_turbo_cars.agents.program_outcomes import asked, has_program, write_outcome
from titan_env.games.tiny_turbo_cars.agents.state_from_observation import OWN, positions, slides_left
from titan_env.games.tiny_turbo_cars.rules.actions import CAR, DRIVE, FINISH, FLY_LEFT, PLACE, PUSH, SPEND
from titan_env.games.tiny_turbo_cars.rules.commands import carry_out
from titan_env.games.tiny_turbo_cars.rules.controller import ALL_PUSHES, LONGEST_PUSH, hole_of, may_push, push
from titan_env.games.tiny_turbo_cars.rules.state import PLACES, STARTING_PLACES, USUAL_SLIDES, Ask, Car, Race

WALKERS = 24
SLIDE_COST = 0.17
"""In rows: the candidates are sorted by the rows that they gain less this for each slide."""
SIZE = WALKERS + 1
_ROW, _SLIDES_TO_GO = 0, len(OUTCOMES)
_NUMBERS = len(OUTCOMES) + 1
_HALF = ALL_PUSHES // 2  # pushes up and down come before those to the left and right
_PRIME, _BASIS = np.uint64(0x100000001B3), np.uint64(0xCBF29CE484222325)
_TOP = np.uint64(40)

FIELDS = (
    *(
        Field(
            f"walk_{part.name.removeprefix('outcome_')}", (SIZE,), part.low, part.high, part.meaning, scale=part.scale
        )
        for part in OUTCOMES
    ),
    Field("walk_slides", (SIZE,), 0, 1, "slides that the walk has to go, thirtieths", scale=USUAL_SLIDES),
)

_FIRST = {Ask.CAR: (CAR, len(Car)), Ask.PLACE: (PLACE, STARTING_PLACES), Ask.DRIVE: (DRIVE, 1)}
_FIRST |= {Ask.FLY: (FLY_LEFT, 3), Ask.SHIELD: (SPEND, 2)}
"""The first action of the questions that are answered by one action, and how many there are."""


@inline_rule
def next_slide(before: Any, controller: Any, hole: int, walker: int, left: int) -> int:
    """Return the slide that a walker makes with so many slides left, one of those that are possible along its axis."""
    name = (_BASIS ^ np.uint64(walker * USUAL_SLIDES + left)) * _PRIME
    for i in range(PLACES):
        name = (name ^ np.uint64(controller[i])) * _PRIME
    first = _HALF * ((walker + left) % 2)
    possible = 0
    for number in range(first, first + _HALF):
        possible += may_push(before, hole, number)
    chosen = int((name >> _TOP) % np.uint64(possible))
    for number in range(first, first + _HALF):
        chosen -= may_push(before, hole, number)
        if chosen < 0:
            return number
    return first


@inline_rule
def slides_of(walker: int, left: int) -> int:
    """Return how many slides a walker makes when so many are left: up to 30, none where it has stopped for good."""
    beyond = left - walker * USUAL_SLIDES // WALKERS
    return (beyond - 1) % USUAL_SLIDES + 1 if beyond > 0 else 0


@inline_rule
def walk(own: Any, before: Any, walker: int, left: int, slides: int, sequence: Any) -> None:
    """Make so many slides on the own controller, write them into `sequence`, and `FINISH` after them."""
    for step in range(slides):
        number = next_slide(before, own.controller, hole_of(own), walker, left - step)
        push(own, number // LONGEST_PUSH, number % LONGEST_PUSH + 1)
        sequence[step] = PUSH + number
    sequence[slides] = FINISH


def walk_all(befores: Any, asks: Any, lefts: Any, scratch: Any, sequences: Any, numbers: Any) -> None:
    """Write the walks of B decisions: their actions into `sequences`, what they lead to into `numbers` (B, 7, 25).

    `lefts` (B,) are the slides that are left. The first place is for finishing at once.
    """
    works, luck, log = scratch
    race = Race(works[0], luck[0], log[0])
    for i in range(len(befores)):
        before = befores[i]
        if not has_program(before, asks[i]):
            continue
        for index in range(SIZE):
            slides = slides_of(index - 1, lefts[i]) if index else 0
            if slides > 0 or index == 0:
                works[0] = before
                walk(works[0].drivers[OWN], before, index - 1, lefts[i], slides, sequences[i, index])
                write_outcome(race, before, numbers[i], index)
                numbers[i, _SLIDES_TO_GO, index] = slides


def propose(fields: Mapping[str, NDArray[np.float32]]) -> Candidates:
    """Return the candidates of B observations: `SIZE` sequences of at most 31 actions, and the numbers of `FIELDS`."""
    befores, asks = positions(fields), asked(fields)
    lefts = slides_left(fields)
    sequences = np.full((len(befores), SIZE, USUAL_SLIDES + 1), NO_ACTION, np.int16)
    numbers = np.zeros((len(befores), _NUMBERS, SIZE), np.int16)
    befores = befores if COMPILED else befores.view(np.recarray)
    works, luck, log = scratch_for(1)[:3]
    specialize(walk_all, {"carry_out": carry_out})(befores, asks, lefts, (works, luck, log), sequences, numbers)
    _sort(sequences, numbers)
    for ask, (first, count) in _FIRST.items():
        sequences[asks == ask, :count, 0] = np.arange(first, first + count)
    return Candidates(sequences, numbers.reshape(len(numbers), -1))


def _sort(sequences: NDArray[np.int16], numbers: NDArray[np.int16]) -> None:
    """Sort the candidates of each decision in place: the farthest first, those that are not there last."""
    looks = numbers[:, _ROW] - SLIDE_COST * numbers[:, _SLIDES_TO_GO]
    order = np.argsort(np.where(sequences[:, :, 0] == NO_ACTION, np.inf, -looks), axis=1, kind="stable")
    sequences[:] = np.take_along_axis(sequences, order[:, :, None], 1)
    numbers[:] = np.take_along_axis(numbers, order[:, None], 2)


WALKS = MacroActions(
    size=SIZE,
    parts=FIELDS,
    propose=propose,
    meaning="whole programs: the ends of 24 random walks of slides, the farthest first, and the program as it is",
    dropped_when=("counting",),
)
