"""The compiled loops that play the rules of any game in many rows.

They call the rules by the global names below, to which `titan_env.contract.specialize` binds those of one game.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.compiler.streaming import room_like, stream
from titan_env.contract import payoff, rule
from titan_env.engine.chance_outcomes import likelihood, set_next
from titan_env.engine.mask_sampling import sample_legal

setup: Any = None
legal: Any = None
step: Any = None
observe: Any = None
dtype: Any = None
observe_scaled: Any = None


@rule
def scale_observation(vector: Any, scales: Any) -> None:
    """Divide an observation's ranges by their scales, in place; `scales` has rows (first, end, scale).

    The indices are unsigned: none of them counts from the end, so that the processor divides many at once.
    """
    for stretch in range(len(scales)):
        scale = np.float32(scales[stretch, 2])
        for index in range(np.uint64(scales[stretch, 0]), np.uint64(scales[stretch, 1])):
            vector[index] = np.float32(vector[index]) / scale


def write_observation(state: Any, seat: Any, vector: Any, scales: Any) -> None:
    """Write a seat's observation into the vector (F,): the `observe_scaled` of most batches."""
    observe(state, seat, vector)
    scale_observation(vector, scales)


def stream_observation(state: Any, seat: Any, vector: Any, scales: Any) -> None:
    """Write a seat's observation into the vector (F,) past the processor's cache: `observe_scaled` of large batches.

    It is counted in the game's whole numbers, a quarter of the bytes, and made fractions in room that stays cached.
    """
    whole, fractions = room_like(vector, dtype), room_like(vector, np.float32)
    observe(state, seat, whole)
    for index in range(np.uint64(len(whole))):
        fractions[index] = np.float32(whole[index])
    scale_observation(fractions, scales)
    stream(fractions, vector)


def start_rows(
    first: int,
    last: int,
    states: Any,
    luck: Any,
    masks: Any,
    observations: Any,
    scales: Any,
    rows: Any,
    templates: Any,
) -> None:
    """Begin a new game in the chosen rows."""
    for i in range(first, last):
        if rows[i]:
            states[i] = templates[min(i, len(templates) - 1)]
            setup(states[i], luck[i])
            legal(states[i], masks[i])
            observe_scaled(states[i], states[i].seat, observations[i], scales)


def observe_rows_masked(
    first: int, last: int, states: Any, masks: Any, observations: Any, scales: Any, rows: Any
) -> None:
    """Write masks and observations of the chosen rows."""
    for i in range(first, last):
        if rows[i]:
            legal(states[i], masks[i])
            observe_scaled(states[i], states[i].seat, observations[i], scales)


@rule
def first_illegal(first: int, last: int, actions: Any, rows: Any, states: Any, masks: Any) -> int:
    """Return the first chosen, running row whose action its mask forbids; -1 if there is none."""
    for i in range(first, last):
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
    scales: Any,
    log: Any,
    rows: Any,
    actions: Any,
) -> int:
    """Play one decision in each chosen row that is running. A log of one row is shared by all.

    Returns the first row whose action its mask forbids, and then nothing has changed; -1 if there is none.
    """
    forbidden = first_illegal(first, last, actions, rows, states, masks)
    if forbidden >= 0:
        return forbidden
    for i in range(first, min(last, len(log))):
        log[i].count = min(log[i].count, 0)  # SILENT is negative and stays
    for i in range(first, last):
        if rows[i] and states[i].over == 0:
            step(states[i], actions[i], luck[i], log[min(i, len(log) - 1)])
            legal(states[i], masks[i])
            observe_scaled(states[i], states[i].seat, observations[i], scales)
    return -1


def rollout_rows(
    first: int,
    last: int,
    states: Any,
    luck: Any,
    masks: Any,
    observations: Any,
    scales: Any,
    log: Any,
    templates: Any,
    choices: Any,
    decisions: int,
    restart: bool,
    look: bool,
    ended: Any,
) -> None:
    """Play up to `decisions` random legal decisions in each row, and count finished games in `ended` (N,).

    Masks are written at every decision, observations too if `look`.
    """
    for i in range(first, last):
        state = states[i]
        for _ in range(decisions):
            if state.over != 0:
                if not restart:
                    break
                states[i] = templates[min(i, len(templates) - 1)]
                setup(state, luck[i])
            else:
                step(state, sample_legal(masks[i], choices[i]), luck[i], log[min(i, len(log) - 1)])
                ended[i] += state.over != 0
            legal(state, masks[i])
            if look:
                observe(state, state.seat, observations[i])
                scale_observation(observations[i], scales)


def observe_rows(first: int, last: int, states: Any, seats: Any, observations: Any, scales: Any) -> None:
    """Write the observation of one seat of each row."""
    for i in range(first, last):
        observe_scaled(states[i], seats[i], observations[i], scales)


def sample_rows(first: int, last: int, masks: Any, choices: Any, actions: Any) -> None:
    """Draw a legal action for each row."""
    for i in range(first, last):
        actions[i] = sample_legal(masks[i], choices[i])


def payoff_rows(first: int, last: int, states: Any, payoffs: Any, reward: int, scale: float) -> None:
    """Write the payoffs (N, seats) of each row's seats; 0 for seats that are not in the game."""
    for i in range(first, last):
        for seat in range(payoffs.shape[1]):
            payoffs[i, seat] = payoff(states[i], seat, reward, scale) if seat < states[i].seats else 0.0


def step_single(
    states: Any, luck: Any, masks: Any, observations: Any, scales: Any, log: Any, action: int
) -> tuple[Any, Any, Any, Any, Any]:
    """Play one legal decision in row 0; return over, seat, ask, the number of events and of seats that are out.

    Returns -1 five times for an action that the mask forbids, and then nothing has changed.
    """
    state = states[0]
    mask = masks[0]
    if mask[action] == 0:
        return -1, -1, -1, -1, -1
    step(state, action, luck[0], log[0])
    legal(state, mask)
    observe(state, state.seat, observations[0])
    scale_observation(observations[0], scales)
    out = 0
    for seat in range(state.seats):
        out += state.out[seat]
    return np.int64(state.over), np.int64(state.seat), np.int64(state.ask), np.int64(log[0].count), out


def outcome_rows(states: Any, action: int, luck: Any, log: Any, after: Any, odds: Any) -> int:
    """Play an action from one position, once for each sequence of chance answers, from the preset one on.

    Writes the positions into `after` and their probabilities into `odds`; returns their number, at most ``len(after)``.
    The next sequence is preset then, none after the last. A step that asks more than there is room for ends the listing
    and is not counted.
    """
    for number in range(len(after)):
        after[number] = states[0]
        step(after[number], action, luck[0], log[0])
        if luck[0].asked > len(luck[0].answers):
            return number
        odds[number] = likelihood(luck[0])
        set_next(luck[0])
        if luck[0].given == 0:
            return number + 1
    return len(after)
