"""Fit a policy's value to what games among equals come to::

    python -m titan_env.training.fit_value --start runs/ppo/policy.onnx --vary titans=2,3,4,5,6 --out runs/fitted

While it learns, a policy also meets weaker players, so its value promises more than equals can win together. Here it
plays games against itself, each action drawn by its probability, and what it promises every seat at some of the
decisions is fitted to what the game was worth to that seat; the seat that is asked counts as much as all others. Only
the last layer of the value changes: what the policy plays stays as it was.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import torch
import typer
from numpy.typing import NDArray

from titan_env import registry
from titan_env.agents.policy import Policy
from titan_env.cli.console import FIXED, WHICH, check_table, user_errors
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.engine.option_text import read_choices, read_tables
from titan_env.engine.worlds import agents_rng
from titan_env.evaluation.calibration import among_equals
from titan_env.records.files import expect_new, make_folder
from titan_env.training.config import tables_of
from titan_env.training.policies import Network, read_network, save_policy
from titan_env.training.runs import POLICY

FITTED = 0.1
"""The share of the decisions that are fitted; those of one game tell much the same."""
_STEPS = 60  # of L-BFGS, which has settled long before
_STAY = 1e-5  # how dear it is to move a weight away: features that are hardly ever seen keep theirs


@dataclass(frozen=True)
class Config:
    """Everything that the result depends on; saved beside it."""

    game: str
    start: str
    vary: Mapping[str, Sequence[Any]]
    also: Mapping[str, Sequence[Any]]
    games: int
    seed: int


class Experience(NamedTuple):
    """What seats saw at some decisions, as the last hidden layer tells it, (n, width), and what came of it.

    `kept` is what the game was worth to the seat, `counts` how much that weighs, both (n,).
    """

    hidden: NDArray[np.float32]
    kept: NDArray[np.float32]
    counts: NDArray[np.float32]


def experience(game: Game, network: Network, policy: Policy, games: int, seed: int, **options: Any) -> Experience:
    """Let the policy play against itself; what every seat saw at some of the decisions."""
    batch, rng = Batch(game, games, **options), agents_rng(seed)
    batch.seed(seed)
    batch.start()
    hidden: list[NDArray[np.float32]] = []
    places: list[tuple[NDArray[np.int64], int]] = []
    counts: list[NDArray[np.float32]] = []
    for asked in among_equals(policy, batch, rng):
        rows = asked[rng.random(len(asked)) < FITTED]
        for seat in range(int(batch.states["seats"].max())):
            seated = rows[seat < batch.states["seats"][rows]]
            others = batch.states["seats"][seated].astype(np.float32) - 1
            counts.append(np.where(batch.states["seat"][seated] == seat, np.maximum(others, 1), 1))
            seen = batch.observe(np.minimum(seat, batch.states["seats"] - 1))[seated]
            with torch.no_grad():
                hidden.append(network.judged(network.told(seen, np.ones_like(batch.masks[seated]))).numpy())
            places.append((seated, seat))
    payoffs = batch.payoffs(policy.reward)
    kept = [payoffs[rows, seat] for rows, seat in places]
    return Experience(*map(np.concatenate, (hidden, kept, counts)))


def fit(network: Network, found: Sequence[Experience]) -> None:
    """Change the last layer of the value to what explains best what was kept, by L-BFGS."""
    hidden, kept, counts = (torch.from_numpy(np.concatenate(part)) for part in zip(*found, strict=True))
    last, counts = network.value, counts / counts.mean()
    before = last.weight.detach().clone()
    optimiser = torch.optim.LBFGS(last.parameters(), max_iter=_STEPS, line_search_fn="strong_wolfe")

    def loss() -> float:
        optimiser.zero_grad()
        missed = (counts * (last(hidden)[:, 0].tanh() - kept).square()).mean()
        missed = missed + _STAY * (last.weight - before).square().sum()
        missed.backward()
        return float(missed.detach())

    optimiser.step(loss)


def main(
    start: Annotated[Path, typer.Option(help="a policy.onnx that titan_env.training.ppo has made")],
    game: Annotated[str, typer.Option(help=WHICH)] = next(iter(registry.GAMES)),
    vary: Annotated[list[str] | None, typer.Option(help="option of the game and its values: titans=2,4,6")] = None,
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help=FIXED)] = None,
    also: Annotated[list[str] | None, typer.Option(help="tables besides, each with one option only")] = None,
    games: Annotated[int, typer.Option(min=10, help="games at each of these tables")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="seed of the games")] = 0,
    out: Annotated[Path, typer.Option(help="folder for the policy")] = Path("runs/fitted"),
) -> None:
    """Fit a policy's value to what games among equals come to."""
    torch.set_num_threads(1)  # sums of more threads round otherwise
    began = time.perf_counter()
    with user_errors():
        varied, besides = read_tables(vary or [], option or []), read_choices(also or [])
        tables = tables_of(varied, besides)
        loaded = check_table(game, [], tables)
        policy, network = Policy(loaded, start), read_network(start, loaded)
        make_folder(out)
        expect_new(out / POLICY)
    fit(network, [experience(loaded, network, policy, games, seed + part, **one) for part, one in enumerate(tables)])
    config = Config(loaded.name, str(start), varied, besides, games, seed)
    seconds = round(time.perf_counter() - began)
    facts = {"script": "titan_env.training.fit_value", "config": asdict(config), "seconds": seconds}
    save_policy(out / POLICY, network, loaded, {**facts, "before": policy.made})
    typer.echo(f"The policy is in {out / POLICY}; play it as policy:{out / POLICY}")


if __name__ == "__main__":
    typer.run(main)
