"""Write the tables of the rules pages from the games' data, and their first turns from the games' records::

    python -m tools.rules_pages

A page, RULES.md or a translation, has places for both, between two lines that no reader sees::

    [made: characters]: #

    | character | speed |
    | --- | --- |
    | elf | 3 |

    [end: characters]: #

The two lines at the head of a table are the page's own; its rows, or the lines of a drawing, come from
``words/rules_tables.py`` of the game, in the language of the page. ``first_turn.3`` stands for what the third decision
of ``docs/records/<game>.jsonl`` did; such decisions are stored as ``first_turn.toml``, from which their pictures are
drawn as those of the examples are.
"""

from __future__ import annotations

import importlib
import re
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path

from titan_env import registry
from titan_env.contract import Game
from titan_env.contract.translation import ENGLISH, use_language
from titan_env.records.atomic_files import write_atomically
from titan_env.records.record_file import read
from titan_env.records.replay import positions
from titan_env.records.rule_examples import FIRST_TURN, example
from tools.find_examples import RuleMoment, as_text

RECORDS = Path(__file__).parents[1] / "docs" / "records"
PLACE = re.compile(r"^\[made: (?P<name>[\w.]+)\]: #\n\n(?P<made>.*?)\n\n\[end: (?P=name)\]: #$", re.M | re.S)
_STEP = re.compile(r"`first_turn\.(\d+)`")


def pages_of(game: Game) -> dict[Path, str]:
    """Return the language of each rules page of a game, by path."""
    folder = Path(game.metadata.folder)
    return {path: (path.suffixes[0][1:] if path.suffixes[1:] else ENGLISH) for path in folder.glob("RULES*.md")}


def filled(game: Game, text: str, language: str) -> str:
    """Return a rules page with its tables and its first turn made anew. Raises KeyError for an unknown table."""
    with use_language(language):
        tables = _tables(game)

        def made(match: re.Match[str]) -> str:
            name = match["name"]
            if name.startswith("first_turn."):
                body = f"> {example(game, name).sentence}"
            elif isinstance(table := tables[name], str):
                body = f"```\n{table}\n```"
            else:
                body = "\n".join([*match["made"].splitlines()[:2], *table])
            return f"[made: {name}]: #\n\n{body}\n\n[end: {name}]: #"

        return PLACE.sub(made, text)


def _tables(game: Game) -> Mapping[str, str | list[str]]:
    """Return the rows of each table of a game, in Markdown, or a drawing, in the current language."""
    if not Path(game.metadata.folder, "words", "rules_tables.py").exists():
        return {}
    tables = importlib.import_module(f"titan_env.games.{game.name}.words.rules_tables").rules_tables()
    return {
        name: rows if isinstance(rows, str) else [f"| {' | '.join(map(str, row))} |" for row in rows]
        for name, rows in tables.items()
    }


def first_turn(game: Game) -> dict[str, RuleMoment]:
    """Return the decisions of the game's record whose numbers the headings of RULES.md name."""
    numbers = {int(found) for found in _STEP.findall(Path(game.metadata.folder, "RULES.md").read_text("utf-8"))}
    chosen: dict[str, RuleMoment] = {}
    if numbers:
        for number, (before, after) in enumerate(pairwise(positions(read(RECORDS / f"{game.name}.jsonl"))), 1):
            if number in numbers:
                assert after.decision is not None
                action, chance = game.rules.actions.read(after.decision["action"]), list(after.decision["chance"])
                chosen[f"first_turn.{number}"] = RuleMoment(before.state, action, chance, after.state, after.events)
            if number == max(numbers):
                break
    return chosen


def write_first_turn(game: Game) -> None:
    """Write ``first_turn.toml`` next to RULES.md, if the page tells one."""
    if chosen := first_turn(game):
        by = "# The decisions of the page's first turn, written by `python -m tools.rules_pages`."
        write_atomically(Path(game.metadata.folder, FIRST_TURN), as_text(game, chosen, by))


def main() -> None:
    """Write the first turn of every game, then its pages."""
    for name in registry.names():
        game = registry.load(name)
        if game.metadata.folder:
            write_first_turn(game)
            for path, language in pages_of(game).items():
                write_atomically(path, filled(game, path.read_text("utf-8"), language))


if __name__ == "__main__":
    main()
