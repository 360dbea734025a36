"""The command `games`: a list of games."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from rich.console import Console
from rich.table import Column, Table

from titan_env import agents, registry


def show_games(names: Sequence[str], console: Console) -> None:
    """Print these games: their names, which commands take and are never cut, sizes, agents, options and presets."""
    table = Table(Column("game", no_wrap=True, min_width=max(map(len, names))), title="Games", title_justify="left")
    for heading in ("title", "id", "seats", "actions", "observation", "state bytes"):
        table.add_column(heading, overflow="fold")
    loaded = [registry.load(name) for name in names]
    for name, game in zip(names, loaded, strict=True):
        low, high = game.rules.seats
        sizes = (len(game.rules.actions), game.rules.fields.size, game.rules.state.itemsize)
        table.add_row(name, game.metadata.title, game.id, f"{low} to {high}", *(str(size) for size in sizes))
    console.print(table)
    for game in loaded:
        console.print(f"Agents of {game.name}: {', '.join(agents.names(game))}", highlight=False, markup=False)
        for place in game.metadata.reduced:
            console.print(f"Reduced: {place}", highlight=False, markup=False, soft_wrap=True)
        options = _named("option", "meaning", game.rules.options, f"Options of {game.name}")
        for name, meaning in game.rules.options.items():
            options.add_row(name, meaning)
        presets = _named("preset", "options", game.rules.presets, f"Presets of {game.name}")
        for name, chosen in game.rules.presets.items():
            presets.add_row(name, ", ".join(f"{option}={value}" for option, value in chosen.items()))
        console.print(options)
        console.print(presets)


def _named(heading: str, text: str, names: Collection[str], title: str) -> Table:
    """Return a table of names, which are never cut, with the facts about each."""
    widest = max(map(len, names), default=0)
    return Table(Column(heading, no_wrap=True, min_width=widest), text, title=title, title_justify="left")
