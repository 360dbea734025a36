"""What the scripts share on the command line: mistakes are told in one line, and found before the work."""

from __future__ import annotations

import importlib.util
from collections.abc import Collection, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

import agents
from agents.match import set_up
from titan_env import registry
from titan_env.contract import Game

STOPPED = 130
"""What a script that Ctrl-C has stopped exits with."""
SCRIPTED = "reference agents that take some seats: greedy:push=2,expert"


@contextmanager
def user_errors(kinds: tuple[type[Exception], ...] = (ValueError, OSError)) -> Iterator[None]:
    """Tell a mistake of the person, an exception of these kinds, in one line instead of a traceback.

    It stands around what checks and prepares the work, so that a mistake of the program, or of an agent,
    keeps its traceback.
    """
    try:
        yield
    except kinds as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None


def needs(package: str, hint: str) -> None:
    """Raise ValueError where a package is missing: before the work, not after it."""
    if importlib.util.find_spec(package) is None:
        raise ValueError(f"expected {package}, {hint}")


def check_table(game: str, names: Collection[str], tables: Collection[Mapping[str, Any]]) -> Game:
    """The game by name. Raises ValueError unless these agents know it, and it can be played with all these options."""
    loaded = registry.load(game)
    for name in names:
        agents.load(name, loaded)
    for options in tables:
        set_up(loaded, options)
    return loaded


def make_folder(path: Path) -> None:
    """Make a folder where there is none. Raises ValueError where a file is in its way."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise ValueError(f"expected a folder, but {path} is or lies in a file; choose another one") from None


def given(context: typer.Context) -> set[str]:
    """The names of the parameters that the person has typed, not left as they are."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"}


def training_bar() -> Progress:
    """A progress bar whose task says what it `told`."""
    return Progress(TextColumn("training"), BarColumn(), TextColumn("{task.fields[told]}"), TimeRemainingColumn())
