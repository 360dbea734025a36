"""The published ratings, and whether they still hold::

    make ladder
    python -m training.arena --check

``LADDER.toml`` keeps each agent's rating with a hash of what the agent is made of
(`training.fingerprints`), and for every pair its first blocks one by one. ``--check`` compares the game's
version and the hashes, plays as many of each pair's first blocks again as fit into a minute in all
(``--all``: every one that is kept), and fails where a pair's share of wins or too many of an agent's blocks
are others. ``make ladder`` plays a tournament, and ``--update`` writes the ladder anew from its results.
"""

from __future__ import annotations

import itertools
import time
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import tomli_w
import typer
from numpy.typing import NDArray
from rich.console import Console

from titan_env import registry
from training import output
from training.commands import user_errors
from training.fingerprints import fingerprint
from training.results import Results, Unit, header_of, read_header
from training.tournament import play_unit, ratings

LADDER = Path(__file__).parents[1] / "LADDER.toml"
BEGIN, END = "<!-- ratings, written by training.arena -->", "<!-- end of the ratings -->"
KEPT = 16  # blocks of each pair
FEWEST = 2  # blocks of each pair that are played again
SAME = 0.9  # of the blocks that an agent plays again, at least, must be as they were
SECONDS = 60.0  # of one core, about, for playing blocks again
_KEYS = {
    "agent": {"name", "hash", "rating", "low", "high"},
    "pair": {"one", "other", "rate", "blocks", "seed", "seconds", "first_blocks"},
}


def ladder_of(out: Path) -> dict[str, Any]:
    """The ladder that a finished tournament comes to.

    Raises ValueError where a pair has not played, or an agent is no longer what has played.
    """
    path = out / "results.jsonl"
    header = read_header(path)
    game, options, names = registry.load(_name(header["game"])), header["options"], sorted(header["agents"])
    results = Results(path, header_of(game, options, names))
    missing = [pair for pair in itertools.combinations(names, 2) if not results.shares.get(pair)]
    if missing or len(names) < 2:
        said = ", ".join(" against ".join(pair) for pair in missing) or "one agent alone"
        raise ValueError(f"expected a finished tournament in {out}, in which every pair has played; missing: {said}")
    table = ratings(names, results, 0)
    rated = [
        {
            "name": rating.name,
            "hash": header["agents"][rating.name],
            "rating": round(rating.points),
            "low": round(rating.low),
            "high": round(rating.high),
        }
        for rating in table
    ]
    seconds = sum(sum(blocks.values()) for blocks in results.seconds.values())
    return {
        "game": game.id,
        "core_hours": round(seconds / 3600, 2),
        "options": {name: "none" if value is None else value for name, value in options.items()},
        "agent": rated,
        "pair": [entry(one, other, results) for one, other in itertools.combinations(names, 2)],
    }


def entry(one: str, other: str, results: Results) -> dict[str, Any]:
    """What the ladder keeps of a pair: its result, and its first blocks one by one."""
    shares, seconds = results.shares[one, other], results.seconds[one, other]
    first = min(shares)
    kept = itertools.takewhile(shares.__contains__, range(first, first + KEPT))
    return {
        "one": one,
        "other": other,
        "rate": round(float(np.mean(list(shares.values()))), 4),
        "blocks": len(shares),
        "seed": first,
        "seconds": round(float(np.mean(list(seconds.values()))), 4),
        "first_blocks": " ".join(f"{shares[seed]:g}" for seed in kept),
    }


def text_of(ladder: Mapping[str, Any]) -> str:
    """The ladder as a file."""
    head = "# The published ratings; `python -m training.arena --check` plays a sample of them again.\n"
    return head + tomli_w.dumps(ladder)


def update(out: Path, path: Path) -> list[Path]:
    """Write the ladder, and the pages that show the published one, from the results of a finished tournament."""
    ladder = ladder_of(out)
    texts = {path: text_of(ladder)}
    if path == LADDER:
        texts |= {PAGE: page(ladder), README: with_ratings(README.read_text("utf-8"), ladder)}
    for file, text in texts.items():
        output.write_whole(file, text)
    return list(texts)


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
        f"in {ladder['core_hours']:g} core hours; `python -m training.arena --check` plays a sample again. Two agents",
        "share each table and change places within a block, so that a block compares two: ratings are Bradley-Terry",
        "strengths (the library choix). A model of whole rankings would need tables of many agents, where who sits",
        "beside whom counts too.",
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


def check(path: Path, every: bool, console: Console, seconds: float = SECONDS) -> list[str]:
    """What no longer holds, one sentence each."""
    ladder = read(path)
    game = registry.load(_name(ladder["game"]))
    if game.id != ladder["game"]:
        return [f"the ladder is for {ladder['game']}, the game here is {game.id}: play it anew"]
    now = {agent["name"]: fingerprint(agent["name"], game) for agent in ladder["agent"]}
    wrong = [
        f"{agent['name']} has changed: hash {now[agent['name']]}, {agent['hash']} in the ladder"
        for agent in ladder["agent"]
        if now[agent["name"]] != agent["hash"]
    ]
    options = {name: None if value == "none" else value for name, value in ladder["options"].items()}
    lines = []
    equal: dict[str, list[bool]] = {name: [] for name in now}
    for pair in ladder["pair"]:
        fitting = KEPT if every else int(seconds / len(ladder["pair"]) / max(pair["seconds"], 1e-9))
        began = time.monotonic()
        shares, shares_now = again(game.name, pair, max(FEWEST, fitting), options)
        named, verdict = f"{pair['one']} against {pair['other']}", judge(shares, shares_now)
        line = [named, f"{len(shares)}", f"{shares.mean():.1%}", f"{shares_now.mean():.1%}", verdict]
        lines.append([*line, f"{time.monotonic() - began:.1f}"])
        for name in (pair["one"], pair["other"]):
            equal[name] += (shares == shares_now).tolist()
        if verdict.startswith("no"):
            wrong.append(f"{named}: the first {len(shares)} blocks gave {line[2]}, now {line[3]}")
    wrong += [
        f"{name}: only {sum(same)} of {len(same)} blocks are as they were, {SAME:.0%} should be"
        for name, same in equal.items()
        if sum(same) < SAME * len(same)
    ]
    headings = ("pair", "blocks", "share then", "share now", "", "seconds")
    console.print(output.grid(f"{path.name}: first blocks played again", headings, lines))
    return wrong


def again(
    game: str, pair: Mapping[str, Any], blocks: int, options: dict[str, Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Play so many of a pair's first blocks again: what they gave then, and now."""
    then = np.array(pair["first_blocks"].split()[:blocks], np.float64)
    seeds = range(pair["seed"], pair["seed"] + len(then))
    return then, np.array(play_unit(game, Unit(pair["one"], pair["other"], tuple(seeds)), options))


def judge(then: NDArray[np.float64], now: NDArray[np.float64]) -> str:
    """Whether a pair's blocks gave what they gave then.

    On the same kind of processor they do so exactly; on another one sums round otherwise, a tie falls
    the other way, and a few games differ: that must stay within what chance allows (three standard errors).
    """
    if np.array_equal(then, now):
        return "exactly"
    error = max(float(np.std(then - now, ddof=1)), 0.05) / len(then) ** 0.5
    holds = abs(then.mean() - now.mean()) <= 3 * error
    return f"{'within chance' if holds else 'no longer'}, {(then == now).mean():.0%} of the blocks equal"


def read(path: Path) -> dict[str, Any]:
    """The ladder. Raises ValueError where the file is missing or damaged."""
    if not path.exists():
        raise ValueError(f"expected a ladder, found no {path}; write one with --update")
    try:
        ladder = tomllib.loads(path.read_text("utf-8"))
        absent = [key for key in ("game", "options", "core_hours", *_KEYS) if key not in ladder]
        for kind, keys in _KEYS.items():
            absent += [f"{kind}.{key}" for one in ladder.get(kind, []) for key in sorted(keys - set(one))]
        if absent:
            raise ValueError(f"it has no {absent[0]}")
    except ValueError as error:
        raise ValueError(f"expected a ladder in {path}, which is damaged: {error}; write it with --update") from None
    return ladder


def _name(versioned: str) -> str:
    """The name of a game of which the version is known too."""
    return versioned.rpartition("_v")[0]


PAGE = LADDER.parent / "docs" / "ratings.md"
README = LADDER.parent / "README.md"


@user_errors()
def main(
    check_it: Annotated[bool, typer.Option("--check", help="play a sample again; exit 1 where it fails")] = False,
    every: Annotated[bool, typer.Option("--all", help="with --check: all blocks that are kept")] = False,
    results: Annotated[Path | None, typer.Option("--update", help="folder of a tournament to write it from")] = None,
    path: Annotated[Path, typer.Option("--ladder", help="the ladder's file")] = LADDER,
) -> None:
    """Check the published ratings, or write them anew."""
    console = output.console()
    if results is None and not check_it:
        raise ValueError("expected --check or --update FOLDER")
    if results is not None:
        console.print(f"Written: {', '.join(str(file) for file in update(results, path))}")
    wrong = check(path, every, console) if check_it else []
    for sentence in wrong:
        console.print(f"[red]{sentence}[/red]")
    raise typer.Exit(1 if wrong else 0)


if __name__ == "__main__":
    typer.run(main)
