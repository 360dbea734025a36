"""Any network of PyTorch is written as a policy file by PyTorch's own exporter, or refused in one line."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import torch
from torch import nn

from tests.training.small import PIG
from titan_env import agents
from titan_env.agents.policy import Policy
from titan_env.engine.observation_view import ObservationView
from titan_env.training.export_policy import save_module

pytestmark = pytest.mark.thorough

FIELDS, ACTIONS = PIG.rules.fields.size, len(PIG.rules.actions)


class Attention(nn.Module):
    """A token for each number of the observation, and an embedding of the number of legal actions."""

    def __init__(self) -> None:
        super().__init__()
        self.tokens, self.legal = nn.Linear(1, 8), nn.Embedding(ACTIONS + 1, 8)
        self.layer = nn.TransformerEncoderLayer(8, 2, 16, dropout=0.5, batch_first=True)
        self.policy, self.value = nn.Linear(8, ACTIONS), nn.Linear(8, 1)

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        tokens = self.layer(self.tokens(observations[:, :, None])).mean(dim=1) + self.legal(masks.sum(dim=1))
        return self.policy(tokens), self.value(tokens)


class Branching(nn.Module):
    """A network whose layers hang on the numbers that it sees, which no exporter converts."""

    def __init__(self) -> None:
        super().__init__()
        self.layer = nn.Linear(FIELDS, ACTIONS)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        logits: torch.Tensor = self.layer(observations)
        return logits if observations.sum() > 1 else -logits


def test_a_network_with_attention_and_masks_plays_from_its_file_as_in_memory(tmp_path: Path) -> None:
    network = Attention()
    save_module(tmp_path / "policy.onnx", network, PIG, {"script": "mine"})
    assert network.training, "the module stays in the mode that it was in"
    policy = Policy(PIG, tmp_path / "policy.onnx")
    observations = np.random.default_rng(0).random((50, FIELDS), np.float32)
    masks = np.array([[1, 1], [1, 0]] * 25, np.int8)
    logits, values = policy.logits(observations, masks)
    with torch.no_grad():
        expected, worth = network.eval()(torch.from_numpy(observations), torch.from_numpy(masks).bool())
    assert logits[masks == 1] == pytest.approx(expected.numpy()[masks == 1], abs=1e-4)
    assert values == pytest.approx(worth[:, 0].clamp(-1, 1).numpy(), abs=1e-4)
    assert policy.made["script"] == "mine"
    with pytest.raises(ValueError, match="expected"):
        agents.load(f"policy:{tmp_path / 'policy.onnx'},bits=8", PIG)


def test_a_network_without_values_that_sees_some_fields_is_a_policy_too(tmp_path: Path) -> None:
    view = ObservationView(PIG, without=["points"])
    network = nn.Sequential(nn.Linear(view.layout.size, 4), nn.LayerNorm(4), nn.GELU(), nn.Linear(4, ACTIONS))
    save_module(tmp_path / "policy.onnx", network, PIG, {}, view)
    observations = np.random.default_rng(0).random((3, FIELDS), np.float32)
    logits, values = Policy(PIG, tmp_path / "policy.onnx").logits(observations, np.ones((3, ACTIONS), np.int8))
    with torch.no_grad():
        assert logits == pytest.approx(network(torch.from_numpy(view(observations))).numpy(), abs=1e-4)
    assert (values == 0).all()


@pytest.mark.parametrize(
    ("network", "reason"),
    [
        (nn.Linear(3, ACTIONS), r"expected a module that takes observations \(7, \d+\) .*cannot be multiplied .*"),
        (nn.Linear(FIELDS, ACTIONS + 1), r"expected logits and values of the shapes .*, got .*"),
        (nn.Linear(FIELDS, 1), r"expected logits and values of the shapes .*, got .*"),
        (Branching(), "expected a module that torch.onnx.export can convert, got .*"),
    ],
    ids=["inputs", "outputs", "one output", "branches"],
)
def test_a_network_that_cannot_play_is_refused_in_one_line_and_overwrites_nothing(
    network: nn.Module, reason: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]
) -> None:
    kept = tmp_path / "policy.onnx"
    kept.write_text("kept")
    with pytest.raises(ValueError, match=f"^{reason}$"):
        save_module(kept, network, PIG, {})
    assert kept.read_text() == "kept"
    assert not any(capfd.readouterr())


def test_a_network_with_weights_that_are_not_finite_is_refused(tmp_path: Path) -> None:
    network = nn.Linear(FIELDS, ACTIONS)
    with torch.no_grad():
        network.bias[0] = torch.nan
    with pytest.raises(ValueError, match="expected finite answers"):
        save_module(tmp_path / "policy.onnx", network, PIG, {})
    assert not list(tmp_path.iterdir())
