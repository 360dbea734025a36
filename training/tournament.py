"""Every agent against every other, with ratings that do not depend on the order of play::

    python -m training.tournament random greedy flat:64 --option titans=4 --out runs/tournament

Each pair plays blocks of duplicate games (`agents.duplicate`), in units of work that run on all cores, or
on a Ray cluster with ``--ray``. A finished unit is written down at once: a tournament that was killed
goes on when the same command is given again. Ratings are the maximum-likelihood strengths of the
Bradley-Terry model (the library choix) on Elo's scale, with intervals from resampled blocks. The table
goes to ``table.md`` and ``table.csv``, a picture to ``ratings.png``.
"""

from __future__ import annotations

import csv
import itertools
import json
import os
import re
import time
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass
from multiprocessing import get_context
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import choix
import numpy as np
import typer
from matplotlib.figure import Figure
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

import agents
from agents.duplicate import play_blocks
from titan_env import registry
from titan_env.cli.seating import read_options

_ELO = 400 / np.log(10)
_RESAMPLES = 400
_PRIOR = 0.5  # wins that everybody has had against everybody: keeps ratings finite


@dataclass(frozen=True)
class Unit:
    """One piece of work: so many blocks of one pair, from a seed on."""

    one: str
    other: str
    seed: int
    blocks: int


Played: TypeAlias = tuple[Unit, list[float], float]
"""A unit, the share of wins that its first agent took in each block, and the seconds it took."""


def units(names: Sequence[str], blocks: int, at_once: int, seed: int) -> list[Unit]:
    """All the work of a tournament."""
    starts = range(0, blocks, at_once)
    pairs = itertools.combinations(names, 2)
    return [Unit(a, b, seed + s, min(at_once, blocks - s)) for s, (a, b) in itertools.product(starts, pairs)]


def play_unit(game: str, unit: Unit, options: dict[str, Any], records: Path | None = None) -> list[float]:
    """The share of wins that the first agent took in each block of a unit; every game in the folder `records`."""
    loaded = registry.load(game)
    players = [agents.load(unit.one, loaded), agents.load(unit.other, loaded)]
    names = (unit.one, unit.other)
    if records is not None:
        records = records / re.sub(r"[^\w@=.-]+", "_", " against ".join(names))
        records.mkdir(parents=True, exist_ok=True)
    seeds = range(unit.seed, unit.seed + unit.blocks)
    shares = play_blocks(loaded, players, seeds, records, names, **options)
    leads = (shares[:, :, 0] - shares[:, :, 1]).mean(axis=1)
    return [round(float(0.5 + lead / 2), 6) for lead in leads]


def timed_unit(game: str, unit: Unit, options: dict[str, Any], records: Path | None) -> Played:
    """A unit with its result, and the seconds it took."""
    began = time.perf_counter()
    return unit, play_unit(game, unit, options, records), time.perf_counter() - began


def on_cores(
    game: str, work: Iterable[Unit], options: dict[str, Any], records: Path | None, processes: int
) -> Iterator[Played]:
    """Play the units on this machine; each with its result, as they end."""
    if processes == 1:
        yield from (timed_unit(game, unit, options, records) for unit in work)
        return
    with ProcessPoolExecutor(processes, mp_context=get_context("spawn")) as pool:
        for done in as_completed([pool.submit(timed_unit, game, unit, options, records) for unit in work]):
            yield done.result()


def on_ray(game: str, work: Iterable[Unit], options: dict[str, Any], records: Path | None) -> Iterator[Played]:
    """Play the units on a Ray cluster; each with its result, as they end. Raises ValueError without Ray."""
    try:
        import ray
    except ModuleNotFoundError:
        raise ValueError("expected ray, to play on a cluster; pip install ray, or leave --ray out") from None
    ray.init(address=os.environ.get("RAY_ADDRESS"), ignore_reinit_error=True)
    remote = ray.remote(timed_unit)
    running = [remote.remote(game, unit, options, records) for unit in work]
    while running:
        (done,), running = ray.wait(running, num_returns=1)
        yield ray.get(done)


class Results:
    """What has been played so far, one line of JSON for each unit, so that nothing is played twice."""

    def __init__(self, path: Path, header: dict[str, Any]) -> None:
        self.path = path
        self.shares: dict[Unit, list[float]] = {}
        self.seconds: dict[Unit, float] = {}
        if path.exists():
            self._read(header)
        else:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(header) + "\n")

    def _read(self, header: dict[str, Any]) -> None:
        """Read the lines that are there; a last one that was cut off by a kill is dropped."""
        lines = self.path.read_text().splitlines(keepends=True)
        for number, line in enumerate(lines, 1):
            try:
                data = json.loads(line)
                if number == 1 and data != header:
                    raise ValueError(
                        f"expected the results of this tournament in {self.path}, "
                        f"got those of another one ({data}); choose another --out"
                    )
                if number > 1:
                    unit = Unit(**data["unit"])
                    self.shares[unit] = [float(share) for share in data["shares"]]
                    self.seconds[unit] = float(data["seconds"])
            except (json.JSONDecodeError, KeyError, TypeError):
                if number == len(lines) and number > 1:
                    self.path.write_text("".join(lines[:-1]))
                    return
                raise ValueError(f"expected a unit of results, {self.path} is damaged in line {number}") from None

    def add(self, unit: Unit, shares: list[float], seconds: float) -> None:
        """Write a finished unit down."""
        self.shares[unit], self.seconds[unit] = shares, seconds
        with self.path.open("a") as file:
            file.write(json.dumps({"unit": asdict(unit), "seconds": round(seconds, 3), "shares": shares}) + "\n")

    def of_pair(self, one: str, other: str) -> NDArray[np.float64]:
        """The shares that `one` took in each block against `other`, in the order of their seeds."""
        played = []
        for unit in sorted(self.shares, key=lambda unit: unit.seed):
            if (unit.one, unit.other) == (one, other):
                played += self.shares[unit]
            elif (unit.one, unit.other) == (other, one):
                played += [1 - share for share in self.shares[unit]]
        return np.array(played)


@dataclass(frozen=True)
class Rating:
    """How strong an agent is: points on Elo's scale, with a 95 % interval."""

    name: str
    points: float
    low: float
    high: float


def ratings(names: Sequence[str], results: Results, seed: int) -> list[Rating]:
    """The agents by strength, the best first. The weakest has 0 points."""
    pairs = {pair: results.of_pair(*pair) for pair in itertools.combinations(names, 2)}
    rng = np.random.default_rng(seed)
    found = _points(names, pairs)
    base = found.min()
    resampled = []
    for _ in range(_RESAMPLES):
        drawn = {pair: shares[rng.integers(0, len(shares), len(shares))] for pair, shares in pairs.items()}
        points = _points(names, drawn)
        resampled.append(points - points.mean() + found.mean())
    low, high = np.percentile(resampled, [2.5, 97.5], axis=0)
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


def rows(names: Sequence[str], results: Results, table: list[Rating]) -> list[list[str]]:
    """The table as texts: rank, agent, rating with interval, and its share of wins against each other agent."""
    lines = []
    for rank, rating in enumerate(table, 1):
        cells = [str(rank), rating.name, f"{rating.points:.0f} ({rating.low:.0f} to {rating.high:.0f})"]
        for other in table:
            shares = results.of_pair(rating.name, other.name)
            cells.append(f"{shares.mean():.1%}" if len(shares) else "")
        lines.append(cells)
    return lines


def write(out: Path, names: Sequence[str], results: Results, table: list[Rating], console: Console) -> None:
    """Print the table, and write it as Markdown, CSV and a picture."""
    headings = ["", "agent", "rating", *(f"against {rating.name}" for rating in table)]
    lines = rows(names, results, table)
    shown = Table(title="Ratings on Elo's scale, the weakest 0 (95 % intervals), and shares of wins")
    for heading in headings:
        shown.add_column(heading)
    for line in lines:
        shown.add_row(*line)
    console.print(shown)
    markdown = ["| " + " | ".join(line) + " |" for line in (headings, ["---"] * len(headings), *lines)]
    (out / "table.md").write_text("\n".join(markdown) + "\n")
    with (out / "table.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["agent", "rating", "low", "high"], *([*asdict(r).values()] for r in table)])
    figure = Figure(figsize=(7, 0.6 + 0.4 * len(table)), layout="constrained")
    axes = figure.add_subplot()
    points = [rating.points for rating in table]
    spread = [[r.points - r.low for r in table], [r.high - r.points for r in table]]
    axes.errorbar(points, [r.name for r in table], xerr=spread, fmt="o", capsize=3)
    axes.invert_yaxis()
    axes.set(xlabel="rating on Elo's scale (95 % intervals)")
    axes.grid(axis="x", alpha=0.3)
    figure.savefig(out / "ratings.png", dpi=120)


def main(
    names: Annotated[list[str], typer.Argument(help="two or more agents by name")],
    game: Annotated[str, typer.Option(help="which game")] = next(iter(registry.GAMES)),
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="option of the game: name=value")] = None,
    blocks: Annotated[int, typer.Option(min=2, help="blocks of each pair")] = 512,
    at_once: Annotated[int, typer.Option(min=1, help="blocks of a unit of work")] = 128,
    seed: Annotated[int, typer.Option(min=0, help="seed of the first block")] = 0,
    processes: Annotated[int, typer.Option(min=1, help="units at once")] = os.cpu_count() or 1,
    ray: Annotated[bool, typer.Option("--ray", help="play on a Ray cluster (RAY_ADDRESS)")] = False,
    out: Annotated[Path, typer.Option(help="folder of results and tables")] = Path("runs/tournament"),
    records: Annotated[Path | None, typer.Option(help="write every game down in this folder")] = None,
) -> None:
    """Play a round robin and rate its agents."""
    console = Console()
    try:
        loaded, options = registry.load(game), read_options(option or [])
        if len(set(names)) != len(names) or len(names) < 2:
            raise ValueError(f"expected two or more different agents, got {', '.join(names)}")
        for name in names:
            agents.load(name, loaded)
        loaded.configure(**options)
        header = {"game": loaded.id, "options": options}
        results = Results(out / "results.jsonl", header)
        work = [unit for unit in units(names, blocks, at_once, seed) if unit not in results.shares]
        with Progress(console=console) as progress:
            task = progress.add_task("playing", total=len(work))
            what = (game, work, options, records)
            played = on_ray(*what) if ray else on_cores(*what, processes)
            for unit, shares, seconds in played:
                results.add(unit, shares, seconds)
                progress.advance(task)
    except (ValueError, TypeError) as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None
    write(out, names, results, ratings(names, results, seed), console)


if __name__ == "__main__":
    typer.run(main)
