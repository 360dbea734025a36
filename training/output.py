"""What scripts print and write: tables as wide as they are, and files whole or not at all."""

from __future__ import annotations

import os
import shutil
import sys
from collections.abc import Callable, Sequence
from pathlib import Path

from rich.console import Console
from rich.table import Table

from training.commands import make_folder

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


def make_whole(path: Path, make: Callable[[Path], object]) -> None:
    """Make a file or a folder so that whoever stops this finds the old one, or the new one."""
    make_folder(path.parent)
    half = path.with_name(f"half-{path.name}")
    if half.is_dir():
        shutil.rmtree(half)
    make(half)
    os.replace(half, path)


def write_whole(path: Path, text: str) -> None:
    """Write a text so that whoever stops this finds the old one, or the new one."""
    make_whole(path, lambda half: half.write_text(text, "utf-8"))
