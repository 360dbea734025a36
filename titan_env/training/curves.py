"""Compare learning curves of runs of `titan_env.training.ppo`: wins over the time of learning::

    python -m titan_env.training.curves runs/ppo runs/other --against expert --out runs/curves.png

Each run's evaluations are read from its logs (``--evaluate-every`` sets their interval). A run is named by the settings
in which it differs from the others. The time is that of learning alone, without the evaluations.
"""

from __future__ import annotations

import json
import textwrap
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import typer
from matplotlib.figure import Figure

from titan_env.cli import tables
from titan_env.cli.console import user_errors
from titan_env.records.atomic_files import replace_atomically
from titan_env.training.hyperparameters import new_config
from titan_env.training.run_folder import CONFIG

HEADINGS = ("run", "minutes", "decisions", "wins")
_WIDEST = 60  # letters of a line in the legend


@dataclass(frozen=True)
class Curve:
    """The learning curve of a run: its config, and each evaluation's minutes, decisions and share of wins."""

    config: Mapping[str, Any]
    minutes: list[float]
    decisions: list[int]
    wins: list[float]


def read_curve(folder: Path, against: str) -> Curve:
    """Return the evaluations of a run against an agent. Raises ValueError for a folder without them."""
    from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

    if not (folder / CONFIG).exists():
        raise ValueError(f"expected the folder of a run of titan_env.training.ppo, got {folder}")
    logs = EventAccumulator(str(folder), size_guidance={"scalars": 0}).Reload()
    told = [name.removeprefix("wins_against_") for name in logs.Tags()["scalars"] if name.startswith("wins_against_")]
    if against not in told:
        found = ", ".join(told) or "nobody"
        raise ValueError(f"expected evaluations against {against} in {folder}, found those against {found}")
    wins = logs.Scalars(f"wins_against_{against}")
    seconds = {event.step: event.value for event in logs.Scalars("seconds")}
    config = new_config(json.loads((folder / CONFIG).read_text("utf-8"))["config"])
    steps = [event.step for event in wins]
    return Curve(config, [seconds[step] / 60 for step in steps], steps, [event.value for event in wins])


def names_of(curves: Sequence[Curve]) -> list[str]:
    """Return each run's name: the settings that are not equal in all runs; its number if there are none."""
    settings = [name for name in curves[0].config if len({json.dumps(curve.config.get(name)) for curve in curves}) > 1]
    named = [", ".join(f"{name}={curve.config.get(name)}" for name in settings) for curve in curves]
    return [name or f"run {number}" for number, name in enumerate(named, 1)]


def draw(curves: Sequence[Curve], against: str, path: Path) -> None:
    """Write a plot of all runs to a PNG file: wins against minutes of learning."""
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for curve, name in zip(curves, names_of(curves), strict=True):
        axes.plot(curve.minutes, curve.wins, marker="o", markersize=3, label=textwrap.fill(name, _WIDEST))
    axes.axhline(0.5, color="grey", linestyle=":")
    axes.text(0, 0.5, " equals", va="bottom", color="grey")
    axes.set(xlabel="minutes of learning", ylabel=f"share of games won against {against}")
    axes.set_xlim(left=0)
    if len(curves) > 1:
        axes.legend()
    replace_atomically(path, lambda half: figure.savefig(half, dpi=110, format="png"))


def main(
    runs: Annotated[list[Path], typer.Argument(help="folders of runs")],
    against: Annotated[str, typer.Option(help="the agent that they were evaluated against")] = "expert",
    out: Annotated[Path | None, typer.Option(help="also draw them: a .png file")] = None,
) -> None:
    """Compare the learning curves of runs of training.ppo."""
    with user_errors():
        curves = [read_curve(run, against) for run in runs]
        if out is not None:
            draw(curves, against, out)
    lines = [
        [name, f"{curve.minutes[-1]:.1f}", f"{curve.decisions[-1]:,}", f"{curve.wins[-1]:.1%}"]
        for name, curve in zip(names_of(curves), curves, strict=True)
    ]
    tables.console().print(tables.grid(f"Wins against {against} at the end", HEADINGS, lines))


if __name__ == "__main__":
    typer.run(main)
