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

from titan_env.agents.policy import MEMORY, seal
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
_INPUTS = ("observations", "masks")
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
    path: Path,
    module: nn.Module,
    game: Game,
    facts: Mapping[str, Any],
    view: ObservationView | None = None,
    memory: Sequence[int] = (),
) -> None:
    """Write any module as a policy file, by PyTorch's own ONNX exporter.

    Its `forward` takes observations float32 (B, V), as `view` shows them (None: whole), and, as a second argument if it
    has one, masks bool (B, A); it returns logits (B, A), or these and values (B,) or (B, 1). Illegal actions need not
    be masked. One that remembers takes what it remembers, float32 (B, *memory), as a further, last argument, and
    returns it at last, for the seat's next decision; at the beginning of a game it is 0. The module stays as it is.
    Raises ValueError where shapes do not fit, weights are not finite, the exporter cannot convert the module, or the
    file would not answer as the module does; then nothing is written.
    """
    needs("export", "onnxscript")
    view = ObservationView(game) if view is None else view
    network = Playable(copy.deepcopy(module).cpu(), memory).eval()
    rng = torch.Generator().manual_seed(0)
    examples = [_example(view.layout.size, len(game.rules.actions), memory, rows, rng) for rows in (7, 1, 5)]
    answers = [network.answers(*example) for example in examples]
    model = _converted(network, examples[0]).model_proto
    for example, answer in zip(examples, answers, strict=True):
        _check_same(model.SerializeToString(), example, answer)
    _write(path, model, game, facts, view, {})


class Playable(nn.Module):
    """A module with the inputs and outputs of a policy file, whose shape of memory is () if it remembers nothing."""

    def __init__(self, module: nn.Module, memory: Sequence[int] = ()) -> None:
        super().__init__()
        self.module, self.memory = module, tuple(memory)
        self.takes_masks = len(inspect.signature(module.forward).parameters) > 1 + bool(memory)

    def forward(
        self, observations: torch.Tensor, masks: torch.Tensor, *memory: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """Return logits (B, A), `FORBIDDEN` for illegal actions, values (B,), 0 without any, and the memory."""
        logits, values, *after = self.outputs(observations, masks, *memory)
        return torch.where(masks, logits, FORBIDDEN), values.clamp(-1, 1), *after

    def outputs(
        self, observations: torch.Tensor, masks: torch.Tensor, *memory: torch.Tensor
    ) -> tuple[torch.Tensor, ...]:
        """Return the module's own logits, values, and what it remembers."""
        seen = [observations, masks] if self.takes_masks else [observations]
        outputs = self.module(*seen, *memory)
        logits, *others = outputs if isinstance(outputs, tuple) else (outputs,)
        values = others.pop(0) if len(others) > len(memory) else observations[:, 0] * 0
        return logits, values.reshape(-1), *others

    def answers(self, *inputs: torch.Tensor) -> list[torch.Tensor]:
        """Return all outputs. Raises ValueError where their shapes do not fit or they are not finite."""
        names = [*_INPUTS, *MEMORY[:1]]
        sizes = " and ".join(f"{name} {tuple(each.shape)}" for name, each in zip(names, inputs, strict=False))
        try:
            with torch.no_grad():
                outputs = self.outputs(*inputs)
        except Exception as error:
            raise ValueError(f"expected a module that takes {sizes}, got {_first_line(error)}") from None
        masks = inputs[1]
        expected, got = ([tuple(each.shape) for each in all_] for all_ in ([masks, masks[:, 0], *inputs[2:]], outputs))
        if got != expected:
            what = "logits, values and memory" if self.memory else "logits and values"
            raise ValueError(f"expected {what} of the shapes {expected} for {sizes}, got {got}")
        if not all(each.isfinite().all() for each in outputs):
            raise ValueError("expected finite answers, got some that are not: the training has gone astray")
        with torch.no_grad():
            return list(self(*inputs))


def _converted(network: Playable, example: Sequence[torch.Tensor]) -> Any:
    """Return a network as an ONNX program for any number of rows. Raises ValueError where PyTorch cannot convert it."""
    rows: Any = torch.export.Dim("B")
    exporter = logging.getLogger("torch")
    level = exporter.level
    exporter.setLevel(logging.CRITICAL)  # of libraries that it does not need, and pages of a graph before an error
    remembered = len(example) - len(_INPUTS)
    try:
        with warnings.catch_warnings(action="ignore"), contextlib.redirect_stderr(io.StringIO()):
            return torch.onnx.export(
                network,
                tuple(example),
                input_names=[*_INPUTS, *MEMORY[:remembered]],
                output_names=["logits", "values", *MEMORY[1:][:remembered]],
                dynamic_shapes=({0: rows}, {0: rows}, *[({0: rows},)] * remembered),
                dynamo=True,
                external_data=False,
                verbose=False,
            )
    except Exception as error:
        reason = _first_line(error.__cause__ or error)
        raise ValueError(f"expected a module that torch.onnx.export can convert, got {reason}") from None
    finally:
        exporter.setLevel(level)


def _example(
    inputs: int, actions: int, memory: Sequence[int], rows: int, rng: torch.Generator
) -> tuple[torch.Tensor, ...]:
    """Return random observations float32 (rows, inputs) in 0..1, masks bool (rows, actions), and a memory if any."""
    masks = torch.rand(rows, actions, generator=rng) < 0.5
    masks[:, 0] = True
    remembered = [torch.rand(rows, *memory, generator=rng)] if memory else []
    return torch.rand(rows, inputs, generator=rng), masks, *remembered


def _check_same(model: bytes, example: Sequence[torch.Tensor], answers: list[torch.Tensor]) -> None:
    """Raise ValueError where an ONNX model does not run on an example or answers otherwise than the module did."""
    with extra("policy"):
        import onnxruntime
    try:
        session = onnxruntime.InferenceSession(model, providers=["CPUExecutionProvider"])
        names = [end.name for end in session.get_inputs()]
        got = session.run(None, {name: each.numpy() for name, each in zip(names, example, strict=True)})
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
