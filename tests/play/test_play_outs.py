"""Play-outs of bare positions end as those of a batch do."""

from __future__ import annotations

import numpy as np
import pytest

from titan_env import registry
from titan_env.engine.batch import Batch
from titan_env.play.determinization import Determinizations
from titan_env.play.play_outs import play_out


@pytest.mark.parametrize("name", ["pig", "titan_race"])
def test_play_outs_have_the_worlds_and_the_luck_of_a_batch_from_the_same_generator(name: str) -> None:
    game = registry.load(name)
    batch = Batch(game, 2)
    batch.seed(3)
    batch.start()
    while (batch.masks.sum(axis=1) < 2).any():
        batch.step(batch.sample())
    worlds = Determinizations(game, batch.states, np.random.default_rng(0))
    actions = np.flatnonzero(batch.masks[1])
    played = worlds.imagine(8, np.random.default_rng(5), 1).select(np.tile(np.arange(8), len(actions)))
    played.step(np.repeat(actions, 8))
    played.rollout(2**31 - 1, look=False)
    seat = int(worlds.seats[1])
    rng = np.random.default_rng(5)
    worth = play_out(worlds.imagine_records(8, rng, 1), actions, seat)
    assert worth.tolist() == played.payoffs()[:, seat].reshape(len(actions), 8).tolist()
    again = np.random.default_rng(5)
    worlds.imagine(8, again, 1)
    assert rng.integers(1 << 60) == again.integers(1 << 60), "both draw as much"
