"""A small tournament of Pig for the tests of tournaments and ladders."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.training.scripts import run
from titan_env.evaluation.ratings import tournament
from titan_env.records.journal import Journal

NAMES = ["random", "flat:20", "mcts:8"]


def play(out: Path, *more: str) -> tuple[int, str]:
    """A small tournament."""
    small = ["--game", "pig", "--blocks", "12", "--at-once", "4", "--processes", "1", "--out", str(out)]
    return run(tournament.main, *NAMES, *small, *more)


def write_results(out: Path, header: Mapping[str, Any], lines: Sequence[Mapping[str, Any]]) -> None:
    """Write the results of a tournament into a folder, as another one might have."""
    out.mkdir(exist_ok=True)
    Journal(out / "results.jsonl", "results").begin(header, lines)


def results_of(out: Path) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """The header and the lines of the results of a tournament."""
    journal = Journal(out / "results.jsonl", "results")
    return journal.header, journal.lines


def lines_of(out: Path) -> list[dict[str, Any]]:
    """The results of a tournament, line by line."""
    return [json.loads(line) for line in (out / "results.jsonl").read_text().splitlines()]
