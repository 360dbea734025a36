"""A small tournament of Pig for the tests of tournaments and ladders."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from tests.training.scripts import run
from titan_env.evaluation.ratings import tournament

NAMES = ["random", "flat:20", "mcts:8"]


def play(out: Path, *more: str) -> tuple[int, str]:
    """A small tournament."""
    small = ["--game", "pig", "--blocks", "12", "--at-once", "4", "--processes", "1", "--out", str(out)]
    return run(tournament.main, *NAMES, *small, *more)


def lines_of(out: Path) -> list[dict[str, Any]]:
    """The results of a tournament, line by line."""
    return [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
