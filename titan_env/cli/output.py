"""What scripts print: tables as wide as they are."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

_ANY_WIDTH = 1000  # of a pipe or a file, where nothing need be cut to the width of a screen


def console() -> Console:
    """Where tables are printed."""
    return Console() if sys.stdout.isatty() else Console(width=_ANY_WIDTH)


def grid(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """A table to print."""
    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading)
    for row in rows:
        table.add_row(*row)
    return table


def markdown(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """A table in Markdown."""
    lines = (headings, ["---"] * len(headings), *rows)
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)
