"""Measure how long games of equal agents are and what happens in them, by agent and options::

    python -m titan_env.evaluation.lengths GAME random greedy --vary players=2,4 --count turns

Each cell is a mean, in brackets what 5 % and 95 % of the games stay under. `--count` takes the game's statistics and
events by name, as `python -m titan_env balance` prints them. `--out` writes the table as Markdown, with the command.
"""

from __future__ import annotations

import itertools
import shlex
import sys
import time
from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import track

from titan_env import registry
from titan_env.agents import load
from titan_env.cli import tables
from titan_env.cli.console import FIXED, WHICH, check_table, user_errors
from titan_env.contract import Game, Status
from titan_env.engine.event_statistics import FinishedGames, play_and_count
from titan_env.engine.option_text import read_options, read_tables
from titan_env.evaluation.evaluate import open_for, said
from titan_env.evaluation.match import Proportion
from titan_env.records.atomic_files import write_atomically


def numbers_of(played: FinishedGames) -> Mapping[str, NDArray[Any]]:
    """Return what can be counted of finished games by name, each (N,): decisions, numeric statistics, events."""
    found = {"decisions": np.asarray(played.states["decisions"])}
    traits = played.statistics()
    for name in (name for name, value in traits[0].items() if isinstance(value, (int, float))):
        found[name] = np.array([trait[name] for trait in traits])
    events = {event.name.lower().replace("_", " "): played.counts[:, event] for event in played.game.rules.events}
    return events | found


def check_counts(game: Game, counted: Sequence[str], options: Mapping[str, Any]) -> None:
    """Raise ValueError for a count that the game does not have, by one game at random."""
    known = numbers_of(play_and_count(game, load("random", game), 1, 0, **options))
    if unknown := [name for name in counted if name not in known]:
        raise ValueError(f"expected --count from {', '.join(sorted(known))}, got {', '.join(unknown)}")


def row_of(played: FinishedGames, counted: Sequence[str]) -> list[str]:
    """Return the cells of some games: their number, each count, shares without one winner and of those cut off."""
    numbers = numbers_of(played)
    cells = [f"{len(played.states):,}"]
    for name in ("decisions", *counted):
        low, high = np.percentile(numbers[name], (5, 95))
        mean = float(np.mean(numbers[name]))
        cells.append(f"{mean:,.{0 if mean >= 100 else 1}f} ({low:,.0f} to {high:,.0f})")
    cut = played.states["over"] == Status.TRUNCATED
    return [*cells, _share(~cut & (played.states["won"].sum(axis=1) != 1)), _share(cut)]


def _share(happened: NDArray[Any]) -> str:
    """Return the share of games in which something happened, with its interval."""
    share = Proportion(float(happened.sum()), len(happened))
    low, high = share.interval
    return f"{share.rate:.1%} ({low:.1%} to {high:.1%})"


def main(
    game: Annotated[str, typer.Argument(help=WHICH)] = next(iter(registry.GAMES)),
    agents: Annotated[list[str] | None, typer.Argument(help="each sits in every seat; none: random")] = None,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help=FIXED)] = None,
    vary: Annotated[list[str] | None, typer.Option(help="rows for each value: name=value,value; repeatable")] = None,
    count: Annotated[list[str] | None, typer.Option(help="a statistic or event of the game; repeatable")] = None,
    games: Annotated[int, typer.Option(min=2, help="games of each row")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="seed of all chance")] = 0,
    out: Annotated[Path | None, typer.Option(help="also write the table: a .md file")] = None,
) -> None:
    """Measure the lengths of games, and what happens in them."""
    began = time.process_time()
    with user_errors():
        names, counted = agents or ["random"], count or []
        loaded = check_table(game, names, [])
        options = read_options(option or [])
        choices = read_tables(vary or [], [])
        varied = [dict(zip(choices, values, strict=True)) for values in itertools.product(*choices.values())]
        for values in varied:
            loaded.rules.configure(**{**options, **values})
        check_counts(loaded, counted, {**options, **varied[0]})
        if out is not None:
            open_for(out)
    console = Console(stderr=True, emoji=False)
    rows = []
    for name, values in track([*itertools.product(names, varied)], loaded.id, console=console, transient=True):
        played = play_and_count(loaded, load(name, loaded), games, seed, **{**options, **values})
        rows.append([f"`{name}`", *map(str, values.values()), *row_of(played, counted)])
    facts = f"{loaded.id}, {said(options)}, titan_env {version('titan_env')}, seed {seed}"
    facts += f", {time.process_time() - began:,.0f} seconds of one core"
    text = as_markdown(loaded, [*choices], counted, rows, facts)
    typer.echo(text)
    if out is not None:
        write_atomically(out, text)


def as_markdown(
    game: Game, varied: Sequence[str], counted: Sequence[str], rows: Sequence[Sequence[str]], facts: str
) -> str:
    """Return the table as Markdown, with the command that made it."""
    headings = ["agent", *varied, "games", "decisions", *counted, "not one winner", "cut off"]
    command = shlex.join(["python", "-m", "titan_env.evaluation.lengths", *sys.argv[1:]])
    return (
        f"# How long games are, and what happens in them\n\n"
        f"{game.metadata.title} with one agent in every seat: means, in brackets what 5 % and 95 % of the games stay "
        f"under; shares with intervals of 95 %; {facts}:\n\n"
        f"```\n{command}\n```\n\n{tables.markdown(headings, rows)}"
    )


if __name__ == "__main__":
    typer.run(main)
