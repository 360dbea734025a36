"""Play agents among each other and rate them, independently of the order of play::

    python -m titan_env.evaluation.ratings.tournament random greedy expert flat:64 -o titans=4 --out runs/tournament

Blocks are played at mixed tables (`titan_env.evaluation.matches.mixed_tables`): as many different agents as the game
has sides, every one in every place. They come in units of work that run on all cores, or on a Ray cluster with
``--ray``. A finished unit is saved at once (`titan_env.evaluation.ratings.results`): the same command continues a
stopped tournament. The table is written to ``table.md`` and ``table.csv``, a plot to ``ratings.png``.

Ratings are strengths of the Plackett-Luce model from the winners of all games
(`titan_env.evaluation.matches.plackett_luce`), relative to the anchor, with 95 % intervals of the difference. Games
with places are rated by them, too, in a column of its own.
"""

from __future__ import annotations

import csv
import io
import multiprocessing
import os
import re
import signal
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import numpy as np

from titan_env import agents, registry
from titan_env.cli import tables
from titan_env.cli.console import Stop, check_table, interruptible, user_errors
from titan_env.cli.options import DEFAULT_GAME, Bounds, GameName, GameOptions, from_dataclasses
from titan_env.compiler.forks import end_with_parent
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.blocks import record_path
from titan_env.evaluation.matches.mixed_tables import (
    Block,
    anchor_of,
    draw_tables,
    play_tables,
    rankings_of,
    winners_of,
)
from titan_env.evaluation.matches.plackett_luce import Rating, rate
from titan_env.evaluation.ratings.model_checks import largest_residual, nash_average
from titan_env.evaluation.ratings.results import Key, Results, Unit, header_of, units
from titan_env.extras import extra
from titan_env.records.atomic_files import lock_folder, replace_atomically, write_atomically

with extra("evaluation"):
    import typer
    from matplotlib.figure import Figure
    from rich.console import Console
    from rich.progress import Progress

_LONGEST = 200  # letters of a folder's name

UnitResult: TypeAlias = tuple[list[Block], float, dict[str, dict[str, int]]]
"""The blocks of a unit, the seconds they took, and the agents' counters."""


def play_unit(game: str, unit: Unit, options: dict[str, Any], records: Path | None = None) -> list[Block]:
    """Return the blocks of a unit; record their games in a folder for each table in `records`."""
    folders = [] if records is None else [folder_of(records, lineup) for _, lineup in unit.blocks]
    for folder in folders:
        folder.mkdir(parents=True, exist_ok=True)
    seeds, lineups = zip(*unit.blocks, strict=True)
    return play_tables(GameSetup.of(registry.load(game), options), lineups, seeds, folders)


def folder_of(records: Path, lineup: Sequence[str]) -> Path:
    """Return the folder of the records of a table, whatever the order of its agents."""
    return records / re.sub(r"[^\w@=.-]+", "_", " against ".join(sorted(lineup)))[:_LONGEST]


def timed_unit(game: str, unit: Unit, options: dict[str, Any], records: Path | None) -> UnitResult:
    """Return the blocks of a unit, the seconds they took, and the increase of its agents' counters."""
    began, loaded = time.perf_counter(), registry.load(game)
    before = {name: agents.counts(name, loaded) for name in unit.names}
    blocks, seconds = play_unit(game, unit, options, records), time.perf_counter() - began
    after = {name: agents.counts(name, loaded) for name in before}
    counted = {
        name: {what: number - before[name].get(what, 0) for what, number in kept.items()}
        for name, kept in after.items()
        if kept
    }
    return blocks, seconds, counted


def check_names(names: Sequence[str]) -> None:
    """Raise ValueError unless these are the names of two or more different agents."""
    if len(set(names)) != len(names) or len(names) < 2:
        raise ValueError(f"expected two or more different agents, got {', '.join(names)}")


class ProcessDied(RuntimeError):
    """The error for a worker process that was killed from outside."""


def on_cores(
    game: str, work: Iterable[Unit], options: dict[str, Any], records: Path | None, processes: int, stop: Stop
) -> Iterator[UnitResult]:
    """Yield each unit's result as it ends, played on this machine. Raises ProcessDied if a process is killed.

    When `stop` is asked for, the units that are under way are the last.
    """
    if processes == 1:
        for one in work:
            yield timed_unit(game, one, options, records)
            stop.check()
        return
    pool = ProcessPoolExecutor(
        processes, multiprocessing.get_context("spawn"), end_with_parent, initargs=(signal.SIG_IGN,)
    )
    try:
        waiting = [pool.submit(timed_unit, game, unit, options, records) for unit in work]
        players = multiprocessing.active_children()
        for done in as_completed(waiting):
            if not done.cancelled():
                yield done.result()
            if stop.asked:
                for unit in waiting:
                    unit.cancel()  # those that are under way go on
        stop.check()
    except KeyboardInterrupt:
        for player in players:
            player.kill()
        raise
    except BrokenProcessPool:
        raise ProcessDied(
            "expected processes that live, but one was killed (is the memory too small?); "
            "the same command goes on where this one was"
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def cluster() -> Any:
    """Return Ray, connected to the cluster at RAY_ADDRESS. Raises ValueError if Ray or the cluster is missing."""
    with extra("rllib"):
        import ray
    try:
        ray.init(address=os.environ.get("RAY_ADDRESS"), ignore_reinit_error=True)
    except ConnectionError as error:
        raise ValueError(f"expected a Ray cluster at RAY_ADDRESS, found none: {error}") from None
    return ray


def on_ray(
    ray: Any, game: str, work: Iterable[Unit], options: dict[str, Any], records: Path | None, stop: Stop
) -> Iterator[UnitResult]:
    """Yield each unit's result as it ends, played on a Ray cluster, until `stop` is asked for."""
    remote = ray.remote(timed_unit)
    running = [remote.remote(game, unit, options, records) for unit in work]
    while running:
        (done,), running = ray.wait(running, num_returns=1)
        yield ray.get(done)
        stop.check()


@dataclass(frozen=True)
class Table:
    """The ratings of a tournament by winners, and by places in a game that has them, with its blocks."""

    anchor: str
    blocks: Sequence[Block]
    ratings: Sequence[Rating]
    by_places: Sequence[Rating]
    checks: Sequence[str]

    @classmethod
    def of(cls, names: Sequence[str], blocks: Sequence[Block], anchor: str) -> Table:
        """Return the table of these agents from their blocks."""
        names = sorted(names)
        winners, rankings = winners_of(blocks, names), rankings_of(blocks, names)
        by_places = [] if rankings is None else rate(names, rankings, anchor)
        checks = (largest_residual(names, winners, anchor), nash_average(names, winners))
        return cls(anchor, blocks, rate(names, winners, anchor), by_places, checks)

    def headings(self) -> list[str]:
        """Return the names of the columns of `rows`."""
        by_places = ["rating by places"] if self.by_places else []
        against = [f"against {rating.name}" for rating in self.ratings] if self.of_two else []
        return ["", "agent", "rating", *by_places, "wins", "games", *against]

    @property
    def of_two(self) -> bool:
        """True if every table has two sides."""
        return all(len(block.agents) == 2 for block in self.blocks)

    def rows(self) -> list[list[str]]:
        """Return the table as texts: rank, agent, ratings, share of wins and games; with two sides each pair's wins."""
        by_name = {rating.name: rating for rating in self.by_places}
        lines = []
        for rank, rating in enumerate(self.ratings, 1):
            own = [f"{rating.wins:.1%}", f"{rating.games:,}"]
            by_places = [_without_games(by_name[rating.name])] if by_name else []
            against = [share_against(self.blocks, rating.name, other.name) for other in self.ratings]
            shares = ["" if share is None else f"{share:.1%}" for share in against] if self.of_two else []
            lines.append([str(rank), rating.name, str(rating), *by_places, *own, *shares])
        return lines


def _without_games(rating: Rating) -> str:
    """Return a rating by places as text, in which games are not won or lost."""
    return str(rating).partition(" (0 of")[0] if np.isneginf(rating.points) else str(rating)


def share_against(blocks: Sequence[Block], one: str, other: str) -> float | None:
    """Return an agent's mean share of wins in the blocks of two with another; None without any."""
    shares = [
        block.shares()[:, block.agents.index(one)].mean()
        for block in blocks
        if sorted(block.agents) == sorted((one, other))
    ]
    return float(np.mean(shares)) if shares and one != other else None


def write(out: Path, table: Table, console: Console) -> None:
    """Print the table, and write it as Markdown, CSV and a plot."""
    title = f"Ratings on Elo's scale over {table.anchor} (95 % intervals of the difference)"
    lines = table.rows()
    console.print(tables.grid(title, table.headings(), lines))
    for sentence in table.checks:
        console.print(sentence)
    write_atomically(
        out / "table.md", f"{tables.markdown(table.headings(), lines)}\n" + "\n\n".join([*table.checks, ""])
    )
    text = io.StringIO()
    rows = [[one.name, one.points, one.low, one.high, one.wins, one.games] for one in table.ratings]
    csv.writer(text).writerows([["agent", "rating", "low", "high", "wins", "games"], *rows])
    write_atomically(out / "table.csv", text.getvalue())
    draw(table, out / "ratings.png")


def draw(table: Table, path: Path) -> None:
    """Write a plot of the ratings with their intervals; an agent without a finite one stands at its bound."""
    shown = [rating for rating in table.ratings if np.isfinite(rating.points)]
    figure = Figure(figsize=(7, 0.6 + 0.4 * len(shown)), layout="constrained")
    axes = figure.add_subplot()
    points = [rating.points for rating in shown]
    ends = np.array([[rating.points - rating.low, rating.high - rating.points] for rating in shown]).T
    axes.errorbar(
        points, [rating.name for rating in shown], xerr=np.where(np.isfinite(ends), ends, 0), fmt="o", capsize=3
    )
    axes.invert_yaxis()
    axes.set(xlabel=f"rating on Elo's scale over {table.anchor} (95 % intervals)")
    axes.grid(axis="x", alpha=0.3)
    replace_atomically(path, lambda half: figure.savefig(half, dpi=120))


def played_already(results: Results, records: Path | None) -> set[Key]:
    """Return the blocks that are finished, and recorded if records are wanted."""
    if records is None:
        return set(results.blocks)
    return {
        (seed, lineup)
        for seed, lineup in results.blocks
        if all(_is_whole(record_path(folder_of(records, lineup), seed, game)) for game in range(len(lineup)))
    }


def _is_whole(path: Path) -> bool:
    """Return whether a game is recorded to its end."""
    return path.exists() and path.read_text("utf-8").rpartition("\n{")[2].startswith('"result"')


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    names: Annotated[tuple[str, ...], typer.Argument()]
    """Two or more agents by name."""
    game: GameName = DEFAULT_GAME
    option: GameOptions = field(default_factory=dict)
    blocks: Annotated[int, Bounds(2)] = 512
    """Blocks in which each agent sits."""
    at_once: Annotated[int, Bounds(1)] = 128
    """Blocks of a unit of work."""
    seed: Annotated[int, Bounds(0)] = 0
    """Seed of the first block."""
    only: str | None = None
    """Agent that sits in every block, as to add it to a ladder."""
    anchor: str | None = None
    """Agent whose rating is 0; otherwise expert."""
    processes: Annotated[int, Bounds(1)] = os.cpu_count() or 1
    """Units played in parallel."""
    on_cluster: Annotated[bool, typer.Option("--ray")] = False
    """Play on a Ray cluster (RAY_ADDRESS)."""
    out: Path = Path("runs/tournament")
    """Folder of results and tables."""
    records: Path | None = None
    """Folder in which every game is recorded; games without a record are played."""


@from_dataclasses
def main(args: Arguments) -> None:
    """Play agents among each other at mixed tables, and rate them."""
    play_tournament(args)


def play_tournament(args: Arguments) -> None:
    """Play what is missing of a tournament, and print and write its table. Exits on errors and stops, in one line."""
    console = tables.console()
    names, only, out, records = args.names, args.only, args.out, args.records
    with interruptible(True) as stop:
        with user_errors():
            check_names(names)
            for what, name in (("--only", only), ("--anchor", args.anchor)):
                if name is not None and name not in names:
                    raise ValueError(f"expected {what} with one of {', '.join(names)}, got {name}")
            loaded = check_table(args.game, names, [])
            anchor, setup = args.anchor or anchor_of(names), GameSetup.of(loaded, args.option)
            setup.check_agents()
            ray = cluster() if args.on_cluster else None
            if records is not None:
                records.mkdir(parents=True, exist_ok=True)
            lock_folder(out)
            results = Results(out / "results.jsonl", header_of(loaded, args.option, names))
            keys = list(enumerate(draw_tables(names, setup.sides, args.blocks, args.seed, anchor, only), args.seed))
            work = units(keys, args.at_once, played_already(results, records))
        with user_errors((ProcessDied, OSError, agents.AgentFailed)), Progress(console=console) as progress:
            task = progress.add_task("playing", total=len(work))
            stop.check()
            parts = (args.game, work, args.option, records)
            for played in on_ray(ray, *parts, stop) if ray else on_cores(*parts, args.processes, stop):
                results.add(*played)
                progress.advance(task)
        chosen = results.among(names) if only else [results.blocks[key] for key in keys]
        write(out, Table.of(names, chosen, anchor), console)
        for name, counted in results.counted.items():
            console.print(f"{name}: {agents.usage_summary(name, loaded, counted)}")


if __name__ == "__main__":
    typer.run(main)
