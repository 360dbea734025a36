"""What an action would do for certain, before anybody decides: what is hidden and what dice will say stays unknown."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game, heard
from titan_env.engine.batch import Records
from titan_env.engine.worlds import Worlds, agents_rng

WORLDS = 8
"""How many worlds, each with dice of its own, must agree on what happens."""


def foreseen(game: Game, states: Records, action: int) -> NDArray[np.int32]:
    """The events (n, 4) that `action` brings about whatever is hidden and whatever the dice say.

    `states` (1,) is the position; it stays as it is. Worlds that fit what the seat that is asked has seen are played
    on by the action, and what happens in all of them, up to the first difference, is foreseen.
    """
    rng = agents_rng(int(states["decisions"][0]), action)
    batch = Worlds(game, states, rng).imagine(WORLDS, rng)
    log = np.zeros(1, game.log).view(np.recarray)
    stories = []
    for state, luck in zip(batch.states, batch.luck, strict=True):
        log["count"] = 0
        game.step(state, action, luck, log[0])
        stories.append(heard(log[0]))
    return common(stories)


def common(stories: list[NDArray[np.int32]]) -> NDArray[np.int32]:
    """How all of these begin."""
    shortest = min(map(len, stories))
    alike = [all(np.array_equal(story[n], stories[0][n]) for story in stories) for n in range(shortest)]
    return stories[0][: alike.index(False) if False in alike else shortest]
