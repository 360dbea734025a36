"""What an action would do for certain, before anybody decides: what is hidden and what dice will say stays unknown."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game, events_of
from titan_env.engine.batch import Records
from titan_env.engine.worlds import Worlds, agents_rng

WORLDS = 128
"""How many worlds, each with dice of its own, are imagined at once."""
IN_A_ROW = 512
"""How many worlds in a row must agree on what is left of the story: of what happens in 1 of 100, 1 in 170 is missed."""


def foreseen(game: Game, states: Records, action: int) -> NDArray[np.int32]:
    """Return the events (n, 4) that `action` brings about whatever is hidden and whatever the dice say.

    `states` (1,) is the position; it stays as it is. Worlds that fit what the seat that is asked has seen are played
    on by the action, until many in a row bring nothing new: what happens in all, up to the first difference, is
    foreseen. A card that somebody could play in answer is held in one of them, so that what it would stop is not.
    """
    alike, agreed = None, 0
    for story in _stories(game, states, action):
        if alike is None:
            alike = story
            continue
        shared = common(alike, story)
        agreed = agreed + 1 if shared == len(alike) else 0
        alike = alike[:shared]
        if not shared or agreed >= IN_A_ROW:
            break
    assert alike is not None
    return alike


def _stories(game: Game, states: Records, action: int) -> Iterator[NDArray[np.int32]]:
    """Yield what happens in one imagined world after the other, (n, 4) each, without end."""
    rng = agents_rng(int(states["decisions"][0]), action)
    worlds, log = Worlds(game, states, rng), np.zeros(1, game.rules.log).view(np.recarray)
    while True:
        batch = worlds.imagine(WORLDS, rng)
        for state, luck in zip(batch.states, batch.luck, strict=True):
            log["count"] = 0
            game.rules.step(state, action, luck, log[0])
            yield events_of(log[0])


def common(one: NDArray[np.int32], other: NDArray[np.int32]) -> int:
    """Return how many events both stories begin with.

    >>> common(np.array([[1, 0], [2, 0]]), np.array([[1, 0], [3, 0], [4, 0]]))
    1
    """
    shortest = min(len(one), len(other))
    differing = np.flatnonzero((one[:shortest] != other[:shortest]).any(axis=1))
    return int(differing[0]) if len(differing) else shortest
