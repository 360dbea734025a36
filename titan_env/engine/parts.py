"""The parts in which a long step is shown: it is played once more, and copies of the state are kept as events happen.

It is played as plain Python, with a log that copies the state whenever an event has been written into it. The rules
are the game's own, chance answers as it did, and compiled play knows nothing of it.
"""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.record_copies import copy_records
from titan_env.contract import Game, State, interpreted, preset
from titan_env.engine.batch import Records

Parts: TypeAlias = Sequence[tuple[int, State]]
"""For each part of a step but the last how many events are told by its end, and the position as it stood then."""


class Decision(NamedTuple):
    """A decision as it was played: the position before it, its action, and what chance answered."""

    before: State
    action: int
    answers: Sequence[int]


class SnapshotLog:
    """The log of one step of a game at `states` (1,), with a copy of the state for each event.

    A rule that is played as plain Python takes it as it takes any other log.
    """

    def __init__(self, states: Records, room: int) -> None:
        self.events = np.zeros((room, 4), np.int32)
        self.snapshots: list[Records] = []
        self._states = states
        self._count = 0

    @property
    def count(self) -> int:
        """The number of events logged so far in this step."""
        return self._count

    @count.setter
    def count(self, count: int) -> None:
        if count > self._count:
            self.snapshots.append(copy_records(self._states))
        self._count = count


def snapshots(game: Game, decision: Decision) -> tuple[Records, list[Records]]:
    """Play a decision once more: the position (1,) that it leads to, and that at each of its events, (1,) each.

    An event's position is that in which it was logged: all that came before it has happened.
    """
    states = np.array([decision.before], game.rules.state).view(np.recarray)
    luck = np.zeros(1, game.rules.luck).view(np.recarray)
    preset(luck[0], decision.answers)
    log = SnapshotLog(states, game.rules.log["events"].shape[0])
    step: Any = game.rules.step
    with np.errstate(over="ignore"):  # the stream of chance wraps around
        _plain(step)(states[0], decision.action, luck[0], log)
    return states, log.snapshots


@functools.lru_cache(64)
def _plain(step: Any) -> Any:
    """Return a step as plain Python."""
    return interpreted(step)


def part_numbers(game: Game, events: NDArray[np.int32]) -> list[int]:
    """Return the numbers of the events of a step (n, 4) at which another part of it begins."""
    named: Any = game.presentation.part_events
    if callable(named):
        return [int(number) for number in named(events) if number > 0]
    return [number for number, kind in enumerate(events[:, 0].tolist()) if number and kind in named]


def parts(game: Game, decisions: Sequence[Decision], events: NDArray[np.int32]) -> Parts:
    """Return the parts of a step, of one decision or of several that are told as one, with these events (n, 4).

    Of several, those after the first answer in private: nothing in their positions tells of the question. Empty where
    the step is shown at once, and nothing is played.
    """
    numbers = part_numbers(game, events)
    kept: list[State] = []
    for decision in decisions if numbers else ():
        made = [states[0] for states in snapshots(game, decision)[1]]
        kept += made if decision is decisions[0] else [_without_question(game, state, decision) for state in made]
    return [(number, kept[number]) for number in numbers]


def _without_question(game: Game, state: State, answer: Decision) -> State:
    """Return a position in the middle of a private answer as those see it who know nothing of the question."""
    state.ask, state.seat = answer.before.ask, answer.before.seat
    seen = game.rules.public_view(state) if game.rules.public_view is not None else None
    return state if seen is None else seen
