"""Loops over many games, each from a learner's decision to its own next one.

They play the rules that stand here as globals: `titan_env.contract.specialize` makes them the loops of one game.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Any

from titan_env.contract import Status, draw, left_before, payoff
from titan_env.engine.loops import any_legal, divide

setup: Any = None
legal: Any = None
step: Any = None
observe: Any = None


class Others(IntEnum):
    """Who decides for the seats that are not the learner's."""

    NOBODY = 0  # there are none: every decision is the learner's
    CHANCE = 1  # any legal action, each as likely
    AGENTS = 2  # agents outside of the loop


def begin_rows(
    first: int,
    last: int,
    rows: Any,
    states: Any,
    luck: Any,
    choices: Any,
    log: Any,
    masks: Any,
    observations: Any,
    scales: Any,
    learners: Any,
    illegal: Any,
    paid: Any,
    others: int,
    templates: Any,
    seat: int,
    reward: int,
) -> None:
    """Begin a new game in each of the rows and play to the learner's first decision.

    The learner's `seat` is drawn if it is negative. A game that ends before the learner has been asked
    at all is nothing to learn from: another one begins.
    """
    for i in range(first, last):
        if not rows[i]:
            continue
        state = states[i]
        illegal[i] = 0
        paid[i] = 0
        while True:
            states[i] = templates[i]
            setup(state, luck[i])
            legal(state, masks[i])
            if others == Others.NOBODY:
                learners[i] = state.seat
            else:
                learners[i] = seat if seat >= 0 else draw(choices[i], state.seats)
            if others == Others.CHANCE:
                while state.over == 0 and state.seat != learners[i] and not left_before(state, learners[i], reward):
                    step(state, any_legal(masks[i], choices[i]), luck[i], log[0])
                    legal(state, masks[i])
            if state.over == 0 and not left_before(state, learners[i], reward):
                break
        observe(state, state.seat, observations[i])
        divide(observations[i], scales)


def decide_rows(
    first: int,
    last: int,
    rows: Any,
    states: Any,
    luck: Any,
    choices: Any,
    log: Any,
    masks: Any,
    observations: Any,
    scales: Any,
    learners: Any,
    illegal: Any,
    paid: Any,
    others: int,
    actions: Any,
    rewards: Any,
    payoffs: Any,
    settled: Any,
    over: Any,
    reward: int,
    worth: float,
    most: int,
) -> None:
    """Play one decision in each of the rows, and those of the others up to the learner's next or the end.

    An illegal action is replaced by any legal one, each as likely, and counted. Each seat is paid once: when it
    is out, or at the end. A learner that has left before the end has reached its own, whoever plays on. A game that
    is still running after `most` decisions is cut there, and its state stays as it is.
    """
    for i in range(first, last):
        if not rows[i]:
            continue
        state = states[i]
        mask = masks[i]
        action = actions[i]
        if action < 0 or action >= len(mask) or mask[action] == 0:
            action = any_legal(mask, choices[i])
            illegal[i] += 1
        while True:
            step(state, action, luck[i], log[0])
            legal(state, mask)
            is_cut = state.over == 0 and state.decisions >= most
            if is_cut or others != Others.CHANCE or state.over != 0 or state.seat == learners[i]:
                break
            if left_before(state, learners[i], reward):
                break
            action = any_legal(mask, choices[i])
        for seat in range(state.seats):
            payoffs[i, seat] = 0.0
            settled[i, seat] = 0
            if not paid[i, seat] and (state.over != 0 or is_cut or left_before(state, seat, reward)):
                payoffs[i, seat] = payoff(state, seat, reward, worth)
                paid[i, seat] = settled[i, seat] = 1
        over[i] = state.over
        if is_cut:
            over[i] = Status.TRUNCATED
            mask[:] = 0
        rewards[i] = payoffs[i, learners[i]]
        if others == Others.NOBODY:
            learners[i] = learners[i] if over[i] != 0 else state.seat
        elif left_before(state, learners[i], reward):
            over[i] = Status.TERMINATED
            mask[:] = 0
        seen = learners[i] if over[i] != 0 else state.seat
        observe(state, seen, observations[i])
        divide(observations[i], scales)
