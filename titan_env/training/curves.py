"""Compare learning curves of runs of `titan_env.training.ppo`: wins over decisions or the time of learning::

    python -m titan_env.training.curves runs/ppo-* runs/other-* --against expert --out runs/curves.png

Each run's evaluations are read from its logs, the first of the network before it learned (``--evaluate-every`` sets
their interval). Runs that differ in their seed alone are one curve: the mean with Student's 95 % interval over them. A
curve is named by the settings in which it differs from the others. The time is that of learning alone, without the
evaluations.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Literal

import numpy as np
from numpy.typing import ArrayLike, NDArray

from titan_env.cli import tables
from titan_env.cli.console import user_errors
from titan_env.evaluation.benchmark.scores import Estimate, estimate_over_runs
from titan_env.extras import extra
from titan_env.records.atomic_files import replace_atomically
from titan_env.training.run_folder import CONFIG

with extra("training"):
    import typer
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.ticker import EngFormatter

HEADINGS = ("runs", "seeds", "minutes", "decisions", "wins at first", "wins at the end")
EQUALS = {"equals": 50.0}
_WIDEST = 60  # letters of a line in the legend

Scale = Literal["decisions", "minutes"]
"""What the progress of a run is counted in."""


@dataclass(frozen=True)
class RunLog:
    """The evaluations that a run has logged: its config, and each evaluation's minutes, decisions and share of wins."""

    config: Mapping[str, Any]
    minutes: list[float]
    decisions: list[int]
    wins: list[float]

    def settings(self) -> dict[str, Any]:
        """Return the config without the seed."""
        return {name: value for name, value in self.config.items() if name != "seed"}

    def progress(self, scale: Scale) -> NDArray[np.float64]:
        """Return the minutes or decisions of the evaluations."""
        return np.asarray(self.decisions if scale == "decisions" else self.minutes, np.float64)


@dataclass(frozen=True)
class Curve:
    """The learning curve of runs that differ in their seed alone: wins in percent over the progress."""

    runs: Sequence[RunLog]
    progress: NDArray[np.float64]
    wins: Sequence[Estimate]


def read_run(folder: Path, against: str) -> RunLog:
    """Return the evaluations of a run against an agent. Raises ValueError for a folder without them."""
    with extra("training"):
        from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    if not (folder / CONFIG).exists():
        raise ValueError(f"expected the folder of a run of titan_env.training.ppo, got {folder}")
    logs = EventAccumulator(str(folder), size_guidance={"scalars": 0}).Reload()
    opponents = [
        name.removeprefix("wins_against_") for name in logs.Tags()["scalars"] if name.startswith("wins_against_")
    ]
    if against not in opponents:
        found = ", ".join(opponents) or "nobody"
        raise ValueError(f"expected evaluations against {against} in {folder}, found those against {found}")
    wins = logs.Scalars(f"wins_against_{against}")
    seconds = {event.step: event.value for event in logs.Scalars("seconds")}
    config = json.loads((folder / CONFIG).read_text("utf-8"))["config"]
    steps = [event.step for event in wins]
    return RunLog(config, [seconds[step] / 60 for step in steps], steps, [event.value for event in wins])


def curves_of(runs: Sequence[RunLog], scale: Scale) -> list[Curve]:
    """Return a curve for each group of runs that differ in their seed alone, in the order of the first of each."""
    groups: dict[str, list[RunLog]] = {}
    for run in runs:
        groups.setdefault(json.dumps(run.settings(), sort_keys=True), []).append(run)
    return [curve_of(alike, scale) for alike in groups.values()]


def curve_of(runs: Sequence[RunLog], scale: Scale) -> Curve:
    """Return the curve of runs, at those evaluations of the first one that all runs reach.

    Evaluations happen by the clock, so that those of the other runs lie a little beside; wins between two of them are
    taken from the straight line. Raises ValueError for a run that ends before the evaluations of another one begin.
    """
    each = [run.progress(scale) for run in runs]
    begin, end = max(points[0] for points in each), min(points[-1] for points in each)
    if begin > end:
        reached = f"a first evaluation at {begin:g} and a last one at {end:g} {scale}"
        raise ValueError(f"expected runs that differ in their seed alone to have evaluations in common, got {reached}")
    at = np.array([point for point in each[0] if begin < point < end])
    at = np.unique(np.concatenate([[begin], at, [end]]))
    wins = [100 * np.interp(at, points, run.wins) for points, run in zip(each, runs, strict=True)]
    return Curve(runs, at, [estimate_over_runs([of_runs]) for of_runs in np.stack(wins, axis=1)])


def names_of(curves: Sequence[Curve]) -> list[str]:
    """Return each curve's name: the settings that are not equal in all of them; "all runs" of a single one."""
    settings = [curve.runs[0].settings() for curve in curves]
    apart = [name for name in settings[0] if len({json.dumps(one.get(name)) for one in settings}) > 1]
    return [", ".join(f"{name}={one.get(name)}" for name in apart) or "all runs" for one in settings]


def draw(
    curves: Sequence[Curve],
    against: str,
    scale: Scale,
    path: Path,
    levels: Mapping[str, float] = EQUALS,
    title: str = "",
) -> None:
    """Write a plot of all curves to a PNG file: wins against the progress, with their intervals.

    `levels` are the labels and the percentages of lines to compare with.
    """
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for curve, name in zip(curves, names_of(curves), strict=True):
        plot(axes, curve.progress, curve.wins, textwrap.fill(name, _WIDEST))
    for label, percent in levels.items():
        axes.axhline(percent, color="grey", linestyle=":")
        axes.text(1.01, percent, label, transform=axes.get_yaxis_transform(), va="center", color="grey")
    axes.set(title=title, xlabel=f"{scale} of learning", ylabel=f"wins against {against} in percent")
    axes.set_xlim(left=0)
    if scale == "decisions":
        axes.xaxis.set_major_formatter(EngFormatter(sep=" "))
    if len(curves) > 1:
        axes.legend()
    replace_atomically(path, lambda half: figure.savefig(half, dpi=110, format="png"))


def plot(axes: Axes, progress: ArrayLike, wins: Sequence[Estimate], label: str) -> None:
    """Draw a line of estimates with their intervals as a band."""
    axes.plot(progress, [one.value for one in wins], marker="o", markersize=3, label=label)
    axes.fill_between(progress, [one.low for one in wins], [one.high for one in wins], alpha=0.2)


def main(
    runs: Annotated[list[Path], typer.Argument(help="Folders of runs.")],
    against: Annotated[str, typer.Option(help="Opponent of the evaluations.")] = "expert",
    scale: Annotated[Scale, typer.Option("--over", help="Unit of the horizontal axis.")] = "decisions",
    out: Annotated[Path | None, typer.Option(help="Plot to this .png file.")] = None,
) -> None:
    """Compare the learning curves of runs of training.ppo."""
    with user_errors():
        if len({run.resolve() for run in runs}) < len(runs):
            raise ValueError("expected each run once, got one twice")
        curves = curves_of([read_run(run, against) for run in runs], scale)
        if out is not None:
            draw(curves, against, scale, out)
    lines = [_line(name, curve) for name, curve in zip(names_of(curves), curves, strict=True)]
    tables.console().print(tables.grid(f"Wins against {against} in percent", HEADINGS, lines))


def _line(name: str, curve: Curve) -> list[str]:
    """Return the table's cells of a curve; minutes and decisions are medians over its runs.

    A single run has no interval.
    """
    minutes = np.median([run.minutes[-1] for run in curve.runs])
    decisions = np.median([run.decisions[-1] for run in curve.runs])
    ends = [str(wins) if len(curve.runs) > 1 else f"{wins.value:.1f}" for wins in (curve.wins[0], curve.wins[-1])]
    return [name, str(len(curve.runs)), f"{minutes:.1f}", f"{decisions:,.0f}", *ends]


if __name__ == "__main__":
    typer.run(main)
