"""Measure how much of a game's result is settled as it goes on, and so how much is luck still to come::

    python -m titan_env.evaluation.reports.luck GAME expert --vary players=2,4

Games are played by one agent in every seat. From the position before the first decision, and after each fifth of the
decisions, two continuations are played, with chance and draws of their own. The correlation of their results is the
share of the results' variance that the position settles for these agents: 0 where all is open, 100 % where it is over.
What the start settles is what seats and set-up are worth; what no fifth settles is luck, or comes of what agents draw.
`--out` writes the table as Markdown, with the command.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from titan_env.cli.console import user_errors
from titan_env.cli.options import Bounds, from_dataclasses
from titan_env.compiler.record_copies import copy_records, put_records, repeat_records, take_records
from titan_env.contract import MOST_SEATS, Game
from titan_env.engine.batch import Batch, Records
from titan_env.evaluation.reports.self_play_table import Heading, SelfPlayArguments, SelfPlayTable
from titan_env.extras import extra
from titan_env.play.agent_calls import ask_in_batch
from titan_env.play.determinization import agent_rng, batch_of
from titan_env.play.game_loop import game_steps

with extra("evaluation"):
    import typer

PARTS = 5
RESAMPLES = 999
HEADING = Heading(
    "How much is settled, and when",
    "the share of the results' variance that the position settles before the first decision and after each fifth of "
    "them, with intervals of 95 %; the rest is luck to come",
    "titan_env.evaluation.reports.luck",
)


def columns() -> list[str]:
    """Return the headings of what is measured: the number of games, and the share that is settled at each moment."""
    return ["games", "at the start", *(f"after {part}/{PARTS}" for part in range(1, PARTS))]


def steps_of(agent: Any, batch: Batch, rng: np.random.Generator) -> Iterator[NDArray[np.int64]]:
    """Play a batch to its end with one agent in every seat; yield the running rows before each decision."""
    everywhere = np.zeros((batch.num_games, MOST_SEATS), np.int64)
    return game_steps(batch, everywhere, lambda _, rows: ask_in_batch(agent, batch, rows, rng).actions)


def positions_of(game: Game, agent: Any, games: int, seed: int, options: Mapping[str, Any]) -> list[Records]:
    """Return the positions of N games before their first decision and after each fifth of all, five times (N,).

    The games are played twice, for their lengths first.
    """

    def begun() -> Batch:
        batch = Batch(game, games, **options)
        batch.seed(seed)
        batch.start()
        return batch

    batch = begun()
    deque(steps_of(agent, batch, agent_rng(seed)), maxlen=0)
    targets = np.outer(np.arange(PARTS), batch.states["decisions"]) // PARTS
    batch = begun()
    found = [copy_records(batch.states) for _ in targets]
    for _ in steps_of(agent, batch, agent_rng(seed)):
        for positions, target in zip(found, targets, strict=True):
            rows = np.flatnonzero(batch.states["decisions"] == target)
            put_records(positions, rows, take_records(batch.states, rows))
    return found


def twin_payoffs(game: Game, agent: Any, positions: Records, seed: int) -> NDArray[np.float64]:
    """Return the payoffs of two continuations of each position (N,), the wins of all seats, (N, 2, seats)."""
    twins = batch_of(game, repeat_records(positions, 2), np.random.default_rng(seed))
    deque(steps_of(agent, twins, agent_rng(seed)), maxlen=0)
    return twins.payoffs().astype(np.float64).reshape(len(positions), 2, -1)


def settled(payoffs: NDArray[np.float64]) -> tuple[float, float, float]:
    """Return the share of the variance that positions settle, and its interval of 95 %, from payoffs (N, 2, seats).

    They are those of `twin_payoffs`, 0 in the mean of all seats. The interval is of bootstrap over the positions.
    Raises ValueError where no payoff differs from 0.
    """
    with extra("evaluation"):
        from scipy import stats

    products = payoffs.prod(axis=1).sum(axis=1)
    squares = (payoffs**2).mean(axis=1).sum(axis=1)
    if not squares.any():
        raise ValueError("expected games that somebody wins, got none; play more of them")

    def share(products: NDArray[np.float64], squares: NDArray[np.float64], axis: int = -1) -> Any:
        return products.sum(axis=axis) / np.maximum(squares.sum(axis=axis), np.finfo(float).tiny)

    rng = np.random.default_rng(0)
    settings: dict[str, Any] = {"paired": True, "n_resamples": RESAMPLES, "method": "percentile", "rng": rng}
    known = stats.bootstrap((products, squares), share, **settings).confidence_interval
    return float(share(products, squares)), float(known.low), float(known.high)


@dataclass(frozen=True)
class Arguments(SelfPlayArguments):
    """The options of the command."""

    games: Annotated[int, Bounds(10)] = 1000


@from_dataclasses
def main(args: Arguments) -> None:
    """Measure how much of a game's result is settled as it goes on."""
    with user_errors():
        report = SelfPlayTable.read(args)

    def measure(agent: Any, options: dict[str, Any]) -> list[str]:
        cells = [f"{args.games:,}"]
        for part, positions in enumerate(positions_of(report.game, agent, args.games, args.seed, options)):
            share, low, high = settled(twin_payoffs(report.game, agent, positions, args.seed + args.games + part))
            cells.append("{:.0%} ({:.0%} to {:.0%})".format(*np.maximum((share, low, high), 0)))
        return cells

    with user_errors():
        report.publish(HEADING, columns(), measure, args)


if __name__ == "__main__":
    typer.run(main)
