"""What is still to be carried out: effects that wait their turn, the latest first.

Because the agenda lies in the state, a half-done move (a pushed Titan owes the pirates an answer
in the middle of another's move) is an ordinary state that can be copied, saved and read.
"""

from __future__ import annotations

from typing import Any

from titan_env.games.titan_race.board import owner
from titan_env.jit import rule


@rule
def put(state: Any, due: int, who: int, first: int, second: int, third: int) -> None:
    """Put an effect on the agenda, to be carried out before all that is already there."""
    item = state.agenda[state.due]
    item[0] = due
    item[1] = who
    item[2] = first
    item[3] = second
    item[4] = third
    state.due += 1


@rule
def drop(state: Any) -> None:
    """Strike the next effect off the agenda; its place is wiped, so equal states are equal bytes."""
    state.due -= 1
    state.agenda[state.due][:] = 0


@rule
def ask(state: Any, what: int, who: int) -> None:
    """Ask the owner of a Titan for a decision."""
    state.ask = what
    state.asked = who
    state.seat = owner(state, who)
