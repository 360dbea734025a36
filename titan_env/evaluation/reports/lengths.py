"""Measure how long games of equal agents are and what happens in them, by agent and options::

    python -m titan_env.evaluation.reports.lengths GAME random greedy --vary players=2,4 --count turns

Each cell is a mean, in brackets what 5 % and 95 % of the games stay under. `--count` takes the game's statistics and
events by name, as `python -m titan_env balance` prints them. `--levels` has a row for each generated level of a range,
whose difficulty these numbers are. `--out` writes the table as Markdown, with the command.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env import registry
from titan_env.agents import load
from titan_env.cli.console import user_errors
from titan_env.cli.options import from_dataclasses
from titan_env.contract import Game, Status
from titan_env.contract.options import generated
from titan_env.evaluation.matches.match import Proportion
from titan_env.evaluation.reports.self_play_table import Heading, SelfPlayArguments, SelfPlayTable
from titan_env.extras import extra
from titan_env.play.event_statistics import FinishedGames, play_and_count

with extra("evaluation"):
    import typer

HEADING = Heading(
    "How long games are, and what happens in them",
    "means, in brackets what 5 % and 95 % of the games stay under; shares with intervals of 95 %",
    "titan_env.evaluation.reports.lengths",
)


def numbers_of(played: FinishedGames) -> Mapping[str, NDArray[Any]]:
    """Return what can be counted of finished games by name, each (N,): decisions, numeric statistics, events."""
    found = {"decisions": np.asarray(played.states["decisions"])}
    traits = played.statistics()
    for name in (name for name, value in traits[0].items() if isinstance(value, (int, float))):
        found[name] = np.array([trait[name] for trait in traits])
    events = {event.name.lower().replace("_", " "): played.counts[:, event] for event in played.game.rules.events}
    return events | found


def check_counts(game: Game, counted: Sequence[str], options: Mapping[str, Any]) -> None:
    """Raise ValueError for a count that the game does not have, by one game at random."""
    known = numbers_of(play_and_count(game, load("random", game), 1, 0, **options))
    if unknown := [name for name in counted if name not in known]:
        raise ValueError(f"expected --count from {', '.join(sorted(known))}, got {', '.join(unknown)}")


def levels_as_choices(game: Game, levels: str) -> dict[str, list[str]]:
    """Return each level of a range, ``0-19``, as a value of the option that lays it.

    Raises ValueError for levels that there are not, and a game without any.
    """
    offered = game.presentation.option_values.items()
    name = next((name for name, values in offered if "generated" in values), None)
    if name is None:
        raise ValueError(f"--levels: expected a game with generated levels, got {game.name}")
    numbers = generated("--levels", f"generated:{levels}")
    return {name: [f"generated:{number}" for number in numbers or ()]}


def row_of(played: FinishedGames, counted: Sequence[str]) -> list[str]:
    """Return the cells of some games: their number, each count, shares without one winner and of those cut off."""
    numbers = numbers_of(played)
    cells = [f"{len(played.states):,}"]
    for name in ("decisions", *counted):
        low, high = np.percentile(numbers[name], (5, 95))
        mean = float(np.mean(numbers[name]))
        cells.append(f"{mean:,.{0 if mean >= 100 else 1}f} ({low:,.0f} to {high:,.0f})")
    cut = played.states["over"] == Status.TRUNCATED
    return [*cells, _share(~cut & (played.states["won"].sum(axis=1) != 1)), _share(cut)]


def _share(happened: NDArray[Any]) -> str:
    """Return the share of games in which something happened, with its interval."""
    share = Proportion(float(happened.sum()), len(happened))
    low, high = share.interval
    return f"{share.rate:.1%} ({low:.1%} to {high:.1%})"


@dataclass(frozen=True)
class Arguments(SelfPlayArguments):
    """The options of the command."""

    count: tuple[str, ...] = ()
    """Statistic or event of the game; repeatable."""
    levels: str = ""
    """Rows for each generated level of a range, as 0-19."""


@from_dataclasses
def main(args: Arguments) -> None:
    """Measure the lengths of games, and what happens in them."""
    with user_errors():
        levels = levels_as_choices(registry.load(args.game), args.levels) if args.levels else {}
        report = SelfPlayTable.read(replace(args, vary={**args.vary, **levels}))
        check_counts(report.game, args.count, report.rows_of_options()[0])

    def measure(agent: Any, options: dict[str, Any]) -> list[str]:
        return row_of(play_and_count(report.game, agent, args.games, args.seed, **options), args.count)

    columns = ["games", "decisions", *args.count, "not one winner", "cut off"]
    with user_errors():
        report.publish(HEADING, columns, measure, args)


if __name__ == "__main__":
    typer.run(main)
