"""The published ratings of a game's agents, as its folder keeps them for the page."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

from titan_env.contract import Game

RATINGS = "ratings.toml"
"""The file in a game's folder, written by `titan_env.evaluation.ratings.ladder`."""


def published_ratings(game: Game) -> list[dict[str, Any]]:
    """Return a game's ladders: the `options` of each, and its `agent`s with `name`, `rating`, `low`, `high`.

    Returns [] for a game without; where a rating has no bound, `low` or `rating` is infinite.
    """
    path = Path(game.metadata.folder, RATINGS)
    if not game.metadata.folder or not path.exists():
        return []
    found: list[dict[str, Any]] = tomllib.loads(path.read_text("utf-8"))["ladder"]
    return found
