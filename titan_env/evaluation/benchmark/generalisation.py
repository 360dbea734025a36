"""Measure how an agent's strength carries over to what it did not learn with, by a game's train and test splits::

    python -m titan_env.evaluation.benchmark.generalisation AGENT --game GAME

Each split of the game's ``benchmark.toml`` has options to learn with and others to be measured on. The agent sits alone
among copies of `expert`, or of what else scores 100, on both sides. Shares are those of a table of two with the same
odds, the mean over the options of a side; the gap is that of train minus that of test. Whether an agent has learned
with the train side only is for its author to say. Of one that has seen both, the gap tells how hard the test side is.
"""

from __future__ import annotations

import shlex
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.metadata import version
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from titan_env import registry
from titan_env.cli import tables
from titan_env.cli.console import check_table, user_errors
from titan_env.cli.options import DEFAULT_GAME, Bounds, GameName, TableFile, from_dataclasses
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.benchmark.benchmark import play_task
from titan_env.evaluation.benchmark.scores import Estimate, estimate
from titan_env.evaluation.benchmark.tasks import Split, named, read_benchmark
from titan_env.evaluation.matches.duplicate import share_of_two
from titan_env.evaluation.matches.evaluate import open_for, options_text
from titan_env.evaluation.matches.kept_units import KeptUnits, going_on, journal_for, settings_of
from titan_env.extras import extra
from titan_env.records.atomic_files import write_atomically

with extra("evaluation"):
    import typer
    from rich.console import Console
    from rich.progress import track

SIDES = ("train", "test")


@dataclass(frozen=True)
class SplitResult:
    """The results of an agent on both sides of a split: shares by block and options, and sides at each table.

    `shares` and `players` have an entry for "train" and for "test", with one for each table of options.
    """

    split: Split
    shares: Mapping[str, Sequence[NDArray[np.float64]]]
    players: Mapping[str, Sequence[int]]

    def of_side(self, side: str) -> Estimate:
        """Return the share of two on one side, in percent."""
        return estimate(self.shares[side], lambda rates: self._percent(rates, side))

    def gap(self) -> Estimate:
        """Return the share of two on the train side less that on the test side, in percentage points."""
        train_options = len(self.shares["train"])

        def between(rates: NDArray[np.float64]) -> NDArray[np.float64]:
            return self._percent(rates[:train_options], "train") - self._percent(rates[train_options:], "test")

        return estimate([*self.shares["train"], *self.shares["test"]], between)

    def _percent(self, rates: NDArray[np.float64], side: str) -> NDArray[np.float64]:
        """Return the mean share of two over the tables of a side from their rates, (tables, ...)."""
        players = np.reshape(self.players[side], (-1, *[1] * (rates.ndim - 1)))
        return 100 * share_of_two(rates, players).mean(axis=0)


def play_split(
    game: Game, agent: str, opponent: str, split: Split, blocks: int | None = None, kept: KeptUnits | None = None
) -> SplitResult:
    """Return what an agent wins on both sides of a split; `blocks` of each side instead of all."""
    kept = kept or KeptUnits()
    shares: dict[str, list[NDArray[np.float64]]] = {side: [] for side in SIDES}
    players: dict[str, list[int]] = {side: [] for side in SIDES}
    for side, options, seeds in _options_and_seeds(split, blocks):
        setup = GameSetup.of(game, options)
        unit = f"{split.name}, {side}: {options_text(options)}"
        won = kept.result(unit, _shares, setup, agent, opponent, seeds)
        shares[side].append(np.array(won, np.float64))
        players[side].append(setup.sides)
    return SplitResult(split, shares, players)


def _shares(setup: GameSetup, agent: str, opponent: str, seeds: range) -> list[float]:
    """Return what an agent wins in each block at one table."""
    lineups = np.tile(np.arange(setup.sides) > 0, (len(seeds), 1)).astype(np.int64)
    return play_task(setup, (agent, opponent), lineups, seeds).shares.tolist()  # type: ignore[no-any-return]


def _options_and_seeds(split: Split, blocks: int | None) -> Iterator[tuple[str, Mapping[str, Any], range]]:
    """Yield the side, the options and the seeds of each table of a split; tables of a side share its seeds out."""
    for side, options_of_side, seeds in split.sides():
        for number, options in enumerate(options_of_side):
            yield side, options, seeds[:blocks][number :: len(options_of_side)]


def as_markdown(results: Sequence[SplitResult], agent: str, opponent: str, facts: str) -> str:
    """Return the table of an agent's splits as Markdown, with the command that made it."""
    lines = [
        [result.split.name, *(str(result.of_side(side)) for side in SIDES), str(result.gap())] for result in results
    ]
    command = shlex.join(["python", "-m", "titan_env.evaluation.benchmark.generalisation", *sys.argv[1:]])
    return (
        f"# {agent} on both sides of each split\n\n"
        f"What `{agent}` wins alone among `{opponent}`, as a share of two in percent, 95 % intervals; {facts}:\n\n"
        f"```\n{command}\n```\n\n"
        f"{tables.markdown(['split', 'train', 'test', 'gap'], lines)}"
    )


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    agent: Annotated[str, typer.Argument()]
    """Agent by name; best: the best published one."""
    game: GameName = DEFAULT_GAME
    split: tuple[str, ...] = ()
    """Split of the game; repeatable; left out, all."""
    blocks: Annotated[int | None, Bounds(12)] = None
    """Blocks of each side; left out, all."""
    out: TableFile = None


@from_dataclasses
def main(args: Arguments) -> None:
    """Measure an agent on both sides of the splits of a game."""
    began = time.process_time()
    with user_errors():
        benchmark = read_benchmark(registry.load(args.game))
        agent = named(benchmark, args.agent)
        loaded = check_table(args.game, (agent,), [])
        splits = {one.name: one for one in benchmark.splits}
        if strange := [name for name in args.split if name not in splits]:
            raise ValueError(f"expected splits of {', '.join(splits) or 'a game that has some'}, got {strange[0]!r}")
        if args.out is not None:
            open_for(args.out)
        settings = settings_of(args, loaded, (agent, benchmark.panel.hundred))
        journal = journal_for(args.out, "the tables of these splits", settings)
    chosen = [splits[name] for name in args.split or splits]
    console = Console(stderr=True, emoji=False)
    with going_on(journal):
        kept = KeptUnits(journal)
        played = [
            play_split(loaded, agent, benchmark.panel.hundred, one, args.blocks, kept)
            for one in track(chosen, "splits", console=console, transient=True)
        ]
        facts = f"{loaded.id}, titan_env {version('titan_env')}, {time.process_time() - began:,.0f} seconds of one core"
        text = as_markdown(played, agent, benchmark.panel.hundred, facts)
        print(text)
        if args.out is not None:
            write_atomically(args.out, text)


if __name__ == "__main__":
    typer.run(main)
