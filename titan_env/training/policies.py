"""The network of the training scripts, and its conversion to and from a small ONNX file."""

from __future__ import annotations

import functools
import json
import os
import timeit
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn

from titan_env import agents
from titan_env.agents.policy import Policy, seal
from titan_env.agents.score_features import Adviser, input_size
from titan_env.contract import Game
from titan_env.engine.schema import Schema, SchemaMismatch, check, schema_of
from titan_env.evaluation.match import Proportion, win_rates
from titan_env.records.atomic_files import replace_atomically
from titan_env.training.onnx_graph import Graph
from titan_env.training.run_folder import CONFIG, versions

_FORBIDDEN = -1e8  # logit of an illegal action
_HIDDEN = ("0.weight", "0.bias", "2.weight", "2.bias")  # of two hidden layers, with an activation between
_SHARED = 4  # layers of a network whose policy and value share the hidden ones
_MUCH = 1.25  # the speed ratio that counts as faster: nearly equal times must not decide by chance
_PRECISIONS = {"bfloat16": torch.bfloat16, "float32": torch.float32}
TRUST = 4.0
"""The initial weight of an advice of 1 in a logit, by default."""


@functools.cache
def quick_dtype() -> torch.dtype:
    """Return the dtype of networks' multiplications: bfloat16 if it is supported and clearly faster, else float32.

    It is measured once: some processors take half the time of float32 for it, others twice as much. The variable
    ``TITAN_ENV_PRECISION`` (bfloat16 or float32) sets it instead, so that other programs' load cannot change a result.
    Raises ValueError for another word in it.
    """
    if said := os.environ.get("TITAN_ENV_PRECISION"):
        if said not in _PRECISIONS:
            raise ValueError(f"expected TITAN_ENV_PRECISION to be {' or '.join(_PRECISIONS)}, got {said!r}")
        return _PRECISIONS[said]
    known: Mapping[str, Any] = getattr(torch.cpu, "get_capabilities", dict)()
    if not known.get("avx512_bf16") and not known.get("amx_bf16"):
        return torch.float32
    quick = _seconds(torch.bfloat16) * _MUCH < _seconds(torch.float32)
    return torch.bfloat16 if quick else torch.float32


def _seconds(dtype: torch.dtype) -> float:
    """Measure the shortest time of several multiplications of a hidden layer's size."""
    rows, weights = torch.ones(1024, 512, dtype=dtype), torch.ones(512, 256, dtype=dtype)
    return min(timeit.repeat(lambda: rows @ weights, number=1, repeat=8))


def quick_precision() -> torch.autocast:
    """Return a context in which networks multiply in the dtype of `quick_dtype`."""
    return torch.autocast("cpu", torch.bfloat16, enabled=quick_dtype() == torch.bfloat16)


def _layer(inputs: int, outputs: int, gain: float) -> nn.Linear:
    """Return a linear layer with orthogonal weights and zero biases."""
    layer = nn.Linear(inputs, outputs)
    nn.init.orthogonal_(layer.weight, gain)
    nn.init.zeros_(layer.bias)
    return layer


def _hidden(inputs: int, width: int) -> nn.Sequential:
    """Return two hidden layers."""
    return nn.Sequential(_layer(inputs, width, 2**0.5), nn.ReLU(), _layer(width, width, 2**0.5), nn.ReLU())


class PolicyNetwork(nn.Module):
    """Two hidden layers, a masked policy and a value in -1..1, for any game's flat observation.

    With a `critic` the value has two hidden layers of its own. With an `adviser` the input also holds its scores of the
    actions, and the untrained policy follows them: a full score adds `trust` to a logit.
    """

    def __init__(
        self,
        inputs: int,
        actions: int,
        width: int = 128,
        adviser: Adviser | None = None,
        critic: bool = False,
        trust: float = TRUST,
    ) -> None:
        super().__init__()
        self.seen, self.adviser = inputs, adviser
        heard = inputs + (actions if adviser else 0)
        self.trunk = _hidden(heard, width)
        self.policy = _layer(width, actions, 0.01)
        self.value = _layer(width, 1, 1.0)
        self.critic = _hidden(heard, width) if critic else None
        if adviser:
            self.trust = nn.Parameter(torch.full((actions,), trust))

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return masked logits (B, A) and values (B,), float32, of observations (B, F) and boolean masks (B, A).

        With an adviser the observations are (B, F + A).
        """
        hidden = self.trunk(observations)
        judged = self.critic(observations) if self.critic else hidden
        return self._logits(hidden, observations, masks), self.value(judged).float()[:, 0].tanh()

    def logits(self, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        """Return the masked logits alone, (B, A)."""
        return self._logits(self.trunk(observations), observations, masks)

    def judged(self, observations: torch.Tensor) -> torch.Tensor:
        """Return the input of the value's last layer, (B, width)."""
        layers = self.critic or self.trunk
        hidden: torch.Tensor = layers(observations)
        return hidden

    def learned_apart(self) -> list[list[nn.Parameter]]:
        """Return groups of weights with independent gradients: all, or with a critic the policy's and the value's."""
        if not self.critic:
            return [list(self.parameters())]
        of_value = [*self.critic.parameters(), *self.value.parameters()]
        ids = {id(weights) for weights in of_value}
        return [[weights for weights in self.parameters() if id(weights) not in ids], of_value]

    def value_layers(self) -> list[nn.Module]:
        """Return the layers from the input to the value."""
        return [*(self.critic or self.trunk), self.value, nn.Tanh()]

    def _logits(self, hidden: torch.Tensor, observations: torch.Tensor, masks: torch.Tensor) -> torch.Tensor:
        logits = self.policy(hidden).float()
        if self.adviser:
            logits = logits + self.trust * observations[:, self.seen :].float()
        return logits.masked_fill(~masks, _FORBIDDEN)

    def told(self, observations: NDArray[np.float32], masks: NDArray[np.int8]) -> torch.Tensor:
        """Return the network's input: observations (B, F), with an adviser (B, F + A)."""
        return torch.from_numpy(
            self.adviser.augmented_observation(observations, masks) if self.adviser else observations
        )


def network_agent(network: PolicyNetwork, temperature: float = 0.0) -> Any:
    """Return an agent that plays the network: its best action, or one sampled at this temperature."""

    def act(observations: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        with torch.no_grad(), quick_precision():
            logits = network.logits(network.told(observations, masks), torch.from_numpy(masks != 0))
        scores = logits.numpy()
        if temperature > 0:
            scores = scores / temperature + rng.gumbel(size=scores.shape)
        chosen: NDArray[np.int64] = scores.argmax(1)
        return chosen

    return act


def wins(
    game: Game, agent: agents.Agent, name: str, tables: Collection[Mapping[str, Any]], seed: int, races: int = 400
) -> Proportion:
    """Return an agent's share of wins against another one at tables with these options."""
    pair = {"learner": agent, name: agents.load(name, game)}
    different = Counter(json.dumps(options) for options in tables)
    played = [
        win_rates(game, pair, -(-races * count // len(tables)), seed, **json.loads(table))["learner"]
        for table, count in different.items()
    ]
    return Proportion(sum(share.happened for share in played), sum(share.of for share in played))


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
    if not path.is_file():
        raise ValueError(f"expected a file of weights to start from, found no {path}")
    try:
        if path.suffix == ".onnx":
            return _policy_weights(path, game)
        weights: dict[str, torch.Tensor] = torch.load(path, weights_only=True)["network"]
        _shapes(weights)  # raises for anything but tensors
    except SchemaMismatch:
        raise
    except Exception as error:  # any error: damaged bytes raise anything
        raise ValueError(
            f"expected weights of {PolicyNetwork.__name__} in {path}, which is damaged or none: {error}"
        ) from None
    return dict(weights)


def _policy_weights(path: Path, game: Game) -> dict[str, torch.Tensor]:
    """Return the weights in a policy file written by `save_policy`."""
    import onnx

    model = onnx.load(path)
    facts = {fact.key: fact.value for fact in model.metadata_props}
    check(Schema.from_json(facts["schema"]), game)
    numbers = {constant.name: onnx.numpy_helper.to_array(constant) for constant in model.graph.initializer}
    casts = {node.output[0]: node.input[0] for node in model.graph.node if node.op_type == "Cast"}
    layers = [node for node in model.graph.node if node.op_type == "Gemm"]
    critic = ("critic.0", "critic.2") if len(layers) > _SHARED else ()
    weights = {
        f"{name}.{kind}": torch.from_numpy(numbers[casts[layer.input[place]]].astype(np.float32))
        for name, layer in zip(("trunk.0", "trunk.2", "policy", *critic, "value"), layers, strict=True)
        for place, kind in enumerate(("weight", "bias"), 1)
    }
    for node in model.graph.node:
        if node.op_type == "Mul":  # the adviser's scores times their weights
            weights["trust"] = torch.from_numpy(numbers[node.input[1]].copy())
    return weights


def save_policy(path: Path, network: PolicyNetwork, game: Game, facts: Mapping[str, Any]) -> None:
    """Write the network as ONNX, with the schema of its observation and `facts` about its training."""
    trunk: Any = network.trunk
    advised = (network.adviser.name, network.trust) if network.adviser else None
    save_layers(path, [*trunk, network.policy], network.value_layers(), game, facts, advised)


def save_layers(
    path: Path,
    policy: Sequence[nn.Module],
    value: Sequence[nn.Module],
    game: Game,
    facts: Mapping[str, Any],
    advised: tuple[str, torch.Tensor] | None = None,
) -> None:
    """Write layers as ONNX: inputs `observations` and `masks`, outputs `logits` and `values`, the latter in -1..1.

    `advised` is an adviser's name and the weights of its scores, which follow the observations, in the logits.
    """
    from onnx import checker, helper

    graph = Graph()
    logits, worth = graph.through("observations", policy), graph.through("observations", value)
    if advised:
        adviser, trust = advised
        begin, end, axis = (graph.constant(np.array([n])) for n in (game.rules.fields.size, input_size(game, True), 1))
        advice = graph.node("Slice", "observations", begin, end, axis)
        logits = graph.node("Add", logits, graph.node("Mul", advice, graph.constant(trust.detach().numpy())))
    graph.node("Where", "masks", logits, graph.constant(np.float32(_FORBIDDEN)), name="logits")
    clipped = graph.node("Clip", worth, graph.constant(np.float32(-1)), graph.constant(np.float32(1)))
    graph.node("Squeeze", clipped, graph.constant(np.array([1])), name="values")
    whole = graph.whole(input_size(game, advised is not None), len(game.rules.actions))
    model = helper.make_model(whole, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    about = {"schema": schema_of(game).to_json(), "made": json.dumps({**facts, "versions": versions()})}
    about |= {"adviser": adviser} if advised else {}
    helper.set_model_props(model, about)
    checker.check_model(model)
    replace_atomically(path, lambda half: half.write_bytes(seal(model.SerializeToString())))
