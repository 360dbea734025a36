"""What scripts print: tables as wide as they are."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.table import Table

_ANY_WIDTH = 1000  # of a pipe or a file, where nothing need be cut to the width of a screen


def console() -> Console:
    """Return where tables are printed; a colon in a name stays one."""
    return Console(emoji=False) if sys.stdout.isatty() else Console(width=_ANY_WIDTH, emoji=False)


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


def tell_accounts(console: Console, names: Sequence[str], seated: Sequence[Any]) -> None:
    """Print once for each agent that keeps accounts of itself, a language model say, how often it was drawn for."""
    for name, agent in dict(zip(names, seated, strict=True)).items():
        if counted := getattr(agent, "counts", None):
            told = f"{name}: {agent.account(counted)}"
            console.print(told, highlight=False, markup=False, soft_wrap=True)
