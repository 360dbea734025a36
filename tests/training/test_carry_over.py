"""A policy of an earlier version of its game is the same function in a later one that has more at the end."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import onnxruntime
import pytest
import torch

from tests.training.small import PIG
from titan_env.agents.policy import Policy
from titan_env.contract import ActionTable, Fields
from titan_env.engine.observation_view import ObservationView
from titan_env.training.carry_over import carry_over
from titan_env.training.export_policy import save_layers

SEEN, MAY = PIG.rules.fields.size, len(PIG.rules.actions)
EARLIER = replace(
    PIG,
    rules=replace(
        PIG.rules, fields=Fields(PIG.rules.fields.parts[:-1]), actions=ActionTable(PIG.rules.actions.texts[:-1])
    ),
)
SAW, MIGHT = EARLIER.rules.fields.size, len(EARLIER.rules.actions)


def earlier_policy(path: Path, *, advised: bool = False) -> None:
    """Write a policy of a game without the last field and the last action."""
    torch.manual_seed(0)
    takes = SAW + MIGHT * advised
    trunk = [torch.nn.Linear(takes, 8), torch.nn.ReLU()]
    advice = ("random", torch.rand(MIGHT)) if advised else None
    save_layers(path, [*trunk, torch.nn.Linear(8, MIGHT)], [*trunk, torch.nn.Linear(8, 1)], EARLIER, {}, advice)


def answers(path: Path, observations: np.ndarray, masks: np.ndarray) -> list[np.ndarray]:
    """The logits and values of the network in a file."""
    session = onnxruntime.InferenceSession(path.read_bytes())
    return session.run(None, {"observations": observations, "masks": masks})


@pytest.mark.parametrize("advised", [False, True])
def test_where_nothing_new_is_seen_it_is_the_same_function(advised: bool, tmp_path: Path) -> None:
    old, new = tmp_path / "old.onnx", tmp_path / "new.onnx"
    earlier_policy(old, advised=advised)
    carry_over(old, PIG, new)
    rng = np.random.default_rng(0)
    before = rng.random((20, SAW + MIGHT * advised), np.float32)
    now = np.zeros((20, SEEN + MAY * advised), np.float32)
    now[:, :SAW] = before[:, :SAW]
    now[:, SEEN : SEEN + MIGHT * advised] = before[:, SAW:]
    masks = np.arange(MAY)[None] < np.full((20, 1), MIGHT)
    logits, values = answers(old, before, masks[:, :MIGHT])
    carried, worth = answers(new, now, masks)
    assert carried[:, :MIGHT] == pytest.approx(logits)
    assert worth == pytest.approx(values)


def test_it_is_a_policy_of_the_later_version_that_says_where_it_comes_from(tmp_path: Path) -> None:
    earlier_policy(tmp_path / "old.onnx")
    carry_over(tmp_path / "old.onnx", PIG, tmp_path / "new.onnx")
    assert Policy(PIG, tmp_path / "new.onnx").made["carried_from"] == EARLIER.id


def test_what_cannot_be_carried_over_is_refused_and_nothing_written(tmp_path: Path) -> None:
    earlier_policy(tmp_path / "old.onnx")
    view = ObservationView(PIG, without=["points"])
    layers = [torch.nn.Linear(view.layout.size, size) for size in (MAY, 1)]
    save_layers(tmp_path / "part.onnx", layers[:1], layers[1:], PIG, {}, view=view)
    (tmp_path / "other.onnx").write_bytes(b"no policy")
    shorter = replace(EARLIER, rules=replace(EARLIER.rules, fields=Fields(PIG.rules.fields.parts[:-2])))
    out = tmp_path / "new.onnx"
    for file, game, reason in (
        ("old.onnx", shorter, "expected fields and actions with which those of pig_v"),
        ("old.onnx", replace(PIG, name="heap"), "expected a policy for heap, got one for pig_v"),
        ("part.onnx", PIG, "got one with a view; train it anew"),
        ("other.onnx", PIG, "expected a policy that ends in its checksum"),
    ):
        with pytest.raises(ValueError, match=reason):
            carry_over(tmp_path / file, game, out)
        assert not out.exists()
