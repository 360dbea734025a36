"""The batch of games in which one seat learns, as it is and as snapshots bring it back."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest

from tests.policies import settled, some_legal
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.envs import vector

pytestmark = pytest.mark.one_preset_per_seating


def test_a_snapshot_brings_back_the_games_and_what_their_learners_know(game: Game, options: dict[str, Any]) -> None:
    env = vector.make(5, game=game, opponents=settled, autoreset_mode="SAME_STEP", **options)
    _, infos = env.reset(seed=4)
    rng = np.random.default_rng(4)
    for _ in range(7):
        _, _, _, _, infos = env.step(some_legal(infos["action_mask"], rng))
    snapshot, same_rng = env.batch.snapshot(), copy.deepcopy(rng)
    first = played_on(env, infos, rng)
    env.batch.restore(snapshot)
    assert played_on(env, infos, same_rng) == first


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
