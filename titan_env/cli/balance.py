"""`balance`: thousands of games among equal agents, and how fair they were."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np
from rich.console import Console
from rich.progress import Progress
from rich.table import Table

from agents import load
from agents.match import Share
from titan_env.contract import Game
from titan_env.tally import Games, play


def report(game: Game, agent: str, games: int, seed: int, options: dict[str, Any], console: Console) -> None:
    """Play the games and print what they came to."""
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(f"{game.title}: {games} games of {agent}", total=games)
        played = play(
            game, load(agent, game), games, seed, lambda ended: progress.update(task, completed=ended), **options
        )
    chosen = ", ".join(f"{name}={value}" for name, value in options.items())
    console.print(f"{game.title}: {games:,} games, {agent} in every seat, seed {seed}; {chosen or 'default options'}")
    console.print("Shares of wins with 95 % intervals (Wilson).")
    traits = played.traits()
    for table in (*_share_tables(played, traits), *_cross_tables(played, traits), _numbers(played, traits)):
        console.print(table)


def _share_tables(played: Games, traits: list[Any]) -> Iterable[Table]:
    """Who has won how often, by each trait of seats and by the place in the order of play."""
    columns = {name: [trait[name] for trait in traits] for name, value in traits[0].items() if isinstance(value, list)}
    seats = played.states["seats"].astype(int)
    places = [[f"plays {(s - f) % n + 1}." for s in range(n)] for f, n in zip(played.first, seats, strict=True)]
    for name, values in {**columns, "order of play": places}.items():
        table = Table("", "seats", "won", "interval", title=f"Wins by {name}", title_justify="left")
        for label, share in sorted(shares(played, values).items()):
            low, high = share.interval
            table.add_row(label, f"{share.of:,}", f"{share.rate:.1%}", f"{low:.1%} to {high:.1%}")
        yield table


def shares(played: Games, values: list[list[str]]) -> dict[str, Share]:
    """How often the seats of each value have won."""
    happened: dict[str, float] = defaultdict(float)
    of: dict[str, int] = defaultdict(int)
    for state, labels in zip(played.states, values, strict=True):
        for seat, label in enumerate(labels):
            happened[label] += float(state.won[seat])
            of[label] += 1
    return {label: Share(happened[label], of[label]) for label in of}


def _cross_tables(played: Games, traits: list[Any]) -> Iterable[Table]:
    """The shares of wins and the length of games for each value of the traits of whole games."""
    lists = [name for name, value in traits[0].items() if isinstance(value, list)]
    numbers = [name for name, value in traits[0].items() if isinstance(value, (int, float))]
    for name in (name for name, value in traits[0].items() if isinstance(value, str)):
        for by in lists:
            labels = sorted({label for trait in traits for label in trait[by]})
            title = f"Wins by {name} and {by}"
            table = Table("", "games", *numbers, *labels, title=title, title_justify="left", box=None, pad_edge=False)
            table.columns[0].no_wrap = True
            for value in sorted({trait[name] for trait in traits}):
                chosen = np.array([trait[name] == value for trait in traits])
                part = Games(played.game, played.states[chosen], played.first[chosen], played.counts[chosen])
                its = [trait for trait in traits if trait[name] == value]
                means = [f"{np.mean([trait[number] for trait in its]):.1f}" for number in numbers]
                won = shares(part, [trait[by] for trait in its])
                cells = [
                    f"{won[label].rate:.1%} ±{_half_width(won[label]):.1%}" if label in won else "" for label in labels
                ]
                table.add_row(value, f"{len(its):,}", *means, *cells)
            yield table


def _half_width(share: Share) -> float:
    """Half the width of a share's interval."""
    low, high = share.interval
    return (high - low) / 2


def _numbers(played: Games, traits: list[Any]) -> Table:
    """Numbers and events of a game: their mean and where nine games in ten lie."""
    table = Table("each game", "mean", "5 %", "median", "95 %", title="What happened", title_justify="left")
    names = [name for name, value in traits[0].items() if isinstance(value, (int, float))]
    rows: dict[str, Any] = {name: [trait[name] for trait in traits] for name in names}
    rows["decisions"] = played.states["decisions"]
    for event in played.game.events:
        rows[event.name.lower().replace("_", " ")] = played.counts[:, event]
    for name, values in rows.items():
        low, median, high = np.percentile(values, (5, 50, 95))
        table.add_row(name, f"{np.mean(values):.2f}", f"{low:.1f}", f"{median:.1f}", f"{high:.1f}")
    return table
