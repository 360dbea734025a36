"""Count how often an agent wins in each seat, by duplicate play: every game is played with the seats exchanged::

    python -m titan_env.evaluation.reports.seats AGENT OTHER --game GAME -o attacker_seat=0 --over land=plains,tower

Where the seats of a game have parts of their own, as attacker and defender have, an agent may be good in one of them
only. The second agent also plays all games against itself: what it wins there in a seat is what an equal would win.
A draw counts half. Each interval holds 95 % by itself; that of the gain is paired within the games.
"""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib.metadata import version
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from titan_env.cli import tables
from titan_env.cli.console import check_table, user_errors
from titan_env.cli.options import DEFAULT_GAME, Bounds, GameName, GameOptions, Over, TableFile, from_dataclasses
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.blocks import Players, load_instances
from titan_env.evaluation.matches.duplicate import play_block_results
from titan_env.evaluation.matches.evaluate import Cell, checked, open_for, options_text
from titan_env.evaluation.matches.kept_blocks import MOST_AT_ONCE
from titan_env.evaluation.matches.kept_units import KeptUnits, going_on, journal_for, settings_of
from titan_env.evaluation.matches.match import Z95
from titan_env.extras import extra
from titan_env.records.atomic_files import write_atomically

with extra("evaluation"):
    import typer

SEATS = 2


@dataclass(frozen=True)
class MeanInterval:
    """The mean of shares, with a 95 % interval of so many standard errors."""

    shares: NDArray[np.float64]

    @property
    def rate(self) -> float:
        """The mean itself."""
        return float(self.shares.mean())

    @property
    def half_width(self) -> float:
        """Half the width of its interval."""
        return float(Z95 * self.shares.std(ddof=1) / len(self.shares) ** 0.5)

    def __str__(self) -> str:
        return f"{self.rate:.1%} ±{self.half_width:.1%}"


@dataclass(frozen=True)
class Seats:
    """Wins in the same games, (games, seats): of `one` against `other`, and `equal`, of other against itself.

    Column s is what the agent won in seat s.
    """

    one: NDArray[np.float64]
    equal: NDArray[np.float64]

    def cells(self) -> list[str]:
        """Return the cells of a line: for each seat the share, that of an equal and the gain; then both seats."""
        line = []
        for seat in range(SEATS):
            mine, equal = self.one[:, seat], self.equal[:, seat]
            line += [
                str(MeanInterval(mine)),
                str(MeanInterval(equal)),
                f"{MeanInterval(mine - equal).rate:+.1%} ±{MeanInterval(mine - equal).half_width:.1%}",
            ]
        return [*line, str(MeanInterval(self.one.mean(axis=1)))]


def play_seats(setup: GameSetup, mixed: Players, alike: Players, blocks: int, seed: int) -> Seats:
    """Play each game with the first of two agents in the first seat, then in the second, then the other against itself.

    `mixed` are both agents, and `alike` the other one twice.
    """
    parts = []
    for begin in range(seed, seed + blocks, MOST_AT_ONCE):
        seeds = range(begin, min(begin + MOST_AT_ONCE, seed + blocks))
        won, equal = (play_block_results(setup, players, seeds).shares for players in (mixed, alike))
        parts.append((won[:, [0, 1], 0], np.stack([equal[:, 0, 0], equal[:, 0, 1]], axis=1)))
    return Seats(*map(np.concatenate, zip(*parts, strict=True)))


def _line(*match: Any) -> list[list[list[float]]]:
    """Return what `play_seats` does as JSON values."""
    played = play_seats(*match)
    return [played.one.tolist(), played.equal.tolist()]


def table_text(lines: Sequence[Sequence[str]], one: str, other: str) -> str:
    """Return the table in Markdown."""
    headings = ["games"]
    for seat in range(SEATS):
        headings += [f"in seat {seat}", f"`{other}` there", "gain"]
    return str(tables.markdown([*headings, "both seats"], [list(line) for line in lines]))


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    one: Annotated[str, typer.Argument()]
    """Agent by name."""
    other: Annotated[str, typer.Argument()]
    """Agent that it meets."""
    game: GameName = DEFAULT_GAME
    option: GameOptions = field(default_factory=dict)
    over: Over = ()
    blocks: Annotated[int, Bounds(2)] = 1024
    """Games of each line, each played three times."""
    seed: Annotated[int, Bounds(0)] = 0
    """Seed of the first game."""
    out: TableFile = None


@from_dataclasses
def main(args: Arguments) -> None:
    """Count how often an agent wins in each seat, by duplicate play."""
    began = time.perf_counter()
    with user_errors():
        loaded = check_table(args.game, (args.one, args.other), [])
        comparisons: list[Cell] = checked(loaded, [args.other], args.option, args.over)
        if args.out is not None:
            open_for(args.out)
        journal = journal_for(args.out, "the lines of this table", settings_of(args, loaded, (args.one, args.other)))
        mixed, alike = load_instances(loaded, (args.one, args.other)), load_instances(loaded, (args.other, args.other))
    with going_on(journal):
        kept, played = KeptUnits(journal), []
        for cell in comparisons:
            line = kept.result(options_text(cell.own), _line, cell.setup, mixed, alike, args.blocks, args.seed)
            played.append(Seats(*map(np.array, line)))
            print(f"{options_text(cell.own)}: {' | '.join(played[-1].cells())}", flush=True)
        publish(args, loaded, comparisons, played, time.perf_counter() - began)


def publish(args: Arguments, game: Game, comparisons: Sequence[Cell], played: Sequence[Seats], seconds: float) -> None:
    """Print the table, and write it to a file if asked for."""
    whole = Seats(*(np.concatenate([getattr(part, name) for part in played]) for name in ("one", "equal")))
    lines = [[options_text(cell.own), *part.cells()] for cell, part in zip(comparisons, played, strict=True)]
    text = table_text([*lines, ["all", *whole.cells()]], args.one, args.other)
    print(text)
    if args.out is not None:
        facts = f"{game.id}, titan_env {version('titan_env')}, seeds from {args.seed} on"
        facts += f", {seconds:,.0f} seconds"
        command = shlex.join(["python", "-m", "titan_env.evaluation.reports.seats", *sys.argv[1:]])
        head = f"# {args.one} in each seat against {args.other}\n\n"
        head += f"Duplicate play, {args.blocks:,} games a line, each with the seats exchanged; "
        head += f"draws count half; {facts}:\n\n"
        write_atomically(args.out, f"{head}```\n{command}\n```\n\n{text}")


if __name__ == "__main__":
    typer.run(main)
