"""The schema of a policy: the observation's fields and the actions that it was trained on, stored with its weights.

A policy read against another observation plays nonsense without a word. So every saved policy carries
its `Schema`, and `check` names the fields that differ.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Field, Fields, Game
from titan_env.registry import game_of


class SchemaMismatch(ValueError):
    """A policy made for another game, another version of it, or another observation."""


@dataclass(frozen=True)
class Schema:
    """The game by id, its fields as (name, shape, low, high), and its actions as texts."""

    game: str
    fields: tuple[tuple[str, tuple[int, ...], float, float], ...]
    actions: tuple[str, ...]

    @property
    def hash(self) -> str:
        """12 hex digits that change with any of it."""
        return hashlib.sha256(json.dumps(asdict(self)).encode()).hexdigest()[:12]

    def to_json(self) -> str:
        """Return the schema as text, for `from_json`."""
        return json.dumps({"hash": self.hash, **asdict(self)})

    @classmethod
    def from_json(cls, text: str) -> Schema:
        """Return the schema of such a text. Raises SchemaMismatch for what is none, or was tampered with."""
        try:
            data = json.loads(text)
            fields = tuple((str(n), tuple(map(int, s)), float(low), float(high)) for n, s, low, high in data["fields"])
            schema = cls(str(data["game"]), fields, tuple(map(str, data["actions"])))
            expected = data["hash"]
        except (ValueError, KeyError, TypeError, RecursionError) as error:
            raise SchemaMismatch(f"expected an observation schema as JSON, got {text[:60]!r}: {error}") from None
        if schema.hash != expected:
            raise SchemaMismatch(f"expected a schema with hash {expected}, got one with {schema.hash}: it was changed")
        return schema


def schema_of(game: Game | str) -> Schema:
    """Return the schema of a game as it is here and now."""
    game = game_of(game)
    fields = tuple((part.name, part.shape, float(part.low), float(part.high)) for part in game.rules.fields.parts)
    return Schema(game.id, fields, game.rules.actions.texts)


def check(schema: Schema, game: Game | str) -> None:
    """Raise SchemaMismatch, naming the fields or actions that differ, unless the schema is that of `game`."""
    here = schema_of(game)
    if schema == here:
        return
    differences = [*_changes(_by_name(schema), _by_name(here)), *_changed_actions(schema.actions, here.actions)]
    if schema.game != here.game:
        differences.insert(0, f"made for {schema.game}, asked to play {here.game}")
    raise SchemaMismatch(
        f"expected a policy for {here.game} with observation {here.hash}, got one with {schema.hash}: "
        + "; ".join(differences or ["the same fields in another order"])
        + ". Train it anew, or play the version it was made for."
    )


def _by_name(schema: Schema) -> dict[str, str]:
    """Return each field as a line."""
    return {name: f"{shape} in {low:g}..{high:g}" for name, shape, low, high in schema.fields}


def _changes(before: Mapping[str, str], after: Mapping[str, str]) -> list[str]:
    """Return a line for each field that is missing from one table, or differs."""
    gone = [f"field {name} is no more" for name in before if name not in after]
    new = [f"field {name} is new" for name in after if name not in before]
    changed = [
        f"field {name} was {before[name]}, is {after[name]}"
        for name in before
        if name in after and before[name] != after[name]
    ]
    return gone + new + changed


def _changed_actions(before: tuple[str, ...], after: tuple[str, ...]) -> list[str]:
    """Return a line for each action that only one table has."""
    lines = [f"action {text} is no more" for text in before if text not in after]
    lines += [f"action {text} is new" for text in after if text not in before]
    return lines or (["the actions have other numbers"] if before != after else [])


def explain(fields: Fields | Game | str, observation: NDArray[np.float32]) -> str:
    """Return an observation (F,) in words: each field that is not all zero, its numbers, and what they mean.

    `fields` are those of a game, of a view (`ObservationView.layout`), or the game itself or its name. Raises TypeError
    for what are no fields or no vector, ValueError for a vector of another length.
    """
    if not isinstance(fields, Fields):
        fields = game_of(fields).rules.fields
    if isinstance(observation, Mapping):
        raise TypeError(f"expected a vector, got a dict; take one of {', '.join(map(repr, observation))} out of it")
    vector = np.asarray(observation)
    if vector.shape != (fields.size,):
        raise ValueError(f"expected an observation of shape ({fields.size},), got {vector.shape}")
    return "\n".join(
        f"{part.name} = {_words(part, vector[fields.slices[part.name]])}  ({part.meaning})"
        for part in fields.parts
        if vector[fields.slices[part.name]].any()
    )


def _words(part: Field, values: Any) -> str:
    """Return the numbers of one field; of a named or large one only those that are not zero, with their places."""
    if not part.shape:
        return f"{values[0]:.3g}"
    if part.size <= 6 and not part.axes:
        return "[" + " ".join(f"{value:.3g}" for value in values) + "]"
    shaped = values.reshape(part.shape)
    lines = []
    for index in np.argwhere(shaped):
        value = shaped[tuple(index)]
        named = [names[i] for names, i in zip(part.axes, index, strict=True)] if part.axes else map(str, index)
        lines.append(" ".join(named) if part.axes and value == 1 else f"{' '.join(named)}: {value:.3g}")
    return ", ".join(lines)
