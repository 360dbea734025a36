"""Compare a policy's value estimates with the results of games::

    python -m titan_env.evaluation.reports.calibration policy:runs/ppo/policy.onnx --games 500 --out calibration.png

The policy plays games in every seat, each action sampled by its probability, as in training. Each decision's value is
compared with the seat's final payoff in a table of their means by tenths of the value. The report also has the share of
the payoffs' variance that the value explains, in all and in each fifth of the games, and the mean sum of all seats'
values, which should be 0.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from titan_env import agents
from titan_env.agents.planning import leaf_values
from titan_env.agents.policy import Policy
from titan_env.cli import tables
from titan_env.cli.console import check_table, user_errors
from titan_env.cli.options import DEFAULT_GAME, Bounds, GameName, GameOptions, from_dataclasses
from titan_env.contract import MOST_SEATS, Game
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.extras import extra
from titan_env.play.determinization import agent_rng
from titan_env.play.game_loop import game_steps
from titan_env.records.atomic_files import replace_atomically

with extra("evaluation"):
    import typer
    from matplotlib.figure import Figure

BINS = 10
FIFTHS = 5
HEADINGS = ("promised", "kept", "decisions")


@dataclass(frozen=True)
class Promises:
    """The value estimates of all decisions, as the policy gives them and projected to sum zero, and the final payoffs.

    All (decisions,); `sums` is the sum of all seats' values at each decision, `passed` the share of the game's
    decisions that came before it.
    """

    raw: NDArray[np.float64]
    balanced: NDArray[np.float64]
    kept: NDArray[np.float64]
    sums: NDArray[np.float64]
    passed: NDArray[np.float64]


def promises(game: Game, policy: Policy, games: int, seed: int, **options: Any) -> Promises:
    """Play games with the policy in every seat; return the value estimates of all decisions and the final payoffs."""
    batch, rng = Batch(game, games, **options), agent_rng(seed)
    batch.seed(seed)
    batch.start()
    stated: list[NDArray[Any]] = []
    balanced: list[NDArray[Any]] = []
    sums: list[NDArray[Any]] = []
    seats: list[NDArray[Any]] = []
    rows_of: list[NDArray[Any]] = []
    passed: list[NDArray[Any]] = []
    for rows in among_equals(policy, batch, rng):
        every = np.stack([_value(policy, batch, seat)[rows] for seat in range(int(batch.states["seats"].max()))], 1)
        seat = batch.states["seat"][rows].astype(np.int64)
        stated.append(every[np.arange(len(rows)), seat])
        balanced.append(leaf_values(batch, policy)[rows, seat])
        sums.append(every.sum(axis=1))
        seats.append(seat)
        rows_of.append(rows)
        passed.append(batch.states["decisions"][rows])
    row_of = np.concatenate(rows_of)
    kept = batch.payoffs(policy.reward)[row_of, np.concatenate(seats)]
    share = np.concatenate(passed) / batch.states["decisions"][row_of]
    return Promises(*(np.concatenate(part).astype(np.float64) for part in (stated, balanced, [kept], sums, [share])))


def among_equals(policy: Policy, batch: Batch, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Play a batch to its end with a policy in every seat, each action sampled by its probability.

    Yields the running rows before each decision.
    """
    drawing = Policy(batch.game, policy.path, temperature=1.0)
    everybody = np.zeros((batch.num_games, MOST_SEATS), np.int64)
    yield from game_steps(batch, everybody, lambda _, rows: drawing(batch.observations[rows], batch.masks[rows], rng))


def _value(policy: Policy, batch: Batch, seat: int) -> NDArray[np.float64]:
    """Return the policy's value of one seat in each game (N,); 0 in games without that seat."""
    seats = batch.states["seats"]
    values = policy.policy(batch.observe(np.minimum(seat, seats - 1)), np.ones_like(batch.masks))[1]
    return np.where(seat < seats, values, 0.0)


def bins(promised: NDArray[np.float64], kept: NDArray[np.float64]) -> list[tuple[float, float, int]]:
    """Return the tenths of the decisions by their value: mean value, mean payoff, and number of decisions."""
    order = np.argsort(promised, kind="stable")
    parts = [part for part in np.array_split(order, BINS) if len(part)]
    return [(float(promised[part].mean()), float(kept[part].mean()), len(part)) for part in parts]


def explained(promised: NDArray[np.float64], kept: NDArray[np.float64]) -> float:
    """Compute the explained variance: the share of the payoffs' variance that the values predict."""
    variance = float(np.var(kept))
    return 1 - float(np.var(kept - promised)) / variance if variance else 0.0


def by_fifth(found: Promises) -> list[float]:
    """Return the variance that the sum-zero value explains in each fifth of the games."""
    fifths = (found.passed * FIFTHS).astype(int)
    return [explained(found.balanced[fifths == part], found.kept[fifths == part]) for part in range(FIFTHS)]


def draw(found: Promises, name: str, path: Path) -> None:
    """Write a plot of values and payoffs to a PNG file."""
    figure = Figure(figsize=(5, 5), layout="constrained")
    axes = figure.add_subplot()
    axes.plot([-1, 1], [-1, 1], color="grey", linestyle=":")
    for label, promised in (("as it says", found.raw), ("brought to sum zero", found.balanced)):
        points = bins(promised, found.kept)
        axes.plot([one[0] for one in points], [one[1] for one in points], marker="o", label=label)
    axes.set(xlabel="value", ylabel="what the game was worth", title=name)
    axes.legend()
    replace_atomically(path, lambda half: figure.savefig(half, dpi=110, format="png"))


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    name: Annotated[str, typer.Argument()]
    """Trained policy, by name or policy:FILE."""
    game: GameName = DEFAULT_GAME
    option: GameOptions = field(default_factory=dict)
    games: Annotated[int, Bounds(2)] = 500
    """Number of games."""
    seed: Annotated[int, Bounds(0)] = 10_000_000
    """Seed of the games."""
    out: Path | None = None
    """Also draw the table: a .png file."""


@from_dataclasses
def main(args: Arguments) -> None:
    """Compare a policy's value estimates with the results of games."""
    console = tables.console()
    with user_errors():
        loaded = check_table(args.game, [args.name], [])
        GameSetup.of(loaded, args.option)
        policy = agents.load(args.name, loaded)
        if not isinstance(policy, Policy):
            raise ValueError(f"expected a trained policy, got {args.name}")
    found = promises(loaded, policy, args.games, args.seed, **args.option)
    for label, promised in (("the value as it says", found.raw), ("brought to sum zero", found.balanced)):
        lines = [[f"{stated:+.2f}", f"{kept:+.2f}", f"{count:,}"] for stated, kept, count in bins(promised, found.kept)]
        message = f"{args.name}, {label}: explains {explained(promised, found.kept):.1%} of the variance"
        console.print(tables.grid(message, HEADINGS, lines))
    console.print("In each fifth of the games it explains " + ", ".join(f"{share:.0%}" for share in by_fifth(found)))
    console.print(f"All seats together are promised {found.sums.mean():+.3f} on average; it should be 0.")
    if args.out is not None:
        with user_errors():
            draw(found, args.name, args.out)


if __name__ == "__main__":
    typer.run(main)
