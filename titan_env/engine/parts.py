"""The parts in which a long step is shown: the rules are played once, and copies are kept as its events are logged."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game, State, events_of
from titan_env.contract.reading import copied
from titan_env.contract.snapshots import keep_snapshots
from titan_env.engine.batch import Records

Parts: TypeAlias = Sequence[tuple[int, State]]
"""For each part of a step but the last how many events are told by its end, and the position as it stood then."""


def play_in_parts(game: Game, states: Records, action: int, luck: Any, log: Records) -> Parts:
    """Play one legal decision at `states` (1,) with its `luck` into a `log` (1,), and return the parts of the step."""
    log[0].count = 0
    if game.presentation.animation_steps is not None:
        before = copied(states)[0]
        game.rules.step(states[0], action, luck, log[0])
        events = events_of(log[0])
        return game.presentation.animation_steps(before, events, states[0]) if len(events) else ()
    with keep_snapshots(states, log) as snapshots:
        game.rules.step(states[0], action, luck, log[0])
    return [(number, copied(snapshots[number : number + 1])[0]) for number in part_numbers(game, events_of(log[0]))]


def part_numbers(game: Game, events: NDArray[np.int32]) -> list[int]:
    """Return the numbers of the events of a step (n, 4) at which another part begins, never 0: the first has begun."""
    named = game.presentation.part_events
    numbers = named(events) if callable(named) else np.flatnonzero(np.isin(events[:, 0], [int(kind) for kind in named]))
    return [int(number) for number in numbers if number > 0]
