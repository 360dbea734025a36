"""A value that is fitted to games among equals promises what they come to, and changes nothing else."""

from __future__ import annotations

from dataclasses import asdict
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.training import scripts
from tests.training.small import PIG, SMALL
from titan_env.agents.policy import Policy
from titan_env.evaluation.reports.calibration import promises
from titan_env.training import fit_value
from titan_env.training.export_policy import save_policy
from titan_env.training.network import PolicyNetwork

pytestmark = pytest.mark.thorough

run = partial(scripts.run, fit_value.main)


@pytest.fixture
def hopeful(tmp_path: Path) -> Path:
    """A policy that promises everybody a win."""
    network = PolicyNetwork(PIG.rules.fields.size, len(PIG.rules.actions), 16)
    with torch.no_grad():
        network.value.bias[0] = 2.0
    path = tmp_path / "hopeful.onnx"
    save_policy(path, network, PIG, {"config": asdict(SMALL) | {"reward": "rank"}, "seconds": 1})
    return path


def test_a_fitted_value_promises_all_seats_together_what_there_is_to_win(hopeful: Path, tmp_path: Path) -> None:
    out = tmp_path / "fitted"
    code, output = run("--start", str(hopeful), "--game", "pig", "--games", "200", "--out", str(out))
    assert code == 0, output
    before, after = Policy(PIG, hopeful), Policy(PIG, out / "policy.onnx")
    assert promises(PIG, before, 100, seed=7).sums.mean() > 1.5
    assert abs(promises(PIG, after, 100, seed=7).sums.mean()) < 0.2
    assert after.reward == before.reward == "rank"
    assert after.made["before"] == before.made
    observations, masks = (
        np.random.default_rng(0).random((50, PIG.rules.fields.size), np.float32),
        np.ones((50, 2), np.int8),
    )
    assert (after.logits(observations, masks)[0] == before.logits(observations, masks)[0]).all()


def test_nothing_is_written_over_and_what_is_no_policy_is_refused(hopeful: Path, tmp_path: Path) -> None:
    out = tmp_path / "fitted"
    out.mkdir()
    (out / "policy.onnx").write_text("mine")
    code, output = run("--start", str(hopeful), "--game", "pig", "--out", str(out))
    assert (code, (out / "policy.onnx").read_text()) == (2, "mine")
    assert "expected a new file" in output
    missing = run("--start", str(tmp_path / "none.onnx"), "--game", "pig", "--out", str(tmp_path / "other"))
    assert missing[0] == 2
    assert "expected the file of a policy" in missing[1]
    assert not (tmp_path / "other").exists()
