"""Compare agents honestly, by duplicate play, until it is decided::

    python -m training.evaluate greedy random --option titans=4 --over circuit=kaldheira,anglieh

Both agents play the same games with the same dice, once in each other's seats, and are compared within
such a block. After 16, 32, 64, ... blocks the interval is looked at, each look at a stricter level so
that all of them hold together at 95 % (a union bound); the comparison stops when the interval leaves
50 % out, or is as narrow as asked. The last column says how many independent games would be needed for
the same interval. `--over` repeats the comparison for each value of an option.
"""

from __future__ import annotations

import csv
import itertools
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from rich.console import Console
from rich.table import Table

import agents
from agents.duplicate import Comparison, play_blocks
from titan_env import registry
from titan_env.cli.seating import read_choices, read_options
from titan_env.contract import Game

FIRST_LOOK = 16
MOST_AT_ONCE = 256  # blocks played beside each other


def compare(
    game: Game,
    one: str,
    other: str,
    seed: int,
    most_blocks: int,
    margin: float,
    options: dict[str, Any],
    stop_when_decided: bool = True,
) -> Iterator[Comparison]:
    """What is known after each look, the last one being the result."""
    players = [agents.load(one, game), agents.load(other, game)]
    shares = np.zeros((0, 2, 2))
    for look in itertools.count(1):
        wanted = min(most_blocks, FIRST_LOOK << (look - 1))
        while len(shares) < wanted:
            count = min(MOST_AT_ONCE, wanted - len(shares))
            seeds = range(seed + len(shares), seed + len(shares) + count)
            shares = np.concatenate([shares, play_blocks(game, players, seeds, **options)])
        known = Comparison(shares, look)
        yield known
        decided = known.decided and stop_when_decided
        if decided or known.half_width <= margin or wanted == most_blocks:
            return


def cells(over: list[str]) -> list[dict[str, Any]]:
    """Every combination of the values that options are to take."""
    parts = [[{name: value} for value in values] for name, values in read_choices(over).items()]
    return [{key: value for part in cell for key, value in part.items()} for cell in itertools.product(*parts)]


def main(
    one: Annotated[str, typer.Argument(help="an agent by name")],
    other: Annotated[str, typer.Argument(help="the agent it is compared with")],
    game: Annotated[str, typer.Option(help="which game")] = next(iter(registry.GAMES)),
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="option of the game: name=value")] = None,
    over: Annotated[list[str] | None, typer.Option(help="option and its values: one comparison for each")] = None,
    blocks: Annotated[int, typer.Option(min=2, help="most blocks of each comparison")] = 4096,
    margin: Annotated[
        float, typer.Option(min=0, help="stop when the interval is this narrow, too (half width)")
    ] = 0.01,
    narrow: Annotated[bool, typer.Option("--narrow", help="go on until it is that narrow, decided or not")] = False,
    seed: Annotated[int, typer.Option(min=0, help="seed of the first block")] = 0,
    out: Annotated[Path | None, typer.Option(help="also write the table as CSV")] = None,
) -> None:
    """Compare two agents by duplicate play until it is decided."""
    console = Console()
    rows = []
    try:
        loaded = registry.load(game)
        fixed = read_options(option or [])
        for cell in cells(over or []):
            named = ", ".join(f"{name}={value}" for name, value in {**fixed, **cell}.items()) or "as it comes"
            with console.status(named) as status:
                for known in compare(loaded, one, other, seed, blocks, margin, {**fixed, **cell}, not narrow):
                    status.update(f"{named}: {known} after {known.races} games")
            rows.append((named, known))
    except (ValueError, TypeError) as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None
    show(rows, one, other, console)
    if out is not None:
        save(rows, one, other, out)


def show(rows: list[tuple[str, Comparison]], one: str, other: str, console: Console) -> None:
    """Print the table."""
    table = Table(title=f"{one} against {other}, duplicate play; equals win 50 % (95 % intervals that hold together)")
    for heading in ("game", f"{one} wins", "verdict", "games", "plain play would need"):
        table.add_column(heading)
    for named, known in rows:
        verdict = "undecided" if not known.decided else one if known.rate > 0.5 else other
        plain = "?" if known.plain_races is None else f"{known.plain_races:,.0f}"
        table.add_row(named, str(known), verdict, f"{known.races:,}", plain)
    console.print(table)


def save(rows: list[tuple[str, Comparison]], one: str, other: str, path: Path) -> None:
    """Write the table as CSV."""
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["one", "other", "game", "rate", "low", "high", "games", "plain_games"])
        for named, known in rows:
            plain = None if known.plain_races is None else round(known.plain_races)
            writer.writerow([one, other, named, known.rate, *known.interval, known.races, plain])


if __name__ == "__main__":
    typer.run(main)
