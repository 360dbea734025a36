"""The loops that make one rule play many rows. They know no game.

Each plays the rules that stand here as globals: `titan_env.jit.bind` makes it the loop of one game.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import payoff
from titan_env.jit import rule
from titan_env.luck import draw

setup: Any = None
legal: Any = None
step: Any = None
observe: Any = None


@rule
def any_legal(mask: Any, choice: Any) -> int:
    """One legal action, each as likely, drawn from the `choice` stream; -1 where none is legal."""
    legal = 0
    for action in range(len(mask)):
        legal += mask[action]
    if legal == 0:
        return -1
    left = draw(choice, legal)
    for action in range(len(mask)):
        left -= mask[action]
        if left < 0:
            return action
    return -1


def start_rows(
    first: int,
    last: int,
    states: Any,
    luck: Any,
    masks: Any,
    observations: Any,
    rows: Any,
    templates: Any,
) -> None:
    """Begin the chosen rows anew."""
    for i in range(first, last):
        if rows[i]:
            states[i] = templates[i]
            setup(states[i], luck[i])
            legal(states[i], masks[i])
            observe(states[i], states[i].seat, observations[i])


def show_rows(first: int, last: int, states: Any, masks: Any, observations: Any, rows: Any) -> None:
    """Write mask and observation of the chosen rows."""
    for i in range(first, last):
        if rows[i]:
            legal(states[i], masks[i])
            observe(states[i], states[i].seat, observations[i])


@rule
def first_illegal(actions: Any, rows: Any, states: Any, masks: Any) -> int:
    """The first running row whose action its mask forbids; -1 if there is none."""
    for i in range(len(states)):
        if rows[i] and states[i].over == 0:
            action = actions[i]
            if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
                return i
    return -1


def step_rows(
    first: int,
    last: int,
    states: Any,
    luck: Any,
    masks: Any,
    observations: Any,
    log: Any,
    rows: Any,
    actions: Any,
) -> None:
    """Play one legal decision in each chosen row that is running. A log of one row is that of all."""
    for i in range(first, last):
        if rows[i] and states[i].over == 0:
            step(states[i], actions[i], luck[i], log[min(i, len(log) - 1)])
            legal(states[i], masks[i])
            observe(states[i], states[i].seat, observations[i])


def play_out_rows(
    first: int,
    last: int,
    states: Any,
    luck: Any,
    masks: Any,
    observations: Any,
    log: Any,
    templates: Any,
    choices: Any,
    decisions: int,
    restart: bool,
    look: bool,
    ended: Any,
) -> None:
    """Play random legal decisions in each row, with mask and, to `look` at, observation at every one."""
    for i in range(first, last):
        state = states[i]
        for _ in range(decisions):
            if state.over != 0:
                if not restart:
                    break
                states[i] = templates[i]
                setup(state, luck[i])
            else:
                step(state, any_legal(masks[i], choices[i]), luck[i], log[min(i, len(log) - 1)])
                ended[i] += state.over != 0
            legal(state, masks[i])
            if look:
                observe(state, state.seat, observations[i])


def observe_rows(first: int, last: int, states: Any, seats: Any, observations: Any) -> None:
    """Write what one seat of each row may know."""
    for i in range(first, last):
        observe(states[i], seats[i], observations[i])


def sample_rows(first: int, last: int, masks: Any, choices: Any, actions: Any) -> None:
    """Draw a legal action for each row."""
    for i in range(first, last):
        actions[i] = any_legal(masks[i], choices[i])


def payoff_rows(first: int, last: int, states: Any, payoffs: Any) -> None:
    """Write what each row's result is worth to each of its seats."""
    for i in range(first, last):
        for seat in range(payoffs.shape[1]):
            payoffs[i, seat] = payoff(states[i], seat) if seat < states[i].seats else 0.0


def advance(states: Any, luck: Any, masks: Any, observations: Any, log: Any, action: int) -> tuple[Any, Any, Any, Any]:
    """Play one legal decision in the only row; over, seat, ask and how many events came after it.

    All of them are -1 for an action that the mask forbids, and nothing has changed.
    """
    state = states[0]
    mask = masks[0]
    if mask[action] == 0:
        return -1, -1, -1, -1
    step(state, action, luck[0], log[0])
    legal(state, mask)
    observe(state, state.seat, observations[0])
    return np.int64(state.over), np.int64(state.seat), np.int64(state.ask), np.int64(log[0].count)
