"""Compiled loops over many games, each from a learner's decision to its own next one.

They call the rules by the global names below, to which `titan_env.contract.specialize` binds those of one game.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

from titan_env.contract import Status, draw, left_before, payoff
from titan_env.engine.batch_loops import any_legal, divide

setup: Any = None
legal: Any = None
step: Any = None
observe: Any = None


class Others(IntEnum):
    """The players of the seats that are not the learner's."""

    NOBODY = 0  # there are none: every decision is the learner's
    CHANCE = 1  # any legal action, each as likely
    AGENTS = 2  # agents outside of the loop


class Rows(NamedTuple):
    """The arrays of a learner's batch, a row for each of N games, and the players of the other seats."""

    states: Any
    luck: Any
    choices: Any
    log: Any
    """The event log (1,) that all rows share."""
    masks: Any
    """int8 (N, A)."""
    observations: Any
    """float32 or whole numbers (N, F)."""
    scales: Any
    """The ranges of an observation that are divided by a scale: (n, 3), as `Fields.scales`."""
    learners: Any
    """The learner's seat, int8 (N,)."""
    illegal: Any
    """The number of illegal actions replaced in this episode, int32 (N,)."""
    paid: Any
    """1 for a seat that has got its payoff, int8 (N, seats)."""
    others: int
    """A value of `Others`."""


class Results(NamedTuple):
    """The results of a step, a row for each of N games."""

    rewards: Any
    """The learner's, float64 (N,)."""
    payoffs: Any
    """Every seat's, float64 (N, seats)."""
    settled: Any
    """1 for a seat that was paid in this step, int8 (N, seats)."""
    over: Any
    """The learner's `Status`, int8 (N,)."""


def begin_rows(first: int, last: int, chosen: Any, rows: Rows, templates: Any, seat: int, reward: int) -> None:
    """Begin a new game in each of the `chosen` rows (N,) and play to the learner's first decision.

    A negative `seat` draws the learner's seat at random. If a game ends before the learner's first decision it is reset
    again.
    """
    for i in range(first, last):
        if not chosen[i]:
            continue
        state = rows.states[i]
        rows.illegal[i] = 0
        rows.paid[i] = 0
        while True:
            rows.states[i] = templates[i]
            setup(state, rows.luck[i])
            legal(state, rows.masks[i])
            if rows.others == Others.NOBODY:
                rows.learners[i] = state.seat
            else:
                rows.learners[i] = seat if seat >= 0 else draw(rows.choices[i], state.seats)
            if rows.others == Others.CHANCE:
                while (
                    state.over == 0
                    and state.seat != rows.learners[i]
                    and not left_before(state, rows.learners[i], reward)
                ):
                    step(state, any_legal(rows.masks[i], rows.choices[i]), rows.luck[i], rows.log[0])
                    legal(state, rows.masks[i])
            if state.over == 0 and not left_before(state, rows.learners[i], reward):
                break
        observe(state, state.seat, rows.observations[i])
        divide(rows.observations[i], rows.scales)


def decide_rows(
    first: int,
    last: int,
    chosen: Any,
    rows: Rows,
    actions: Any,
    results: Results,
    reward: int,
    worth: float,
    most: int,
) -> None:
    """Play the learner's decision in each of the `chosen` rows (N,), then the others' up to its next one or the end.

    An illegal action is replaced by a uniformly drawn legal one and counted. Each seat is paid once: when its result is
    final, or at the end. A learner whose result is final before the end is terminated. A game that still runs after
    `most` decisions is truncated, and its state stays as it is.
    """
    for i in range(first, last):
        if not chosen[i]:
            continue
        state = rows.states[i]
        mask = rows.masks[i]
        action = actions[i]
        if action < 0 or action >= len(mask) or mask[action] == 0:
            action = any_legal(mask, rows.choices[i])
            rows.illegal[i] += 1
        while True:
            step(state, action, rows.luck[i], rows.log[0])
            legal(state, mask)
            is_cut = state.over == 0 and state.decisions >= most
            if is_cut or rows.others != Others.CHANCE or state.over != 0 or state.seat == rows.learners[i]:
                break
            if left_before(state, rows.learners[i], reward):
                break
            action = any_legal(mask, rows.choices[i])
        for seat in range(state.seats):
            results.payoffs[i, seat] = 0.0
            results.settled[i, seat] = 0
            if not rows.paid[i, seat] and (state.over != 0 or is_cut or left_before(state, seat, reward)):
                results.payoffs[i, seat] = payoff(state, seat, reward, worth)
                rows.paid[i, seat] = results.settled[i, seat] = 1
        results.over[i] = state.over
        if is_cut:
            results.over[i] = Status.TRUNCATED
            mask[:] = 0
        results.rewards[i] = results.payoffs[i, rows.learners[i]]
        if rows.others == Others.NOBODY:
            rows.learners[i] = rows.learners[i] if results.over[i] != 0 else state.seat
        elif left_before(state, rows.learners[i], reward):
            results.over[i] = Status.TERMINATED
            mask[:] = 0
        seen = rows.learners[i] if results.over[i] != 0 else state.seat
        observe(state, seen, rows.observations[i])
        divide(rows.observations[i], rows.scales)
