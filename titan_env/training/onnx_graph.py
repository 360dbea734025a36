"""Conversion of PyTorch layers to an ONNX graph."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, ClassVar

import numpy as np

from titan_env.extras import extra, needs

with extra("training"):
    import torch
    from torch import nn


class Graph:
    """An ONNX graph built layer by layer; layers shared by two paths are written once.

    Weights are stored in half precision, which halves the file.
    """

    _ACTIVATIONS: ClassVar[dict[type[nn.Module], str]] = {nn.ReLU: "Relu", nn.Tanh: "Tanh"}

    def __init__(self) -> None:
        needs("training", "onnx")
        self._nodes: list[Any] = []
        self._constants: list[Any] = []
        self._passed: dict[tuple[str, nn.Module], str] = {}

    def node(self, kind: str, *inputs: str, name: str = "", **attributes: Any) -> str:
        """Add a node and return its output's name."""
        from onnx import helper

        name = name or f"{kind}.{len(self._nodes)}"
        self._nodes.append(helper.make_node(kind, inputs, [name], **attributes))
        return name

    def constant(self, numbers: Any) -> str:
        """Add a constant and return its name."""
        from onnx import numpy_helper

        name = f"constant.{len(self._constants)}"
        self._constants.append(numpy_helper.from_array(np.asarray(numbers), name))
        return name

    def through(self, source: str, layers: Sequence[nn.Module]) -> str:
        """Add the layers on a named input; return the output's name. Raises ValueError for unsupported layers."""
        for layer in layers:
            if (source, layer) not in self._passed:
                self._passed[source, layer] = self._layer(source, layer)
            source = self._passed[source, layer]
        return source

    def _layer(self, source: str, layer: nn.Module) -> str:
        """Add one layer on a named input; return the output's name."""
        if isinstance(layer, nn.Linear):
            weight, bias = (self._half(tensor) for tensor in (layer.weight, layer.bias))
            return self.node("Gemm", source, weight, bias, transB=1)
        if type(layer) not in self._ACTIVATIONS:
            known = ", ".join(kind.__name__ for kind in self._ACTIVATIONS)
            raise ValueError(f"expected layers among Linear, {known}, got {layer}")
        return self.node(self._ACTIVATIONS[type(layer)], source)

    def _half(self, tensor: torch.Tensor) -> str:
        """Add weights in half precision, cast to float32; return their name. Raises ValueError for non-finite ones."""
        from onnx import TensorProto

        with np.errstate(over="ignore"):
            weights = tensor.detach().cpu().numpy().astype(np.float16)
        if not np.isfinite(weights).all():
            raise ValueError("expected finite weights, got some that are not: the training has gone astray")
        return self.node("Cast", self.constant(weights), to=TensorProto.FLOAT)

    def whole(self, inputs: int, actions: int) -> Any:
        """Return the graph with this many inputs and actions."""
        from onnx import TensorProto, helper

        seen: list[Any] = ["B", inputs]
        may: list[Any] = ["B", actions]
        info = helper.make_tensor_value_info
        enters = [info("observations", TensorProto.FLOAT, seen), info("masks", TensorProto.BOOL, may)]
        leaves = [info("logits", TensorProto.FLOAT, may), info("values", TensorProto.FLOAT, ["B"])]
        return helper.make_graph(self._nodes, "policy", enters, leaves, self._constants)
