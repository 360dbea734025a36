"""Compilation of games' rules ahead of their first use."""

from __future__ import annotations

from collections.abc import Sequence

from titan_env import registry
from titan_env.engine.batch import Batch


def play_first_decisions(names: Sequence[str]) -> None:
    """Play one random decision of each of these games, so that its rules are compiled and cached."""
    for game in map(registry.load, names):
        batch = Batch(game, 1, **game.metadata.benchmark_options)
        batch.start()
        batch.step(batch.sample())
