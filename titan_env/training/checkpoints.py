"""Networks read from policy files and from the checkpoints of their training."""

from __future__ import annotations

import io
import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from titan_env.agents.policy import Policy, is_sealed
from titan_env.agents.score_features import Adviser
from titan_env.contract import CHOICE, Game
from titan_env.engine.batch import Snapshot
from titan_env.engine.schema import Schema, check
from titan_env.extras import extra
from titan_env.records.sealed import expect_unpackable, reading, unseal, write_sealed
from titan_env.training.network import PolicyNetwork
from titan_env.training.run_folder import CONFIG

with extra("training"):
    import torch

_HIDDEN = ("0.weight", "0.bias", "2.weight", "2.bias")  # of two hidden layers, with an activation between
_SHARED = 4  # layers of a network whose policy and value share the hidden ones


def read_weights(
    path: Path, game: Game, width: int, adviser: Adviser | None = None, critic: bool = False
) -> dict[str, torch.Tensor]:
    """Return a network's weights from a policy of the game or from a checkpoint of its training.

    A critic that the file lacks begins as a copy of the policy's hidden layers. Raises ValueError for a file without
    such weights, or of another shape.
    """
    weights = _weights(path, game)
    if critic and not _has_critic(weights):
        weights |= {f"critic.{part}": weights[f"trunk.{part}"].clone() for part in _HIDDEN}
    needed = PolicyNetwork(game.rules.fields.size, len(game.rules.actions), width, adviser, critic).state_dict()
    if weights.keys() != needed.keys():
        wanted, found = _told_apart(needed, weights)
        asked = "pass --adviser, and --critic or --no-critic, as they were trained"
        raise ValueError(f"expected weights {wanted} in {path}, got some {found}; {asked}")
    if _shapes(weights) != _shapes(needed):
        got = _shapes(weights).get("trunk.0.bias", ("?",))[0]
        raise ValueError(f"expected weights for {game.id} and width {width} in {path}, got width {got}; pass --width")
    return weights


class Shape(NamedTuple):
    """The shape of a network, as needed to take over its weights."""

    width: int
    adviser: str  # its name, or nothing
    critic: bool


def shape_of(path: Path, game: Game) -> Shape:
    """Return the shape of the network in a file. Raises ValueError for a file without weights.

    A checkpoint's adviser is named in the config next to it; without one it is the game's own.
    """
    weights = _weights(path, game)
    adviser = _heard(path, game) if "trust" in weights else ""
    return Shape(len(weights["trunk.0.bias"]), adviser, _has_critic(weights))


def _heard(path: Path, game: Game) -> str:
    """Return the name of the adviser of an advised network in a file; "" for none."""
    if path.suffix == ".onnx":
        adviser = Policy(game, path).adviser
        return adviser.name if adviser else ""
    config = path.with_name(CONFIG)
    chosen = json.loads(config.read_text("utf-8")).get("config", {}) if config.is_file() else {}
    return str(chosen.get("adviser", game.metadata.adviser))


def read_network(path: Path, game: Game) -> PolicyNetwork:
    """Return the network of a policy of the game. Raises ValueError for a file without one."""
    shape = shape_of(path, game)
    adviser = Adviser(shape.adviser, game) if shape.adviser else None
    network = PolicyNetwork(game.rules.fields.size, len(game.rules.actions), shape.width, adviser, shape.critic)
    network.load_state_dict(_weights(path, game))
    return network


def _has_critic(weights: Mapping[str, torch.Tensor]) -> bool:
    return "critic.0.weight" in weights


def _told_apart(*kinds: Mapping[str, torch.Tensor]) -> list[str]:
    """Return the parts in which two sets of weights differ, in words, for each of them."""
    has = [{"an adviser": "trust" in weights, "a critic": _has_critic(weights)} for weights in kinds]
    differ = [part for part in has[0] if has[0][part] != has[1][part]]
    return [" and ".join(f"{'with' if own[part] else 'without'} {part}" for part in differ) for own in has]


def _shapes(weights: Mapping[str, torch.Tensor]) -> dict[str, tuple[int, ...]]:
    return {name: tuple(tensor.shape) for name, tensor in weights.items()}


def _weights(path: Path, game: Game) -> dict[str, torch.Tensor]:
    """Return the weights in a file. Raises ValueError if it is missing or damaged, or has none."""
    with reading("a file of weights", path, "start from another one"):
        if path.suffix != ".onnx":
            weights: dict[str, torch.Tensor] = dict(load_sealed(path)["network"])
            _shapes(weights)  # raises for anything but tensors
            return weights
        schema, weights = _policy_weights(path.read_bytes())
    check(schema, game)
    return weights


def records_as_tensors(snapshot: Snapshot) -> dict[str, torch.Tensor]:
    """Return the records of games in progress as bytes, uint8, by name."""
    names = ("states", "luck", "choices", "templates")
    return {name: torch.frombuffer(bytearray(getattr(snapshot, name)), dtype=torch.uint8) for name in names}


def records_of_tensors(saved: Mapping[str, torch.Tensor], game: Game) -> dict[str, Any]:
    """Return the records of a game that `records_as_tensors` has made bytes of, by name. Raises an error for others."""
    rules = game.rules
    dtypes = {"states": rules.state, "luck": rules.luck, "choices": CHOICE, "templates": rules.state}
    return {
        name: np.frombuffer(saved[name].numpy().tobytes(), dtype).view(np.recarray) for name, dtype in dtypes.items()
    }


def save_sealed(path: Path, content: Any) -> None:
    """Write tensors and numbers as `torch.save` does, with a digest at the end, atomically."""
    data = io.BytesIO()
    torch.save(content, data)
    write_sealed(path, data.getvalue())


def load_sealed(path: Path) -> Any:
    """Return what `save_sealed` has written; use it within `titan_env.records.sealed.reading`."""
    data = unseal(path.read_bytes())
    expect_unpackable(data)
    return torch.load(io.BytesIO(data), map_location="cpu", weights_only=True)


def _policy_weights(data: bytes) -> tuple[Schema, dict[str, torch.Tensor]]:
    """Return the schema and the weights in the bytes of a policy file written by `save_policy`."""
    with extra("training"):
        import onnx

    if not is_sealed(data):
        raise ValueError("it does not end in its checksum, or was not saved here")
    model = onnx.load_from_string(data)
    facts = {fact.key: fact.value for fact in model.metadata_props}
    numbers = {constant.name: onnx.numpy_helper.to_array(constant) for constant in model.graph.initializer}
    casts = {node.output[0]: node.input[0] for node in model.graph.node if node.op_type == "Cast"}
    layers = [node for node in model.graph.node if node.op_type == "Gemm"]
    critic = ("critic.0", "critic.2") if len(layers) > _SHARED else ()
    weights = {
        f"{name}.{kind}": torch.from_numpy(numbers[casts[layer.input[i]]].astype(np.float32))
        for name, layer in zip(("trunk.0", "trunk.2", "policy", *critic, "value"), layers, strict=True)
        for i, kind in enumerate(("weight", "bias"), 1)
    }
    for node in model.graph.node:
        if node.op_type == "Mul":  # the adviser's scores times their weights
            weights["trust"] = torch.from_numpy(numbers[node.input[1]].copy())
    return Schema.from_json(facts["schema"]), weights
