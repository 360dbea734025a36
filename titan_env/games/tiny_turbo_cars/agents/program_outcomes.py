"""The outcome of the own program, now and after each slide: further fields for learners, from what a seat sees.

A net does not work out what eight commands do on a track from one win or loss a game; these fields say so. The track is
laid anew from the observation and the program driven by the rules, as if nobody else moved.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import COMPILED, DerivedFields, Field, inline_rule, specialize
from titan_env.games.tiny_turbo_cars.agents.beam_search import scratch_for, simulate_alone
from titan_env.games.tiny_turbo_cars.agents.state_from_observation import OWN, ROW, positions
from titan_env.games.tiny_turbo_cars.rules.actions import ACTIONS, PUSH
from titan_env.games.tiny_turbo_cars.rules.commands import carry_out
from titan_env.games.tiny_turbo_cars.rules.controller import ALL_PUSHES, LONGEST_PUSH, hole_of, is_dealt, may_push, push
from titan_env.games.tiny_turbo_cars.rules.observation import MOST_LEAD, MOST_SHIELDS
from titan_env.games.tiny_turbo_cars.rules.state import BATTERIES, LANES, MOST_CARS, Ask, Race

PROGRAMS = 1 + ALL_PUSHES
"""The program as it is, and after each slide."""
_NAMES = ("now", *ACTIONS.texts[PUSH : PUSH + ALL_PUSHES])
ROWS = 3
"""The rows that count as 1: a slide is worth one or two, which a network should notice."""
MOST_HARM = (MOST_CARS - 1) * BATTERIES


def _each(name: str, meaning: str, scale: int = 1, low: int = 0, high: int = 1) -> Field:
    """Return a field with one number for each program."""
    return Field(f"outcome_{name}", (PROGRAMS,), low, high, meaning, (_NAMES,), scale=scale)


FIELDS = (
    _each("row", "rows that the own car gains, thirds, cut", ROWS, low=-8, high=8),
    _each("lane", "the lane in which it ends, fifths", LANES - 1),
    _each("batteries", "its batteries up then, thirds", BATTERIES),
    _each("lying", "it lies then"),
    _each("shields", "its shields then, quarters, at most 1", MOST_SHIELDS),
    _each("harm", "batteries and shields that the others lose, ninths, cut", MOST_HARM),
)
_SCALES = tuple(field.scale for field in FIELDS)


@inline_rule
def harm(before: Any, after: Any) -> int:
    """Return how many batteries and shields the other cars have lost."""
    lost = 0
    for other in range(1, before.seats):
        was, now = before.drivers[other], after.drivers[other]
        lost += was.batteries - now.batteries + was.shields - now.shields
    return lost


@inline_rule
def write_outcome(race: Race, before: Any, numbers: Any, index: int) -> None:
    """Drive the program of the own car, and write what it leads to in one column of `numbers` (6, 13)."""
    simulate_alone(race)
    own = race.state.drivers[OWN]
    numbers[0, index] = min(max(own.row - ROW, -MOST_LEAD), MOST_LEAD)
    numbers[1, index] = own.lane
    numbers[2, index] = own.batteries
    numbers[3, index] = own.lying
    numbers[4, index] = min(own.shields, MOST_SHIELDS)
    numbers[5, index] = min(max(harm(before, race.state), 0), MOST_HARM)


@inline_rule
def has_program(before: Any, ask: int) -> bool:
    """Return whether a program is asked for, and the own controller is dealt."""
    return ask == Ask.PROGRAM and is_dealt(before.drivers[OWN])


def write_outcomes(befores: Any, asks: Any, scratch: Any, numbers: Any) -> None:
    """Write the outcomes of B positions into `numbers` (B, 6, 13); zeros where no program is asked for.

    A slide that cannot be made leads where the program as it is leads.
    """
    works, luck, log = scratch
    race = Race(works[0], luck[0], log[0])
    for i in range(len(befores)):
        before = befores[i]
        if not has_program(before, asks[i]):
            continue
        works[0] = before
        write_outcome(race, before, numbers[i], 0)
        hole = hole_of(before.drivers[OWN])
        for number in range(ALL_PUSHES):
            if may_push(before, hole, number):
                works[0] = before
                push(works[0].drivers[OWN], number // LONGEST_PUSH, number % LONGEST_PUSH + 1)
                write_outcome(race, before, numbers[i], 1 + number)
            else:
                numbers[i, :, 1 + number] = numbers[i, :, 0]


def asked(fields: Mapping[str, NDArray[np.float32]]) -> NDArray[np.int64]:
    """Return what the table waits for in B observations, as in `Ask`, int64 (B,)."""
    return np.where(fields["ask"].any(axis=1), fields["ask"].argmax(axis=1) + 1, Ask.NOTHING)


def outcomes(fields: Mapping[str, NDArray[np.float32]]) -> NDArray[np.int16]:
    """Return the numbers of `FIELDS` for B observations: int16 (B, 78), each times its field's scale."""
    befores, asks = positions(fields), asked(fields)
    numbers = np.zeros((len(befores), len(FIELDS), PROGRAMS), np.int16)
    befores = befores if COMPILED else befores.view(np.recarray)
    works, luck, log = scratch_for(1)[:3]
    specialize(write_outcomes, {"carry_out": carry_out})(befores, asks, (works, luck, log), numbers)
    return numbers.reshape(len(befores), -1)


OUTCOME = DerivedFields(FIELDS, outcomes, "where the own program leads, now and after each slide")
