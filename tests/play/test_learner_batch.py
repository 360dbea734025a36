"""The batch of games in which one seat learns, as it is and as snapshots bring it back."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from tests.policies import settled, some_legal
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.envs import vector
from titan_env.play.learner_batch import LearnerBatch

pytestmark = pytest.mark.one_preset_per_seating


@pytest.mark.parametrize("copies", [True, False])
def test_a_snapshot_brings_back_the_games_and_what_their_learners_know(
    game: Game, options: dict[str, Any], copies: bool
) -> None:
    env = vector.make(5, game=game, opponents=settled, autoreset_mode="SAME_STEP", copy=copies, **options)
    _, infos = env.reset(seed=4)
    rng = np.random.default_rng(4)
    for _ in range(7):
        _, _, _, _, infos = env.step(some_legal(infos["action_mask"], rng))
    snapshot, same_rng = env.batch.snapshot(), copy.deepcopy(rng)
    first = played_on(env, infos, rng)
    env.batch.restore(snapshot)
    assert played_on(env, infos, same_rng) == first


def restored(batch: LearnerBatch) -> LearnerBatch:
    batch.restore(batch.snapshot())
    return batch


def with_an_agent(batch: LearnerBatch) -> LearnerBatch:
    batch.set_opponents(settled)
    return batch


def seeded_anew(batch: LearnerBatch) -> LearnerBatch:
    batch.reseed(9)
    return batch


def pickled(batch: LearnerBatch) -> LearnerBatch:
    return pickle.loads(pickle.dumps(batch))  # type: ignore[no-any-return]


CHANGES = (copy.deepcopy, pickled, restored, with_an_agent, seeded_anew)
"""Whatever may put other arrays or players in the places of those that a step was prepared for."""


@pytest.mark.parametrize("change", CHANGES)
def test_a_batch_that_keeps_its_arrays_plays_as_one_that_makes_new_ones(
    game: Game, change: Callable[[LearnerBatch], LearnerBatch]
) -> None:
    template = GameSetup.of_keywords(game, {}).template
    kept, new = (LearnerBatch(game, 3, template, copy=copies) for copies in (False, True))
    for batch in (kept, new):
        batch.reseed(5)
        batch.start()
    for number in range(60):
        if number == 7:
            kept, new = change(kept), change(new)
        actions = kept.masks.argmax(axis=1)
        for batch in (kept, new):
            batch.step(actions)
        for name in ("states", "observations", "masks", "rewards", "learners", "ended", "payoffs_at_end", "settled"):
            assert getattr(kept, name).tobytes() == getattr(new, name).tobytes(), (number, name)
        over = new.ended != 0
        for batch in (kept, new):
            batch.start(over)


def played_on(env: vector.GameVectorEnv, infos: dict[str, Any], rng: np.random.Generator) -> list[tuple[bytes, ...]]:
    """Play 40 steps by random legal actions; return what was seen in each: observations, rewards, seats."""
    seen = []
    for _ in range(40):
        observations, rewards, _, _, infos = env.step(some_legal(infos["action_mask"], rng))
        seen.append((observations.tobytes(), rewards.tobytes(), infos["seat"].tobytes()))
    return seen


def test_a_snapshot_of_another_kind_of_batch_is_refused(game: Game) -> None:
    with pytest.raises(ValueError, match="expected a snapshot of a LearnerBatch"):
        vector.make(5, game=game).batch.restore(Batch(game, 5).snapshot())
