"""Wars that are played at random, moment by moment, for tests of words and pictures."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from titan_env import Batch
from titan_env.games.titan_war import GAME
from titan_env.games.titan_war.rules.actions import ACTIONS, END, PASS

TIMID = [ACTIONS.numbers[text] for text in ("flee", "concede", "offer", "agree")]
EAGER = 0.9
"""How often one goes on where one could end, pass or give up: so that legions grow and fight."""


class Moment:
    """A position, what may be done in it, and what led to it."""

    def __init__(self, batch: Batch, before: Any) -> None:
        self.state, self.mask, self.before = batch.states[0], batch.masks[0], before
        self.events = batch.last_events(0)

    @property
    def legal(self) -> list[int]:
        return np.flatnonzero(self.mask).tolist()


def moments(seed: int = 0, most: int = 2000, **options: Any) -> Iterator[Moment]:
    """Every moment of a war, to its end or so many decisions."""
    batch = Batch(GAME, 1, events=True, **options)
    batch.seed(seed)
    batch.start()
    rng, before = np.random.default_rng(seed), None
    for _ in range(most):
        yield Moment(batch, before)
        if batch.over[0]:
            return
        mask = batch.masks[0].copy()
        if rng.random() < EAGER:
            mask[[END, PASS, *TIMID]] = 0
        actions = np.flatnonzero(mask if mask.any() else batch.masks[0])
        before = batch.states.copy()[0]
        batch.step(np.array([rng.choice(actions)]))


def until(ask: int, seed: int = 0, **options: Any) -> Moment:
    """The first moment in which something is asked, in this war or the next ones."""
    for later in range(seed, seed + 30):
        for moment in moments(later, **options):
            if moment.state.ask == ask:
                return moment
    raise AssertionError(f"nobody is asked {ask}")
