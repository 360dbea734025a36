"""Draw pictures of real games: an example under each rule, and one position of each game.

``python -m tools.illustrate`` draws the latter, ``docs/pictures/<game>.png``, and stores the decisions of the first
turns that the rules pages play through, which are drawn when they are looked at.
"""

from __future__ import annotations

import re
from pathlib import Path

from PIL import Image

from titan_env import registry
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.pictures.render import rgb, shapes_of
from titan_env.pictures.svg import svg
from titan_env.records.rule_examples import example, kept
from titan_env.records.session import GameSession
from tools.find_examples import moments
from tools.rules_pages import main


def illustrate(out: Path) -> None:
    """Write the rules of every game that has some into a folder, as Markdown with pictures."""
    for name in registry.names():
        game = registry.load(name)
        if game.metadata.folder:
            folder = out / name
            folder.mkdir(parents=True, exist_ok=True)
            (folder / "rules.md").write_text(_page(game, folder), "utf-8")


def portray(out: Path) -> None:
    """Write a picture of every game into a folder: the moment with the most events of one game."""
    for name in registry.names():
        game = registry.load(name)
        fullest = max(moments(game, 1), key=lambda moment: len(moment.events))
        pixels = rgb(shapes_of(game, fullest.after, None, fullest.events, fullest.before), 1000)
        Image.fromarray(pixels).quantize(128).save(out / f"{name}.png", optimize=True)


def _page(game: Game, folder: Path) -> str:
    """Return RULES.md, its parts and rules one level down, with an example under each rule and step that has one."""
    title, _, body = Path(game.metadata.folder, "RULES.md").read_text("utf-8").partition("\n")
    lines = [title, ""]
    picture: list[str] = []
    for line in body.splitlines():
        if line.startswith("#"):
            lines += picture
            lines.append(line if line.startswith("###") else f"#{line}")
            function = re.search(r"`([\w.]+)`$", line)
            picture = _figure(game, function[1], folder) if function else []
        else:
            lines.append(line)
    return "\n".join([*lines, *picture, *_setups(game, folder)]) + "\n"


def _figure(game: Game, function: str, folder: Path) -> list[str]:
    """Return the example of a rule as a MyST figure; [] for a rule without one. A step has no caption."""
    if function not in kept(game):
        return []
    shown = example(game, function)
    (folder / f"{function}.svg").write_text(svg(shown.shapes(), title=shown.sentence), "utf-8")
    caption = [] if function.startswith("first_turn.") else [shown.sentence]
    return [f"```{{figure}} {function}.svg", ":width: 80%", "", *caption, "```", ""]


def _setups(game: Game, folder: Path) -> list[str]:
    """Return a picture of each preset's beginning."""
    lines = ["", "## How games begin", ""]
    for name, options in game.rules.presets.items():
        state = GameSession(GameSetup.of(game, options), 0).state
        (folder / f"preset_{name}.svg").write_text(svg(shapes_of(game, state), title=name), "utf-8")
        lines += [f"### {name.replace('_', ' ')}", "", f"```{{image}} preset_{name}.svg", ":width: 80%", "```", ""]
    return lines


if __name__ == "__main__":
    portray(Path(__file__).parents[1] / "docs" / "pictures")
    main()
