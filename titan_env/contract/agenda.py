"""The agenda: a stack in the state of effects that are still to be carried out.

Because the agenda is part of the state, a half-done move (another seat must answer in the middle of a turn) is an
ordinary state that can be copied, saved and read. A game with an agenda declares the fields ``agenda``, integers (most,
5), and ``due``, the number of effects on it; the effects' kinds and numbers are the game's own.
"""

from __future__ import annotations

from typing import Any

from titan_env.compiler.jit import rule


@rule
def push_effect(state: Any, due: int, who: int, first: int, second: int, third: int) -> None:
    """Push an effect on the agenda, to be carried out before all others on it."""
    item = state.agenda[state.due]
    item[0] = due
    item[1] = who
    item[2] = first
    item[3] = second
    item[4] = third
    state.due += 1


@rule
def pop_effect(state: Any) -> None:
    """Remove the latest effect from the agenda and zero its place, so that equal states are equal bytes."""
    state.due -= 1
    state.agenda[state.due][:] = 0
