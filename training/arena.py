"""The published ratings, and whether they still hold::

    make ladder
    python -m training.arena --check

``LADDER.toml`` keeps each agent's rating with a hash of what the agent is made of, and for every pair the
blocks it played. ``--check`` compares the game's version and the hashes, plays the first unit of each
pair again (those that are quick; ``--all``: every pair), and fails where an entry no longer holds.
``make ladder`` plays a tournament, and ``--update`` writes the ladder anew from its results.
"""

from __future__ import annotations

import hashlib
import importlib
import itertools
import json
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tomli_w
import typer
from rich.console import Console
from rich.table import Table

import agents
from agents.policy import shipped
from titan_env import registry
from titan_env.contract import Game
from training.tournament import Results, Unit, play_unit, ratings

LADDER = Path(__file__).parents[1] / "LADDER.toml"
BEGIN, END = "<!-- ratings, written by training.arena -->", "<!-- end of the ratings -->"
QUICK = 5.0  # seconds that the first unit of a pair may take to be played in every check


def fingerprint(name: str, game: Game) -> str:
    """12 hex digits that change with whatever an agent is made of: its code, its page for the game, its policy."""
    digest = hashlib.sha256()
    for source in sources(name, game):
        digest.update(source.read_bytes())
    return digest.hexdigest()[:12]


def sources(name: str, game: Game) -> list[Path]:
    """The files that an agent is made of."""
    kind, _, tail = name.partition(":")
    files = []
    if "@" in kind:
        files.append(shipped(kind))
        kind = "policy"
    module = Path(str(importlib.import_module(agents.AGENTS[kind]).__file__))
    files.append(module)
    if module.name == "__init__.py":
        files += sorted(
            path for path in module.parent.rglob("*.py") if game.name in path.relative_to(module.parent).parts[0]
        )
    for item in filter(None, tail.split(",")):
        key, _, value = item.partition("=")
        if key == "prior":
            files += sources(value, game)
        elif kind == "policy" and key in ("path", item):
            files.append(Path(value or key))
    return files


def update(out: Path, path: Path = LADDER) -> None:
    """Write the ladder from the results of a finished tournament. Raises ValueError where a pair has not played."""
    lines = (out / "results.jsonl").read_text().splitlines()
    header = json.loads(lines[0])
    results = Results(out / "results.jsonl", header)
    game = registry.load(header["game"].rpartition("_v")[0])
    names = sorted({name for unit in results.shares for name in (unit.one, unit.other)})
    table = ratings(names, results, 0)
    rated = [
        {
            "name": rating.name,
            "hash": fingerprint(rating.name, game),
            "rating": round(rating.points),
            "low": round(rating.low),
            "high": round(rating.high),
        }
        for rating in table
    ]
    pairs = [entry(one, other, results) for one, other in itertools.permutations([r.name for r in table], 2)]
    hours = round(sum(results.seconds.values()) / 3600, 2)
    ladder = {"game": game.id, "options": header["options"], "core_hours": hours, "agent": rated}
    ladder["pair"] = [pair for pair in pairs if pair]
    path.write_text(
        "# The published ratings; `python -m training.arena --check` plays a sample of them again.\n"
        + tomli_w.dumps(ladder)
    )


def page(ladder: Mapping[str, Any]) -> str:
    """The ladder as a page for people: ratings, and every pair's share of wins."""
    names = [agent["name"] for agent in ladder["agent"]]
    rates = {(pair["one"], pair["other"]): pair["rate"] for pair in ladder["pair"]}
    rates |= {(other, one): 1 - rate for (one, other), rate in rates.items()}
    counts = sorted({pair["blocks"] for pair in ladder["pair"]})
    played = " or ".join(f"{count:,}" for count in counts)
    lines = [
        f"# Ratings: {ladder['game']}",
        "",
        "Elo's scale, the weakest agent 0, 95 % intervals from resampled blocks; each column is the share of wins "
        f"against that agent (equals win 50 %), {played} duplicate blocks of two games a pair"
        f"{''.join(f', {name}={value}' for name, value in ladder['options'].items())}. Made by",
        "",
        "```",
        "make ladder",
        "```",
        "",
        f"in {ladder['core_hours']:g} core hours; `python -m training.arena --check` plays a sample again.",
        "",
        "| agent | rating | " + " | ".join(f"against `{name}`" for name in names) + " |",
        "| --- " * (len(names) + 2) + "|",
    ]
    for agent in ladder["agent"]:
        against = [f"{100 * rates[agent['name'], name]:.0f} %" if name != agent["name"] else "" for name in names]
        rating = f"{agent['rating']} ({agent['low']} to {agent['high']})"
        lines.append(f"| `{agent['name']}` | {rating} | " + " | ".join(against) + " |")
    return "\n".join(lines) + "\n"


def short(ladder: Mapping[str, Any]) -> str:
    """The ratings alone, for a page on which there is more to say."""
    rows = [
        f"| `{agent['name']}` | {agent['rating']} ({agent['low']} to {agent['high']}) |" for agent in ladder["agent"]
    ]
    return "\n".join(["| agent | rating |", "| --- | --- |", *rows])


def with_ratings(readme: str, ladder: Mapping[str, Any]) -> str:
    """A README with these ratings between its marks. Raises ValueError where the marks are gone."""
    before, begin, rest = readme.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise ValueError(f"expected {BEGIN!r} and {END!r} in the README, to write the ratings between them")
    return f"{before}{begin}\n{short(ladder)}\n{end}{after}"


def entry(one: str, other: str, results: Results) -> dict[str, Any] | None:
    """What the ladder keeps of a pair: its result, and its first unit block by block."""
    mine = sorted((u for u in results.shares if (u.one, u.other) == (one, other)), key=lambda unit: unit.seed)
    if not mine:
        return None
    shares = results.of_pair(one, other)
    return {
        "one": one,
        "other": other,
        "rate": round(float(shares.mean()), 4),
        "blocks": len(shares),
        "seed": mine[0].seed,
        "seconds": round(results.seconds[mine[0]], 2),
        "first_unit": " ".join(f"{share:g}" for share in results.shares[mine[0]]),
    }


def check(path: Path, every: bool, console: Console) -> list[str]:
    """What no longer holds, one sentence each."""
    ladder = read(path)
    game = registry.load(ladder["game"].rpartition("_v")[0])
    if game.id != ladder["game"]:
        return [f"the ladder is for {ladder['game']}, the game here is {game.id}: play it anew"]
    wrong = [
        f"{agent['name']} has changed: hash {fingerprint(agent['name'], game)}, {agent['hash']} in the ladder"
        for agent in ladder["agent"]
        if fingerprint(agent["name"], game) != agent["hash"]
    ]
    table = Table(title=f"{path.name}: first units played again")
    for heading in ("pair", "blocks", "share then", "share now", "", "seconds"):
        table.add_column(heading)
    for pair in ladder["pair"]:
        if pair["seconds"] <= QUICK or every:
            began = time.monotonic()
            then = np.array(pair["first_unit"].split(), np.float64)
            unit = Unit(pair["one"], pair["other"], pair["seed"], len(then))
            now = np.array(play_unit(game.name, unit, ladder["options"]))
            named = f"{unit.one} against {unit.other}"
            verdict = judge(then, now)
            if verdict.startswith("no longer"):
                wrong.append(f"{named}: the first {len(then)} blocks gave {then.mean():.1%}, now {now.mean():.1%}")
            taken = f"{time.monotonic() - began:.1f}"
            table.add_row(named, str(len(then)), f"{then.mean():.1%}", f"{now.mean():.1%}", verdict, taken)
    console.print(table)
    return wrong


def judge(then: Any, now: Any) -> str:
    """Whether a unit gave what it gave then.

    On the same kind of processor it does so exactly; on another one sums round otherwise, a tie falls
    the other way, and a few games differ: that must stay within what chance allows (three standard errors).
    """
    if np.array_equal(then, now):
        return "exactly"
    error = max(float(np.std(then - now, ddof=1)), 0.05) / len(then) ** 0.5
    same = float((then == now).mean())
    holds = abs(then.mean() - now.mean()) <= 3 * error and same >= 0.5
    return f"{'within chance' if holds else 'no longer'}, {same:.0%} of the blocks equal"


def read(path: Path) -> dict[str, Any]:
    """The ladder. Raises ValueError where the file is missing or damaged."""
    if not path.exists():
        raise ValueError(f"expected a ladder, found no {path}; write one with --update")
    try:
        ladder = tomllib.loads(path.read_text())
        for key in ("game", "options", "agent", "pair"):
            ladder[key]
    except (tomllib.TOMLDecodeError, KeyError) as error:
        raise ValueError(f"expected a ladder in {path}, which is damaged: {error}") from None
    return ladder


PAGE = LADDER.parent / "docs" / "ratings.md"
README = LADDER.parent / "README.md"


def main(
    check_it: Annotated[bool, typer.Option("--check", help="play a sample again; exit 1 where it fails")] = False,
    every: Annotated[bool, typer.Option("--all", help="with --check: every pair, also the slow ones")] = False,
    results: Annotated[Path | None, typer.Option("--update", help="folder of a tournament to write it from")] = None,
    path: Annotated[Path, typer.Option("--ladder", help="the ladder's file")] = LADDER,
) -> None:
    """Check the published ratings, or write them anew."""
    console = Console()
    try:
        if results is not None:
            update(results, path)
            if path == LADDER:
                PAGE.write_text(page(read(path)))
                README.write_text(with_ratings(README.read_text("utf-8"), read(path)), "utf-8")
        if check_it:
            wrong = check(path, every, console)
            for sentence in wrong:
                console.print(f"[red]{sentence}[/red]")
            raise typer.Exit(1 if wrong else 0)
        if results is None:
            raise ValueError("expected --check or --update FOLDER")
    except (ValueError, OSError) as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None


if __name__ == "__main__":
    typer.run(main)
