"""Fit the learned value of a battle to battles among one agent, and set it beside nine plain terms::

    python -m titan_env.games.titan_battle.value.fit --battles 60000 --out runs/chances

Battles are fought in parts, each written down, so that the same command goes on where it was stopped. One in ten is
held out; on these both are measured. The result, `chances.npz`, is what `value/chances.npz` of this package was.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env import registry
from titan_env.contract import Game
from titan_env.extras import extra
from titan_env.games.titan_battle.rules.state import Result
from titan_env.games.titan_battle.value.battles import Fought, fight
from titan_env.games.titan_battle.value.chances import ENDS, OUTPUTS, Network, foretell, write
from titan_env.games.titan_battle.value.legions import Battles, features, plain_terms
from titan_env.records.files import make_folder, make_whole

with extra("training"):
    import torch
    from torch import nn

Array = NDArray[np.float64]

HELD_OUT = 10  # one battle in so many
PART = 4000  # battles fought beside each other
WIDTH = 64
EPOCHS = 24
MINIBATCH = 512
PACE, DECAY = 2e-3, 2e-2  # of AdamW; the pace falls to nothing along a cosine
LOSS_WEIGHT = 1.0  # of the shares of loss, beside the ends
PLAIN_STEPS = 60  # of L-BFGS
FILE = "chances.npz"


def fought(game: Game, agent: str, count: int, seed: int, folder: Path) -> Fought:
    """Return so many battles, fought in parts that lie in a folder; those that are there are not fought again."""
    parts = []
    for number in range(-(-count // PART)):
        path = folder / f"{agent.replace(':', '-').replace('/', '-')}-{seed}-{number:03}.npz"
        if not path.exists():
            keep(path, fight(game, agent, PART, seed + 2 * number))
            print(f"{(number + 1) * PART:,} battles of {agent} fought", flush=True)
        parts.append(kept(path))
    battles = Battles(*map(np.concatenate, zip(*(part.battles for part in parts), strict=True)))
    rest = [np.concatenate(column) for column in zip(*(part[1:] for part in parts), strict=True)]
    every = Fought(battles, *rest)
    return rows_of(every, slice(count))


def keep(path: Path, part: Fought) -> None:
    """Write some battles down."""
    columns = {**part.battles._asdict(), **dict(zip(Fought._fields[1:], part[1:], strict=True))}

    def save(half: Path) -> None:
        with half.open("wb") as file:
            np.savez_compressed(file, **columns)

    make_whole(path, save)


def kept(path: Path) -> Fought:
    """Read battles that were written down."""
    with np.load(path) as file:
        return Fought(Battles(*(file[name] for name in Battles._fields)), *(file[name] for name in Fought._fields[1:]))


def rows_of(every: Fought, rows: Any) -> Fought:
    """Some of the battles."""
    return Fought(every.battles.take(rows), *(part[rows] for part in every[1:]))


def ends_of(every: Fought) -> NDArray[np.int64]:
    """The end of each battle as a number in `ENDS`, (B,)."""
    results = np.where(every.results == Result.TIME_LOSS, Result.DEFENDER_WINS, every.results)
    return np.asarray((results[:, None] == np.array(ENDS)).argmax(axis=1))


def fit(every: Fought, seed: int, epochs: int = EPOCHS) -> Network:
    """Fit a network to ends and shares of loss by AdamW."""
    torch.manual_seed(seed)
    told = torch.from_numpy(features(every.battles))
    ends = torch.from_numpy(ends_of(every))
    shares = torch.from_numpy((every.losses / every.battles.values()).astype(np.float32))
    net = nn.Sequential(
        nn.Linear(told.shape[1], WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, OUTPUTS)
    )
    steps = epochs * -(-len(told) // MINIBATCH)
    optimiser = torch.optim.AdamW(net.parameters(), lr=PACE, weight_decay=DECAY)
    pace = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for _ in range(epochs):
        for part in torch.randperm(len(told)).split(MINIBATCH):
            logits = net(told[part])
            loss = nn.functional.cross_entropy(logits[:, : len(ENDS)], ends[part])
            lost = nn.functional.binary_cross_entropy_with_logits(logits[:, len(ENDS) :], shares[part])
            optimiser.zero_grad()
            (loss + LOSS_WEIGHT * lost).backward()
            optimiser.step()
            pace.step()
    linear = [layer for layer in net if isinstance(layer, nn.Linear)]
    layers = tuple((layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy()) for layer in linear)
    return Network(layers, {})


def fit_plain(every: Fought) -> Array:
    """The weights of the nine plain terms and a constant: logistic regression on who won; draws are left out."""
    rows = every.results != Result.MUTUAL
    terms = torch.from_numpy(with_constant(every.battles.take(rows)))
    won = torch.from_numpy((every.results[rows] == Result.ATTACKER_WINS).astype(np.float64))
    weights = torch.zeros(terms.shape[1], dtype=torch.float64, requires_grad=True)
    optimiser = torch.optim.LBFGS([weights], max_iter=PLAIN_STEPS, line_search_fn="strong_wolfe")

    def loss() -> float:
        optimiser.zero_grad()
        missed = nn.functional.binary_cross_entropy_with_logits(terms @ weights, won) + 1e-6 * weights.square().sum()
        missed.backward()
        return float(missed.detach())

    optimiser.step(loss)
    return np.asarray(weights.detach().numpy())


def with_constant(battles: Battles) -> Array:
    """The plain terms with a 1 behind them."""
    terms = plain_terms(battles).astype(np.float64)
    return np.concatenate([terms, np.ones((len(terms), 1))], axis=1)


def right(scores: Array, won: NDArray[np.bool_]) -> float:
    """The share of winners that scores, above 0 for the attacker, tell right."""
    return float(((scores > 0) == won).mean())


def auc(scores: Array, won: NDArray[np.bool_]) -> float:
    """How likely a battle that the attacker has won scores higher than one that he has lost; equal ones count half.

    Not a number where all were won, or lost.
    """
    order = np.unique(scores, return_inverse=True)[1]
    counts = np.bincount(order)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[order]
    wins, losses = int(won.sum()), int((~won).sum())
    if not wins or not losses:
        return float("nan")
    return float((ranks[won].sum() - wins * (wins + 1) / 2) / (wins * losses))


def log_loss(odds: Array, won: NDArray[np.bool_]) -> float:
    """How much is not foretold, in nats a battle."""
    return float(np.logaddexp(0, np.where(won, -odds, odds)).mean())


def report(held: Fought, network: Network, plain: Array) -> str:
    """Both beside each other on battles that neither has seen, as a table in Markdown."""
    lines = ["| held-out battles | | winners right | AUC | log loss | loss of the attacker, of the defender |"]
    lines.append("| --- | --- | --- | --- | --- | --- |")
    for name, chosen in (("all", np.ones(len(held.plain), bool)), ("whole legions of one age", held.plain)):
        part = rows_of(held, chosen & (held.results != Result.MUTUAL))
        won = part.results == Result.ATTACKER_WINS
        told = foretell(part.battles, network)
        odds = np.log(told[:, 0]) - np.log(told[:, 1])
        off = np.abs(told[:, len(ENDS) :] - part.losses).mean(axis=0)
        losses = f"{off[0]:.1f}, {off[1]:.1f} points off on average"
        for kind, scores, said in (
            ("nine plain terms", with_constant(part.battles) @ plain, ""),
            ("learned", odds, losses),
        ):
            measured = f"{right(scores, won):.1%} | {auc(scores, won):.3f} | {log_loss(scores, won):.3f}"
            lines.append(f"| {name}, {len(won):,} | {kind} | {measured} | {said} |")
    return "\n".join(lines)


def main(typed: Sequence[str] | None = None) -> None:
    """Fight battles, fit the value, and print both measures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--battles", type=int, default=60_000)
    parser.add_argument("--agent", default="expert", help="who fights both sides")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    parser.add_argument("--out", type=Path, default=Path("runs/chances"))
    chosen = parser.parse_args(typed)
    began = time.perf_counter()
    torch.set_num_threads(1)  # sums of more threads round otherwise
    make_folder(chosen.out)
    every = fought(registry.load("titan_battle"), chosen.agent, chosen.battles, chosen.seed, chosen.out)
    is_held = np.arange(chosen.battles) % HELD_OUT == 0
    seen, held = rows_of(every, ~is_held), rows_of(every, is_held)
    config = {"battles": chosen.battles, "agent": chosen.agent, "seed": chosen.seed, "epochs": chosen.epochs}
    network = fit(seen, chosen.seed, chosen.epochs)._replace(made={"script": __spec__.name, "config": config})
    make_whole(chosen.out / FILE, lambda half: write(half, network))
    print(report(held, network, fit_plain(seen)))
    print(f"{chosen.out / FILE}, {time.perf_counter() - began:,.0f} seconds")


if __name__ == "__main__":
    main()
