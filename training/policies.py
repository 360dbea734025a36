"""The network that the training scripts share, and how it is saved as a small ONNX file."""

from __future__ import annotations

import importlib.metadata
import json
import platform
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from titan_env.contract import Game
from titan_env.schema import Schema, check, schema_of

_FORBIDDEN = -1e8  # logit of an illegal action


class Network(nn.Module):
    """Two hidden layers, a masked policy and a value in -1..1, for any game's flat observation."""

    def __init__(self, inputs: int, actions: int, width: int = 256) -> None:
        super().__init__()
        self.trunk = nn.Sequential(nn.Linear(inputs, width), nn.ReLU(), nn.Linear(width, width), nn.ReLU())
        self.policy = nn.Linear(width, actions)
        self.value = nn.Linear(width, 1)
        for layer, gain in ((self.trunk[0], 2**0.5), (self.trunk[2], 2**0.5), (self.policy, 0.01), (self.value, 1.0)):
            nn.init.orthogonal_(layer.weight, gain)  # type: ignore[arg-type]
            nn.init.zeros_(layer.bias)  # type: ignore[arg-type]

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Masked logits (B, A) and values (B,), both float32, of observations (B, F) and boolean masks (B, A)."""
        hidden = self.trunk(observations)
        logits = self.policy(hidden).float().masked_fill(~masks, _FORBIDDEN)
        return logits, self.value(hidden).float()[:, 0].tanh()


def network_agent(network: Network, temperature: float = 0.0) -> Any:
    """An agent that plays the network: its best action, or one drawn at this temperature."""

    def act(observations: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            logits, _ = network(torch.from_numpy(observations), torch.from_numpy(masks).bool())
        scores = logits.numpy()
        if temperature > 0:
            scores = scores / temperature + rng.gumbel(size=scores.shape)
        chosen: NDArray[np.int64] = scores.argmax(1)
        return chosen

    return act


def versions() -> dict[str, str]:
    """What a result was made with."""
    packages = ("titan_env", "numpy", "numba", "torch")
    return {"python": platform.python_version(), **{name: importlib.metadata.version(name) for name in packages}}


def write_run(path: Path, config: Mapping[str, Any], game: Game) -> None:
    """Write the config of a run, with versions and the schema of the observation that it learns from."""
    made = {"config": config, "versions": versions(), "observation": json.loads(schema_of(game).to_json())}
    path.write_text(json.dumps(made, indent=1))


def read_run(path: Path, game_of: Callable[[str], Game]) -> dict[str, Any]:
    """The config of a run. Raises ValueError where it is missing or damaged, or its observation is another one."""
    if not path.exists():
        raise ValueError(f"expected the config of a run to resume, found no {path}")
    try:
        stored = json.loads(path.read_text())
        config: dict[str, Any] = stored["config"]
        game, schema = game_of(config["game"]), Schema.from_json(json.dumps(stored["observation"]))
    except (json.JSONDecodeError, KeyError, TypeError) as error:
        raise ValueError(f"expected the config of a run in {path}, which is damaged: {error!r}") from None
    check(schema, game)
    return config


def save_policy(path: Path, network: Network, game: Game, facts: Mapping[str, Any]) -> None:
    """Write the network as ONNX: inputs `observations` and `masks`, outputs `logits` and `values`.

    Weights are kept in half precision, which halves the file. The observation's schema and `facts` on
    how it was made travel inside.
    """
    from onnx import TensorProto, checker, helper, save_model

    half: dict[str, NDArray[np.float16]] = {
        name: tensor.numpy().astype(np.float16) for name, tensor in network.state_dict().items()
    }
    nodes = [helper.make_node("Cast", [f"{name}.half"], [name], to=TensorProto.FLOAT) for name in half]
    flow = "observations"
    for layer in ("trunk.0", "trunk.2"):
        nodes.append(helper.make_node("Gemm", [flow, f"{layer}.weight", f"{layer}.bias"], [f"{layer}.sum"], transB=1))
        nodes.append(helper.make_node("Relu", [f"{layer}.sum"], [f"{layer}.out"]))
        flow = f"{layer}.out"
    for head in ("policy", "value"):
        nodes.append(helper.make_node("Gemm", [flow, f"{head}.weight", f"{head}.bias"], [f"{head}.sum"], transB=1))
    nodes.append(helper.make_node("Where", ["masks", "policy.sum", "forbidden"], ["logits"]))
    nodes.append(helper.make_node("Tanh", ["value.sum"], ["value.out"]))
    nodes.append(helper.make_node("Squeeze", ["value.out", "last"], ["values"]))
    constants = [
        *(
            helper.make_tensor(f"{n}.half", TensorProto.FLOAT16, w.shape, w.tobytes(), raw=True)
            for n, w in half.items()
        ),
        helper.make_tensor("forbidden", TensorProto.FLOAT, [], [_FORBIDDEN]),
        helper.make_tensor("last", TensorProto.INT64, [1], [1]),
    ]
    inputs = [
        helper.make_tensor_value_info("observations", TensorProto.FLOAT, ["B", game.fields.size]),
        helper.make_tensor_value_info("masks", TensorProto.BOOL, ["B", len(game.actions)]),
    ]
    outputs = [
        helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["B", len(game.actions)]),
        helper.make_tensor_value_info("values", TensorProto.FLOAT, ["B"]),
    ]
    graph = helper.make_graph(nodes, "policy", inputs, outputs, constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    helper.set_model_props(
        model, {"schema": schema_of(game).to_json(), "made": json.dumps({**facts, "versions": versions()})}
    )
    checker.check_model(model)
    save_model(model, str(path))
