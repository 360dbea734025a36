"""Scores of actions as a rule: the same on the processor and on a device, which runs its loop as a kernel."""

from __future__ import annotations

from collections import namedtuple
from typing import Any

import numpy as np
import pytest
import torch

from titan_env.agents.scorer import Scorer
from titan_env.contract import Field, Fields, inline_rule
from titan_env.engine.devices import HostDevice, KernelDevice, _on_host
from titan_env.play.best_actions import best_actions
from titan_env.play.score_rules import ScoreRule, index_in, whole
from titan_env.play.tensor_scores import KernelScores, TensorScores, scores_on
from titan_env.registry import load

FIELDS = Fields(
    (Field("rows", (2, 2), 0, 1, "Rows.", scale=4), Field("ask", (3,), 0, 1, "The question, one-hot.")), whole=True
)
_ASK = FIELDS.slices["ask"].start
_Weights = namedtuple("_Weights", ("row", "asked"))  # type: ignore[misc]
WEIGHTS = {"row": 2.0, "asked": 0.5}


@inline_rule
def score(seen: Any, scratch: Any, weights: Any, scores: Any) -> None:
    """Score three actions by the rows of a seat, which are counted in the scratch, and by the question."""
    scratch.calls += 1
    for number in range(2):
        scratch.rows[number] = whole(seen[2 * number], 4) + whole(seen[2 * number + 1], 4)
        scores[number] = weights.row * scratch.rows[number]
    scores[2] = weights.asked * index_in(seen, _ASK, 3)


RULE = ScoreRule(score, np.dtype([("rows", np.int64, 2), ("calls", np.int64)]), _Weights, 3)


class KernelsHere(KernelDevice):
    """A device whose kernels are the processor's loops."""

    def __init__(self) -> None:
        super().__init__(load("pig"), "cpu", None)  # type: ignore[arg-type]

    def run_bound(self, bound: Any, rows: int, *arguments: Any, layout: Any = None) -> None:
        bound(0, rows, *map(_on_host, arguments))


def observations(rows: int) -> np.ndarray[Any, Any]:
    """Return observations in whole numbers, of any questions or none."""
    seen = np.random.default_rng(rows).integers(0, 5, (rows, FIELDS.size)).astype(np.int8)
    seen[:, _ASK:] = np.eye(4, 3, dtype=np.int8)[np.arange(rows) % 4]
    return seen


def by_numpy(seen: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return the same scores, computed from whole numbers."""
    asked = np.where(seen[:, _ASK:].any(axis=1), seen[:, _ASK:].argmax(axis=1), -1)
    columns = (2.0 * (seen[:, 0] + seen[:, 1]), 2.0 * (seen[:, 2] + seen[:, 3]), 0.5 * asked)
    return np.stack(columns, axis=1).astype(np.float32)


@pytest.mark.parametrize("rows", [0, 1, 50])
def test_a_rule_scores_every_row(rows: int) -> None:
    seen = observations(rows)
    fractions = FIELDS.to_float(seen)
    found = RULE(fractions, WEIGHTS)
    assert found.dtype == np.float32
    assert np.array_equal(found, by_numpy(seen))
    assert np.array_equal(RULE(np.asfortranarray(fractions)[::-1], WEIGHTS), found[::-1])


def test_weights_by_name_are_given_in_order() -> None:
    assert RULE.counted({"asked": 1, "row": 3}) == (3.0, 1.0)
    with pytest.raises(TypeError, match="luck"):
        RULE.counted({**WEIGHTS, "luck": 1})


@pytest.mark.parametrize("is_whole", [True, False])
def test_a_device_finds_the_best_actions_of_the_processor(is_whole: bool) -> None:
    agent = Scorer(load("pig"), RULE, WEIGHTS)
    scores = scores_on(KernelsHere(), agent, FIELDS, 60)
    assert isinstance(scores, KernelScores)
    for rows in (60, 1, 17):
        seen = observations(rows)
        shown = torch.from_numpy(seen if is_whole else FIELDS.to_float(seen))
        masks = np.random.default_rng(0).integers(0, 2, (rows, 3)).astype(np.int8)
        found = scores.best(shown, torch.from_numpy(masks))
        assert np.array_equal(found.numpy(), best_actions(by_numpy(seen), masks))
        assert agent.scores(FIELDS.to_float(seen)).tobytes() == scores._scores[:rows].numpy().tobytes()


def test_rules_run_as_kernels_where_there_are_some() -> None:
    game = load("pig")
    agent = Scorer(game, RULE, WEIGHTS)
    assert isinstance(scores_on(HostDevice(game), agent, FIELDS, 2), TensorScores)
    of_numpy = Scorer(game, lambda fields, weights: np.zeros((len(fields["rows"]), 3), np.float32), {})
    assert of_numpy.rule is None
    assert isinstance(scores_on(KernelsHere(), of_numpy, FIELDS, 2), TensorScores)


def test_joined_fields_are_what_was_split() -> None:
    for rows in (0, 1, 9):
        seen = observations(rows)
        assert np.array_equal(FIELDS.join(FIELDS.split(seen)), seen)
