"""Fit the learned values, of a battle before it begins and under way, to battles of one agent with itself::

    python -m titan_env.games.titan_battle.value.fit --battles 60000 --out runs/chances

Battles are fought in parts, each written down with some of its positions, so that the same command goes on where it was
stopped. One battle in ten is held out to measure both: the first beside nine plain terms, the second by round, and how
often what it foretells comes true. The results, `chances.npz` and `forecast.npz`, are what those of this package were.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env import agents, registry
from titan_env.contract import Game
from titan_env.extras import MissingExtra, complaint, extra, stop_in_one_line, told_in_one_line
from titan_env.games.titan_battle.agents.legion_features import Battles, features, plain_terms
from titan_env.games.titan_battle.rules.state import BATTLE, Result
from titan_env.games.titan_battle.value import forecast, position_features
from titan_env.games.titan_battle.value.battles import Fought, Positions, fight
from titan_env.games.titan_battle.value.chances import ENDS, OUTPUTS, WEIGHTS, OutcomeNetwork, foretell, write
from titan_env.games.titan_battle.value.measures import auc, by_round, calibration, log_loss, right
from titan_env.records.atomic_files import make_folder
from titan_env.records.sealed import read_arrays, reading, write_arrays

if __name__ == "__main__":
    told_in_one_line("training")
    stop_in_one_line()
with extra("training"):
    import torch
    from torch import nn

Array = NDArray[np.float64]

AGENT = "afterstate@titan_battle-v0"
HELD_OUT = 10  # one battle in so many
FEWEST = 2 * HELD_OUT  # battles: one alone could not be measured
PART = 4000  # battles fought beside each other
WIDTH = 64
EPOCHS, DECAY = 24, 2e-2  # of chances; the decay is AdamW's
FORECAST_EPOCHS, FORECAST_DECAY = 8, 1.0  # more than that makes it too sure: positions of one battle end alike
MINIBATCH = 512
PACE = 2e-3  # of AdamW; it falls to nothing along a cosine
LOSS_WEIGHT = 1.0  # of the shares of loss, beside the ends
PLAIN_STEPS = 60  # of L-BFGS


def fought(game: Game, agent: str, count: int, seed: int, folder: Path) -> tuple[Fought, Positions]:
    """Return so many battles and positions of them, in parts in a folder; parts that are there are not fought again."""
    parts, samples = [], []
    for number, first in enumerate(range(0, count, PART)):
        path = folder / part_name(agent, seed, number)
        if not path.exists():
            keep(path, *fight(game, agent, PART, seed + 2 * number))
            print(f"{first + PART:,} battles of {agent} fought", flush=True)
        part, positions = kept(path)
        parts.append(part)
        samples.append(positions._replace(numbers=positions.numbers + first))
    battles = Battles(*map(np.concatenate, zip(*(part.battles for part in parts), strict=True)))
    rest = [np.concatenate(column) for column in zip(*(part[1:] for part in parts), strict=True)]
    positions = Positions(*map(np.concatenate, zip(*samples, strict=True)))
    return rows_of(Fought(battles, *rest), slice(count)), positions_of(positions, positions.numbers < count)


def part_name(agent: str, seed: int, number: int) -> str:
    """Return the name of the file of some battles of an agent."""
    return f"{agent.replace(':', '-').replace('/', '-')}-{seed}-{number:03}.npz"


def keep(path: Path, part: Fought, positions: Positions) -> None:
    """Write some battles down, with the positions that were kept."""
    columns = {**part.battles._asdict(), **dict(zip(Fought._fields[1:], part[1:], strict=True))}
    columns |= {f"position_{name}": column for name, column in zip(Positions._fields, positions, strict=True)}
    columns["position_records"] = positions.records.view(np.uint8).reshape(len(positions.numbers), -1)  # no pickle
    write_arrays(path, columns)


def kept(path: Path) -> tuple[Fought, Positions]:
    """Read battles that were written down, and their positions."""
    with reading("battles", path, "delete it to fight them again"):
        file = read_arrays(path)
        part = Fought(Battles(*(file[name] for name in Battles._fields)), *(file[name] for name in Fought._fields[1:]))
        records, numbers, results = (file[f"position_{name}"] for name in Positions._fields)
        return part, Positions(np.ascontiguousarray(records).view(BATTLE).reshape(-1), numbers, results)


def rows_of(every: Fought, rows: Any) -> Fought:
    """Some of the battles."""
    return Fought(every.battles.take(rows), *(part[rows] for part in every[1:]))


def positions_of(positions: Positions, rows: Any) -> Positions:
    """Return some of the positions."""
    return Positions(*(part[rows] for part in positions))


def ends_of(results: NDArray[np.int64]) -> NDArray[np.int64]:
    """The end of each battle, Result (B,), as a number in `ENDS`."""
    results = np.where(results == Result.TIME_LOSS, Result.DEFENDER_WINS, results)
    return np.asarray((results[:, None] == np.array(ENDS)).argmax(axis=1))


def fit(every: Fought, seed: int, epochs: int = EPOCHS) -> OutcomeNetwork:
    """Fit a network to ends and shares of loss."""
    ends = torch.from_numpy(ends_of(every.results))
    shares = torch.from_numpy((every.losses / every.battles.values()).astype(np.float32))

    def loss_in(logits: torch.Tensor, part: torch.Tensor) -> torch.Tensor:
        loss = nn.functional.cross_entropy(logits[:, : len(ENDS)], ends[part])
        lost = nn.functional.binary_cross_entropy_with_logits(logits[:, len(ENDS) :], shares[part])
        return loss + LOSS_WEIGHT * lost

    return train_network(features(every.battles), OUTPUTS, loss_in, seed, epochs, DECAY)


def fit_forecast(positions: Positions, seed: int) -> OutcomeNetwork:
    """Fit a network to the ends of battles under way."""
    ends = torch.from_numpy(ends_of(positions.results))

    def loss_in(logits: torch.Tensor, part: torch.Tensor) -> torch.Tensor:
        return nn.functional.cross_entropy(logits, ends[part])

    inputs = position_features.features(positions.records)
    return train_network(inputs, len(ENDS), loss_in, seed, FORECAST_EPOCHS, FORECAST_DECAY)


def train_network(
    inputs: NDArray[np.float32],
    outputs: int,
    loss_in: Callable[[torch.Tensor, torch.Tensor], torch.Tensor],
    seed: int,
    epochs: int,
    decay: float,
) -> OutcomeNetwork:
    """Return a network from `inputs` (B, F) to `outputs` logits, fitted by AdamW.

    ``loss_in(logits, rows)`` returns the loss of these rows.
    """
    torch.manual_seed(seed)
    seen = torch.from_numpy(inputs)
    net = nn.Sequential(
        nn.Linear(inputs.shape[1], WIDTH), nn.ReLU(), nn.Linear(WIDTH, WIDTH), nn.ReLU(), nn.Linear(WIDTH, outputs)
    )
    steps = epochs * -(-len(inputs) // MINIBATCH)
    optimiser = torch.optim.AdamW(net.parameters(), lr=PACE, weight_decay=decay)
    pace = torch.optim.lr_scheduler.CosineAnnealingLR(optimiser, steps)
    for _ in range(epochs):
        for part in torch.randperm(len(inputs)).split(MINIBATCH):
            optimiser.zero_grad()
            loss_in(net(seen[part]), part).backward()
            optimiser.step()
            pace.step()
    linear = [layer for layer in net if isinstance(layer, nn.Linear)]
    layers = tuple((layer.weight.detach().numpy().T.copy(), layer.bias.detach().numpy().copy()) for layer in linear)
    return OutcomeNetwork(layers, {})


def fit_plain(every: Fought) -> Array:
    """Return the weights of the nine plain terms and a constant: logistic regression on who won; draws are left out."""
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
    """Return the plain terms with a 1 behind them."""
    terms = plain_terms(battles).astype(np.float64)
    return np.concatenate([terms, np.ones((len(terms), 1))], axis=1)


def report(held: Fought, network: OutcomeNetwork, plain: Array) -> str:
    """Return both beside each other on battles that neither has seen, as a table in Markdown."""
    lines = ["| held-out battles | | winners right | AUC | log loss | loss of the attacker, of the defender |"]
    lines.append("| --- | --- | --- | --- | --- | --- |")
    for name, chosen in (("all", np.ones(len(held.plain), bool)), ("whole legions of one age", held.plain)):
        part = rows_of(held, chosen & (held.results != Result.MUTUAL))
        won = part.results == Result.ATTACKER_WINS
        chances = foretell(part.battles, network)
        odds = np.log(chances[:, 0]) - np.log(chances[:, 1])
        off = np.abs(chances[:, len(ENDS) :] - part.losses).mean(axis=0)
        losses = f"{off[0]:.1f}, {off[1]:.1f} points off on average"
        for kind, scores, label in (
            ("nine plain terms", with_constant(part.battles) @ plain, ""),
            ("learned", odds, losses),
        ):
            measured = f"{right(scores, won):.1%} | {auc(scores, won):.3f} | {log_loss(scores, won):.3f}"
            lines.append(f"| {name}, {len(won):,} | {kind} | {measured} | {label} |")
    return "\n".join(lines)


def main(typed: Sequence[str] | None = None) -> None:
    """Fight battles, fit the value, and print both measures."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--battles", type=int, default=60_000)
    parser.add_argument("--agent", default=AGENT, help="Agent of both sides.")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--epochs", type=int, default=EPOCHS, help="Epochs for the value of a battle before it begins.")
    parser.add_argument("--out", type=Path, default=Path("runs/chances"))
    chosen = parser.parse_args(typed)
    for name, least in (("battles", FEWEST), ("seed", 0), ("epochs", 1)):
        if (number := getattr(chosen, name)) < least:
            parser.error(f"--{name}: expected at least {least}, got {number}")
    game = registry.load("titan_battle")
    try:
        agents.load(chosen.agent, game)
        make_folder(chosen.out)
    except (ValueError, OSError, MissingExtra) as error:
        parser.error(complaint(error))
    began = time.perf_counter()
    torch.set_num_threads(1)  # sums of more threads round otherwise
    every, positions = fought(game, chosen.agent, chosen.battles, chosen.seed, chosen.out)
    is_held = np.arange(chosen.battles) % HELD_OUT == 0
    rest, held = rows_of(every, ~is_held), rows_of(every, is_held)
    seen, unseen = (positions_of(positions, rows[positions.numbers]) for rows in (~is_held, is_held))
    config = {"battles": chosen.battles, "agent": chosen.agent, "seed": chosen.seed, "epochs": chosen.epochs}
    made = {"script": __spec__.name, "config": config}
    network = fit(rest, chosen.seed, chosen.epochs)._replace(made=made)
    under_way = fit_forecast(seen, chosen.seed)._replace(made=made)
    for path, one in ((WEIGHTS, network), (forecast.WEIGHTS, under_way)):
        write(chosen.out / path.name, one)
    foretold = forecast.foretell(unseen.records, under_way)
    reports = [report(held, network, fit_plain(rest)), by_round(unseen, foretold)]
    reports.append(calibration(unseen.results, foretold, "positions"))
    print(*reports, f"{chosen.out}, {time.perf_counter() - began:,.0f} seconds", sep="\n\n")


if __name__ == "__main__":
    main()
