"""Pictures of real games: under each rule a moment in which it did something, and one of each game for its readers.

``python docs/illustrate.py`` draws the latter, ``docs/<game>.png``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from PIL import Image

from titan_env import registry
from titan_env.cli.seating import Seating, seat_agents
from titan_env.contract import Game
from titan_env.render import rgb, shapes_of
from titan_env.svg import svg

GAMES_LOOKED_AT = 20
PLAYER = "greedy"


@dataclass(frozen=True)
class Example:
    """A moment in which a rule did something."""

    events: int
    said: str
    told: list[str]
    drawn: str


def illustrate(out: Path) -> None:
    """Write the rules of every game that has some into a folder, as Markdown beside its pictures."""
    for name in registry.names():
        game = registry.load(name)
        if game.folder:
            folder = out / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "rules.md").write_text(_page(game, folder), "utf-8")


def portray(out: Path) -> None:
    """Write a picture of every game into a folder: the moment of one game in which most happens."""
    for name in registry.names():
        game = registry.load(name)
        state, _, events, before = max(_moments(game, 1), key=lambda moment: len(moment[2]))
        pixels = rgb(shapes_of(game, state, None, events, before), 1000)
        Image.fromarray(pixels).quantize(128).save(out / f"{name}.png", optimize=True)


def _page(game: Game, folder: Path) -> str:
    """RULES.md, its parts one level down, with an example under each rule that has one."""
    examples = _examples(game)
    title, _, body = Path(game.folder, "RULES.md").read_text("utf-8").partition("\n")
    lines = [title, ""]
    picture: list[str] = []
    for line in body.splitlines():
        if line.startswith("#"):
            lines += picture
            lines.append(f"#{line}")
            function = re.search(r"`([\w.]+)`$", line)
            picture = _figure(examples.get(function[1]) if function else None, function, folder)
        else:
            lines.append(line)
    return "\n".join([*lines, *picture, *_setups(game, folder)]) + "\n"


def _figure(example: Example | None, function: re.Match[str] | None, folder: Path) -> list[str]:
    """An example as a figure of MyST."""
    if example is None or function is None:
        return []
    (folder / f"{function[1]}.svg").write_text(example.drawn, "utf-8")
    caption = " ".join(f"{sentence.rstrip('.')}." for sentence in [f"*{example.said}*", *example.told])
    return [f"```{{figure}} {function[1]}.svg", ":width: 80%", "", caption, "```", ""]


def _examples(game: Game) -> dict[str, Example]:
    """For each rule by its function: of many games, the moment with the fewest events in which it did something."""
    found: dict[str, Example] = {}
    for state, said, events, before in _moments(game):
        for event in events:
            rule = game.rule_of.get(game.events(int(event[0])))
            if rule and (rule not in found or len(events) < found[rule].events):
                drawn = svg(shapes_of(game, state, None, events, before), title=said)
                found[rule] = Example(len(events), said, [game.tell(state, told) for told in events], drawn)
    return found


def _moments(game: Game, games: int = GAMES_LOOKED_AT) -> Iterator[tuple[Any, str, Any, Any]]:
    """Every decision of some games: the position after it, the decision in words, its events, the position before."""
    presets = [dict(options) for options in game.presets.values()]
    for seed in range(games):
        table = Seating(game, seed, presets[seed % len(presets)])
        players = seat_agents(game, PLAYER, int(table.state.seats))
        while not table.is_over:
            action = table.let_act(players[int(table.state.seat)])
            said, before = game.say(table.state, action), table.state.copy()
            table.play(action)
            yield table.state.copy(), said, table.events, before


def _setups(game: Game, folder: Path) -> list[str]:
    """How each preset begins, as pictures."""
    lines = ["", "## How games begin", ""]
    for name, options in game.presets.items():
        state = Seating(game, 0, dict(options)).state
        (folder / f"preset_{name}.svg").write_text(svg(shapes_of(game, state), title=name), "utf-8")
        lines += [f"### {name.replace('_', ' ')}", "", f"```{{image}} preset_{name}.svg", ":width: 80%", "```", ""]
    return lines


if __name__ == "__main__":
    portray(Path(__file__).parent)
