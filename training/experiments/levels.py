"""How many levels must a learner train on to play levels that it has never seen?

    python training/experiments/levels.py --out runs/levels --plot docs/pictures/levels.png

The learner of `titan_env.training.demo` trains by self-play on the first n generated levels, then plays `greedy`, two
seats each, on these and on the benchmark's test levels, with the same seeds. Means over training seeds with Student's
intervals. A run that was stopped goes on with the trainings that are left.
"""

from __future__ import annotations

import argparse
import itertools
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import torch
from matplotlib.figure import Figure

from titan_env import agents, registry
from titan_env.cli import tables
from titan_env.evaluation.benchmark.scores import student
from titan_env.evaluation.matches.match import win_rates
from titan_env.records.atomic_files import make_folder, replace_atomically, write_atomically
from titan_env.training.curves import plot
from titan_env.training.demo import AGAINST, CONFIG, SEATS
from titan_env.training.ppo import Trainer

LEVELS, SEEDS, DECISIONS = (1, 10, 100, 1000, 16_000), 3, 2_000_000
"""Numbers of training levels, from level 0 on; training seeds, and decisions of a training."""
TEST = "generated:16000-31999"
RACES, FIRST_RACE = 8192, 30_000_000


def measure(number: int, seed: int, decisions: int, races: int, folder: Path) -> dict[str, Any]:
    """Train on so many levels; return the shares of wins on them and on the test levels, from 0 to 1."""
    game, levels = registry.load("titan_race"), f"generated:0-{number - 1}"
    vary = {"titans": [SEATS], "circuit": [levels]}
    trainer = Trainer(game, replace(CONFIG, vary=vary, total_timesteps=decisions, seed=seed), folder)
    while trainer.done < 1:
        trainer.iterate()
    players = {"trained": trainer.agent(trainer.network), AGAINST: agents.load(AGAINST, game)}
    wins = {
        side: win_rates(game, players, races, FIRST_RACE, titans=SEATS, circuit=circuit)["trained"].rate
        for side, circuit in {"train": levels, "test": TEST}.items()
    }
    return {"levels": number, "seed": seed, "decisions": trainer.decisions, "wins": wins}


def draw(results: Sequence[Mapping[str, Any]], path: Path | None) -> str:
    """Return the means over seeds in percent as a table in Markdown, and plot them as PNG."""
    numbers = sorted({result["levels"] for result in results})
    columns = {
        side: [student([100 * one["wins"][side] for one in results if one["levels"] == number]) for number in numbers]
        for side in ("train", "test")
    }
    figure = Figure(figsize=(7, 4.5), layout="constrained")
    axes = figure.add_subplot(xscale="log", xlabel="training levels", ylabel=f"wins against {AGAINST} in percent")
    for side, estimates in columns.items():
        plot(axes, numbers, estimates, f"{side} levels")
    axes.legend()
    if path:
        replace_atomically(path, lambda half: figure.savefig(half, dpi=110, format="png"))
    rows = [[f"{number:,}", *map(str, both)] for number, *both in zip(numbers, *columns.values(), strict=True)]
    return tables.markdown(["training levels", "on these", "on test levels"], rows)


def main() -> None:
    """Do the trainings that are left, and print and plot the results of all."""
    parser = argparse.ArgumentParser(description="Measure generalisation over the number of training levels.")
    parser.add_argument("--out", type=Path, default=Path("runs/levels"), help="Folder of the runs.")
    parser.add_argument("--plot", type=Path, help="Picture (.png) of the results.")
    parser.add_argument("--levels", type=int, nargs="+", default=LEVELS, help="Numbers of training levels.")
    parser.add_argument("--seeds", type=int, default=SEEDS, help="Number of training seeds, from 2 on.")
    parser.add_argument("--decisions", type=int, default=DECISIONS, help="Decisions of a training.")
    parser.add_argument("--races", type=int, default=RACES, help="Games of a measurement.")
    args = parser.parse_args()
    torch.set_num_threads(1)
    make_folder(args.out)
    results = []
    for seed, number in itertools.product(range(args.seeds), args.levels):
        done = args.out / f"{number}-levels-{args.decisions}-decisions-seed-{seed}.json"
        if not done.exists():
            write_atomically(done, json.dumps(measure(number, seed, args.decisions, args.races, args.out)))
        results.append(json.loads(done.read_text("utf-8")))
        print(done.read_text("utf-8"), flush=True)
    print(draw(results, args.plot))


if __name__ == "__main__":
    main()
