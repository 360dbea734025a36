"""The first layers of a policy's network in whole numbers of 8 bits: most of its work, in about half the time.

Observations are rounded to 63 steps of 1, fewer where entries may lie beyond 3 (0 and 1 stay exact), weights to 127
steps of each neuron's largest one; later layers stay as they are. The steps are the same for all rows, so a row's
answer does not depend on the rows beside it. Entries within -1..1 take 7 bits: sums of two products then fit the 16
bits that older processors have for them.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.extras import extra

_STEPS = 63  # of an observation from 0 to 1
_ZERO, _MOST = 64, 255  # the whole numbers that stand for 0, and for the largest entry
_WEIGHTS = 127
_RUNTIME = "com.microsoft"  # onnxruntime's own operations


def quantize(network: bytes, largest: float) -> bytes:
    """Return an ONNX network with the layers that read its observations, `largest` at most, in whole numbers.

    Raises ValueError for a network without such layers, MissingExtra without onnx.
    """
    with extra("training"):
        import onnx
        from onnx import helper, numpy_helper
    model = onnx.load_from_string(network)
    numbers = {constant.name: numpy_helper.to_array(constant) for constant in model.graph.initializer}
    numbers |= {node.output[0]: numbers[node.input[0]] for node in model.graph.node if node.input[0] in numbers}
    step = 1 / min(_STEPS, (_MOST - _ZERO) // largest)
    constants: dict[str, NDArray[Any]] = {"step": np.array(step, np.float32), "zero": np.array(_ZERO, np.uint8)}
    nodes = [helper.make_node("QuantizeLinear", ["observations", "step", "zero"], ["whole"])]
    for node in model.graph.node:
        if node.op_type != "Gemm" or node.input[0] != "observations":
            nodes.append(node)
            continue
        (end,) = node.output
        weights = numbers[node.input[1]].astype(np.float32).T
        steps = np.maximum(np.abs(weights).max(axis=0), np.finfo(np.float32).tiny) / _WEIGHTS
        constants |= {f"{end}.whole": np.round(weights / steps).astype(np.int8), f"{end}.steps": steps}
        inputs = ["whole", f"{end}.whole", "step", f"{end}.steps", "zero", "", node.input[2]]
        nodes.append(helper.make_node("MatMulIntegerToFloat", inputs, [end], domain=_RUNTIME))
    if len(constants) == 2:
        raise ValueError("expected a policy whose first layers multiply its observations with weights")
    model.opset_import.append(helper.make_opsetid(_RUNTIME, 1))
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    model.graph.initializer.extend(numpy_helper.from_array(value, name) for name, value in constants.items())
    return model.SerializeToString()  # type: ignore[no-any-return]
