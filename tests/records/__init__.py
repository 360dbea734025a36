"""Records as objects, for tests that change them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from titan_env.records.hash_chain import link


def lines_of(path: Path) -> list[Any]:
    """The lines of a record as objects."""
    return [json.loads(line) for line in path.read_text().splitlines()]


def write(path: Path, lines: list[Any]) -> Path:
    """A record of these objects, chained anew, as one does who forges well."""
    chain, written = "", ""
    for line in lines:
        chain = link(chain, line)
        written += json.dumps({**line, "chain": chain}) + "\n"
    path.write_text(written)
    return path
