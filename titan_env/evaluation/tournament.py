"""Play a round robin of agents and rate them independently of the order of play::

    python -m titan_env.evaluation.tournament random greedy flat:64 --option titans=4 --out runs/tournament

Each pair plays blocks of duplicate games (`titan_env.evaluation.duplicate`), in units of work that run on all cores, or
on a Ray cluster with ``--ray``. A finished unit is saved at once (`titan_env.evaluation.results`): the same command
continues a stopped tournament. The table is written to ``table.md`` and ``table.csv``, a plot to ``ratings.png``.

Ratings are the maximum-likelihood strengths of the Bradley-Terry model (the library choix) on Elo's scale, relative
to the mean of the table, with intervals from the spread of the blocks that hold 95 % of simulated tournaments. However
many seats a table has, two agents share them and change places within each block, so that a block is a comparison of
two; a model of whole rankings (Plackett-Luce) would need tables of many agents, where the order of seats matters too.
"""

from __future__ import annotations

import csv
import io
import multiprocessing
import os
import re
import signal
import threading
import time
from collections.abc import Container, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import astuple, dataclass
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import choix
import numpy as np
import typer
from matplotlib.figure import Figure
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress

from titan_env import agents, registry
from titan_env.cli import output
from titan_env.cli.console import STOPPED, WHICH, check_table, user_errors
from titan_env.engine.option_text import read_options
from titan_env.evaluation.duplicate import play_blocks, record_path
from titan_env.evaluation.match import SURE, table_of
from titan_env.evaluation.results import Outcome, Pair, Results, Unit, header_of, units
from titan_env.extras import extra
from titan_env.records.files import hold, make_whole, write_whole

ELO = 400 / np.log(10)
"""The rating points of one e-fold of the odds of winning."""
_PRIOR = 0.05  # added wins of each against each: keeps ratings finite if one has won all blocks, hardly moves others
_LATER = 0.5  # seconds by which Ctrl-C may reach this process later than those that play

Played: TypeAlias = tuple[Unit, list[float], float, dict[str, dict[str, int]]]
"""A unit, its first agent's share of wins in each block, the seconds it took, and the agents' counters."""


def play_unit(game: str, unit: Unit, options: dict[str, Any], records: Path | None = None) -> list[float]:
    """Return the first agent's share of wins in each block of a unit; record the games in the folder `records`."""
    loaded = registry.load(game)
    players = [agents.load(unit.one, loaded), agents.load(unit.other, loaded)]
    names = (unit.one, unit.other)
    if records is not None:
        records = folder_of(records, names)
        records.mkdir(parents=True, exist_ok=True)
    shares = play_blocks(loaded, players, unit.seeds, records, names, **options)
    leads = (shares[:, :, 0] - shares[:, :, 1]).mean(axis=1)
    return [round(float(0.5 + lead / 2), 6) for lead in leads]


def folder_of(records: Path, pair: Pair) -> Path:
    """Return the folder of a pair's records."""
    return records / re.sub(r"[^\w@=.-]+", "_", " against ".join(pair))


def timed_unit(game: str, unit: Unit, options: dict[str, Any], records: Path | None) -> Played:
    """Return a unit with its result, the seconds it took, and the increase of its agents' counters."""
    began, loaded = time.perf_counter(), registry.load(game)
    before = {name: agents.counts(name, loaded) for name in (unit.one, unit.other)}
    shares, seconds = play_unit(game, unit, options, records), time.perf_counter() - began
    after = {name: agents.counts(name, loaded) for name in before}
    counted = {
        name: {what: number - before[name].get(what, 0) for what, number in kept.items()}
        for name, kept in after.items()
        if kept
    }
    return unit, shares, seconds, counted


def _outlive(parent: BaseProcess) -> None:
    """Wait for the end of the parent process, then end this one."""
    parent.join()
    os._exit(1)


def _end_with_parent() -> None:
    """Make this process end at Ctrl-C and with its parent process."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_outlive, args=(parent,), daemon=True).start()


class ProcessDied(RuntimeError):
    """The error for a worker process that was killed from outside."""


def on_cores(
    game: str, work: Iterable[Unit], options: dict[str, Any], records: Path | None, processes: int
) -> Iterator[Played]:
    """Yield each unit's result as it ends, played on this machine. Raises ProcessDied if a process is killed."""
    if processes == 1:
        yield from (timed_unit(game, unit, options, records) for unit in work)
        return
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), _end_with_parent)
    try:
        waiting = [pool.submit(timed_unit, game, unit, options, records) for unit in work]
        players = multiprocessing.active_children()
        for done in as_completed(waiting):
            yield done.result()
    except BrokenProcessPool:
        time.sleep(_LATER)
        if any(player.exitcode == -signal.SIGINT for player in players):
            raise KeyboardInterrupt from None
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
    ray: Any, game: str, work: Iterable[Unit], options: dict[str, Any], records: Path | None
) -> Iterator[Played]:
    """Yield each unit's result as it ends, played on a Ray cluster."""
    remote = ray.remote(timed_unit)
    running = [remote.remote(game, unit, options, records) for unit in work]
    while running:
        (done,), running = ray.wait(running, num_returns=1)
        yield ray.get(done)


@dataclass(frozen=True)
class Rating:
    """An agent's rating in points on Elo's scale, with a 95 % interval."""

    name: str
    points: float
    low: float
    high: float


def ratings(names: Sequence[str], outcomes: Mapping[Pair, Outcome]) -> list[Rating]:
    """Compute the agents' ratings from their pairs' outcomes, the best first; their mean is 0.

    Relative to the mean, each interval reflects the agent's own error; relative to one fixed agent it would include
    that agent's error too.
    """
    number = {name: i for i, name in enumerate(names)}
    rated = [pair for pair in sorted(outcomes) if number.keys() >= set(pair)]
    pairs = {(number[one], number[other]): outcomes[one, other] for one, other in rated}
    points = _points(len(names), pairs)
    half = SURE * np.sqrt(np.diag(_covariance(pairs, points)))
    order = np.argsort(-points)
    return [Rating(names[i], *(float(points[i] + side * half[i]) for side in (0, -1, 1))) for i in order]


def _points(agents: int, pairs: Mapping[tuple[int, int], Outcome]) -> NDArray[np.float64]:
    """Compute each agent's maximum-likelihood strength on Elo's scale, float64 (agents,), with mean 0."""
    wins = np.full((agents, agents), _PRIOR)
    for (i, j), found in pairs.items():
        wins[i, j] += found.blocks * found.rate
        wins[j, i] += found.blocks * (1 - found.rate)
    np.fill_diagonal(wins, 0)
    strengths: NDArray[np.float64] = choix.ilsr_pairwise_dense(wins) * ELO
    return strengths - strengths.mean()


def _covariance(pairs: Mapping[tuple[int, int], Outcome], points: NDArray[np.float64]) -> NDArray[np.float64]:
    """Estimate the covariance matrix of the ratings (the sandwich estimator of Huber 1967).

    The variance is that between blocks, whose two games share their dice.
    """
    curvature, spread = np.zeros((2, len(points), len(points)))
    for (i, j), found in pairs.items():
        apart = np.zeros(len(points))
        apart[i], apart[j] = 1, -1
        chance = 1 / (1 + np.exp(-points @ apart / ELO))
        curvature += found.blocks * chance * (1 - chance) * np.outer(apart, apart)
        spread += found.blocks * found.spread**2 * np.outer(apart, apart)
    bread = np.linalg.pinv(curvature) * ELO
    covariance: NDArray[np.float64] = bread @ spread @ bread
    return covariance


def rows(results: Results, table: list[Rating], seeds: Container[int]) -> list[list[str]]:
    """Return the table as texts: rank, agent, rating with interval, and share of wins against each other agent."""
    lines = []
    for rank, rating in enumerate(table, 1):
        cells = [str(rank), rating.name, f"{rating.points:.0f} ({rating.low:.0f} to {rating.high:.0f})"]
        for other in table:
            shares = results.of_pair(rating.name, other.name, seeds)
            cells.append(f"{shares.mean():.1%}" if len(shares) else "")
        lines.append(cells)
    return lines


def write(out: Path, lines: list[list[str]], table: list[Rating], console: Console) -> None:
    """Print the table, and write it as Markdown, CSV and a plot."""
    headings = ["", "agent", "rating", *(f"against {rating.name}" for rating in table)]
    title = "Ratings on Elo's scale, their mean 0 (95 % intervals), and shares of wins"
    console.print(output.grid(title, headings, lines))
    write_whole(out / "table.md", output.markdown(headings, lines))
    text = io.StringIO()
    csv.writer(text).writerows([["agent", "rating", "low", "high"], *map(astuple, table)])
    write_whole(out / "table.csv", text.getvalue())
    draw(table, out / "ratings.png")


def draw(table: list[Rating], path: Path) -> None:
    """Write a plot of the ratings with their intervals."""
    figure = Figure(figsize=(7, 0.6 + 0.4 * len(table)), layout="constrained")
    axes = figure.add_subplot()
    points = [rating.points for rating in table]
    spread = [[r.points - r.low for r in table], [r.high - r.points for r in table]]
    axes.errorbar(points, [r.name for r in table], xerr=spread, fmt="o", capsize=3)
    axes.invert_yaxis()
    axes.set(xlabel="rating on Elo's scale, relative to the mean (95 % intervals)")
    axes.grid(axis="x", alpha=0.3)
    make_whole(path, lambda half: figure.savefig(half, dpi=120))


def played_already(results: Results, records: Path | None) -> dict[Pair, set[int]]:
    """Return the blocks of each pair that are finished, and recorded if records are wanted."""
    done = {pair: set(shares) for pair, shares in results.shares.items()}
    if records is not None:
        for pair, seeds in done.items():
            folder = folder_of(records, pair)
            seeds -= {seed for seed in seeds for place in (0, 1) if not _is_whole(record_path(folder, seed, place))}
    return done


def _is_whole(path: Path) -> bool:
    """Return whether a game is recorded to its end."""
    return path.exists() and path.read_text("utf-8").rpartition("\n{")[2].startswith('"result"')


def main(
    names: Annotated[list[str], typer.Argument(help="two or more agents by name")],
    game: Annotated[str, typer.Option(help=WHICH)] = next(iter(registry.GAMES)),
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="option of the game: name=value")] = None,
    blocks: Annotated[int, typer.Option(min=2, help="blocks of each pair")] = 512,
    at_once: Annotated[int, typer.Option(min=1, help="blocks of a unit of work")] = 128,
    seed: Annotated[int, typer.Option(min=0, help="seed of the first block")] = 0,
    only: Annotated[str | None, typer.Option(help="play this agent's pairs alone, as to add it to a ladder")] = None,
    processes: Annotated[int, typer.Option(min=1, help="units at once")] = os.cpu_count() or 1,
    on_cluster: Annotated[bool, typer.Option("--ray", help="play on a Ray cluster (RAY_ADDRESS)")] = False,
    out: Annotated[Path, typer.Option(help="folder of results and tables")] = Path("runs/tournament"),
    records: Annotated[
        Path | None, typer.Option(help="write every game down here; plays those without a record")
    ] = None,
) -> None:
    """Play a round robin and rate its agents."""
    console, seeds = output.console(), range(seed, seed + blocks)
    try:
        with user_errors():
            options = read_options(option or [])
            if len(set(names)) != len(names) or len(names) < 2:
                raise ValueError(f"expected two or more different agents, got {', '.join(names)}")
            if only is not None and only not in names:
                raise ValueError(f"expected --only with one of {', '.join(names)}, got {only}")
            loaded = check_table(game, names, [])
            table_of(loaded, options)
            ray = cluster() if on_cluster else None
            if records is not None:
                records.mkdir(parents=True, exist_ok=True)
            hold(out)
            results = Results(out / "results.jsonl", header_of(loaded, options, names))
            work = units(names, seeds, at_once, played_already(results, records))
            work = [unit for unit in work if only in (None, unit.one, unit.other)]
        with user_errors((ProcessDied, OSError, agents.AgentFailed)), Progress(console=console) as progress:
            task = progress.add_task("playing", total=len(work))
            what = (game, work, options, records)
            for played in on_ray(ray, *what) if ray else on_cores(*what, processes):
                results.add(*played)
                progress.advance(task)
        table = ratings(sorted(names), results.outcomes(seeds))
        write(out, rows(results, table, seeds), table, console)
        for name, counted in results.counted.items():
            console.print(f"{name}: {agents.account(name, loaded, counted)}")
    except KeyboardInterrupt:
        typer.echo("Stopped; the same command goes on where this one was.", err=True)
        raise typer.Exit(STOPPED) from None


if __name__ == "__main__":
    typer.run(main)
