"""Write the page of each game that lists its observation, actions and options, and that of the trained policies::

    python -m training.tables

Tests hold that the pages are up to date.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from agents import policy
from titan_env import registry
from titan_env.contract import Game
from titan_env.schema import schema_of


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


def policies_page() -> str:
    """How each trained policy that comes with the package was made, as a page of Markdown."""
    lines = ["# Trained policies", "", "Made by `python -m training.tables` from what the files say of themselves."]
    for name in policy.names():
        path = policy.shipped(name)
        game = registry.load(name.partition("@")[2].rpartition("-v")[0])
        made = policy.Policy(game, path).made
        config, versions = made["config"], made["versions"]
        varied = [f"--vary {key}={','.join(map(str, values))}" for key, values in (config["vary"] or {}).items()]
        chosen = [f"--{key} {config[key]}" for key in ("game", "decisions", "seed")]
        scripted = f"--scripted {','.join(config['scripted'])}"
        size, packages = (
            path.stat().st_size / 1000,
            ", ".join(f"{name} {version}" for name, version in versions.items()),
        )
        lines += [
            "",
            f"## `{name}`",
            "",
            f"{size:.0f} kB, observation {schema_of(game).hash}, {made['seconds']:,} seconds of one core, {packages}:",
            "",
            "```",
            " ".join(["python -m", made["script"], *chosen, *varied, scripted]),
            "```",
            "",
            f"Everything it depends on: `{json.dumps(config)}`",
        ]
    return "\n".join(lines) + "\n"


def _shape(shape: tuple[int, ...]) -> str:
    """A shape as people write it; a single number has none."""
    return " x ".join(str(size) for size in shape) or "1"


def main(out: Annotated[Path, typer.Option(help="where the pages go")] = Path("docs")) -> None:
    """Write the pages."""
    out.mkdir(exist_ok=True)
    for name in registry.names():
        (out / f"{name}.md").write_text(tables(registry.load(name)), "utf-8")
    (out / "policies.md").write_text(policies_page(), "utf-8")


if __name__ == "__main__":
    typer.run(main)
