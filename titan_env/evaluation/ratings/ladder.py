"""Check or update the published ratings::

    make ladder
    python -m titan_env.evaluation.ratings.ladder --check

``--check`` compares the game's version and the hash of each agent's files, and computes the ratings again from the kept
results of all blocks, which must lie at the tables that tournaments of these agents draw. It replays blocks drawn at
random, for about two minutes in all (``--all``: every one). It fails if a rating is not that of its blocks, if blocks
are missing, if games are far from the model's, or if an agent's wins or many of its blocks differ.

``make ladder`` plays a tournament for each game and number of seats, and ``--update`` writes the ladders from their
results (`titan_env.evaluation.ratings.ladder_file`): the first into the file, others next to it (such as
``LADDER-players=2.toml``, with the game's name before the options if it is another game), all on one page. Ladders that
were not played again stay, and so do blocks: a tournament with ``--only NEW`` is enough to add an agent.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
from numpy.typing import NDArray

from titan_env import registry
from titan_env.cli import tables
from titan_env.cli.console import user_errors
from titan_env.cli.options import Bounds, from_dataclasses
from titan_env.contract import Game
from titan_env.evaluation.matches.fingerprints import fingerprint
from titan_env.evaluation.matches.mixed_tables import Block
from titan_env.evaluation.ratings.ladder_checks import faults_of
from titan_env.evaluation.ratings.ladder_file import (
    LADDER,
    ROOT,
    Timed,
    beside,
    every_ladder,
    key_of,
    ladder_of,
    options_of,
    rating_files,
    read,
    texts_of,
)
from titan_env.evaluation.ratings.ratings_page import page, with_ratings
from titan_env.evaluation.ratings.results import Unit
from titan_env.evaluation.ratings.tournament import play_unit
from titan_env.extras import extra
from titan_env.records.atomic_files import write_atomically
from titan_env.records.seeding import draw_seed

with extra("evaluation"):
    import typer
    from rich.console import Console

KEPT = 16  # blocks of each changed agent that --rewritten plays again
FEWEST, FEWEST_EACH = 16, 4  # blocks that --check plays again at least, and of each agent
SAME = 0.9  # the least share of an agent's blocks that must come out the same
SECONDS = 60.0  # of one core, about, for playing blocks again
_QUICKEST = 1e-3  # seconds of a block, at least
PAGE = ROOT / "docs" / "reference" / "ratings.md"
README = ROOT / "README.md"
_HEADINGS = ("agent", "blocks", "wins then", "now", "")


def update(outs: Sequence[Path], path: Path) -> list[Path]:
    """Write ladders, and the pages that show the published ones, from the results of tournaments.

    The first is written into the ladder's file; others, played with other options, into files next to it, named by
    their options. Existing ladders that were not played again stay as they are, and the first stays the first. Raises
    ValueError for two tournaments with the same game and options.
    """
    there = [read(file) for file in every_ladder(path) if file.exists()]
    before = {key_of(ladder): (ladder, blocks) for ladder, blocks in there}
    played = [ladder_of(out, before) for out in outs]
    if len({key_of(ladder) for ladder, _ in played}) < len(played):
        raise ValueError(f"expected tournaments with different options, got two alike: {', '.join(map(str, outs))}")
    ladders = list((before | {key_of(ladder): (ladder, blocks) for ladder, blocks in played}).values())
    first = ladders[0][0]
    texts: dict[Path, str] = {}
    for number, (ladder, blocks) in enumerate(ladders):
        texts |= texts_of(beside(path, ladder, first["game"]) if number else path, ladder, blocks)
    if path == LADDER:
        every = [(ladder, list(blocks)) for ladder, blocks in ladders]
        texts |= {PAGE: page(every), README: with_ratings(README.read_text("utf-8"), first)}
        texts |= rating_files([ladder for ladder, _ in ladders])
    for file, text in texts.items():
        write_atomically(file, text)
    return list(texts)


def check(path: Path, every: bool, console: Console, seed: int, seconds: float = SECONDS) -> list[str]:
    """Return the faults of a ladder, one sentence each; `seed` draws the blocks that are played again."""
    ladder, blocks = read(path)
    game = registry.load(registry.name_in(ladder["game"]))
    if other := of_another_version(ladder, game):
        return [other]
    now = fingerprints(ladder, game)
    wrong = [
        f"{agent['name']} has changed: hash {now[agent['name']]}, {agent['hash']} in the ladder"
        for agent in ladder["agent"]
        if now[agent["name"]] != agent["hash"]
    ]
    wrong += faults_of(ladder, list(blocks))
    then = list(blocks) if every else draw_blocks(blocks, seed, seconds)
    lines, differing = _compare(then, again(game.name, then, options_of(ladder)) if then else [], [*now])
    extent = "all blocks" if every else f"{len(then):,} blocks, drawn with --seed {seed},"
    console.print(tables.grid(f"{path.name}: {extent} played again", _HEADINGS, lines))
    console.print(
        f"{path.name}: ratings computed again from {len(blocks):,} blocks, {len(then):,} of them played again."
    )
    return wrong + differing


def _compare(then: Sequence[Block], now: Sequence[Block], names: Sequence[str]) -> tuple[list[list[str]], list[str]]:
    """Return a line of a table for each agent's blocks as they are kept and as they come out now, and the faults."""
    lines, wrong = [], []
    for name in names:
        kept, new = ([block for block in blocks if name in block.agents] for blocks in (then, now))
        if not kept:
            continue
        same = sum(one == other for one, other in zip(kept, new, strict=True))
        verdict = "exactly" if same == len(kept) else judge(_won(kept, name), _won(new, name))
        wins = [f"{_won(blocks, name).mean():.1%}" for blocks in (kept, new)]
        lines.append([name, str(len(kept)), *wins, verdict])
        if verdict.startswith("no longer"):
            wrong.append(f"{name}: {len(kept)} blocks gave it {wins[0]} of the wins, now {wins[1]}")
        if same < SAME * len(kept):
            wrong.append(f"{name}: only {same} of {len(kept)} blocks are as they were, {SAME:.0%} should be")
    return lines, wrong


def draw_blocks(blocks: Timed, seed: int, seconds: float) -> list[Block]:
    """Return blocks by lot, about as many as are played in so many seconds, and `FEWEST` of each agent.

    The seconds of a block do not tell whether it is drawn: a forger has written them.
    """
    mean = sum(blocks.values()) / max(len(blocks), 1)
    count = max(FEWEST, int(seconds / max(mean, _QUICKEST)))
    listed, seen = list(blocks), Counter[str]()
    drawn: list[Block] = []
    for i in np.random.default_rng(seed).permutation(len(listed)).tolist():
        if len(drawn) < count or any(seen[name] < FEWEST_EACH for name in listed[i].agents):
            drawn.append(listed[i])
            seen.update(set(listed[i].agents))
    return drawn


def again(game: str, blocks: Sequence[Block], options: dict[str, Any]) -> list[Block]:
    """Play these blocks again, and return what they come to now."""
    return play_unit(game, Unit(tuple((block.seed, block.agents) for block in blocks)), options)


def _won(blocks: Sequence[Block], name: str) -> NDArray[np.float64]:
    """Return an agent's share of the wins in each block: float64 (blocks,)."""
    shares = [block.shares().mean(axis=0)[np.array(block.agents) == name].sum() for block in blocks]
    return np.array(shares, np.float64)


def judge(then: NDArray[np.float64], now: NDArray[np.float64]) -> str:
    """Return a verdict on stored and new shares of wins: "within chance" or "no longer", with the equal blocks.

    On the same kind of processor they are equal; on another, sums are rounded differently, a tie is broken the other
    way, and a few games differ: the difference must stay within three standard errors.
    """
    error = max(float(np.std(then - now, ddof=min(1, len(then) - 1))), 0.05) / len(then) ** 0.5
    holds = abs(then.mean() - now.mean()) <= 3 * error
    return f"{'within chance' if holds else 'no longer'}, {(then == now).mean():.0%} of the blocks equal"


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

    The first blocks of each of them are played again; if one differs, nothing is written.
    """
    ladder, timed = read(path)
    game = registry.load(registry.name_in(ladder["game"]))
    if other := of_another_version(ladder, game):
        return [other]
    now = fingerprints(ladder, game)
    changed = sorted(agent["name"] for agent in ladder["agent"] if agent["hash"] != now[agent["name"]])
    theirs = {name: [block for block in timed if name in block.agents][:KEPT] for name in changed}
    then = list(dict.fromkeys(itertools.chain.from_iterable(theirs.values())))
    new = dict(zip(then, again(game.name, then, options_of(ladder)), strict=True)) if then else {}
    wrong = []
    for name, first in theirs.items():
        if other_now := sum(new[block] != block for block in first):
            wrong.append(f"{name}: {other_now} of {len(first)} blocks came out otherwise; play the ladder anew")
    if changed and not wrong:
        for agent in ladder["agent"]:
            agent["hash"] = now[agent["name"]]
        write_atomically(path, texts_of(path, ladder, timed)[path])
        console.print(f"{path.name}: {', '.join(changed)}: {len(then)} blocks as they were, hashes written")
    return wrong


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    check_it: Annotated[bool, typer.Option("--check")] = False
    """Compute the ratings and play kept blocks again; exit with 1 where one fails."""
    whole: Annotated[bool, typer.Option("--all")] = False
    """With --check: all blocks."""
    seed: Annotated[int | None, Bounds(0)] = None
    """With --check: seed of the lot that draws blocks; left out, a new one."""
    rewritten: Annotated[bool, typer.Option("--rewritten")] = False
    """Renew the hashes of agents that play exactly as before."""
    results: Annotated[tuple[Path, ...], typer.Option("--update")] = ()
    """Folder of a tournament from which the ladder is written; repeat for others."""
    path: Annotated[Path, typer.Option("--ladder")] = LADDER
    """File of the ladder."""


@from_dataclasses
@user_errors()
def main(args: Arguments) -> None:
    """Check the published ratings, or update them."""
    console = tables.console()
    if not args.results and not args.check_it and not args.rewritten:
        raise ValueError("expected --check, --rewritten or --update FOLDER")
    if args.results:
        console.print(f"Written: {', '.join(str(file) for file in update(args.results, args.path))}")
    changed = every_ladder(args.path) if args.rewritten else []
    wrong = [fault for one in changed for fault in keep_rewritten(one, console)]
    ladders = every_ladder(args.path) if args.check_it else []
    seed = draw_seed() if args.seed is None else args.seed
    wrong += [fault for one in ladders for fault in check(one, args.whole, console, seed, SECONDS / len(ladders))]
    for sentence in wrong:
        console.print(f"[red]{sentence}[/red]")
    raise typer.Exit(1 if wrong else 0)


if __name__ == "__main__":
    typer.run(main)
