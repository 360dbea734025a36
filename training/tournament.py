"""Every agent against every other, with ratings that do not depend on the order of play::

    python -m training.tournament random greedy flat:64 --option titans=4 --out runs/tournament

Each pair plays blocks of duplicate games (`agents.duplicate`), in units of work that run on all cores, or
on a Ray cluster with ``--ray``. A finished unit is written down at once (`training.results`): a tournament
that was stopped goes on when the same command is given again. The table goes to ``table.md`` and
``table.csv``, a picture to ``ratings.png``.

Ratings are the maximum-likelihood strengths of the Bradley-Terry model (the library choix) on Elo's
scale, with intervals from resampled blocks. However many seats a table has, two agents share them and
change places within each block, so that a block is a comparison of two; a model of whole rankings
(Plackett-Luce) would need tables of many agents, where who sits beside whom counts too.
"""

from __future__ import annotations

import csv
import io
import itertools
import multiprocessing
import os
import re
import signal
import threading
import time
from collections.abc import Container, Iterable, Iterator, Sequence
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

import agents
from agents.duplicate import play_blocks, record_path
from agents.match import table_of
from titan_env import registry
from titan_env.cli.seating import read_options
from training import output
from training.commands import STOPPED, check_table, user_errors
from training.results import Pair, Results, Unit, header_of, units

_ELO = 400 / np.log(10)
_RESAMPLES = 400
_PRIOR = 0.5  # wins that everybody has had against everybody: keeps ratings finite

Played: TypeAlias = tuple[Unit, list[float], float]
"""A unit, the share of wins that its first agent took in each block, and the seconds it took."""


def play_unit(game: str, unit: Unit, options: dict[str, Any], records: Path | None = None) -> list[float]:
    """The share of wins that the first agent took in each block of a unit; every game in the folder `records`."""
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
    """Where the records of a pair lie."""
    return records / re.sub(r"[^\w@=.-]+", "_", " against ".join(pair))


def timed_unit(game: str, unit: Unit, options: dict[str, Any], records: Path | None) -> Played:
    """A unit with its result, and the seconds it took."""
    began = time.perf_counter()
    return unit, play_unit(game, unit, options, records), time.perf_counter() - began


def _outlive(parent: BaseProcess) -> None:
    """Wait for the end of that process, and then end this one."""
    parent.join()
    os._exit(1)


def _end_with_parent() -> None:
    """What a process that plays begins with: Ctrl-C ends it, and so does the end of whoever began it."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    parent = multiprocessing.parent_process()
    assert parent is not None
    threading.Thread(target=_outlive, args=(parent,), daemon=True).start()


class ProcessDied(RuntimeError):
    """A process that plays was killed from outside."""


def on_cores(
    game: str, work: Iterable[Unit], options: dict[str, Any], records: Path | None, processes: int
) -> Iterator[Played]:
    """Play the units on this machine; each with its result, as they end. Raises ProcessDied where one does."""
    if processes == 1:
        yield from (timed_unit(game, unit, options, records) for unit in work)
        return
    pool = ProcessPoolExecutor(processes, multiprocessing.get_context("spawn"), _end_with_parent)
    try:
        for done in as_completed([pool.submit(timed_unit, game, unit, options, records) for unit in work]):
            yield done.result()
    except BrokenProcessPool:
        raise ProcessDied(
            "expected processes that live, but one was killed (is the memory too small?); "
            "the same command goes on where this one was"
        ) from None
    finally:
        pool.shutdown(wait=False, cancel_futures=True)


def cluster() -> Any:
    """Ray, connected to the cluster that RAY_ADDRESS names. Raises ValueError where either is not there."""
    try:
        import ray
    except ModuleNotFoundError:
        raise ValueError("expected ray, to play on a cluster; pip install ray, or leave --ray out") from None
    try:
        ray.init(address=os.environ.get("RAY_ADDRESS"), ignore_reinit_error=True)
    except ConnectionError as error:
        raise ValueError(f"expected a Ray cluster at RAY_ADDRESS, found none: {error}") from None
    return ray


def on_ray(
    ray: Any, game: str, work: Iterable[Unit], options: dict[str, Any], records: Path | None
) -> Iterator[Played]:
    """Play the units on a Ray cluster; each with its result, as they end."""
    remote = ray.remote(timed_unit)
    running = [remote.remote(game, unit, options, records) for unit in work]
    while running:
        (done,), running = ray.wait(running, num_returns=1)
        yield ray.get(done)


@dataclass(frozen=True)
class Rating:
    """How strong an agent is: points on Elo's scale, with a 95 % interval."""

    name: str
    points: float
    low: float
    high: float


def ratings(names: Sequence[str], results: Results, seed: int, seeds: Container[int] | None = None) -> list[Rating]:
    """The agents by strength, the best first, from all blocks or those of these seeds. The weakest has 0 points.

    For the intervals, blocks are drawn anew, among them one more for each side that is imagined, for a few
    blocks that all went the same way do not mean that all will.
    """
    pairs = {pair: results.of_pair(*pair, seeds) for pair in itertools.combinations(names, 2)}
    rng = np.random.default_rng(seed)
    found = _points(names, pairs)
    resampled = []
    for _ in range(_RESAMPLES):
        drawn = {pair: rng.choice(np.append(shares, (0, 1)), len(shares)) for pair, shares in pairs.items()}
        points = _points(names, drawn)
        resampled.append(points - points.mean())
    low, high = np.percentile(resampled, [2.5, 97.5], axis=0) - np.mean(resampled, axis=0) + found
    base = found.min()
    order = np.argsort(-found)
    return [Rating(names[i], float(found[i] - base), float(low[i] - base), float(high[i] - base)) for i in order]


def _points(names: Sequence[str], pairs: dict[tuple[str, str], NDArray[np.float64]]) -> NDArray[np.float64]:
    """The maximum-likelihood strength of each agent, on Elo's scale."""
    wins = np.full((len(names), len(names)), _PRIOR)
    for (one, other), shares in pairs.items():
        i, j = names.index(one), names.index(other)
        wins[i, j] += shares.sum()
        wins[j, i] += (1 - shares).sum()
    np.fill_diagonal(wins, 0)
    strengths: NDArray[np.float64] = choix.ilsr_pairwise_dense(wins) * _ELO
    return strengths


def rows(results: Results, table: list[Rating], seeds: Container[int]) -> list[list[str]]:
    """The table as texts: rank, agent, rating with interval, and its share of wins against each other agent."""
    lines = []
    for rank, rating in enumerate(table, 1):
        cells = [str(rank), rating.name, f"{rating.points:.0f} ({rating.low:.0f} to {rating.high:.0f})"]
        for other in table:
            shares = results.of_pair(rating.name, other.name, seeds)
            cells.append(f"{shares.mean():.1%}" if len(shares) else "")
        lines.append(cells)
    return lines


def write(out: Path, lines: list[list[str]], table: list[Rating], console: Console) -> None:
    """Print the table, and write it as Markdown, CSV and a picture."""
    headings = ["", "agent", "rating", *(f"against {rating.name}" for rating in table)]
    title = "Ratings on Elo's scale, the weakest 0 (95 % intervals), and shares of wins"
    console.print(output.grid(title, headings, lines))
    output.write_whole(out / "table.md", output.markdown(headings, lines))
    text = io.StringIO()
    csv.writer(text).writerows([["agent", "rating", "low", "high"], *map(astuple, table)])
    output.write_whole(out / "table.csv", text.getvalue())
    draw(table, out / "ratings.png")


def draw(table: list[Rating], path: Path) -> None:
    """A picture of the ratings with their intervals."""
    figure = Figure(figsize=(7, 0.6 + 0.4 * len(table)), layout="constrained")
    axes = figure.add_subplot()
    points = [rating.points for rating in table]
    spread = [[r.points - r.low for r in table], [r.high - r.points for r in table]]
    axes.errorbar(points, [r.name for r in table], xerr=spread, fmt="o", capsize=3)
    axes.invert_yaxis()
    axes.set(xlabel="rating on Elo's scale (95 % intervals)")
    axes.grid(axis="x", alpha=0.3)
    figure.savefig(path, dpi=120)


def played_already(results: Results, records: Path | None) -> dict[Pair, set[int]]:
    """Which blocks of each pair need not be played: their result is there, and their records where they are wanted."""
    done = {pair: set(shares) for pair, shares in results.shares.items()}
    if records is not None:
        for pair, seeds in done.items():
            folder = folder_of(records, pair)
            seeds -= {seed for seed in seeds for place in (0, 1) if not _is_whole(record_path(folder, seed, place))}
    return done


def _is_whole(path: Path) -> bool:
    """Whether a game is written down to its end."""
    return path.exists() and path.read_text("utf-8").rpartition("\n{")[2].startswith('"result"')


def main(
    names: Annotated[list[str], typer.Argument(help="two or more agents by name")],
    game: Annotated[str, typer.Option(help="which game")] = next(iter(registry.GAMES)),
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="option of the game: name=value")] = None,
    blocks: Annotated[int, typer.Option(min=2, help="blocks of each pair")] = 512,
    at_once: Annotated[int, typer.Option(min=1, help="blocks of a unit of work")] = 128,
    seed: Annotated[int, typer.Option(min=0, help="seed of the first block")] = 0,
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
            loaded = check_table(game, names, [])
            table_of(loaded, options)
            ray = cluster() if on_cluster else None
            if records is not None:
                records.mkdir(parents=True, exist_ok=True)
            results = Results(out / "results.jsonl", header_of(loaded, options, names))
            work = units(names, seeds, at_once, played_already(results, records))
        with user_errors((ProcessDied, OSError)), Progress(console=console) as progress:
            task = progress.add_task("playing", total=len(work))
            what = (game, work, options, records)
            for unit, shares, seconds in on_ray(ray, *what) if ray else on_cores(*what, processes):
                results.add(unit, shares, seconds)
                progress.advance(task)
        table = ratings(sorted(names), results, seed, seeds)
        write(out, rows(results, table, seeds), table, console)
    except KeyboardInterrupt:
        typer.echo("Stopped; the same command goes on where this one was.", err=True)
        raise typer.Exit(STOPPED) from None


if __name__ == "__main__":
    typer.run(main)
