"""Read the measured tables of a game: files ``docs/measured/<game>/<table>.md``, each written by the command in it.

``docs/reference/games/<game>_results.md`` includes them.
"""

from __future__ import annotations

import re
from pathlib import Path

MEASURED = Path(__file__).parents[1] / "docs" / "measured"


def is_measured(name: str) -> bool:
    """Return whether there are measured tables of a game."""
    return (MEASURED / name).is_dir()


def measured_rows(name: str, file: str) -> list[dict[str, str]]:
    """Return the rows of the first table in a game's file, each by its headings; [] without the file."""
    path = MEASURED / name / f"{file}.md"
    if not path.exists():
        return []
    lines = re.search(r"(?:^\|.*\n)+", path.read_text("utf-8"), re.M)
    headings, _, *rows = [line.strip("| ").split(" | ") for line in lines[0].splitlines()] if lines else [[], []]
    return [dict(zip(headings, row, strict=True)) for row in rows]
