"""The files of published ratings: ``agents/LADDER.toml``, others beside it, and the results of every block.

A ladder's file keeps its game and options, the anchor, and each agent's rating with a hash of what the agent is made
of (`titan_env.evaluation.matches.fingerprints`). The file of the same name with the ending ``.csv`` keeps every block
that the ratings were computed from: its seed, its agents by number in alphabetical order, and what its games came to.
The ladder's file has the digest of both, so that blocks are read with the agents that have played them, or not at all.
"""

from __future__ import annotations

import csv
import io
import re
import tomllib
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from titan_env import registry
from titan_env.evaluation.matches.mixed_tables import Block, anchor_of, runs_of, was_drawn
from titan_env.evaluation.matches.plackett_luce import Rating
from titan_env.evaluation.ratings.results import PROTOCOL, Results, header_of, read_header
from titan_env.evaluation.ratings.tournament import Table
from titan_env.extras import extra
from titan_env.records.published_ratings import RATINGS
from titan_env.records.sealed import digest_of, reading, sealed, unsealed

with extra("evaluation"):
    import tomli_w

LadderKey: TypeAlias = tuple[str, str]
"""The key of a ladder: a game, of any version, and its options as text."""
Timed: TypeAlias = dict[Block, float]
"""Blocks, each with the seconds of one core that it took."""

ROOT = Path(__file__).parents[3]
LADDER = ROOT / "agents" / "LADDER.toml"
_COLUMNS = ["seed", "agents", "winners", "places", "seconds"]
FORMAT, ENTRIES = "titan_env ladder 2", "agent"
_BLOCKS = "blocks"
"""The name of the digest of the blocks' file in the ladder's file."""


def ladder_of(
    out: Path, published: Mapping[LadderKey, tuple[Mapping[str, Any], Timed]] | None = None
) -> tuple[dict[str, Any], Timed]:
    """Return the ladder of a tournament, and its blocks.

    Whole draws of the published ladder of the same game and options are taken over, if their agents are unchanged and
    their seeds are not played anew. Raises ValueError for an agent that has no block, or has changed since the
    tournament, and for blocks that are missing.
    """
    path = out / "results.jsonl"
    header = read_header(path)
    game, options, names = registry.load(registry.name_in(header["game"])), header["options"], sorted(header["agents"])
    results = Results(path, header_of(game, options, names))
    texts = {name: "none" if value is None else value for name, value in options.items()}
    key = key_of({"game": game.id, "options": texts})
    before, blocks = (published or {}).get(key, ({}, {}))
    new = {block: results.seconds[block.seed, block.agents] for block in results.among(names)}
    timed = _taken_over(before, blocks, header, {block.seed for block in new}) | new
    missing = set(names) - {name for block in timed for name in block.agents}
    if missing or len(names) < 2:
        reason = f"no blocks of {', '.join(sorted(missing))}" if missing else "one agent alone"
        raise ValueError(f"expected a finished tournament in {out}, in which every agent has played; got {reason}")
    if not all(map(was_drawn, runs_of(list(new)))):
        raise ValueError(
            f"expected finished tournaments in {out}, each from another --seed on; some blocks are missing"
        )
    ordered = dict(sorted(timed.items(), key=lambda one: (one[0].seed, one[0].agents)))
    return {
        "protocol": PROTOCOL,
        "game": game.id,
        "core_hours": round(sum(timed.values()) / 3600, 4),
        "options": texts,
        **rated(names, list(ordered), header["agents"]),
    }, ordered


def rated(names: Sequence[str], blocks: Sequence[Block], made: Mapping[str, str]) -> dict[str, Any]:
    """Return the part of a ladder that is computed from its blocks; `made` are the agents' hashes."""
    table = Table.of(names, blocks, anchor_of(names))
    by_name = {rating.name: rating for rating in table.by_places}
    agents = []
    for rating in table.ratings:
        by_places = _numbers(by_name[rating.name], "places_") if by_name else {}
        entry = {"wins": round(rating.wins, 4), "games": rating.games}
        agents.append({"name": rating.name, "hash": made[rating.name], **_numbers(rating), **entry, **by_places})
    return {"anchor": table.anchor, "checks": list(table.checks), "agent": agents}


def _numbers(rating: Rating, prefix: str = "") -> dict[str, float]:
    """Return a rating and its interval in whole points; infinite ones stay so."""
    ends = {"rating": rating.points, "low": rating.low, "high": rating.high}
    return {prefix + name: round(end) if np.isfinite(end) else float(end) for name, end in ends.items()}


def _taken_over(ladder: Mapping[str, Any], blocks: Timed, header: Mapping[str, Any], played: Collection[int]) -> Timed:
    """Return the blocks of whole draws of a published ladder that stay, beside those of a tournament at other seeds.

    They are of the same version of the game, and none of their agents has changed.
    """
    if ladder.get("game") != header["game"]:
        return {}
    same = {agent["name"] for agent in ladder["agent"] if header["agents"].get(agent["name"]) == agent["hash"]}
    stay = [
        run
        for run in runs_of(list(blocks))
        if was_drawn(run) and all(block.seed not in played and same.issuperset(block.agents) for block in run)
    ]
    return {block: blocks[block] for run in stay for block in run}


def rating_of(agent: Mapping[str, Any], prefix: str = "") -> Rating:
    """Return the rating in an agent's entry."""
    points, low, high = (agent[prefix + name] for name in ("rating", "low", "high"))
    return Rating(agent["name"], points, low, high, agent["wins"], agent["games"])


def key_of(ladder: Mapping[str, Any]) -> LadderKey:
    """Return a ladder's key: its game, of any version, and its options as text."""
    return registry.name_in(ladder["game"]), str(sorted(ladder["options"].items()))


def beside(path: Path, ladder: Mapping[str, Any], first: str) -> Path:
    """Return the file of a further ladder, next to that of the `first` game."""
    other = [] if ladder["game"] == first else [registry.name_in(ladder["game"])]
    stem = "-".join([*other, *(f"{name}={value}" for name, value in ladder["options"].items())])
    return path.with_name(f"{path.stem}-{re.sub(r'[^-=.A-Za-z0-9_]+', '_', stem)}{path.suffix}")


def options_of(ladder: Mapping[str, Any]) -> dict[str, Any]:
    """Return the options of a ladder's games; the text "none" stands for None, which TOML lacks."""
    return {name: None if value == "none" else value for name, value in ladder["options"].items()}


def every_ladder(path: Path) -> list[Path]:
    """Return the files of a ladder and of those next to it."""
    return [path, *sorted(path.parent.glob(f"{path.stem}-*{path.suffix}"))]


def rating_files(ladders: Sequence[Mapping[str, Any]]) -> dict[Path, str]:
    """Return the files in the games' folders with what their players see of all ladders: options and ratings."""
    by_file: dict[Path, list[dict[str, Any]]] = {}
    for ladder in ladders:
        folder = Path(registry.load(registry.name_in(ladder["game"])).metadata.folder)
        ratings = [{name: agent[name] for name in ("name", "rating", "low", "high")} for agent in ladder["agent"]]
        by_file.setdefault(folder / RATINGS, []).append({"options": ladder["options"], "agent": ratings})
    head = (
        "# The published ratings, for the page; written by `python -m titan_env.evaluation.ratings.ladder --update`.\n"
    )
    return {path: head + tomli_w.dumps({"ladder": kept}) for path, kept in by_file.items()}


def texts_of(path: Path, ladder: Mapping[str, Any], blocks: Timed) -> dict[Path, str]:
    """Return the contents of a ladder's two files."""
    command, rows = "python -m titan_env.evaluation.ratings.ladder --check", _blocks_text(ladder, blocks)
    head = f"# The published ratings; `{command}` computes and plays them again.\n"
    text = head + tomli_w.dumps(sealed({**ladder, _BLOCKS: digest_of(rows)}, FORMAT, ENTRIES))
    return {path: text, blocks_path(path): rows}


def blocks_path(path: Path) -> Path:
    """Return the file of a ladder's blocks."""
    return path.with_suffix(".csv")


def _blocks_text(ladder: Mapping[str, Any], blocks: Timed) -> str:
    """Return a ladder's blocks as CSV."""
    names = sorted(agent["name"] for agent in ladder["agent"])
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(_COLUMNS)
    for block, seconds in blocks.items():
        agents = " ".join(str(names.index(name)) for name in block.agents)
        writer.writerow([block.seed, agents, block.winners, block.places, f"{seconds:.4f}"])
    return text.getvalue()


def read(path: Path) -> tuple[dict[str, Any], Timed]:
    """Return the ladder in a file, and its blocks. Raises ValueError if one is missing or damaged, or of another kind.

    The text of the blocks' file must have the digest that the ladder's file says.
    """
    with reading("a ladder", path, "restore it, or delete it and write it with --update"):
        ladder = unsealed(tomllib.loads(path.read_text("utf-8")), FORMAT, ENTRIES)
        if ladder["protocol"] != PROTOCOL:
            raise ValueError(f"its protocol is {ladder['protocol']!r}, here it is {PROTOCOL!r}")
    file = blocks_path(path)
    with reading(f"the blocks of {path.name}", file, "restore both, or delete both and write them with --update"):
        rows = file.read_text("utf-8")
        if digest_of(rows) != ladder.pop(_BLOCKS):
            raise ValueError("they are not those that its ratings were computed from")
        return ladder, _blocks_in(rows, sorted(agent["name"] for agent in ladder["agent"]))


def _blocks_in(text: str, names: Sequence[str]) -> Timed:
    """Return the blocks that `_blocks_text` has written, of these agents in alphabetical order."""
    blocks = {}
    head, *lines = csv.reader(text.splitlines())
    if head != _COLUMNS:
        raise ValueError(f"its columns are {','.join(head)}")
    for seed, agents, winners, places, seconds in lines:
        block = Block(int(seed), tuple(names[int(number)] for number in agents.split()), winners, places)
        block.shares()
        if places:
            block.ranks()
        blocks[block] = float(seconds)
    return blocks
