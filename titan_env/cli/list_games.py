"""The command `games`: a list of games."""

from __future__ import annotations

from collections.abc import Sequence

from rich.console import Console
from rich.table import Table

from titan_env import agents, registry


def show_games(names: Sequence[str], console: Console) -> None:
    """Print these games: their sizes, agents, options and presets."""
    headings = ("game", "title", "seats", "actions", "observation", "state bytes")
    table = Table(*headings, title="Games", title_justify="left")
    loaded = [registry.load(name) for name in names]
    for game in loaded:
        low, high = game.rules.seats
        sizes = (len(game.rules.actions), game.rules.fields.size, game.rules.state.itemsize)
        table.add_row(game.id, game.metadata.title, f"{low} to {high}", *(str(size) for size in sizes))
    console.print(table)
    for game in loaded:
        console.print(f"Agents of {game.name}: {', '.join(agents.names(game))}", highlight=False, markup=False)
        options = Table("option", "meaning", title=f"Options of {game.name}", title_justify="left")
        for name, meaning in game.rules.options.items():
            options.add_row(name, meaning)
        presets = Table("preset", "options", title=f"Presets of {game.name}", title_justify="left")
        for name, chosen in game.rules.presets.items():
            presets.add_row(name, ", ".join(f"{option}={value}" for option, value in chosen.items()))
        console.print(options)
        console.print(presets)
