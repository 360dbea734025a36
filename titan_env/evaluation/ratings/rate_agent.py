"""Rate an agent against the published ones, in minutes::

    python -m titan_env.evaluation.ratings.rate_agent python:my_agent.py
    python -m titan_env.evaluation.ratings.rate_agent policy:runs/ppo/policy.onnx --blocks 512 --against expert,greedy

It plays blocks at mixed tables (`titan_env.evaluation.matches.mixed_tables`): the agent sits in every one of them,
once, among different agents of the ladder, the background. That is by default those that do not plan, exactly as they
were rated: one whose code has changed since is refused. Two entrants never meet. The options are the ladder's, the
seeds such as it has not used, or those of a round. The rating is the strength of maximum likelihood with the published
ratings held fixed; their errors widen the interval as if they were independent of each other.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from titan_env import agents, registry
from titan_env.agents.name_grammar import split_names
from titan_env.cli import tables
from titan_env.cli.console import check_table, user_errors, way_on
from titan_env.cli.options import Bounds, TableFile, from_dataclasses
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.answer_counts import AnswerCounts
from titan_env.evaluation.matches.evaluate import open_for
from titan_env.evaluation.matches.fingerprints import fingerprint
from titan_env.evaluation.matches.isolation import isolated, mode_of
from titan_env.evaluation.matches.kept_units import KeptUnits, going_on, journal_for
from titan_env.evaluation.matches.match import Z95
from titan_env.evaluation.matches.mixed_tables import Block, draw_tables, play_tables, winners_of
from titan_env.evaluation.matches.plackett_luce import ELO, Fit, Rating
from titan_env.evaluation.matches.round_file import entry_of, read_round
from titan_env.evaluation.ratings.ladder import fingerprints
from titan_env.evaluation.ratings.ladder_file import LADDER, options_of, rating_of, read
from titan_env.extras import extra
from titan_env.play.agent_calls import needs_of
from titan_env.records.atomic_files import write_atomically

with extra("evaluation"):
    import typer

OWN_SEED = 1_000_000_000
"""The first seed beyond those of all published tables."""
AT_ONCE = 64


def rated(name: str, background: Mapping[str, Rating], blocks: Sequence[Block]) -> Rating:
    """Compute the rating of an agent from its blocks among agents with fixed ratings."""
    names = [name, *background]
    choices = winners_of(blocks, names)
    held = {number: background[other].points / ELO for number, other in enumerate(names) if number}
    errors = {number: _error(background[other]) for number, other in enumerate(names) if number}
    points, low, high = (ELO * end for end in Fit(choices, held, errors).interval(0))
    return Rating(name, points, low, high, float(choices.shares[:, 0].mean()), len(choices.shares))


def _error(rating: Rating) -> float:
    """Return the standard error of a published strength; 0 where it has no finite interval, and no weight either."""
    error = (rating.high - rating.low) / 2 / Z95 / ELO
    return error if np.isfinite(error) else 0.0


def quick(ladder: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Return the agents of a ladder that do not plan."""
    game = registry.load(registry.name_in(ladder["game"]))
    return [name for name in names if not needs_of(agents.load(name, game)).plans]


def background_of(ladder: Mapping[str, Any], names: Sequence[str]) -> str:
    """Return the hash of a background: its agents, what they are made of, and their ratings.

    Raises ValueError for an agent that has changed since it was rated.
    """
    game = registry.load(registry.name_in(ladder["game"]))
    entries = [agent for agent in ladder["agent"] if agent["name"] in names]
    now = fingerprints({"agent": entries}, game)
    if changed := [agent["name"] for agent in entries if agent["hash"] != now[agent["name"]]]:
        raise ValueError(f"expected agents as they were rated, but {', '.join(changed)} has changed since")
    digested = repr(sorted((agent["name"], agent["hash"], agent["rating"]) for agent in entries))
    return hashlib.sha256(digested.encode()).hexdigest()[:12]


@dataclass(frozen=True)
class Arguments:
    """The options of the command."""

    name: Annotated[str, typer.Argument()]
    """Agent by name, python:FILE, process:COMMAND or policy:FILE."""
    against: str | None = None
    """Agents of the ladder; otherwise those that do not plan."""
    blocks: Annotated[int, Bounds(2)] = 512
    """Blocks, each of as many games as the table has sides."""
    ladder: Path = LADDER
    """File of the ladder."""
    seed: Annotated[int, Bounds(0)] = OWN_SEED
    """Seed of the first block."""
    round_: Annotated[Path | None, typer.Option("--round")] = None
    """File of a closed round in which the agent is entered, whose seeds are played instead."""
    label: str = ""
    """With --round: name of the entry."""
    trusted: Annotated[bool, typer.Option("--trusted")] = False
    """Play code from files in this process, not in processes of its own: for experiments with one's own agents."""
    out: TableFile = None


@from_dataclasses
def main(args: Arguments) -> None:
    """Rate an agent against the published ones, and print its row."""
    console, seed, blocks, out = tables.console(), args.seed, args.blocks, args.out
    with user_errors():
        name = isolated(args.name, args.trusted)
        published, _ = read(args.ladder)
        known = {one["name"]: rating_of(one) for one in published["agent"]}
        chosen = quick(published, [*known]) if args.against is None else split_names(args.against)
        others = [other for other in chosen if other != name]
        if not others or set(others) - set(known):
            raise ValueError(f"expected agents of the ladder ({', '.join(known)}), got {', '.join(others) or 'none'}")
        loaded = check_table(registry.name_in(published["game"]), [name, *others], [])
        if loaded.id != published["game"]:
            raise ValueError(f"expected the ladder of {loaded.id}, got one of {published['game']}")
        options, frozen = options_of(published), background_of(published, others)
        filler = published["anchor"] if published["anchor"] in others else others[0]
        setup = GameSetup.of(loaded, options)
        made = fingerprint(name, loaded)
        if args.round_ is not None:
            played_in = read_round(args.round_)
            played_in.check_entry(args.label, entry_of({loaded.name: name}, {loaded.name: made}))
            seed = played_in.first_seed(loaded.id, str(options))
        drawn = draw_tables([name, *others], setup.sides, blocks, seed, filler, name)
        if out is not None:
            open_for(out)
        settings = {"game": loaded.id, "made": {name: made}, "background": frozen, "seed": seed}
        journal = journal_for(out, "the blocks of this rating", {**settings, "blocks": blocks, "options": options})
    with going_on(journal):
        with console.status(f"{name} among {', '.join(others)}"), user_errors((agents.AgentFailed,), way_on(bool(out))):
            counts = AnswerCounts(loaded, (name,), journal.lines if journal else ())
            played = play_rated(setup, drawn, seed, KeptUnits(journal, counts))
        rating = rated(name, {other: known[other] for other in others}, played)
        headings = ["agent", f"rating over {published['anchor']}", "wins", "games"]
        row = [name, str(rating), f"{rating.wins:.1%} of a fair {1 / len(drawn[0]):.3g}", f"{rating.games:,}"]
        suffix = "".join(f", {key}={value}" for key, value in options.items())
        title = f"{loaded.id}{suffix}, {blocks} blocks, seeds from {seed} on, among {', '.join(others)} "
        title += f"(background {frozen}), {mode_of([name])}"
        console.print(tables.grid(title, headings, [row]))
        text = "\n".join([tables.markdown(headings, [row]), *counts.sentences()])
        console.print(text, markup=False)
        if out is not None:
            write_atomically(out, f"{title}:\n\n{text}")


def play_rated(setup: GameSetup, drawn: Sequence[tuple[str, ...]], seed: int, kept: KeptUnits) -> list[Block]:
    """Return the blocks of the tables that were drawn, with seeds from `seed` on, in units of `AT_ONCE`."""
    played: list[Block] = []
    for first in range(0, len(drawn), AT_ONCE):
        part = drawn[first : first + AT_ONCE]
        seeds = range(seed + first, seed + first + len(part))
        unit = kept.result(str(first), _blocks, setup, part, seeds)
        played += [Block(number, tuple(seated), *row) for number, seated, *row in unit]
    return played


def _blocks(setup: GameSetup, drawn: Sequence[tuple[str, ...]], seeds: range) -> list[tuple[Any, ...]]:
    """Return what `play_tables` does as JSON values."""
    return [*map(astuple, play_tables(setup, drawn, seeds))]


if __name__ == "__main__":
    typer.run(main)
