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
from titan_env.play.best_actions import best_actions
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


def by_table(observations: NDArray[np.float32]) -> NDArray[np.float32]:
    """Score by a table that has no entry for fractions."""
    shares: NDArray[np.float32] = np.eye(5, dtype=np.float32)[(4 * observations[:, 0] % 1 * 1000).astype(np.int64), :3]
    return shares


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
    found = scores.best(positions(7).to("meta"), torch.ones(7, 3, dtype=torch.int8, device="meta"))
    assert (found.shape, found.dtype, found.device.type) == ((7, 3), torch.int8, "meta")


@pytest.mark.parametrize("scores", [row_by_row, of_records, by_table])
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

    def otherwise_alone(observations: NDArray[np.float32]) -> NDArray[np.float32]:
        return observations[:, :3] * (1 if len(observations) > 1 else -1)

    for scores in (more_each_time, otherwise_alone):
        with pytest.raises(ValueError, match="expected torch to compute the scores that NumPy does"):
            trace(scores, FIELDS, "cpu")


@pytest.mark.parametrize("scores", [forward, row_by_row])
@pytest.mark.parametrize("kind", [np.float32, np.float64, np.int64, np.bool_])
def test_the_best_legal_actions_are_those_of_numpy(scores: Callable[[Any], Any], kind: Any) -> None:
    def typed(observations: NDArray[np.float32]) -> NDArray[Any]:
        return scores(observations)[:, ::-1].astype(kind)  # type: ignore[no-any-return]

    seen = positions(9)
    masks = np.random.default_rng(3).integers(0, 2, (9, 3)).astype(np.int8)
    expected = best_actions(typed(FIELDS.to_float(seen.numpy())), masks)
    best = TensorScores(typed, FIELDS, "cpu")
    assert np.array_equal(best.best(seen, torch.from_numpy(masks)).numpy(), expected)
    if scores is forward:
        best._program = trace(typed, FIELDS, "cpu")
        assert np.array_equal(best.best(seen, torch.from_numpy(masks)).numpy(), expected)


def test_no_illegal_action_is_best_even_where_all_scores_are_minus_infinity() -> None:
    masks = np.array([[0, 1, 0], [1, 1, 0]], np.int8)
    assert np.array_equal(best_actions(np.full((2, 3), -np.inf, np.float32), masks), masks)


@pytest.mark.parametrize(
    ("scores", "line"),
    [(np.zeros((1, 3), np.float32), r"expected scores of shape \(2, 3\)"), (np.full((2, 3), np.nan), "got NaN")],
)
def test_what_are_no_scores_is_refused(scores: Any, line: str) -> None:
    with pytest.raises(ValueError, match=line):
        best_actions(scores, np.ones((2, 3), np.int8))


def test_code_for_some_number_of_rows_alone_is_refused() -> None:
    more = np.ones((17, 3), np.float32)  # as many rows as torch is shown

    def of_seventeen(observations: NDArray[np.float32]) -> NDArray[np.float32]:
        return observations[:, :3] + (more if len(observations) == len(more) else 1)

    with pytest.raises(ValueError, match="expected scores that torch can trace for any number of rows, not 17"):
        trace(of_seventeen, FIELDS, "cpu")


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
    assert TensorScores(scores, game.rules.fields, "meta").is_traced
