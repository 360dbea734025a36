"""Policies in whole numbers of 8 bits answer nearly as in floats, and each row as it would alone."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import onnx
import pytest
import torch

from tests.training.small import PIG
from titan_env import agents, registry
from titan_env.agents import shipped
from titan_env.agents.policy import Policy
from titan_env.agents.quantized import quantize
from titan_env.engine.batch import Batch
from titan_env.extras import MissingExtra
from titan_env.training.export_policy import save_layers

pytestmark = pytest.mark.thorough

RACE = registry.load("titan_race")


def decisions(count: int = 400) -> Batch:
    """Games of four Titans, each some random decisions old."""
    batch = Batch(RACE, count, titans=4)
    batch.seed(0)
    batch.start()
    for taken in range(120):
        batch.step(batch.sample(), ~batch.over & (np.arange(count) % 120 > taken))
    return batch.select(np.flatnonzero(~batch.over))


@pytest.mark.parametrize("name", ["ppo@titan_race-v3", "ppo-advised@titan_race-v3"])
def test_a_policy_in_8_bits_nearly_always_plays_the_same(name: str) -> None:
    batch = decisions()
    exact, rounded = (agents.load(f"{name}:bits={bits}", RACE) for bits in (32, 8))
    assert isinstance(exact, Policy)
    assert isinstance(rounded, Policy)
    logits, values = exact.logits(batch.observations, batch.masks)
    near, worth = rounded.logits(batch.observations, batch.masks)
    assert not np.array_equal(near, logits)
    assert (near.argmax(axis=1) == logits.argmax(axis=1)).mean() > 0.97
    assert np.abs(worth - values).mean() < 0.02


def test_a_row_in_8_bits_is_answered_as_it_would_be_alone() -> None:
    batch = decisions(40)
    policy = Policy(RACE, shipped(RACE)["ppo@titan_race-v3"], bits=8)
    together, _ = policy.logits(batch.observations, batch.masks)
    alone = [policy.logits(batch.observations[i : i + 1], batch.masks[i : i + 1])[0][0] for i in range(len(together))]
    assert together == pytest.approx(np.array(alone), abs=1e-4)


def test_entries_beyond_one_are_told_apart(tmp_path: Path) -> None:
    layers = [torch.nn.Linear(PIG.rules.fields.size, size) for size in (len(PIG.rules.actions), 1)]
    save_layers(tmp_path / "policy.onnx", layers[:1], layers[1:], PIG, {})
    network = (tmp_path / "policy.onnx").read_bytes()
    steps = {}
    for largest in (1.0, 3.0, 4.0, 10.0):
        model = onnx.load_from_string(quantize(network, largest))
        step = next(onnx.numpy_helper.to_array(one) for one in model.graph.initializer if one.name == "step")
        assert largest / step + 64 <= 255
        steps[largest] = round(1 / float(step))
    assert steps == {1.0: 63, 3.0: 63, 4.0: 47, 10.0: 19}


def test_other_bits_other_networks_and_a_missing_package_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(ValueError, match="expected bits to be 8 or 32, got 4"):
        agents.load("ppo@titan_race-v3:bits=4", RACE)
    empty = onnx.helper.make_model(onnx.helper.make_graph([], "empty", [], []))
    with pytest.raises(ValueError, match="expected a policy whose first layers multiply its observations"):
        quantize(empty.SerializeToString(), 1.0)
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingExtra, match="expected onnx, which the extra training brings"):
        agents.load("ppo@titan_race-v3:bits=8", RACE)
