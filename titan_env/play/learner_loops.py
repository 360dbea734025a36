"""Compiled loops over many games, each from a learner's decision to its own next one.

They call the rules by the global names below, to which `titan_env.contract.specialize` binds those of one game.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any, NamedTuple

from titan_env.contract import Status, inline_rule, payoff, result_is_final
from titan_env.contract.luck import roll
from titan_env.engine.mask_sampling import sample_legal

setup: Any = None
legal: Any = None
step: Any = None
observe_scaled: Any = None


class OpponentMode(IntEnum):
    """The players of the seats that are not the learner's."""

    NOBODY = 0  # there are none: every decision is the learner's
    CHANCE = 1  # any legal action, each as likely
    AGENTS = 2  # agents outside of the loop


class LearnerRows(NamedTuple):
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
    """A value of `OpponentMode`."""


class StepResults(NamedTuple):
    """The results of a step, a row for each of N games."""

    rewards: Any
    """The learner's, float64 (N,)."""
    payoffs: Any
    """Every seat's, float64 (N, seats)."""
    settled: Any
    """1 for a seat that was paid in this step, int8 (N, seats)."""
    over: Any
    """The learner's `Status`, int8 (N,)."""


def reset_rows(first: int, last: int, chosen: Any, rows: LearnerRows, templates: Any, seat: int, reward: int) -> None:
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
            rows.states[i] = templates[min(i, len(templates) - 1)]
            setup(state, rows.luck[i])
            legal(state, rows.masks[i])
            if rows.others == OpponentMode.NOBODY:
                rows.learners[i] = state.seat
            else:
                rows.learners[i] = seat if seat >= 0 else roll(rows.choices[i], state.seats)
            if rows.others == OpponentMode.CHANCE:
                while (
                    state.over == 0
                    and state.seat != rows.learners[i]
                    and not result_is_final(state, rows.learners[i], reward)
                ):
                    step(state, sample_legal(rows.masks[i], rows.choices[i]), rows.luck[i], rows.log[0])
                    legal(state, rows.masks[i])
            if state.over == 0 and not result_is_final(state, rows.learners[i], reward):
                break
        observe_scaled(state, state.seat, rows.observations[i], rows.scales)


@inline_rule
def pay_seats(i: int, is_cut: bool, rows: LearnerRows, results: StepResults, reward: int, worth: float) -> None:
    """Pay each seat of game `i` whose result is final, or all that are unpaid where the game ends or is cut."""
    state = rows.states[i]
    for seat in range(state.seats):
        results.payoffs[i, seat] = 0.0
        results.settled[i, seat] = 0
        if not rows.paid[i, seat] and (state.over != 0 or is_cut or result_is_final(state, seat, reward)):
            results.payoffs[i, seat] = payoff(state, seat, reward, worth)
            rows.paid[i, seat] = results.settled[i, seat] = 1
    results.rewards[i] = results.payoffs[i, rows.learners[i]]


@inline_rule
def finish_row(i: int, is_cut: bool, rows: LearnerRows, results: StepResults, reward: int) -> None:
    """Set the learner's `Status` in game `i` and who decides next; a game that is over for it has no legal actions."""
    state = rows.states[i]
    results.over[i] = state.over
    if is_cut:
        results.over[i] = Status.TRUNCATED
    if rows.others == OpponentMode.NOBODY:
        rows.learners[i] = rows.learners[i] if results.over[i] != 0 else state.seat
    elif result_is_final(state, rows.learners[i], reward):
        results.over[i] = Status.TERMINATED
    if results.over[i] != 0:
        rows.masks[i][:] = 0


def step_rows_to_learner(
    first: int,
    last: int,
    chosen: Any,
    rows: LearnerRows,
    actions: Any,
    results: StepResults,
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
            action = sample_legal(mask, rows.choices[i])
            rows.illegal[i] += 1
        while True:
            step(state, action, rows.luck[i], rows.log[0])
            legal(state, mask)
            is_cut = state.over == 0 and state.decisions >= most
            if is_cut or rows.others != OpponentMode.CHANCE or state.over != 0 or state.seat == rows.learners[i]:
                break
            if result_is_final(state, rows.learners[i], reward):
                break
            action = sample_legal(mask, rows.choices[i])
        pay_seats(i, is_cut, rows, results, reward, worth)
        finish_row(i, is_cut, rows, results, reward)
        seen = rows.learners[i] if results.over[i] != 0 else state.seat
        observe_scaled(state, seen, rows.observations[i], rows.scales)
