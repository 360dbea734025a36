"""Scores of agents on a device: torch computes what NumPy does, without the processor."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray

from titan_env import agents, registry
from titan_env.contract import Field, Fields
from titan_env.envs.vector import GameVectorEnv
from titan_env.play.tensor_scores import TensorScores, trace

FIELDS = Fields((Field("rows", (3,), 0, 1, "Rows.", scale=4), Field("near", (2,), 0, 1, "Racers.")), whole=True)
ROUNDING = 1e-5
"""Sums of products are added up in another order."""
WEIGHTS = np.arange(6, dtype=np.float32).reshape(3, 2)


def forward(observations: NDArray[np.float32]) -> NDArray[np.float32]:
    """Score three actions: rows, the sum of what is near, and whether that is more."""
    seen = FIELDS.split(observations)
    scores = np.zeros((len(observations), 3), np.float32)
    scores[:, :2] = seen["rows"] @ WEIGHTS
    scores[:, 2] = np.where(seen["near"].sum(axis=1) > 0.5, seen["rows"].max(axis=1), -1.0)
    return scores


def row_by_row(observations: NDArray[np.float32]) -> NDArray[np.float32]:
    """Score by a loop over the rows where something is near."""
    scores = np.zeros((len(observations), 3), np.float32)
    for row in np.flatnonzero(observations[:, 3] > 0.5):
        scores[row] = 1
    return scores


def of_records(observations: NDArray[np.float32]) -> NDArray[np.float32]:
    """Score records."""
    records = np.zeros(len(observations), [("scores", np.float32, 3)])
    records["scores"] = observations[:, :3]
    return records["scores"]


def positions(rows: int) -> torch.Tensor:
    """Return observations in whole numbers."""
    numbers = np.random.default_rng(rows).integers(0, (5, 5, 5, 2, 2), (rows, 5), FIELDS.dtype)
    return torch.from_numpy(numbers)


@pytest.mark.parametrize("rows", [1, 2, 50])
def test_scores_of_numpy_are_computed_by_torch(rows: int) -> None:
    observations = FIELDS.to_float(positions(rows).numpy())
    found = trace(forward, FIELDS, "cpu")(torch.from_numpy(observations))
    assert np.array_equal(found.numpy(), forward(observations))


def test_no_tensor_of_traced_scores_is_on_the_processor() -> None:
    scores = TensorScores(forward, FIELDS, "meta")  # the device on which nothing can be read
    assert scores.is_traced
    found = scores(positions(7).to("meta"))
    assert (found.shape, found.device.type) == ((7, 3), "meta")


@pytest.mark.parametrize("scores", [row_by_row, of_records])
def test_code_that_torch_cannot_trace_is_refused_in_one_line(scores: Callable[[Any], Any]) -> None:
    with pytest.raises(ValueError, match="expected scores that torch can trace") as refused:
        trace(scores, FIELDS, "cpu")
    assert "\n" not in str(refused.value)
    assert not TensorScores(scores, FIELDS, "meta").is_traced


def test_code_that_torch_computes_otherwise_is_refused() -> None:
    calls: list[int] = []

    def more_each_time(observations: NDArray[np.float32]) -> NDArray[np.float32]:
        calls.append(1)
        return observations[:, :3] * len(calls)

    with pytest.raises(ValueError, match="expected torch to compute the scores that NumPy does"):
        trace(more_each_time, FIELDS, "cpu")


@pytest.mark.parametrize("scores", [forward, row_by_row])
def test_observations_in_whole_numbers_are_scored_as_fractions(scores: Callable[[Any], Any]) -> None:
    found = TensorScores(scores, FIELDS, "cpu")(positions(9))
    assert np.array_equal(found.numpy(), scores(FIELDS.to_float(positions(9).numpy())))


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("name", "agent"), [("titan_race", "greedy"), ("fantasy_racing", "greedy"), ("fantasy_racing", "expert")]
)
def test_agents_of_numpy_alone_score_on_a_device(name: str, agent: str) -> None:
    game = registry.load(name)
    scores, seen = agents.load(agent, game).scores, []  # type: ignore[attr-defined]
    env = GameVectorEnv(game, 32, seats="all")
    observations, _ = env.reset(seed=1)
    for _ in range(100):
        seen.append(observations)
        observations, *_ = env.step(env.batch.sample())
    every = np.concatenate(seen)
    found = trace(scores, game.rules.fields, "cpu")(torch.from_numpy(every)).numpy()
    assert np.abs(found - scores(every)).max() < ROUNDING
    assert TensorScores(scores, game.rules.fields, "meta")(torch.from_numpy(every).to("meta")).device.type == "meta"
