"""Rate an agent against the published ones, in minutes::

    python -m titan_env.evaluation.enter python:my_agent.py
    python -m titan_env.evaluation.enter policy:runs/ppo/policy.onnx --blocks 512 --against expert,greedy

It plays blocks of duplicate games (`titan_env.evaluation.duplicate`) against agents of the ladder, by default those
that do not plan, with the ladder's options and seeds that the ladder has not used, and prints the row of the table. Its
rating is the maximum-likelihood strength with the published ratings held fixed; their errors widen the interval as if
they were independent of each other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer
from numpy.typing import NDArray

from titan_env import agents, registry
from titan_env.agents.naming import read_names
from titan_env.cli import output
from titan_env.cli.console import check_table, user_errors
from titan_env.engine.asking import needs_of
from titan_env.evaluation.arena import LADDER, options_of, read
from titan_env.evaluation.duplicate import Comparison, play_blocks
from titan_env.evaluation.match import SURE
from titan_env.evaluation.results import Outcome
from titan_env.evaluation.tournament import ELO, Rating

OWN_SEED = 1_000_000_000
"""The first seed beyond those of all published tables."""
AT_ONCE = 64

_IMAGINED = 0.5  # of a drawn block added for each opponent: keeps ratings finite if all blocks were won
_FURTHEST = 4000.0


def rated(name: str, against: Mapping[str, Rating], shares: Mapping[str, NDArray[np.float64]]) -> Rating:
    """Compute the rating of an agent from its shares of wins, one for each block, against agents with fixed ratings."""
    points = np.array([against[other].points for other in shares])
    errors = np.array([(against[other].high - against[other].low) / 2 / SURE for other in shares])
    counts = np.array([len(of) for of in shares.values()])
    wins = np.array([of.sum() for of in shares.values()]) + _IMAGINED / 2
    low, high = points.min() - _FURTHEST, points.max() + _FURTHEST
    for _ in range(60):  # bisection: the expected wins rise with the strength
        middle = (low + high) / 2
        expected = (counts + _IMAGINED) / (1 + np.exp((points - middle) / ELO))
        low, high = (middle, high) if expected.sum() < wins.sum() else (low, middle)
    chance = 1 / (1 + np.exp((points - middle) / ELO))
    weight = counts * chance * (1 - chance)
    spread = sum(found.blocks * found.spread**2 for found in map(Outcome.of, shares.values()))
    half = SURE * float(np.sqrt(ELO**2 * spread + ((weight * errors) ** 2).sum()) / weight.sum())
    return Rating(name, float(middle), float(middle) - half, float(middle) + half)


def quick(ladder: Mapping[str, Any], names: Sequence[str]) -> list[str]:
    """Return the agents of a ladder that do not plan."""
    game = registry.load(registry.name_in(ladder["game"]))
    return [name for name in names if not needs_of(agents.load(name, game)).plans]


def main(
    name: Annotated[str, typer.Argument(help="an agent by name, python:FILE or policy:FILE")],
    against: Annotated[str | None, typer.Option(help="agents of the ladder; otherwise those that do not plan")] = None,
    blocks: Annotated[int, typer.Option(min=2, help="blocks against each of them")] = 256,
    ladder: Annotated[Path, typer.Option(help="the ladder's file")] = LADDER,
    seed: Annotated[int, typer.Option(min=0, help="seed of the first block")] = OWN_SEED,
) -> None:
    """Rate an agent against the published ones, and print its row."""
    console = output.console()
    with user_errors():
        published = read(ladder)
        known = {one["name"]: Rating(one["name"], one["rating"], one["low"], one["high"]) for one in published["agent"]}
        others = quick(published, [*known]) if against is None else read_names(against)
        if not others or set(others) - set(known):
            raise ValueError(f"expected agents of the ladder ({', '.join(known)}), got {', '.join(others) or 'none'}")
        loaded = check_table(registry.name_in(published["game"]), [name, *others], [])
        if loaded.id != published["game"]:
            raise ValueError(f"expected the ladder of {loaded.id}, got one of {published['game']}")
    options, player = options_of(published), agents.load(name, loaded)
    shares, cells = {}, []
    for other in others:
        players = [player, agents.load(other, loaded)]
        parts = [range(seed + i, seed + min(i + AT_ONCE, blocks)) for i in range(0, blocks, AT_ONCE)]
        with console.status(f"{name} against {other}"), user_errors((agents.AgentFailed,)):
            played = np.concatenate([play_blocks(loaded, players, part, **options) for part in parts])
        shares[other] = 0.5 + (played[:, :, 0] - played[:, :, 1]).mean(axis=1) / 2
        cells.append(str(Comparison(played, None, len(others))))
    rating = rated(name, known, shares)
    row = [name, f"{rating.points:.0f} ({rating.low:.0f} to {rating.high:.0f})", *cells]
    headings = ["agent", "rating", *(f"against {other}" for other in others)]
    told = "".join(f", {key}={value}" for key, value in options.items())
    console.print(output.grid(f"{loaded.id}{told}, {blocks} blocks each, seeds from {seed} on", headings, [row]))
    console.print(output.markdown(headings, [row]), markup=False)
    if account := agents.account(name, loaded):
        console.print(f"{name}: {account}")


if __name__ == "__main__":
    typer.run(main)
