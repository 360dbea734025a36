"""Fit a policy's value estimates to the results of games among equal players::

    python -m titan_env.training.fit_value --start runs/ppo/policy.onnx --vary titans=2,3,4,5,6 --out runs/fitted

In training a policy also meets weaker players, so its values sum to more than equal players can win together. Here it
plays games against itself, each action sampled by its probability. Every seat's values at some of the decisions are
fitted to its final payoff; the seat to act has as much weight as all others together. Only the last layer of the value
changes: the policy's decisions stay the same.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.name_grammar import quoted
from titan_env.agents.policy import Policy
from titan_env.cli.console import check_table, user_errors
from titan_env.cli.options import DEFAULT_GAME, Also, Bounds, Choices, GameName, GameOptions, from_dataclasses
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.engine.option_text import with_fixed
from titan_env.evaluation.reports.calibration import among_equals
from titan_env.extras import extra
from titan_env.play.determinization import agent_rng
from titan_env.records.atomic_files import ensure_absent, make_folder
from titan_env.training.checkpoints import read_network
from titan_env.training.export_policy import save_policy
from titan_env.training.network import PolicyNetwork
from titan_env.training.ppo_config import tables_of
from titan_env.training.run_folder import POLICY

with extra("training"):
    import torch
    import typer

FITTED = 0.1
"""The share of the decisions that are fitted; those of one game are much alike."""
_STEPS = 60  # of L-BFGS, which converges long before
_STAY = 1e-5  # the penalty of a weight's change: features that are hardly ever seen keep theirs


@dataclass(frozen=True)
class Config:
    """All settings on which the result depends; they are saved with it."""

    start: str
    """Policy whose values are fitted: a policy.onnx made by titan_env.training.ppo."""
    game: GameName = DEFAULT_GAME
    vary: Choices = field(default_factory=dict)
    also: Also = field(default_factory=dict)
    games: Annotated[int, Bounds(10)] = 1000
    """Games at each of the tables."""
    seed: Annotated[int, Bounds(0)] = 0
    """Seed of the games."""


@dataclass(frozen=True)
class Arguments:
    """The options beside the config."""

    option: GameOptions = field(default_factory=dict)
    out: Path = Path("runs/fitted")
    """Folder for the policy."""


class ValueTargets(NamedTuple):
    """Inputs and targets of the value's last layer at some decisions: `hidden` (n, width).

    `kept` is the seat's final payoff, `counts` the sample's weight, both (n,).
    """

    hidden: NDArray[np.float32]
    kept: NDArray[np.float32]
    counts: NDArray[np.float32]


def experience(
    game: Game, network: PolicyNetwork, policy: Policy, games: int, seed: int, **options: Any
) -> ValueTargets:
    """Play the policy against itself; return every seat's samples at some of the decisions."""
    batch, rng = Batch(game, games, **options), agent_rng(seed)
    batch.seed(seed)
    batch.start()
    hidden: list[NDArray[np.float32]] = []
    seated_rows: list[tuple[NDArray[np.int64], int]] = []
    counts: list[NDArray[np.float32]] = []
    for asked in among_equals(policy, batch, rng):
        rows = asked[rng.random(len(asked)) < FITTED]
        for seat in range(int(batch.states["seats"].max())):
            seated = rows[seat < batch.states["seats"][rows]]
            others = batch.states["seats"][seated].astype(np.float32) - 1
            counts.append(np.where(batch.states["seat"][seated] == seat, np.maximum(others, 1), 1))
            seen = batch.observe(np.minimum(seat, batch.states["seats"] - 1))[seated]
            with torch.no_grad():
                hidden.append(network.judged(network.network_input(seen, np.ones_like(batch.masks[seated]))).numpy())
            seated_rows.append((seated, seat))
    payoffs = batch.payoffs(policy.reward)
    kept = [payoffs[rows, seat] for rows, seat in seated_rows]
    return ValueTargets(*map(np.concatenate, (hidden, kept, counts)))


def fit(network: PolicyNetwork, found: Sequence[ValueTargets]) -> None:
    """Fit the last layer of the value to the final payoffs by L-BFGS, in place."""
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


@from_dataclasses
def main(config: Config, args: Arguments) -> None:
    """Fit a policy's value estimates to the results of games among equal players."""
    torch.set_num_threads(1)  # sums of more threads round otherwise
    began, out = time.perf_counter(), args.out
    with user_errors():
        config = replace(config, vary=with_fixed(config.vary, args.option))
        setups = tables_of(config.vary, config.also)
        loaded = check_table(config.game, [], setups)
        config, start = replace(config, game=loaded.name), Path(config.start)
        policy, network = Policy(loaded, start), read_network(start, loaded)
        make_folder(out)
        ensure_absent(out / POLICY)
    seeds = range(config.seed, config.seed + len(setups))
    played = zip(seeds, setups, strict=True)
    fit(network, [experience(loaded, network, policy, config.games, seed, **one) for seed, one in played])
    seconds = round(time.perf_counter() - began)
    facts = {"script": "titan_env.training.fit_value", "config": asdict(config), "seconds": seconds}
    save_policy(out / POLICY, network, loaded, {**facts, "before": policy.made})
    print(f"The policy is in {out / POLICY}; play it as policy:{quoted(str(out / POLICY))}")


if __name__ == "__main__":
    typer.run(main)
