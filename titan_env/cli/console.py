"""Shared parts of the scripts' command lines: errors in one line, and checks before the work."""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

import typer
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from titan_env import agents, registry
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.extras import MissingExtra, complaint
from titan_env.records.journal import Journal

_STDERR = 2  # the number of this file of every process
THREADS = 2
"""The default threads of a network: a second core nearly doubles the speed, more add little."""


MISTAKES = (ValueError, OSError, MissingExtra)
"""The errors by which checks and preparations refuse a user's input."""


@contextmanager
def user_errors(kinds: tuple[type[Exception], ...] = MISTAKES, again: str = "") -> Iterator[None]:
    """Print a user's mistake, an exception of these kinds, in one line instead of a traceback, and exit with 2.

    `again` says how to go on, at the end of the line.
    It belongs around the checks and preparations only, so that errors of the program or of an agent keep their
    traceback.
    """
    try:
        yield
    except kinds as error:
        print(f"Error: {complaint(error)}{again and f'; {again}'}", file=sys.stderr)
        raise typer.Exit(2) from None


class Stop:
    """A handler of Ctrl-C and of a cluster's stop signal: the first sets `asked`, a second raises KeyboardInterrupt.

    `message` is written at the first; with `at_once` that one raises KeyboardInterrupt too.
    """

    def __init__(self, message: str = "", at_once: bool = False) -> None:
        self.asked = 0
        self._message, self._at_once = message, at_once

    def __call__(self, number: int, frame: object) -> None:
        """Handle a signal."""
        is_first, self.asked = not self.asked, number
        if self._at_once or not is_first:
            raise KeyboardInterrupt
        os.write(_STDERR, self._message.encode())  # not through a buffer that is being written

    def check(self) -> None:
        """Raise KeyboardInterrupt if a signal has come: what was done until now is kept."""
        if self.asked:
            raise KeyboardInterrupt

    @contextmanager
    def handling(self) -> Iterator[None]:
        """Handle the signals while the block runs."""
        before = {number: signal.signal(number, self) for number in (signal.SIGINT, signal.SIGTERM)}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


def way_on(is_kept: bool) -> str:
    """Return how a command goes on after a stop, if its finished units are kept and if they are not."""
    if is_kept:
        return "the same command goes on where this one was"
    return "with --out the same command would go on"


@contextmanager
def interruptible(is_kept: bool, journal: Journal | None = None) -> Iterator[Stop]:
    """Stop at Ctrl-C and at a cluster's stop signal alike: say how to go on, and exit with 128 and the signal's number.

    Work whose finished units are kept goes around in this context, and stops after the unit that is under way: where
    its `journal` has a new line, or by `Stop.check`. A second signal stops at once, as the first does if nothing is
    kept.
    """
    stop = Stop("Stopping after this unit of work; once more stops at once.\n", at_once=not is_kept)
    if journal is not None:
        journal.added = stop.check
    try:
        with stop.handling():
            yield stop
    except KeyboardInterrupt:
        print(f"Stopped; {way_on(is_kept)}.", file=sys.stderr)
        raise typer.Exit(128 + (stop.asked or signal.SIGINT)) from None


def check_table(game: str, names: Collection[str], setups: Collection[Mapping[str, Any]]) -> Game:
    """Return the game by name. Raises ValueError unless these agents and all these options are valid for it."""
    loaded = registry.load(game)
    for name in names:
        agents.load(name, loaded)
    for options in setups:
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
    """Return a progress bar; the field `text` of a task stands beside the bar."""
    return Progress(TextColumn("training"), BarColumn(), TextColumn("{task.fields[text]}"), TimeRemainingColumn())
