"""The content of files that can be signed: records of games, and results of tournaments."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from titan_env.records.journal import FORMAT, Journal
from titan_env.records.replay import read
from titan_env.records.sealed import one_line


def is_journal(path: Path) -> bool:
    """Return whether a file is a journal, such as the results of a tournament, by its first line."""
    with path.open("rb") as file:
        first = file.readline(1_000_000)
    try:
        head: Any = json.loads(first)
    except (ValueError, RecursionError):
        return False
    return isinstance(head, dict) and head.get("format") == FORMAT


def content_of(path: Path) -> str:
    """Return one line about a file: of which game, and whether it is finished.

    Raises ValueError or OSError for a file that is neither a record nor the results of a tournament.
    """
    if is_journal(path):
        journal = Journal(path, "the results of a tournament")
        game, protocol = (one_line(journal.header.get(name)) for name in ("game", "protocol"))
        return f"results of a tournament of {game} by {protocol}, {len(journal.lines)} units"
    record = read(path)
    ended = "cut off" if record.result is None else "finished"
    return f"record of {record.game.id}, {ended} after {len(record.decisions)} decisions"
