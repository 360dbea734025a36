"""Policies as files play as their network did, and say what is wrong with them; a network is measured at its tables."""

from __future__ import annotations

import math
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import onnx
import pytest
import torch

from tests.training.small import PIG
from titan_env import agents, registry
from titan_env.agents.policy import Policy, seal
from titan_env.engine.observation_view import ObservationView
from titan_env.engine.schema import SchemaMismatch
from titan_env.evaluation.matches.match import Proportion
from titan_env.training import network as networks
from titan_env.training.export_policy import save_layers, save_policy
from titan_env.training.network import PolicyNetwork, wins
from titan_env.training.ppo_config import Config


def test_a_saved_policy_plays_like_its_network(tmp_path: Path) -> None:
    network = PolicyNetwork(PIG.rules.fields.size, len(PIG.rules.actions), 16)
    save_policy(tmp_path / "policy.onnx", network, PIG, {"script": "test"})
    policy = agents.load(f"policy:{tmp_path / 'policy.onnx'}", PIG)
    rng = np.random.default_rng(0)
    observations = rng.random((50, PIG.rules.fields.size), np.float32)
    masks = np.array([[1, 1], [1, 0]] * 25, np.int8)
    probabilities, values = policy.policy(observations, masks)  # type: ignore[attr-defined]
    with torch.no_grad():
        logits, expected = network(torch.from_numpy(observations), torch.from_numpy(masks).bool())
    assert probabilities == pytest.approx(torch.softmax(logits, 1).numpy(), abs=2e-3)
    assert values == pytest.approx(expected.numpy(), abs=2e-3)
    assert (policy(observations, masks, rng)[1::2] == 0).all()


def test_a_policy_of_some_fields_is_given_whole_observations_and_sees_those(tmp_path: Path) -> None:
    view = ObservationView(PIG, without=["points", "goal"])
    layers = [torch.nn.Linear(view.layout.size, size) for size in (len(PIG.rules.actions), 1)]
    save_layers(tmp_path / "policy.onnx", layers[:1], layers[1:], PIG, {}, view=view)
    policy = Policy(PIG, tmp_path / "policy.onnx")
    observations = np.random.default_rng(0).random((50, PIG.rules.fields.size), np.float32)
    logits, _ = policy.logits(observations, np.ones((50, len(PIG.rules.actions)), np.int8))
    with torch.no_grad():
        assert logits == pytest.approx(layers[0](torch.from_numpy(view(observations))).numpy(), abs=2e-3)


def test_a_view_of_fields_that_are_not_there_is_refused(tmp_path: Path) -> None:
    view = ObservationView(PIG, fields=["heap"])
    view.choice["fields"] = ["hoop"]
    layer = torch.nn.Linear(1, 1)
    save_layers(tmp_path / "policy.onnx", [layer], [layer], PIG, {}, view=view)
    with pytest.raises(ValueError, match=r"expected the view of a policy as JSON, got .*hoop"):
        Policy(PIG, tmp_path / "policy.onnx")


def test_weights_that_are_not_finite_are_not_saved(tmp_path: Path) -> None:
    network = PolicyNetwork(PIG.rules.fields.size, len(PIG.rules.actions), 16)
    for weight in (math.nan, math.inf, 1e6):  # the last one is infinite in half precision
        with torch.no_grad():
            network.value.bias[0] = weight
        with pytest.raises(ValueError, match="expected finite weights"):
            save_policy(tmp_path / "policy.onnx", network, PIG, {})
    assert not (tmp_path / "policy.onnx").exists()


def test_all_games_share_the_session_of_a_policy(tmp_path: Path) -> None:
    path = tmp_path / "policy.onnx"
    save_policy(path, PolicyNetwork(PIG.rules.fields.size, len(PIG.rules.actions), 16), PIG, {})
    policies = [Policy(PIG, path) for _ in range(100)]
    assert len({id(policy._session) for policy in policies}) == 1


def assert_damage_is_told(path: Path) -> None:
    """Another output than that of a policy, and unreadable facts, are found when the file is loaded."""
    for damage, complaint in {
        "values": "expected a policy with .*values 1.*got .*value 1",
        "made": "as JSON in",
        "nested": "as JSON in .*which is damaged: maximum recursion",
        "deep": "expected an observation schema as JSON",
        "weights": "expected finite weights",
    }.items():
        model, damaged = onnx.load(path), path.with_name("damaged.onnx")
        if damage == "made":
            next(fact for fact in model.metadata_props if fact.key == "made").value = "{"
        elif damage == "nested":
            facts = '{"config": ' * 100_000 + "1" + "}" * 100_000
            next(fact for fact in model.metadata_props if fact.key == "made").value = facts
        elif damage == "deep":
            next(fact for fact in model.metadata_props if fact.key == "schema").value = "[" * 100_000
        elif damage == "weights":
            weights = next(part for part in model.graph.initializer if part.data_type == onnx.TensorProto.FLOAT16)
            weights.raw_data = np.full(len(weights.raw_data) // 2, np.nan, np.float16).tobytes()
        else:
            model.graph.node[-1].output[0] = model.graph.output[1].name = "value"
        damaged.write_bytes(seal(model.SerializeToString()))
        with pytest.raises(ValueError, match=complaint):
            agents.load(f"policy:{damaged}", PIG)
    for temperature in (-1, math.nan, math.inf, 1e-300):
        with pytest.raises(ValueError, match="expected a temperature of 0, or from"):
            Policy(PIG, path, temperature)


@pytest.mark.thorough
def test_a_policy_needs_no_torch_and_says_what_is_wrong_with_its_file(tmp_path: Path) -> None:
    path = tmp_path / "policy.onnx"
    save_policy(path, PolicyNetwork(PIG.rules.fields.size, len(PIG.rules.actions), 16), PIG, {})
    line = (
        "import sys, titan_env, tests.games.pig as pig; "
        f"titan_env.agents.load('policy:{path}', pig.GAME); assert 'torch' not in sys.modules"
    )
    subprocess.run([sys.executable, "-c", line], check=True)
    with pytest.raises(SchemaMismatch, match="made for pig_v0, asked to play titan_race_v3"):
        agents.load(f"policy:{path}", registry.load("titan_race"))
    assert_damage_is_told(path)
    whole = path.read_bytes()
    rng = np.random.default_rng(0)
    changed = [bytearray(whole) for _ in range(20)]
    for data in changed:
        data[rng.integers(len(whole))] ^= 1
    for data in (*changed, whole[:-1000], b"", b"nonsense", whole + b"?"):
        path.write_bytes(data)
        with pytest.raises(ValueError, match="is damaged, or was not saved here"):
            agents.load(f"policy:{path}", PIG)
    with pytest.raises(ValueError, match="found no"):
        agents.load("policy:nowhere.onnx", PIG)
    with pytest.raises(ValueError, match="expected a policy among"):
        agents.load("best@pig-v0", PIG)


def test_networks_multiply_in_bfloat16_only_where_a_try_of_it_was_much_quicker_or_as_one_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried: dict[torch.dtype, float] = {torch.float32: 1.0}
    monkeypatch.setattr(networks, "_seconds", tried.__getitem__)
    knows = {"avx512_bf16": True}
    monkeypatch.setattr(torch.cpu, "get_capabilities", lambda: knows, raising=False)
    for seconds, chosen in ((0.3, torch.bfloat16), (0.95, torch.float32), (2.0, torch.float32)):
        tried[torch.bfloat16] = seconds
        assert networks.quick_dtype.__wrapped__("cpu") == chosen
    tried[torch.bfloat16] = 0.3
    monkeypatch.setenv("TITAN_ENV_PRECISION", "float32")
    assert networks.quick_dtype.__wrapped__("cpu") == torch.float32
    monkeypatch.setenv("TITAN_ENV_PRECISION", "float16")
    with pytest.raises(ValueError, match="expected TITAN_ENV_PRECISION to be bfloat16 or float32, got 'float16'"):
        networks.quick_dtype.__wrapped__("cpu")
    monkeypatch.delenv("TITAN_ENV_PRECISION")
    knows.clear()
    assert networks.quick_dtype.__wrapped__("cpu") == torch.float32


def test_a_run_is_measured_in_400_games_at_the_tables_that_it_learns_at(monkeypatch: pytest.MonkeyPatch) -> None:
    """A value that is given twice, as 2 and 4 players here, makes no table of its own."""
    measured = []

    def win_every_game(game: Any, pair: Any, games: int, seed: int, **options: Any) -> dict[str, Proportion]:
        measured.append((options, games))
        return {"learner": Proportion(games, games)}

    monkeypatch.setattr(networks, "win_rates", win_every_game)
    config = Config(game="pig", vary={"goal": [10, 20], "players": [2, 2, 4, 4]}, num_envs=64)
    assert wins(PIG, agents.load("random", PIG), "random", config.dealt(), seed=0).of == 400
    assert measured == [
        ({"goal": 10, "players": 2}, 100),
        ({"goal": 10, "players": 4}, 100),
        ({"goal": 20, "players": 2}, 100),
        ({"goal": 20, "players": 4}, 100),
    ]
