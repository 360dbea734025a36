"""The content of files that can be signed: records of games, and results of tournaments."""

from __future__ import annotations

import json
from pathlib import Path

from titan_env.records.replay import read


def results_protocol(path: Path) -> str | None:
    """Return the protocol of a tournament's results, from their first line; None for any other file."""
    with path.open("rb") as file:
        first = file.readline(1_000_000)
    try:
        told = json.loads(first)
    except (ValueError, RecursionError):
        return None
    return told["protocol"] if isinstance(told, dict) and isinstance(told.get("protocol"), str) else None


def content_of(path: Path) -> str:
    """Return one line about a file: of which game, and whether it is finished.

    Raises ValueError or OSError for a file that is neither a record nor the results of a tournament.
    """
    protocol = results_protocol(path)
    if protocol is not None:
        lines = path.read_text("utf-8").splitlines()
        return f"results of a tournament of {json.loads(lines[0]).get('game')} by {protocol}, {len(lines) - 1} units"
    record = read(path)
    ended = "cut off" if record.result is None else "finished"
    return f"record of {record.game.id}, {ended} after {len(record.decisions)} decisions"
