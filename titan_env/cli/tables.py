"""Output of scripts: a console and tables."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

_ANY_WIDTH = 1000  # of a pipe or a file, where nothing needs to be cut


def console() -> Console:
    """Return the console for tables; colons in names are no emoji codes."""
    return Console(emoji=False) if sys.stdout.isatty() else Console(width=_ANY_WIDTH, emoji=False)


def grid(title: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> Table:
    """Return a table to print."""
    table = Table(title=title, title_justify="left")
    for heading in headings:
        table.add_column(heading)
    for row in rows:
        table.add_row(*row)
    return table


def markdown(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Return a table in Markdown."""
    lines = (headings, ["---"] * len(headings), *rows)
    return "".join("| " + " | ".join(line) + " |\n" for line in lines)


def tell_accounts(console: Console, names: Sequence[str], seated: Sequence[Any]) -> None:
    """Print a line for each agent that counts its decisions, such as a language model."""
    for name, agent in dict(zip(names, seated, strict=True)).items():
        if counted := getattr(agent, "counts", None):
            message = f"{name}: {agent.usage_summary(counted)}"
            console.print(message, highlight=False, markup=False, soft_wrap=True)
