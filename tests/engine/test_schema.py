"""A policy made for other observations or actions is refused, and told what has changed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from titan_env.contract import Game
from titan_env.engine.schema import Schema, SchemaMismatch, check, schema_of


def fewer_fields(schema: Schema) -> Schema:
    return replace(schema, fields=schema.fields[1:])


def other_range(schema: Schema) -> Schema:
    (name, shape, low, high), *others = schema.fields
    return replace(schema, fields=((name, shape, low - 1, high), *others))


def other_order(schema: Schema) -> Schema:
    return replace(schema, fields=schema.fields[::-1])


def other_numbers(schema: Schema) -> Schema:
    return replace(schema, actions=schema.actions[::-1])


def fewer_actions(schema: Schema) -> Schema:
    return replace(schema, actions=schema.actions[1:])


def test_a_policy_for_the_same_fields_and_actions_is_taken(game: Game) -> None:
    check(schema_of(game), game)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (fewer_fields, r": field \w+ is new\. Train it anew"),
        (other_range, r": field \w+ was .*, is .*\. Train it anew"),
        (other_numbers, r": the actions have other numbers\. Train it anew"),
        (fewer_actions, r": action .* is new\. Train it anew"),
    ],
)
def test_each_difference_is_named(game: Game, change: Callable[[Schema], Schema], message: str) -> None:
    with pytest.raises(SchemaMismatch, match=message):
        check(change(schema_of(game)), game)


def test_fields_in_another_order_are_told() -> None:
    with pytest.raises(SchemaMismatch, match=r": the same fields in another order\. Train it anew"):
        check(other_order(schema_of("titan_race")), "titan_race")
