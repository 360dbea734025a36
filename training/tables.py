"""Write the page of each game that lists its observation, its actions and its options::

    python -m training.tables

Tests hold that the pages are up to date.
"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from titan_env import registry
from titan_env.contract import Game


def tables(game: Game) -> str:
    """The observation, the actions and the options of a game, as a page of Markdown."""
    observation = [
        f"| `{part.name}` | {game.fields.places[part.name].start} | {_shape(part.shape)} "
        f"| {part.low:g} to {part.high:g} | {part.meaning} |"
        for part in game.fields.parts
    ]
    actions = [f"| {number} | `{text}` |" for number, text in enumerate(game.actions.texts)]
    options = [f"| `{name}` | {meaning} |" for name, meaning in game.options.items()]
    lines = [
        f"# {game.title}, version {game.version}",
        "",
        "Made by `python -m training.tables` from the game itself.",
        "",
        f"## Observation: {game.fields.size} numbers",
        "",
        "| name | from | shape | range | meaning |",
        "| --- | --- | --- | --- | --- |",
        *observation,
        "",
        f"## Actions: {len(game.actions)}",
        "",
        "| number | text |",
        "| --- | --- |",
        *actions,
        "",
        "## Options",
        "",
        "| name | meaning |",
        "| --- | --- |",
        *options,
    ]
    return "\n".join(lines) + "\n"


def _shape(shape: tuple[int, ...]) -> str:
    """A shape as people write it; a single number has none."""
    return " x ".join(str(size) for size in shape) or "1"


def main(out: Annotated[Path, typer.Option(help="where the pages go")] = Path("docs")) -> None:
    """Write the page of every game."""
    out.mkdir(exist_ok=True)
    for name in registry.names():
        (out / f"{name}.md").write_text(tables(registry.load(name)), "utf-8")


if __name__ == "__main__":
    typer.run(main)
