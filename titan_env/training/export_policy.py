"""Networks written as policy files: small ONNX graphs with the schema of their observation."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

from titan_env.agents.policy import seal
from titan_env.contract import Game
from titan_env.engine.macro_view import MacroView
from titan_env.engine.observation_view import ObservationView
from titan_env.engine.schema import schema_of
from titan_env.extras import extra
from titan_env.records.atomic_files import replace_atomically
from titan_env.training.network import FORBIDDEN, PolicyNetwork
from titan_env.training.onnx_graph import Graph
from titan_env.training.run_folder import versions

with extra("training"):
    import torch
    from torch import nn


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
        from onnx import checker, helper

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
    about = {"schema": schema_of(game).to_json(), "made": json.dumps({**facts, "versions": versions()})}
    about |= {"adviser": adviser} if advised else {}
    if isinstance(view, MacroView) or not view.is_plain:
        about["view"] = json.dumps(view.choice)
    helper.set_model_props(model, about)
    checker.check_model(model)
    replace_atomically(path, lambda half: half.write_bytes(seal(model.SerializeToString())))
