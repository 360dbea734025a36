"""The command `balance`: statistics of thousands of games among equal agents."""

from __future__ import annotations

import itertools
from collections import defaultdict
from collections.abc import Iterable
from typing import Any

import numpy as np

from titan_env.agents import load
from titan_env.contract import Game
from titan_env.evaluation.matches.match import Proportion, sides_of
from titan_env.extras import extra
from titan_env.play.event_statistics import FinishedGames, play_and_count

with extra("cli"):
    from rich.console import Console
    from rich.progress import Progress
    from rich.table import Table


def report(game: Game, agent: str, games: int, seed: int, options: dict[str, Any], console: Console) -> None:
    """Play the games and print their statistics."""
    with Progress(console=console, transient=True) as progress:
        task = progress.add_task(f"{game.metadata.title}: {games} games of {agent}", total=games)
        played = play_and_count(
            game, load(agent, game), games, seed, lambda ended: progress.update(task, completed=ended), **options
        )
    chosen = ", ".join(f"{name}={value}" for name, value in options.items())
    console.print(
        f"{game.metadata.title}: {games:,} games, {agent} in every seat, seed {seed}; {chosen or 'default options'}"
    )
    console.print("Shares of wins with 95 % intervals (Wilson).")
    traits = played.statistics()
    tables = [*_share_tables(played, traits), *_cross_tables(played, traits), *_score_tables(played, traits)]
    for table in (*tables, _numbers(played, traits)):
        console.print(table)


def _labels(played: FinishedGames, traits: list[Any]) -> dict[str, list[list[str]]]:
    """Return the labels of every game's seats by category: each trait of seats, their sides, their order of play."""
    columns = {name: [trait[name] for trait in traits] for name, value in traits[0].items() if isinstance(value, list)}
    seats = played.states["seats"].astype(int)
    if played.game.rules.side_of is not None:
        columns["side"] = [[f"side {side + 1}" for side in sides] for sides in sides_of(played.game, played.states)]
    order = [[f"plays {(s - f) % n + 1}." for s in range(n)] for f, n in zip(played.first, seats, strict=True)]
    return {**columns, "order of play": order}


def _share_tables(played: FinishedGames, traits: list[Any]) -> Iterable[Table]:
    """Yield a table of the shares of wins for each category of seats."""
    for name, values in _labels(played, traits).items():
        table = Table("", "seats", "won", "interval", title=f"Wins by {name}", title_justify="left")
        for label, share in sorted(shares(played, values).items()):
            low, high = share.interval
            table.add_row(label, f"{share.of:,}", f"{share.rate:.1%}", f"{low:.1%} to {high:.1%}")
        yield table


def _score_tables(played: FinishedGames, traits: list[Any]) -> Iterable[Table]:
    """Yield a table of points and places for each category of seats, in a game that has either."""
    has_points, has_places = played.game.rules.score_scale is not None, bool(played.states["place"].any())
    if not has_points and not has_places:
        return
    headings = [*(["mean", "5 %", "median", "95 %"] if has_points else []), *(["mean place"] if has_places else [])]
    for name, values in _labels(played, traits).items():
        table = Table("", "seats", *headings, title=f"Points and places by {name}", title_justify="left")
        for label in sorted({label for labels in values for label in labels}):
            seats = [
                (row, seat) for row, labels in enumerate(values) for seat, own in enumerate(labels) if own == label
            ]
            rows, places = np.array(seats).T
            scores, place = played.states["scores"][rows, places], played.states["place"][rows, places]
            points = [np.mean(scores), *np.percentile(scores, (5, 50, 95))] if has_points else []
            cells = [*(f"{number:,.1f}" for number in points), *([f"{place.mean():.2f}"] if has_places else [])]
            table.add_row(label, f"{len(seats):,}", *cells)
        yield table


def shares(played: FinishedGames, values: list[list[str]]) -> dict[str, Proportion]:
    """Return the share of wins of the seats with each label."""
    happened: dict[str, float] = defaultdict(float)
    of: dict[str, int] = defaultdict(int)
    for state, labels in zip(played.states, values, strict=True):
        for seat, label in enumerate(labels):
            happened[label] += float(state.won[seat])
            of[label] += 1
    return {label: Proportion(happened[label], of[label]) for label in of}


def _cross_tables(played: FinishedGames, traits: list[Any]) -> Iterable[Table]:
    """Yield tables of game lengths and shares of wins for each trait of whole games."""
    lists = [name for name, value in traits[0].items() if isinstance(value, list)]
    numbers = [name for name, value in traits[0].items() if isinstance(value, (int, float))]
    for name in (name for name, value in traits[0].items() if isinstance(value, str)):
        rows = {value: np.array([trait[name] == value for trait in traits]) for value in {t[name] for t in traits}}
        lengths = Table("", "games", *numbers, title=f"Games by {name}", title_justify="left")
        for value, chosen in sorted(rows.items()):
            its = list(itertools.compress(traits, chosen))
            means = [f"{np.mean([trait[number] for trait in its]):.1f}" for number in numbers]
            lengths.add_row(value, f"{len(its):,}", *means)
        yield lengths
        for by in lists:
            labels = sorted({label for trait in traits for label in trait[by]})
            title = f"Wins by {name} and {by}, percent"
            table = Table("", *labels, title=title, title_justify="left", box=None, pad_edge=False)
            table.columns[0].no_wrap = True
            for value, chosen in sorted(rows.items()):
                part = FinishedGames(played.game, played.states[chosen], played.first[chosen], played.counts[chosen])
                won = shares(part, [trait[by] for trait in itertools.compress(traits, chosen)])
                table.add_row(value, *(_percent(won[label]) if label in won else "" for label in labels))
            yield table


def _percent(share: Proportion) -> str:
    """Return a share and half the width of its interval, in whole percent."""
    low, high = share.interval
    return f"{100 * share.rate:.0f} ±{50 * (high - low):.0f}"


def _numbers(played: FinishedGames, traits: list[Any]) -> Table:
    """Return a table of the games' numeric traits and events: mean, median, and the 5 % and 95 % quantiles."""
    table = Table("each game", "mean", "5 %", "median", "95 %", title="What happened", title_justify="left")
    names = [name for name, value in traits[0].items() if isinstance(value, (int, float))]
    rows: dict[str, Any] = {name: [trait[name] for trait in traits] for name in names}
    rows["decisions"] = played.states["decisions"]
    for event in played.game.rules.events:
        rows[event.name.lower().replace("_", " ")] = played.counts[:, event]
    for name, values in rows.items():
        low, median, high = np.percentile(values, (5, 50, 95))
        table.add_row(name, f"{np.mean(values):.2f}", f"{low:.1f}", f"{median:.1f}", f"{high:.1f}")
    return table
