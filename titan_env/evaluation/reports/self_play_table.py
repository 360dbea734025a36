"""Tables of games that one agent plays in every seat: a row for each agent and each value of the options that vary."""

from __future__ import annotations

import itertools
import shlex
import sys
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Annotated, Any, NamedTuple

from titan_env.agents import load
from titan_env.cli import tables
from titan_env.cli.console import check_table
from titan_env.cli.options import DEFAULT_GAME, Bounds, Choices, GameArgument, GameOptions, TableFile
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.evaluate import open_for, options_text
from titan_env.evaluation.matches.kept_units import KeptUnits, going_on, journal_for, settings_of
from titan_env.extras import extra
from titan_env.records.atomic_files import write_atomically

with extra("evaluation"):
    import typer
    from rich.console import Console
    from rich.progress import track

Measure = Callable[[Any, dict[str, Any]], Sequence[str]]
"""``measure(agent, options) -> cells``: what is measured of games of this agent with these options."""


class Heading(NamedTuple):
    """The heading of a table: its title, the meaning of its cells in a line, and the module that made it."""

    title: str
    meaning: str
    module: str


@dataclass(frozen=True)
class SelfPlayArguments:
    """The options of a command that makes such a table."""

    game: GameArgument = DEFAULT_GAME
    agents: Annotated[tuple[str, ...], typer.Argument()] = ("random",)
    """Agents, each of which sits in every seat; none: random."""
    option: GameOptions = field(default_factory=dict)
    vary: Choices = field(default_factory=dict)
    games: Annotated[int, Bounds(2)] = 1000
    """Games of each row."""
    seed: Annotated[int, Bounds(0)] = 0
    """Seed of all chance."""
    out: TableFile = None


@dataclass(frozen=True)
class SelfPlayTable:
    """The agents of a table, the options of every row, and those that vary by name."""

    game: Game
    agents: Sequence[str]
    options: Mapping[str, Any]
    choices: Mapping[str, Sequence[Any]]

    @classmethod
    def read(cls, args: SelfPlayArguments) -> SelfPlayTable:
        """Return the table that the options of a command ask for. Raises ValueError or TypeError for invalid ones."""
        report = cls(check_table(args.game, args.agents, []), args.agents, args.option, args.vary)
        for options in report.rows_of_options():
            GameSetup.of_keywords(report.game, options)
        if args.out is not None:
            open_for(args.out)
        return report

    def rows_of_options(self) -> list[dict[str, Any]]:
        """Return the options of each agent's rows."""
        rows = itertools.product(*self.choices.values())
        return [{**self.options, **dict(zip(self.choices, values, strict=True))} for values in rows]

    def rows(self, measure: Measure, kept: KeptUnits) -> list[list[str]]:
        """Return the cells of each row, with a bar on stderr meanwhile."""
        console = Console(stderr=True, emoji=False)
        found = []
        each = [*itertools.product(self.agents, self.rows_of_options())]
        for name, options in track(each, self.game.id, console=console, transient=True):
            varied = [str(options[choice]) for choice in self.choices]
            cells = kept.result(f"{name}: {options_text(options)}", measure, load(name, self.game), options)
            found.append([f"`{name}`", *varied, *cells])
        return found

    def publish(self, heading: Heading, columns: Sequence[str], measure: Measure, args: SelfPlayArguments) -> None:
        """Measure, print the table as Markdown with the command that made it, and write it to a file if asked for.

        Rows that are finished are kept until then. Raises ValueError for rows of other settings there.
        """
        journal = journal_for(args.out, "the rows of this table", settings_of(args, self.game, self.agents))
        with going_on(journal):
            text = self._text(heading, columns, measure, args.seed, KeptUnits(journal))
            print(text)
            if args.out is not None:
                write_atomically(args.out, text)

    def _text(self, heading: Heading, columns: Sequence[str], measure: Measure, seed: int, kept: KeptUnits) -> str:
        """Measure what is not kept, and return the table as Markdown."""
        began = time.process_time()
        rows = self.rows(measure, kept)
        facts = f"{self.game.id}, {options_text(self.options)}, titan_env {version('titan_env')}, seed {seed}"
        facts += f", {time.process_time() - began:,.0f} seconds of one core"
        return (
            f"# {heading.title}\n\n"
            f"{self.game.metadata.title} with one agent in every seat: {heading.meaning}; {facts}:\n\n"
            f"```\n{shlex.join(['python', '-m', heading.module, *sys.argv[1:]])}\n```\n\n"
            f"{tables.markdown(['agent', *self.choices, *columns], rows)}"
        )
