"""How tests run a script of training within their own process."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import typer
from typer.testing import CliRunner


def run(main: Callable[..., Any], *arguments: str) -> tuple[int, str]:
    """Exit code and output of a script."""
    app = typer.Typer()
    app.command()(main)
    done = CliRunner().invoke(app, list(arguments))
    return done.exit_code, " ".join(done.output.split())
