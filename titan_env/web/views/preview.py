"""The certain events of an action before it is played, without hidden information and future dice."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game, events_of
from titan_env.engine.batch import Records
from titan_env.play.determinization import Determinizations, agent_rng

WORLDS = 128
"""The number of worlds, each with dice of its own, imagined at once."""
IN_A_ROW = 512
"""The number of worlds in a row that must agree: of events with a probability of 1 in 100, 1 in 170 is missed."""


def certain_events(game: Game, states: Records, action: int) -> NDArray[np.int32]:
    """Return the events int32 (n, 4) that `action` causes whatever is hidden and whatever the dice show.

    `states` (1,) is the position; it is not changed. The action is played in imagined worlds that fit the acting seat's
    view, until many in a row change nothing: the result is their common prefix. A world in which another seat holds a
    card that could answer cuts off the events that the card would stop.
    """
    alike, agreed = None, 0
    for game_view in _event_lists(game, states, action):
        if alike is None:
            alike = game_view
            continue
        shared = common(alike, game_view)
        agreed = agreed + 1 if shared == len(alike) else 0
        alike = alike[:shared]
        if not shared or agreed >= IN_A_ROW:
            break
    assert alike is not None
    return alike


def _event_lists(game: Game, states: Records, action: int) -> Iterator[NDArray[np.int32]]:
    """Yield the events int32 (n, 4) of the action in one imagined world after the other, without end."""
    rng = agent_rng(int(states["decisions"][0]), action)
    worlds, log = Determinizations(game, states, rng), np.zeros(1, game.rules.log).view(np.recarray)
    while True:
        batch = worlds.imagine(WORLDS, rng)
        for state, luck in zip(batch.states, batch.luck, strict=True):
            log["count"] = 0
            game.rules.step(state, action, luck, log[0])
            yield events_of(log[0])


def common(one: NDArray[np.int32], other: NDArray[np.int32]) -> int:
    """Return the length of two lists of events' common prefix.

    >>> common(np.array([[1, 0], [2, 0]]), np.array([[1, 0], [3, 0], [4, 0]]))
    1
    """
    shortest = min(len(one), len(other))
    differing = np.flatnonzero((one[:shortest] != other[:shortest]).any(axis=1))
    return int(differing[0]) if len(differing) else shortest
