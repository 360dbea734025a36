"""What is still to be carried out: effects that wait their turn in the state, the latest first.

Because the agenda lies in the state, a half-done move (somebody must answer in the middle of another's turn) is an
ordinary state that can be copied, saved and read. A game that has one declares ``agenda``, integers (most, 5), and
``due``, how many of them wait; what an effect does, and what its numbers mean, is the game's.
"""

from __future__ import annotations

from typing import Any

from titan_env.contract.jit import rule


@rule
def push_effect(state: Any, due: int, who: int, first: int, second: int, third: int) -> None:
    """Put an effect on the agenda, to be carried out before all that is already there."""
    item = state.agenda[state.due]
    item[0] = due
    item[1] = who
    item[2] = first
    item[3] = second
    item[4] = third
    state.due += 1


@rule
def pop_effect(state: Any) -> None:
    """Strike the next effect off the agenda; its place is wiped, so equal states are equal bytes."""
    state.due -= 1
    state.agenda[state.due][:] = 0
