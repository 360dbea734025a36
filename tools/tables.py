"""Write the pages of games, `Game`, trained agents and APIs::

    python -m tools.tables

Tests hold that the pages are up to date.
"""

from __future__ import annotations

import ast
import inspect
import itertools
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Annotated

import typer
from babel import Locale

from titan_env import agents, registry
from titan_env.cli.console import user_errors
from titan_env.contract import Fields, Game, Metadata, Presentation, Rules, Text
from titan_env.contract.defaults import PLAIN
from titan_env.contract.translation import ENGLISH, known_languages
from titan_env.engine.schema import schema_of
from titan_env.records.atomic_files import make_folder
from titan_env.training.retrain import TrainingRun, game_of, steps
from tools.architecture import architecture_page, layers_picture
from tools.benchmark_page import benchmark_page
from tools.croissant import croissant
from tools.learners_page import learners_page, learners_picture, learners_tables
from tools.powers import powers_page
from tools.results import is_measured
from tools.speed_page import devices_table

MOST_IN_A_ROW = 10
"""Actions in a row of the table of actions."""
SHORTEST_RUN = 8
"""Actions that count up, from which on a row has the first and the last of them only."""
GAMES = Path(__file__).parents[1] / "titan_env" / "games"
_GOOD_GAME = """\
Rules: `titan_env/games/{name}/RULES.md`, and on this site with pictures. [A game](../../records/{name}.jsonl) among the
best agents: `python -m titan_env replay docs/records/{name}.jsonl` steps through it.
"""


def tables(game: Game) -> str:
    """Return the page of a game: facts, observation, actions, options and versions, as Markdown."""
    presets = {
        name: ", ".join(f"`{key}={value!r}`" for key, value in options.items())
        for name, options in game.rules.presets.items()
    }
    sections = {
        "Facts": _rows("fact", "", _facts(game)),
        f"Observation: {game.rules.fields.size} numbers": [
            "`titan_env.engine.schema.explain` puts one into words.",
            "",
            *_observation(game.rules.fields),
            *_derived(game),
        ],
        f"Actions: {len(game.rules.actions)}": [
            "A number means the same in every state; `why_not` names the rule that forbids an action.",
            "",
            *_rows("numbers", "texts, in their order", dict(_actions(game.rules.actions.texts))),
        ],
        "Options": _rows("name", "meaning", {f"`{name}`": meaning for name, meaning in game.rules.options.items()}),
        "Presets": _rows("name", "options", {f"`{name}`": options or "(none)" for name, options in presets.items()}),
        "Versions": _rows(
            "version",
            "change",
            {f"v{version}": text for version, text in game.metadata.version_history.items()},
        ),
    }
    lines = [
        f"# {game.metadata.title}, version {game.metadata.version}",
        "",
        "Made by `python -m tools.tables` from the game itself.",
        "",
        f"![A game of {game.metadata.title}](../../pictures/{game.name}.png)",
        "",
        *_GOOD_GAME.format(name=game.name).splitlines(),
    ]
    if is_measured(game.name):
        lines += ["", f"[Results]({game.name}_results.md) of its agents."]
    for heading, section in sections.items():
        lines += ["", f"## {heading}", "", *section]
    parts = [f"../../_made/{game.name}/rules", *([f"{game.name}_results"] if is_measured(game.name) else [])]
    lines += ["", "```{toctree}", ":hidden:", "", *parts, "```"]
    return "\n".join(lines) + "\n"


def _facts(game: Game) -> dict[str, str]:
    """Return the main facts about an environment."""
    fewest, most = game.rules.seats
    lows, highs = game.rules.fields.bounds()
    return {
        "Import": f"`from titan_env import {game.id}`",
        "Agents": f"{fewest} to {most}, named `player_0` to `player_{most - 1}`",
        "Actions": f"discrete, masked: `Discrete({len(game.rules.actions)})`",
        "Observation": f"`action_mask` and `observation`, of shape `({game.rules.fields.size},)`",
        "Observation values": f"{lows.min():g} to {highs.max():g}, float32",
        "Hidden information": "yes: what a seat may not know is not in its observation"
        if game.rules.imagine
        else "no: every seat sees everything",
        "Rewards": "at the end: 1 for each winner, the losers share the opposite ([more](../rewards.md))",
        "Parallel API": "no: one agent decides at a time",
        "Manual control": "`python -m titan_env play` and `python -m titan_env web`",
        "Rendering": "`human`, `rgb_array`, `ansi`; an SVG by itself in notebooks",
        "State of a game": f"{game.rules.state.itemsize} bytes",
    }


def _actions(texts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield numbers and texts of actions, verb by verb: a run such as `pick:1` to `pick:42` in a row of its own."""
    for _, group in itertools.groupby(enumerate(texts), key=lambda action: action[1].partition(":")[0]):
        short: list[tuple[int, str]] = []
        for run in _runs(list(group)):
            if len(run) < SHORTEST_RUN:
                short += run
                continue
            yield from _listed(short)
            short = []
            yield f"{run[0][0]} to {run[-1][0]}", f"`{run[0][1]}` to `{run[-1][1]}`"
        yield from _listed(short)


def _runs(actions: Sequence[tuple[int, str]]) -> Iterator[list[tuple[int, str]]]:
    """Yield numbers and texts in runs in which the integer at the end of the text counts up by one."""
    counted = [re.fullmatch(r"(.*?)(\d+)", text) for _, text in actions]
    keys = [
        (found[1], int(found[2]) - i) if found else (text, 0)
        for i, (found, (_, text)) in enumerate(zip(counted, actions, strict=True))
    ]
    for _, group in itertools.groupby(zip(keys, actions, strict=True), key=lambda pair: pair[0]):
        yield [action for _, action in group]


def _listed(actions: Sequence[tuple[int, str]]) -> Iterator[tuple[str, str]]:
    """Yield numbers and texts of actions, at most `MOST_IN_A_ROW` together."""
    for start in range(0, len(actions), MOST_IN_A_ROW):
        row = actions[start : start + MOST_IN_A_ROW]
        first, last = row[0][0], row[-1][0]
        yield f"{first} to {last}" if last > first else str(first), ", ".join(f"`{text}`" for _, text in row)


def _derived(game: Game) -> list[str]:
    """Return the derived fields and the macro-actions of a game, a table for each group."""
    lines, rules = [], game.rules
    groups = [(f'With `derived=["{name}"]`', group, "choose_observations") for name, group in rules.derived.items()]
    groups += [(f'With `macro="{name}"`', macro, "macro_actions") for name, macro in rules.macros.items()]
    for keyword, group, page in groups:
        lines += ["", f"{keyword} these follow: {group.meaning} ([how](../../how-to/{page}.md))."]
        lines += ["", *_observation(Fields(group.parts, rules.fields.whole))]
    return lines


def _observation(fields: Fields) -> list[str]:
    """Return the fields of an observation, as a table."""
    parts = [
        f"| `{part.name}` | {fields.slices[part.name].start} | {_shape(part.shape)} "
        f"| {part.low:g} to {part.high:g} | {': '.join([part.meaning, *map(', '.join, part.axes[-1:])])} |"
        for part in fields.parts
    ]
    return ["| name | from | shape | range | meaning |", "| --- | --- | --- | --- | --- |", *parts]


def _rows(left: str, right: str, rows: Mapping[str, str]) -> list[str]:
    """Return a table of two columns."""
    return [f"| {left} | {right} |", "| --- | --- |", *(f"| {key} | {value} |" for key, value in rows.items())]


def reference() -> str:
    """Return the page of the parts of a `Game`, from the docstrings of its four values."""
    lines = [
        "# What a game is made of",
        "",
        "Made by `python -m tools.tables` from the docstrings of `titan_env.contract.Game` and its four values:",
        "`Game(name=..., rules=Rules(...), text=Text(...), presentation=Presentation(...), metadata=Metadata(...))`.",
        "Parts without a default must be there; *plain form*: made of the others; `None` or empty: there is none.",
        "[Add a game](../how-to/add_a_game.md) builds a whole one.",
    ]
    for value in (Rules, Text, Presentation, Metadata):
        summary = " ".join(inspect.cleandoc(value.__doc__ or "").split()).replace("``", "`")
        lines += ["", f"## {value.__name__}", "", summary, "", "| part | default | what it is |", "| --- | --- | --- |"]
        lines += _parts_of(value)
    return "\n".join(lines) + "\n"


def _parts_of(value: type) -> Iterator[str]:
    """Yield a row of the table for each part of a value of a game."""
    body = ast.parse(inspect.getsource(value)).body[0]
    assert isinstance(body, ast.ClassDef)
    for part, docstring in itertools.pairwise(body.body):
        if isinstance(part, ast.AnnAssign) and isinstance(docstring, ast.Expr) and isinstance(part.target, ast.Name):
            what = " ".join(inspect.cleandoc(ast.literal_eval(docstring.value)).split())
            what = what.replace("``", "`").replace("|", "\\|")
            yield f"| `{part.target.id}` | {_default(value, part)} | {what} |"


def _default(value: type, part: ast.AnnAssign) -> str:
    """Return the default of a part of a game, as the table shows it."""
    assert isinstance(part.target, ast.Name)
    if part.target.id in PLAIN[value.__name__.lower()]:
        return "plain form"
    if part.value is None:
        return "(needed)"
    is_empty = isinstance(part.value, ast.Call) or ast.unparse(part.value) == "()"
    return "empty" if is_empty else f"`{ast.unparse(part.value)}`"


def policies_page() -> str:
    """Return the page of the package's trained agents and the commands that made them, as Markdown."""
    lines = [
        "# Trained agents",
        "",
        "Made by `python -m tools.tables` from what the files say of themselves: the commands that made them, one",
        "after the other, with every setting that the result depends on.",
    ]
    for name, path in sorted(agents.shipped().items()):
        made = steps(name)
        size, seconds = path.stat().st_size / 1000, sum(step.seconds for step in made)
        packages = ", ".join(f"{package} {version}" for package, version in made[-1].made["versions"].items())
        seen = schema_of(registry.load(game_of(name))).hash
        beside = " beside a GPU" if any("device" in step.made for step in made) else ""
        lines += [
            "",
            f"## `{name}`",
            "",
            f"{size:.0f} kB, observation {seen}, {seconds:,} seconds of one core{beside}, {packages};",
            f"again, one after the other: `python -m titan_env.training.retrain {name}`",
            "",
            "```",
            *map(str, made),
            "```",
            *_decisions(made),
            *_carried(made[-1]),
        ]
    return "\n".join(lines) + "\n"


def _carried(last: TrainingRun) -> list[str]:
    """Return a line with the version that a policy was trained with, if it was carried over from it."""
    before = last.made.get("carried_from")
    return ["", f"Trained with `{before}` and carried over from it."] if before else []


def _decisions(made: Sequence[TrainingRun]) -> list[str]:
    """Return a line with the number of decisions of each run, if they are known; a run may have been stopped."""
    counts = [f"{step.made['decisions_taken']:,}" for step in made if "decisions_taken" in step.made]
    return ["", f"Learned from {', then '.join(counts)} decisions."] if counts else []


def languages_page(games: Sequence[Game]) -> str:
    """Return the page of the languages of games and of their rules pages, as Markdown."""
    names = known_languages()
    lines = [
        "# Languages",
        "",
        "Made by `python -m tools.tables` from the catalogues. The page offers for each game the languages that it",
        "speaks; on a page in another one the game speaks English. [Translate](../how-to/translate.md) says how a",
        "language is added.",
        "",
        f"| | {' | '.join(str(Locale(name).english_name) for name in names)} |",
        "| --- |" + " --- |" * len(names),
    ]
    for game in games:
        lines.append(f"| {game.metadata.title} | {' | '.join(_support(game, name) for name in names)} |")
    lines.append(f"| the page, films and complaints about records | {' | '.join(['yes'] * len(names))} |")
    return "\n".join(lines) + "\n"


def _support(game: Game, name: str) -> str:
    """Return the table's cell of a game and a language: "yes", "yes, rules too", or "" without a catalogue."""
    if name not in game.languages:
        return ""
    has_rules = name == ENGLISH or Path(game.metadata.folder, f"RULES.{name}.md").exists()
    return "yes, rules too" if has_rules else "yes"


def pages() -> dict[str, str]:
    """Return the text of every page that is made from the code, by its place in `docs`."""
    games = [registry.load(name) for name in registry.names()]
    games = [game for game in games if Path(game.metadata.folder).parent == GAMES]
    made = {f"reference/games/{game.name}.md": tables(game) for game in games}
    made |= {
        "reference/game_contract.md": reference(),
        "reference/trained_agents.md": policies_page(),
        "reference/benchmark.md": benchmark_page(),
        "reference/learners.md": learners_page(),
        "reference/languages.md": languages_page(games),
        "measured/speed_by_device.md": devices_table(),
        "reference/environment_apis.md": powers_page(),
        "explanation/architecture.md": architecture_page(),
        "croissant.json": croissant(),
        "pictures/layers.svg": layers_picture(),
        "pictures/learners.svg": learners_picture(),
    }
    return made | learners_tables()


def _shape(shape: tuple[int, ...]) -> str:
    """Return a shape as text; "1" for a single number."""
    return " x ".join(str(size) for size in shape) or "1"


def main(out: Annotated[Path, typer.Option(help="Folder of the pages.")] = Path("docs")) -> None:
    """Write the pages."""
    for name, text in pages().items():
        with user_errors():
            make_folder((out / name).parent)
        (out / name).write_text(text, "utf-8")


if __name__ == "__main__":
    typer.run(main)
