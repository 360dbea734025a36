"""Check or update the published ratings::

    make ladder
    python -m titan_env.evaluation.arena --check

``agents/LADDER.toml`` keeps each agent's rating with a hash of what the agent is made of
(`titan_env.evaluation.fingerprints`), and for every pair its first blocks one by one. ``--check`` compares the game's
version and the hashes, plays as many of each pair's first blocks again as fit into a minute in all, the quick pairs
first, two blocks of each agent in any case (``--all``: every stored one), and fails if a pair's share of wins or too
many of an agent's blocks differ. ``make ladder`` plays a tournament for each game and number of seats, and ``--update``
writes the ladders from their results: the first into the file, others next to it (such as ``LADDER-players=2.toml``,
with the game's name before the options if it is another game), all on one page. Ladders and pairs that were not played
again stay: a tournament with ``--only NEW`` is enough to add an agent.
"""

from __future__ import annotations

import itertools
import re
import time
import tomllib
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any, TypeAlias

import numpy as np
import tomli_w
import typer
from numpy.typing import NDArray
from rich.console import Console

from titan_env import registry
from titan_env.cli import output
from titan_env.cli.console import user_errors
from titan_env.contract import Game
from titan_env.evaluation.fingerprints import fingerprint
from titan_env.evaluation.ratings_page import page, seconds_of, with_ratings
from titan_env.evaluation.results import Outcome, Pair, Results, Unit, header_of, read_header
from titan_env.evaluation.tournament import play_unit, ratings
from titan_env.records.files import write_whole

Table: TypeAlias = tuple[str, str]
"""The key of a ladder: a game, of any version, and its options as text."""

ROOT = Path(__file__).parents[2]
LADDER = ROOT / "agents" / "LADDER.toml"
KEPT = 16  # blocks of each pair
FEWEST = 2  # blocks that each agent plays again, at least
SAME = 0.9  # the least share of an agent's blocks that must come out the same
SECONDS = 60.0  # of one core, about, for playing blocks again
_COUNTED = ("blocks", "rate", "spread")  # the input of ratings
_KEYS = {
    "agent": {"name", "hash", "rating", "low", "high"},
    "pair": {"one", "other", "rate", "blocks", "seed", "seconds", "first_blocks"},
}


def ladder_of(out: Path, published: Mapping[Table, Mapping[str, Any]] | None = None) -> dict[str, Any]:
    """Return the ladder of a finished tournament.

    Pairs that it has not played are taken from the published ladder of the same game and options, if both agents are
    unchanged. Raises ValueError for a missing pair, or an agent that has changed since the tournament.
    """
    path = out / "results.jsonl"
    header = read_header(path)
    game, options, names = registry.load(registry.name_in(header["game"])), header["options"], sorted(header["agents"])
    results = Results(path, header_of(game, options, names))
    ladder = {"game": game.id, "options": {name: "none" if value is None else value for name, value in options.items()}}
    pairs = _taken_over((published or {}).get(_table_of(ladder), {}), game, header["agents"])
    pairs |= {pair: entry(*pair, results) for pair in results.outcomes()}
    wanted = list(itertools.combinations(names, 2))
    missing = [pair for pair in wanted if pair not in pairs]
    if missing or len(names) < 2:
        said = ", ".join(" against ".join(pair) for pair in missing) or "one agent alone"
        raise ValueError(f"expected a finished tournament in {out}, in which every pair has played; missing: {said}")
    table = ratings(names, {pair: Outcome(*(pairs[pair][name] for name in _COUNTED)) for pair in wanted})
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
    played = [pairs[pair] for pair in wanted]
    core_hours = {"core_hours": round(seconds_of(played) / 3600, 2)}
    return {**ladder, **core_hours, "agent": rated, "pair": played}


def _taken_over(ladder: Mapping[str, Any], game: Game, made: Mapping[str, str]) -> dict[Pair, dict[str, Any]]:
    """Return the pairs of a published ladder of this version of the game whose agents' hashes are unchanged."""
    if ladder.get("game") != game.id:
        return {}
    same = {agent["name"] for agent in ladder["agent"] if made.get(agent["name"]) == agent["hash"]}
    pairs = {(pair["one"], pair["other"]): pair for pair in ladder["pair"]}
    return {names: pair for names, pair in pairs.items() if same.issuperset(names) and "spread" in pair}


def entry(one: str, other: str, results: Results) -> dict[str, Any]:
    """Return a pair's entry in the ladder: its result, and its first blocks one by one."""
    shares, seconds = results.shares[one, other], results.seconds[one, other]
    found, first = Outcome.of(results.of_pair(one, other)), min(shares)
    kept = itertools.takewhile(shares.__contains__, range(first, first + KEPT))
    return {
        "one": one,
        "other": other,
        "rate": round(found.rate, 4),
        "blocks": found.blocks,
        "spread": round(found.spread, 4),
        "seed": first,
        "seconds": round(float(np.mean(list(seconds.values()))), 4),
        "first_blocks": " ".join(f"{shares[seed]:g}" for seed in kept),
    }


def text_of(ladder: Mapping[str, Any]) -> str:
    """Return the ladder as TOML."""
    head = "# The published ratings; `python -m titan_env.evaluation.arena --check` plays a sample of them again.\n"
    return head + tomli_w.dumps(ladder)


def update(outs: Sequence[Path], path: Path) -> list[Path]:
    """Write ladders, and the pages that show the published ones, from the results of finished tournaments.

    The first is written into the ladder's file; others, played with other options, into files next to it, named by
    their options. Existing ladders that were not played again stay as they are, and the first stays the first. Raises
    ValueError for two tournaments with the same game and options.
    """
    before = {_table_of(ladder): ladder for ladder in map(read, filter(Path.exists, every_ladder(path)))}
    played = [ladder_of(out, before) for out in outs]
    ladders = before | {_table_of(ladder): ladder for ladder in played}
    if len({_table_of(ladder) for ladder in played}) < len(played):
        raise ValueError(f"expected tournaments with different options, got two alike: {', '.join(map(str, outs))}")
    first, *others = ladders.values()
    texts = {path: text_of(first)} | {beside(path, ladder, first["game"]): text_of(ladder) for ladder in others}
    if path == LADDER:
        texts |= {PAGE: page([first, *others]), README: with_ratings(README.read_text("utf-8"), first)}
    for file, text in texts.items():
        write_whole(file, text)
    return list(texts)


def _table_of(ladder: Mapping[str, Any]) -> Table:
    """Return a ladder's key: its game, of any version, and its options as text."""
    return registry.name_in(ladder["game"]), str(sorted(ladder["options"].items()))


def beside(path: Path, ladder: Mapping[str, Any], first: str) -> Path:
    """Return the file of a further ladder, next to that of the `first` game."""
    other = [] if ladder["game"] == first else [registry.name_in(ladder["game"])]
    told = "-".join([*other, *(f"{name}={value}" for name, value in ladder["options"].items())])
    return path.with_name(f"{path.stem}-{re.sub(r'[^-=.A-Za-z0-9_]+', '_', told)}{path.suffix}")


def options_of(ladder: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a ladder's games; the text "none" stands for None, which TOML lacks."""
    return {name: None if value == "none" else value for name, value in ladder["options"].items()}


def every_ladder(path: Path) -> list[Path]:
    """Return the files of a ladder and of those next to it."""
    return [path, *sorted(path.parent.glob(f"{path.stem}-*{path.suffix}"))]


def check(path: Path, every: bool, console: Console, seconds: float = SECONDS) -> list[str]:
    """Return the faults of a ladder, one sentence each."""
    ladder = read(path)
    game = registry.load(registry.name_in(ladder["game"]))
    if other := of_another_version(ladder, game):
        return [other]
    now = fingerprints(ladder, game)
    wrong = [
        f"{agent['name']} has changed: hash {now[agent['name']]}, {agent['hash']} in the ladder"
        for agent in ladder["agent"]
        if now[agent["name"]] != agent["hash"]
    ]
    options, lines = options_of(ladder), []
    equal: dict[str, list[bool]] = {name: [] for name in now}
    began = time.monotonic()
    pairs = sorted(ladder["pair"], key=lambda pair: float(pair["seconds"]))
    for number, pair in enumerate(pairs):
        left = (seconds - (time.monotonic() - began)) / (len(pairs) - number)
        fitting = KEPT if every else min(KEPT, int(left / max(pair["seconds"], 1e-9)))
        unseen = any(not equal[name] for name in (pair["one"], pair["other"]))
        if not (fitting := max(fitting, FEWEST if unseen else 0)):
            lines.append([f"{pair['one']} against {pair['other']}", "0", "", "", "no time left", ""])
            continue
        started = time.monotonic()
        shares, shares_now = again(game.name, pair, fitting, options)
        named, verdict = f"{pair['one']} against {pair['other']}", judge(shares, shares_now)
        line = [named, f"{len(shares)}", f"{shares.mean():.1%}", f"{shares_now.mean():.1%}", verdict]
        lines.append([*line, f"{time.monotonic() - started:.1f}"])
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


def of_another_version(ladder: Mapping[str, Any], game: Game) -> str:
    """Return a sentence if a ladder is for another version of the game, else ""."""
    if game.id == ladder["game"]:
        return ""
    return f"the ladder is for {ladder['game']}, the game here is {game.id}: play it anew"


def fingerprints(ladder: Mapping[str, Any], game: Game) -> dict[str, str]:
    """Return the current fingerprint of each agent of a ladder."""
    return {agent["name"]: fingerprint(agent["name"], game) for agent in ladder["agent"]}


def keep_rewritten(path: Path, console: Console) -> list[str]:
    """Update the hashes of agents whose code changed and whose play did not; return the faults if it did.

    Every stored block of their pairs is played again; if one differs, nothing is written.
    """
    ladder = read(path)
    game = registry.load(registry.name_in(ladder["game"]))
    if other := of_another_version(ladder, game):
        return [other]
    now = fingerprints(ladder, game)
    changed = {agent["name"] for agent in ladder["agent"] if agent["hash"] != now[agent["name"]]}
    wrong, played = [], 0
    for pair in ladder["pair"]:
        if changed & {pair["one"], pair["other"]}:
            shares, shares_now = again(game.name, pair, KEPT, options_of(ladder))
            played += len(shares)
            if not np.array_equal(shares, shares_now):
                others = f"{(shares != shares_now).sum()} of {len(shares)} blocks came out otherwise"
                wrong.append(f"{pair['one']} against {pair['other']}: {others}; play the ladder anew")
    if changed and not wrong:
        for agent in ladder["agent"]:
            agent["hash"] = now[agent["name"]]
        write_whole(path, text_of(ladder))
        console.print(f"{path.name}: {', '.join(sorted(changed))}: {played} blocks as they were, hashes written")
    return wrong


def again(
    game: str, pair: Mapping[str, Any], blocks: int, options: dict[str, Any]
) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Play this many of a pair's first blocks again; return the stored and the new shares of wins."""
    then = np.array(pair["first_blocks"].split()[:blocks], np.float64)
    seeds = range(pair["seed"], pair["seed"] + len(then))
    return then, np.array(play_unit(game, Unit(pair["one"], pair["other"], tuple(seeds)), options))


def judge(then: NDArray[np.float64], now: NDArray[np.float64]) -> str:
    """Return a verdict on a pair's stored and new blocks: "exactly", "within chance" or "no longer".

    On the same kind of processor they are equal; on another, sums are rounded differently, a tie is broken the other
    way, and a few games differ: the difference must stay within three standard errors.
    """
    if np.array_equal(then, now):
        return "exactly"
    error = max(float(np.std(then - now, ddof=min(1, len(then) - 1))), 0.05) / len(then) ** 0.5
    holds = abs(then.mean() - now.mean()) <= 3 * error
    return f"{'within chance' if holds else 'no longer'}, {(then == now).mean():.0%} of the blocks equal"


def read(path: Path) -> dict[str, Any]:
    """Return the ladder in a file. Raises ValueError if the file is missing or damaged."""
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
        way_out = "delete it, and write it with --update"
        raise ValueError(f"expected a ladder in {path}, which is damaged: {error}; {way_out}") from None
    return ladder


PAGE = ROOT / "docs" / "reference" / "ratings.md"
README = ROOT / "README.md"


@user_errors()
def main(
    check_it: Annotated[bool, typer.Option("--check", help="play a sample again; exit 1 where it fails")] = False,
    whole: Annotated[bool, typer.Option("--all", help="with --check: all blocks that are kept")] = False,
    rewritten: Annotated[
        bool, typer.Option("--rewritten", help="write the hashes anew of agents that play exactly as before")
    ] = False,
    results: Annotated[
        list[Path] | None, typer.Option("--update", help="folder of a tournament to write it from; repeat for others")
    ] = None,
    path: Annotated[Path, typer.Option("--ladder", help="the ladder's file")] = LADDER,
) -> None:
    """Check the published ratings, or update them."""
    console = output.console()
    if not results and not check_it and not rewritten:
        raise ValueError("expected --check, --rewritten or --update FOLDER")
    if results:
        console.print(f"Written: {', '.join(str(file) for file in update(results, path))}")
    wrong = [fault for one in every_ladder(path) for fault in keep_rewritten(one, console)] if rewritten else []
    ladders = every_ladder(path) if check_it else []
    wrong += [fault for one in ladders for fault in check(one, whole, console, SECONDS / len(ladders))]
    for sentence in wrong:
        console.print(f"[red]{sentence}[/red]")
    raise typer.Exit(1 if wrong else 0)


if __name__ == "__main__":
    typer.run(main)
