"""Shared parts of the scripts' command lines: errors in one line, and checks before the work."""

from __future__ import annotations

import signal
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from titan_env import agents, registry
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.extras import MissingExtra, complaint

THREADS = 2
"""The default threads of a network: a second core nearly doubles the speed, more add little."""


@contextmanager
def user_errors(
    kinds: tuple[type[Exception], ...] = (ValueError, OSError, MissingExtra), again: str = ""
) -> Iterator[None]:
    """Print a user's mistake, an exception of these kinds, in one line instead of a traceback, and exit with 2.

    `again` says how to go on, at the end of the line.
    It belongs around the checks and preparations only, so that errors of the program or of an agent keep their
    traceback.
    """
    try:
        yield
    except kinds as error:
        typer.echo(f"Error: {complaint(error)}{again and f'; {again}'}", err=True)
        raise typer.Exit(2) from None


@contextmanager
def interruptible(again: str = "the same command goes on where this one was") -> Iterator[None]:
    """Stop at Ctrl-C and at a cluster's stop signal alike: say how to go on, and exit with 128 and the signal's number.

    Work that keeps a journal of its finished units goes around in this context.
    """
    asked = [signal.SIGINT]

    def interrupt(number: int, frame: object) -> None:
        asked[0] = signal.Signals(number)
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    except KeyboardInterrupt:
        typer.echo(f"Stopped; {again}.", err=True)
        raise typer.Exit(128 + asked[0]) from None
    finally:
        signal.signal(signal.SIGTERM, before)


def check_table(game: str, names: Collection[str], tables: Collection[Mapping[str, Any]]) -> Game:
    """Return the game by name. Raises ValueError unless these agents and all these options are valid for it."""
    loaded = registry.load(game)
    for name in names:
        agents.load(name, loaded)
    for options in tables:
        GameSetup.of(loaded, options)
    return loaded


def read_delegates(pairs: Sequence[str]) -> dict[str, str] | None:
    """Return the agent's name of each question from texts ``question=agent``; None for none. Raises ValueError."""
    read: dict[str, str] = {}
    for pair in pairs:
        ask, equals, name = (part.strip() for part in pair.partition("="))
        if not ask or not equals or not name or ask in read:
            raise ValueError(f"expected each question once, with its agent, as roll=expert, got {pair!r}")
        read[ask] = name
    return read or None


def given(context: typer.Context) -> set[str]:
    """Return the names of the parameters that were given on the command line."""
    sources = {name: context.get_parameter_source(name) for name in context.params}
    return {name for name, source in sources.items() if source is not None and source.name == "COMMANDLINE"}


def training_bar() -> Progress:
    """Return a progress bar; the field `told` of a task is its text."""
    return Progress(TextColumn("training"), BarColumn(), TextColumn("{task.fields[told]}"), TimeRemainingColumn())
