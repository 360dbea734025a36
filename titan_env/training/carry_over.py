"""Carry a policy over to a later version of its game that only has new fields and new actions at the end::

    python -m titan_env.training.carry_over --start old.onnx --game GAME --out policy.onnx

Its weights are padded with zeros: where nothing new is seen or asked it is the same function, and to it all new actions
are as good. Whether it plays the later rules as well is for a match to say. The judge of an afterstate agent, a .npz
file, needs the same fields and actions.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from titan_env import registry
from titan_env.agents.policy import is_sealed, seal
from titan_env.cli.console import user_errors
from titan_env.cli.options import DEFAULT_GAME, GameName, from_dataclasses
from titan_env.contract import Game
from titan_env.engine.schema import Schema, schema_of
from titan_env.extras import extra
from titan_env.records.atomic_files import ensure_absent, replace_atomically
from titan_env.records.sealed import read_arrays, write_arrays

with extra("training"):
    import onnx
    import typer
    from onnx import helper, numpy_helper


def carry_over(old: Path, game: Game, new: Path) -> None:
    """Write a policy's or a judge's file for the present version of its game.

    Raises ValueError for a file that cannot be carried over, and one that is damaged.
    """
    ensure_absent(new)
    if old.suffix == ".npz":
        arrays = read_arrays(old)
        before = _checked(arrays["schema"].tobytes().decode(), game)
        if before.fields != schema_of(game).fields or before.actions != schema_of(game).actions:
            raise ValueError(f"expected a judge with the fields and actions of {game.id}; train it anew")
        texts = {"schema": schema_of(game).to_json(), "made": _made(arrays["made"].tobytes().decode(), before)}
        write_arrays(new, {name: array for name, array in arrays.items() if name not in texts}, texts)
        return
    data = old.read_bytes()
    if not is_sealed(data):
        raise ValueError(f"expected a policy that ends in its checksum, got {old}")
    network = seal(_padded(onnx.load_model_from_string(data), game).SerializeToString())
    replace_atomically(new, lambda half: half.write_bytes(network))


def _checked(text: str, game: Game) -> Schema:
    """Return the schema of an earlier version. Raises ValueError unless the present one begins with it."""
    before, now = Schema.from_json(text), schema_of(game)
    if registry.name_in(before.game) != game.name:
        raise ValueError(f"expected a policy for {game.name}, got one for {before.game}")
    fields, actions = now.fields[: len(before.fields)], now.actions[: len(before.actions)]
    if fields != before.fields or actions != before.actions:
        raise ValueError(f"expected fields and actions with which those of {now.game} begin; train the policy anew")
    return before


def _made(made: str, before: Schema) -> str:
    """Return how a policy was trained, and the version from which it is carried over, as JSON."""
    return json.dumps({**json.loads(made), "carried_from": before.game})


def _padded(model: Any, game: Game) -> Any:
    """Return a policy's network with zeros for the new fields and actions, and the present schema."""
    facts = {entry.key: entry.value for entry in model.metadata_props if entry.key != "checksum"}
    if "view" in facts:
        raise ValueError("expected a policy that sees the observation as it is, got one with a view; train it anew")
    before, now = _checked(facts["schema"], game), schema_of(game)
    fields, actions = (_width(before), _width(now)), (len(before.actions), len(now.actions))
    advised = actions if "adviser" in facts else (0, 0)
    made_by = {output: node for node in model.graph.node for output in node.output}
    kept = {constant.name: constant for constant in model.graph.initializer}
    head = made_by[next(node for node in model.graph.node if node.op_type == "Where").input[1]]
    head = made_by[head.input[0]] if head.op_type == "Add" else head  # an adviser's scores are added to the logits
    for parameter in head.input[1:]:
        _pad(kept[made_by[parameter].input[0]], 0, [actions])
    for node in model.graph.node:
        if node.op_type == "Gemm" and node.input[0] == "observations":
            _pad(kept[made_by[node.input[1]].input[0]], 1, [fields, advised])
        if node.op_type == "Slice":
            _set(kept[node.input[1]], [fields[1]])
            _set(kept[node.input[2]], [fields[1] + advised[1]])
        if node.op_type == "Mul" and (trust := kept[node.input[1]]).dims:
            _pad(trust, len(trust.dims) - 1, [actions])
    for end in (*model.graph.input, *model.graph.output):
        sizes = {"observations": fields[1] + advised[1]}
        for dimension in end.type.tensor_type.shape.dim[1:]:
            dimension.dim_value = sizes.get(end.name, actions[1])
    facts |= {"schema": now.to_json(), "made": _made(facts.get("made", "{}"), before)}
    del model.metadata_props[:]
    helper.set_model_props(model, facts)
    onnx.checker.check_model(model)
    return model


def _width(schema: Schema) -> int:
    """Return the number of values in an observation."""
    return sum(int(np.prod(shape)) for _, shape, _, _ in schema.fields)


def _pad(constant: Any, axis: int, parts: Sequence[tuple[int, int]]) -> None:
    """Pad each part of an axis of a constant, so long before and so long now, with zeros at its end."""
    array = numpy_helper.to_array(constant)
    if array.shape[axis] != sum(before for before, _ in parts):
        raise ValueError(f"expected {sum(before for before, _ in parts)} weights in a row, got {array.shape[axis]}")
    padded, begin = [], 0
    for before, now in parts:
        part = np.take(array, range(begin, begin + before), axis)
        widths = [(0, now - before if side == axis else 0) for side in range(array.ndim)]
        padded.append(np.pad(part, widths))
        begin += before
    _set(constant, np.concatenate(padded, axis))


def _set(constant: Any, numbers: Any) -> None:
    """Set the numbers of a constant, which keeps its name and type."""
    kept = numpy_helper.to_array(constant).dtype
    constant.CopyFrom(numpy_helper.from_array(np.asarray(numbers, kept), constant.name))


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    start: Path
    """The policy.onnx, or the judge, of the earlier version."""
    out: Path
    """The file to be written."""
    game: GameName = DEFAULT_GAME


@from_dataclasses
def main(args: Arguments) -> None:
    """Carry a policy over to the present version of its game."""
    with user_errors():
        carry_over(args.start, registry.load(args.game), args.out)
    print(f"The policy is in {args.out}")


if __name__ == "__main__":
    typer.run(main)
