"""Train the judge of an afterstate agent from finished games, round by round::

    python -m titan_env.training.train_afterstate --game GAME --vary players=2,3,4 --rounds 3 --out runs/afterstates

In each round the agent plays with its current judge in about half of the seats, the scripted agents in the others. In
most of its seats the direct weights are changed a little for a game, as exploration. A judge is then fitted to the
results after the afterstates that were aimed at in all rounds so far (Monte Carlo policy evaluation and improvement:
Sutton, Barto 2018, chapter 5). The games of early rounds are kept: they hold the cost of aims that later judges no
longer choose. Each round saves its games and its judge, ``experience-001.npz`` and ``judge-1.npz`` first: training may
be stopped at any time, and ``--resume`` goes on after the last round that was played to its end.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env import agents
from titan_env.agents.afterstate import Array, ValueNetwork, game_module, read, save
from titan_env.agents.name_grammar import quoted
from titan_env.agents.uniform import best
from titan_env.cli.console import check_table, given, user_errors
from titan_env.cli.options import (
    Bounds,
    Choices,
    GameName,
    GameOptions,
    Resume,
    Scripted,
    check_bounds,
    from_dataclasses,
    with_usual,
)
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.engine.option_text import with_fixed
from titan_env.evaluation.matches.match import Proportion
from titan_env.extras import extra
from titan_env.play.determinization import agent_rng
from titan_env.play.game_loop import play_games
from titan_env.records.atomic_files import ensure_absent
from titan_env.records.sealed import read_arrays, reading, write_arrays
from titan_env.training.ppo_config import tables_of
from titan_env.training.run_folder import Run, versions

with extra("training"):
    import torch
    import typer
    from torch import nn

SCRIPT = "titan_env.training.train_afterstate"
JUDGE = "judge.npz"
ROUNDS = "experience-*.npz"
_KEPT = 0.3  # share of the decisions that are fitted, in addition to those that reach their aim
_UNCHANGED = 0.25  # share of the own seats whose weights stay as they are
_CLEARNESS = 1.0  # the weight of the clearness loss
_EPOCHS, _MINIBATCH, _LEARNING_RATE, _DECAY = 8, 1024, 4e-3, 1e-2


@dataclass(frozen=True)
class Config:
    """All settings on which the result depends; they are saved with it."""

    game: GameName
    vary: Choices = field(default_factory=dict)
    scripted: Scripted = ()
    rounds: Annotated[int, Bounds(1)] = 8
    """Rounds of games and learning; another number may be given with --resume."""
    games: Annotated[int, Bounds(2)] = 600
    """Games of a round at each table."""
    against: Annotated[float, Bounds(0, 1)] = 0.5
    """Share of the seats for the scripted agents."""
    changes: Annotated[float, Bounds(0)] = 0.5
    """Scale of the random changes of the direct weights for exploration."""
    width: Annotated[int, Bounds(1)] = 64
    """Units of the hidden layer."""
    seed: Annotated[int, Bounds(0)] = 0
    """Seed of the games and the weights."""
    start: str = ""
    """File with the initial judge; none: weights set by hand."""

    def __post_init__(self) -> None:
        """Raise ValueError for numbers out of range."""
        check_bounds(self)


@dataclass(frozen=True)
class Arguments:
    """The options beside the config."""

    option: GameOptions = field(default_factory=dict)
    threads: Annotated[int, Bounds(1)] = 2
    """Number of tables played in parallel."""
    out: Path = Path("runs/afterstates")
    """Folder of the run."""
    resume: Resume = False


class Experience(NamedTuple):
    """Situations (n, S), the afterstates (n, L) aimed at, the shares of the win (n,) and their clearness (n,)."""

    situations: Array
    afterstates: Array
    won: Array
    clear: Array


class SavedRound(NamedTuple):
    """The experience of a round that has ended, and the processor's seconds of the run until its games were played."""

    experience: Experience
    seconds: float

    def save(self, path: Path) -> None:
        """Write the round, atomically."""
        write_arrays(path, {"seconds": self.seconds, **self.experience._asdict()})

    @classmethod
    def read(cls, path: Path) -> SavedRound:
        """Return the round in a file. Raises ValueError for a damaged one."""
        with reading("the games of a round", path, "delete it and the later ones to play them again"):
            kept = read_arrays(path)
            return cls(Experience(*(kept[name] for name in Experience._fields)), float(kept["seconds"]))


class FinishedRound(NamedTuple):
    """The experience of some games, and the wins of own seats with unchanged weights, as a share of an equal part."""

    experience: Experience
    shares: Proportion


def by_hand(game: Game, width: int) -> ValueNetwork:
    """Return the initial judge, with the direct weights that the game's module sets by hand."""
    page = game_module(game)
    direct = np.array([page.BY_HAND.get(name, 0) for name in page.AFTERSTATE], np.float32)
    network = AfterstateNetwork(len(page.SITUATION), len(page.AFTERSTATE), width)
    for weights in network.parameters():
        nn.init.zeros_(weights)
    return replace(network.judge(), direct=direct)


class AfterstateNetwork(nn.Module):
    """A judge in training: the log odds of winning, and the clearness of the win."""

    def __init__(self, situation: int, afterstate: int, width: int) -> None:
        super().__init__()
        self.situation = nn.Linear(situation, width)
        self.afterstate = nn.Linear(afterstate, width, bias=False)
        self.hidden = nn.Linear(width, 2)
        self.direct = nn.Linear(afterstate, 2, bias=False)
        self.beside = nn.Linear(situation, 2, bias=False)

    def forward(self, situations: torch.Tensor, afterstates: torch.Tensor) -> torch.Tensor:
        """Compute log odds and clearness: (B, 2)."""
        units = torch.relu(self.situation(situations) + self.afterstate(afterstates))
        total: torch.Tensor = self.hidden(units) + self.direct(afterstates) + self.beside(situations)
        return total

    def judge(self) -> ValueNetwork:
        """Return the part that compares afterstates of one situation."""
        parts = {
            "situation": self.situation.weight.T,
            "bias": self.situation.bias,
            "afterstate": self.afterstate.weight.T,
            "hidden": self.hidden.weight[0],
            "direct": self.direct.weight[0],
        }
        return ValueNetwork(**{name: np.ascontiguousarray(part.detach().numpy()) for name, part in parts.items()})


class SeatedGames(NamedTuple):
    """The players of each game, all (games, seats): 0 for the learning agent, k for the k-th scripted one.

    `unchanged` marks seats that play exactly by the judge; in the others `changes` (games, seats, L) are added to the
    direct weights.
    """

    sits: NDArray[np.int64]
    unchanged: NDArray[np.bool_]
    changes: Array


def seated(game: Game, seats: int, config: Config, rng: np.random.Generator) -> SeatedGames:
    """Seat the agent and the scripted ones at random, with the agent at least once in each game."""
    page, rivals = game_module(game), len(config.scripted)
    own = rng.random((config.games, seats)) >= (config.against if rivals else 0)
    own[np.arange(config.games), rng.integers(seats, size=config.games)] = True
    sits = np.where(own, 0, 1 + rng.integers(max(1, rivals), size=own.shape))
    unchanged = rng.random(own.shape) < _UNCHANGED
    spread = np.array([page.SPREAD.get(name, 0) for name in page.AFTERSTATE]) * config.changes
    changes = rng.normal(size=(*own.shape, len(spread))) * spread * ~unchanged[..., None]
    return SeatedGames(sits, unchanged, changes.astype(np.float32))


def play(game: Game, judge: ValueNetwork, config: Config, rng: np.random.Generator, **options: Any) -> FinishedRound:
    """Play games to their end; return the experience."""
    page, rivals = game_module(game), [agents.load(name, game) for name in config.scripted]
    batch = Batch(game, config.games, **options)
    batch.reseed_from(rng)
    batch.start()
    seats = int(batch.states["seats"].max())
    seated_games = seated(game, seats, config, rng)
    judged: list[tuple[Array, Array]] = []
    aimed: list[tuple[NDArray[np.int64], NDArray[np.int64]]] = []

    def decide(who: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        if who:
            chosen: NDArray[np.int64] = rivals[who - 1](batch.observations[rows], batch.masks[rows], rng)
            return chosen
        seat = batch.states["seat"][rows].astype(np.int64)
        fields, changes = game.rules.fields.split(batch.observations[rows]), seated_games.changes[rows, seat]
        decided = page.decide(fields, judge, changes, page.LEARNING)
        chosen = best(decided.scores, batch.masks[rows], rng)
        kept = decided.judged & (decided.reached | (rng.random(len(rows)) < _KEPT))
        judged.append((decided.situations[kept], decided.afterstates[kept]))
        aimed.append((rows[kept], seat[kept]))
        return chosen

    play_games(batch, seated_games.sits, decide)
    where = tuple(map(np.concatenate, zip(*aimed, strict=True)))
    situations, afterstates = map(np.concatenate, zip(*judged, strict=True))
    won = batch.states["won"][:, :seats].astype(np.float32)
    won /= np.maximum(won.sum(axis=1, keepdims=True), 1)
    compared = seated_games.unchanged & (seated_games.sits == 0) & seated_games.sits.any(axis=1, keepdims=True)
    shares = Proportion(float(won[compared].sum() * seats), int(compared.sum()))
    return FinishedRound(Experience(situations, afterstates, won[where], page.clearness(batch.states)[where]), shares)


def fit(found: Sequence[Experience], width: int, seed: int) -> tuple[ValueNetwork, float]:
    """Fit a judge to the results after afterstates; return it, and the share of the winning entropy it explains."""
    torch.manual_seed(seed)
    situations, afterstates, won, clear = (torch.from_numpy(np.concatenate(part)) for part in zip(*found, strict=True))
    network = AfterstateNetwork(situations.shape[1], afterstates.shape[1], width)
    optimiser = torch.optim.AdamW(network.parameters(), lr=_LEARNING_RATE, weight_decay=_DECAY)
    steps = -(-len(won) // _MINIBATCH)
    pace = torch.optim.lr_scheduler.OneCycleLR(optimiser, _LEARNING_RATE, total_steps=_EPOCHS * steps)
    missed: list[float] = []
    for _ in range(_EPOCHS):
        missed.clear()
        for part in torch.randperm(len(won)).split(_MINIBATCH):
            predicted = network(situations[part], afterstates[part])
            surprise = nn.functional.binary_cross_entropy_with_logits(predicted[:, 0], won[part])
            off = nn.functional.smooth_l1_loss(predicted[:, 1], clear[part])
            optimiser.zero_grad()
            (surprise + _CLEARNESS * off).backward()
            optimiser.step()
            pace.step()
            missed.append(float(surprise.detach()) * len(part))
    share = won.mean()
    unknown = float(-(share * share.log() + (1 - share) * (1 - share).log()))
    return network.judge(), 1 - sum(missed) / len(won) / unknown


def play_round(game: Game, judge: ValueNetwork, config: Config, number: int, threads: int) -> list[FinishedRound]:
    """Play the games of one round, tables in parallel; return the experience of each table."""
    setups = tables_of(config.vary)

    def played(i: int) -> FinishedRound:
        return play(game, judge, config, agent_rng(config.seed, number, i), **setups[i])

    with ThreadPoolExecutor(threads) as pool:
        return list(pool.map(played, range(len(setups))))


def learn(
    run: Run,
    game: Game,
    config: Config,
    judge: ValueNetwork,
    threads: int,
    before: Mapping[str, Any],
    done: Sequence[SavedRound],
) -> None:
    """Play and fit, round by round; each round's games and judge are saved, and the latest judge as `JUDGE` too.

    The judge of the last round in `done` is fitted again: it is the same, and was perhaps not saved.
    """
    found = list(done)
    spent = found[-1].seconds if found else 0.0
    began = time.process_time()
    for number in range(max(0, len(found) - 1), config.rounds):
        text = "was played before"
        if number == len(found):
            games = play_round(game, judge, config, number, threads)
            strength = sum(one.shares.happened for one in games) / max(1, sum(one.shares.of for one in games))
            text = f"won {strength:.2f} of an equal share with the judge before it"
            played = Experience(*map(np.concatenate, zip(*(one.experience for one in games), strict=True)))
            found.append(SavedRound(played, spent + time.process_time() - began))
            found[-1].save(run.folder / ROUNDS.replace("*", f"{number + 1:03}"))
            run.write(config, game)
        judge, explained = fit([one.experience for one in found], config.width, config.seed + number)
        seconds = round(spent + time.process_time() - began)
        made = {"config": asdict(replace(config, rounds=number + 1)), "seconds": seconds, "versions": versions()}
        facts = {"script": SCRIPT, **made, **({"before": before} if before else {})}
        for name in (f"judge-{number + 1}.npz", JUDGE):
            save(run.folder / name, judge, game, facts)
        print(
            f"round {number + 1} of {config.rounds}: {text}, "
            f"{100 * explained:.0f} % of winning foretold, {seconds} seconds of the processor",
            flush=True,
        )


@from_dataclasses
def main(context: typer.Context, config: Config, args: Arguments) -> None:
    """Train the judge of an afterstate agent from finished games."""
    run, out, typed = Run(args.out, ROUNDS, length="rounds"), args.out, given(context)
    with user_errors():
        config = replace(with_usual(config, typed), vary=with_fixed(config.vary, args.option))
        config = run.settle(config, typed | ({"vary"} if args.option else set()), args.resume)
        loaded = check_table(config.game, config.scripted, tables_of(config.vary))
        judge, before = read(Path(config.start), loaded) if config.start else (by_hand(loaded, config.width), {})
        run.begin()
        if not args.resume:
            ensure_absent(out / JUDGE)
        done = [SavedRound.read(path) for path in sorted(out.glob(ROUNDS))] if args.resume else []
    learn(run, loaded, config, judge, args.threads, before, done)
    print(f"The judge is in {out / JUDGE}; play it as afterstate:{quoted(str(out / JUDGE))}")


if __name__ == "__main__":
    typer.run(main)
