"""Networks written as policy files: small ONNX graphs with the schema of their observation."""

from __future__ import annotations

import contextlib
import copy
import inspect
import io
import json
import logging
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from titan_env.agents.policy import seal
from titan_env.contract import Game
from titan_env.engine.macro_view import MacroView
from titan_env.engine.observation_view import ObservationView
from titan_env.engine.schema import schema_of
from titan_env.extras import extra, needs
from titan_env.records.atomic_files import replace_atomically
from titan_env.training.network import FORBIDDEN, PolicyNetwork
from titan_env.training.onnx_graph import Graph
from titan_env.training.run_folder import versions

with extra("training"):
    import torch
    from torch import nn

_SAME = 1e-3
"""The difference between answers of a module and of its file that rounding explains."""
_MOST_LETTERS = 300  # of an exporter's reason


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
    view: ObservationView | MacroView | None = None,
) -> None:
    """Write layers as ONNX: inputs `observations` and `masks`, outputs `logits` and `values`, the latter in -1..1.

    `advised` is an adviser's name and the weights of its scores, which follow the observations, in the logits. `view`
    is what the layers see of the observation, None: all; with a `MacroView` they choose among its candidates.
    """
    with extra("training"):
        from onnx import helper

    view = ObservationView(game) if view is None else view
    seen, may = view.layout.size, view.macro.size if isinstance(view, MacroView) else len(game.rules.actions)
    graph = Graph()
    logits, worth = graph.through("observations", policy), graph.through("observations", value)
    if advised:
        adviser, trust = advised
        begin, end, axis = (graph.constant(np.array([n])) for n in (seen, seen + may, 1))
        advice = graph.node("Slice", "observations", begin, end, axis)
        logits = graph.node("Add", logits, graph.node("Mul", advice, graph.constant(trust.detach().cpu().numpy())))
    graph.node("Where", "masks", logits, graph.constant(np.float32(FORBIDDEN)), name="logits")
    clipped = graph.node("Clip", worth, graph.constant(np.float32(-1)), graph.constant(np.float32(1)))
    graph.node("Squeeze", clipped, graph.constant(np.array([1])), name="values")
    whole = graph.whole(seen + (may if advised else 0), may)
    model = helper.make_model(whole, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    _write(path, model, game, facts, view, {"adviser": adviser} if advised else {})


def save_module(
    path: Path, module: nn.Module, game: Game, facts: Mapping[str, Any], view: ObservationView | None = None
) -> None:
    """Write any module as a policy file, by PyTorch's own ONNX exporter.

    Its `forward` takes observations float32 (B, V), as `view` shows them (None: whole), and, as a second argument if it
    has one, masks bool (B, A); it returns logits (B, A), or these and values (B,) or (B, 1). Illegal actions need not
    be masked. The module stays as it is. Raises ValueError where shapes do not fit, weights are not finite, the
    exporter cannot convert the module, or the file would not answer as the module does; then nothing is written.
    """
    needs("export", "onnxscript")
    view = ObservationView(game) if view is None else view
    network = _Playable(copy.deepcopy(module).cpu()).eval()
    rng = torch.Generator().manual_seed(0)
    examples = [_example(view.layout.size, len(game.rules.actions), rows, rng) for rows in (7, 1, 5)]
    answers = [network.answers(*example) for example in examples]
    model = _converted(network, examples[0]).model_proto
    for example, answer in zip(examples, answers, strict=True):
        _check_same(model.SerializeToString(), example, answer)
    _write(path, model, game, facts, view, {})


class _Playable(nn.Module):
    """A module with the inputs and outputs of a policy file."""

    def __init__(self, module: nn.Module) -> None:
        super().__init__()
        self.module = module
        self.takes_masks = len(inspect.signature(module.forward).parameters) > 1

    def forward(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits (B, A), where illegal ones are `FORBIDDEN`, and values (B,), 0 where the module has none."""
        logits, values = self.outputs(observations, masks)
        return torch.where(masks, logits, FORBIDDEN), values.clamp(-1, 1)

    def outputs(self, observations: torch.Tensor, masks: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return the module's own logits and values."""
        outputs = self.module(observations, masks) if self.takes_masks else self.module(observations)
        logits, values = outputs if isinstance(outputs, tuple) else (outputs, observations[:, 0] * 0)
        return logits, values.reshape(-1)

    def answers(self, observations: torch.Tensor, masks: torch.Tensor) -> list[torch.Tensor]:
        """Return logits and values. Raises ValueError where their shapes do not fit or they are not finite."""
        sizes = f"observations {tuple(observations.shape)} and masks {tuple(masks.shape)}"
        try:
            with torch.no_grad():
                outputs = self.outputs(observations, masks)
        except Exception as error:
            raise ValueError(f"expected a module that takes {sizes}, got {_first_line(error)}") from None
        expected, got = ([tuple(each.shape) for each in tensors] for tensors in ([masks, masks[:, 0]], outputs))
        if got != expected:
            raise ValueError(f"expected logits and values of the shapes {expected} for {sizes}, got {got}")
        if not all(each.isfinite().all() for each in outputs):
            raise ValueError("expected finite answers, got some that are not: the training has gone astray")
        with torch.no_grad():
            return list(self(observations, masks))


def _converted(network: nn.Module, example: tuple[torch.Tensor, torch.Tensor]) -> Any:
    """Return a network as an ONNX program for any number of rows. Raises ValueError where PyTorch cannot convert it."""
    rows = torch.export.Dim("B")
    exporter = logging.getLogger("torch")
    level = exporter.level
    exporter.setLevel(logging.CRITICAL)  # of libraries that it does not need, and pages of a graph before an error
    try:
        with warnings.catch_warnings(action="ignore"), contextlib.redirect_stderr(io.StringIO()):
            return torch.onnx.export(
                network,
                example,
                input_names=["observations", "masks"],
                output_names=["logits", "values"],
                dynamic_shapes=({0: rows}, {0: rows}),
                dynamo=True,
                external_data=False,
                verbose=False,
            )
    except Exception as error:
        reason = _first_line(error.__cause__ or error)
        raise ValueError(f"expected a module that torch.onnx.export can convert, got {reason}") from None
    finally:
        exporter.setLevel(level)


def _example(inputs: int, actions: int, rows: int, rng: torch.Generator) -> tuple[torch.Tensor, torch.Tensor]:
    """Return random observations float32 (rows, inputs) in 0..1 and masks bool (rows, actions)."""
    masks = torch.rand(rows, actions, generator=rng) < 0.5
    masks[:, 0] = True
    return torch.rand(rows, inputs, generator=rng), masks


def _check_same(model: bytes, example: tuple[torch.Tensor, torch.Tensor], answers: list[torch.Tensor]) -> None:
    """Raise ValueError where an ONNX model does not run on an example or answers otherwise than the module did."""
    with extra("policy"):
        import onnxruntime
    try:
        session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        got = session.run(None, {"observations": example[0].numpy(), "masks": example[1].numpy()})
    except Exception as error:
        raise ValueError(f"expected a network that plays any number of games, got {_first_line(error)}") from None
    far = max(float(np.abs(mine - theirs.numpy()).max()) for mine, theirs in zip(got, answers, strict=True))
    if not far < _SAME:
        raise ValueError(f"expected the file to answer as the module does, got a difference of {far:g}")


def _first_line(error: BaseException) -> str:
    """Return the first line of an error with its type, at most `_MOST_LETTERS` letters."""
    return f"{type(error).__name__}: {str(error).strip().partition(chr(10))[0]}"[:_MOST_LETTERS]


def _write(
    path: Path,
    model: Any,
    game: Game,
    facts: Mapping[str, Any],
    view: ObservationView | MacroView,
    adviser: Mapping[str, str],
) -> None:
    """Write an ONNX model with the schema of its observation, what it sees of it, and how it was made, sealed."""
    from onnx import checker, helper

    about = {"schema": schema_of(game).to_json(), "made": json.dumps({**facts, "versions": versions()}), **adviser}
    if isinstance(view, MacroView) or not view.is_plain:
        about["view"] = json.dumps(view.choice)
    helper.set_model_props(model, about)
    checker.check_model(model)
    replace_atomically(path, lambda half: half.write_bytes(seal(model.SerializeToString())))
