"""Small games of the tests, and games that are made from them."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import Any

from titan_env.contract import Game

VALUES = ("rules", "text", "presentation", "metadata")


def game_with(game: Game, name: str | None = None, **parts: Any) -> Game:
    """Return a game with another name, or with other parts of its rules, text, presentation or metadata."""
    values = {}
    for value in VALUES:
        own = {field.name for field in fields(getattr(game, value))} & set(parts)
        values[value] = replace(getattr(game, value), **{part: parts.pop(part) for part in own})
    assert not parts, f"no parts of a game: {parts}"
    return Game(name=name or game.name, **values)
