"""A small tournament of Pig for the tests of tournaments and ladders."""

from __future__ import annotations

from pathlib import Path

from tests.training.scripts import run
from titan_env.training import tournament

NAMES = ["random", "flat:20", "mcts:8"]


def play(out: Path, *more: str) -> tuple[int, str]:
    """A small tournament."""
    small = ["--game", "pig", "--blocks", "12", "--at-once", "4", "--processes", "1", "--out", str(out)]
    return run(tournament.main, *NAMES, *small, *more)
