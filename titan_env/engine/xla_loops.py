"""The compiled loop that plays any game inside programs of JAX (see `titan_env.engine.xla`)."""

from __future__ import annotations

from typing import Any

from titan_env.contract import payoff, rule
from titan_env.engine.batch_loops import scale_observation

setup: Any = None
legal: Any = None
step: Any = None
observe: Any = None


@rule
def write_payoffs(state: Any, payoffs: Any, reward: int, scale: float, sign: float) -> None:
    """Add `sign` times the payoffs of all seats of a state to `payoffs` (MOST_SEATS,)."""
    for seat in range(state.seats):
        payoffs[seat] += sign * payoff(state, seat, reward, scale)


def turn_rows(
    states: Any,
    luck: Any,
    actions: Any,
    observations: Any,
    masks: Any,
    rewards: Any,
    over: Any,
    seats: Any,
    illegal: Any,
    scales: Any,
    log: Any,
    template: Any,
    settings: Any,
) -> bool:
    """Begin a game in each row, or play its action there; write what the seat to act sees, and each seat's reward.

    A game that is over stays as it is. An illegal action leaves its row as it is and marks it in `illegal` (N,); with
    ``settings.refuse`` it leaves all rows as they are. Returns whether the call is refused so.
    """
    refused = False
    for i in range(len(states)):
        illegal[i] = 0
        if not settings.begin and states[i].over == 0:
            legal(states[i], masks[i])
            action = actions[i]
            if action < 0 or action >= masks.shape[1] or masks[i, action] == 0:
                illegal[i] = 1
                refused = refused or settings.refuse != 0
    if refused:
        return True
    for i in range(len(states)):
        state = states[i]
        over[i] = state.over
        rewards[i, :] = 0.0
        if settings.begin:
            over[i] = 0
            states[i] = template[0]
            setup(state, luck[i])
        elif state.over == 0 and not illegal[i]:
            write_payoffs(state, rewards[i], settings.reward, settings.scale, -1.0)
            step(state, actions[i], luck[i], log[0])
            write_payoffs(state, rewards[i], settings.reward, settings.scale, 1.0)
            over[i] = state.over
            if state.over != 0 and settings.restart:
                states[i] = template[0]
                setup(state, luck[i])
        legal(state, masks[i])
        observe(state, state.seat, observations[i])
        scale_observation(observations[i], scales)
        seats[i] = state.seat
    return False
