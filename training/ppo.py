"""Proximal policy optimisation on one page, by self-play on the batched engine::

    python -m training.ppo --vary titans=2,3,4,4,4,4,5,6 --scripted expert,greedy --out runs/ppo

Every seat of every game learns with the same network, from its own decision to its own next one
(Schulman et al. 2017; masked logits after Huang and Ontanon 2020). In a share of the games some seats
are taken by earlier selves and by reference agents, so that what it learns also holds against others.
A run that was killed goes on with ``--resume``; TensorBoard shows ``runs/ppo``.
"""

from __future__ import annotations

import os
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from torch import nn

import agents
from agents.match import win_shares
from titan_env import registry
from titan_env.batch import Batch
from titan_env.cli.seating import read_choices
from titan_env.contract import MOST_SEATS, Game, Over
from titan_env.links import Links
from titan_env.worlds import decide
from training.policies import Network, network_agent, read_run, save_policy, write_run

LEARNER = 0  # in `Rollout.players`: the seat learns; k: it is played by the k-th of the others


@dataclass(frozen=True)
class Config:
    """Everything that the result depends on; saved beside it."""

    game: str = next(iter(registry.GAMES))
    vary: Mapping[str, Sequence[Any]] | None = None  # option -> its values, dealt to the games in turn
    decisions: int = 110_000_000
    games: int = 512
    steps: int = 64
    epochs: int = 3
    minibatch: int = 4096
    learning_rate: float = 1e-3  # falls to a tenth along a line
    discount: float = 0.999
    trace: float = 0.8  # lambda of the generalised advantage estimate
    clip: float = 0.2
    entropy: float = 0.02  # falls to a tenth along a line
    value: float = 0.5
    most_gradient: float = 0.5
    width: int = 256
    others: float = 0.7  # share of the games with others in some seats
    scripted: tuple[str, ...] = ("greedy",)
    past_selves: int = 2  # how many sit at tables at a time
    snapshot_every: int = 2_000_000
    seed: int = 0


class Rollout:
    """Many games and what was decided in them: (steps, games) of everything that learning wants."""

    def __init__(self, game: Game, config: Config, rng: np.random.Generator) -> None:
        shape = (config.steps, config.games)
        self.game, self.config, self.rng = game, config, rng
        self.batch = Batch(game, config.games, templates=templates(game, config))
        self.batch.scatter(rng)
        self.batch.start()
        self.others: list[Any] = []
        self.players = np.zeros((config.games, MOST_SEATS), np.int64)
        self.observations = torch.zeros((*shape, game.fields.size), dtype=torch.bfloat16)
        self.masks = torch.zeros((*shape, len(game.actions)), dtype=torch.bool)
        self.actions = np.zeros(shape, np.int64)
        self.chances = np.zeros(shape, np.float32)  # log-probabilities
        self.values = np.zeros(shape, np.float32)
        self.links = Links(*shape)
        self.ended = 0
        self.env_seconds = 0.0
        self._reseat(np.ones(config.games, np.bool_))

    def _reseat(self, rows: NDArray[np.bool_]) -> None:
        """Choose who sits where in new games: learners only, or some of the seats played by one of the others."""
        self.players[rows] = LEARNER
        if self.others:
            mixed = rows & (self.rng.random(len(rows)) < self.config.others)
            who = self.rng.integers(1, len(self.others) + 1, len(rows))
            taken = self.rng.random(self.players.shape) < 0.5
            taken[np.arange(len(rows)), self.rng.integers(0, 2, len(rows))] = False  # somebody learns
            self.players[mixed] = (taken * who[:, None])[mixed]

    def play(self, network: Network) -> None:
        """Play the games on until every (step, game) is filled."""
        self.links.clear()
        every = np.arange(self.config.games)
        for step in range(self.config.steps):
            seats = self.batch.states["seat"].astype(np.int64)
            player = self.players[every, seats]
            actions = self._learner_acts(network, step)
            for number, other in enumerate(self.others, 1):
                rows = np.flatnonzero(player == number)
                if len(rows):
                    actions[rows] = decide(other, self.batch, rows, self.rng)
            began = time.perf_counter()
            self.batch.step(actions)
            over = self.batch.over
            payoffs = self.batch.payoffs()
            truncated = self.batch.states["over"] == Over.TRUNCATED
            self.links.add(seats, payoffs, over & ~truncated, truncated, taken=player == LEARNER)
            if over.any():
                self.batch.start(over)
                self._reseat(over)
                self.ended += int(over.sum())
            self.env_seconds += time.perf_counter() - began

    def _learner_acts(self, network: Network, step: int) -> NDArray[np.int64]:
        """Draw an action for every game, whoever is asked, and keep what learning wants of it."""
        seen = torch.from_numpy(self.batch.observations)
        self.observations[step] = seen
        self.masks[step] = torch.from_numpy(self.batch.masks).bool()
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16):
            logits, values = network(self.observations[step], self.masks[step])
        log_chances = torch.log_softmax(logits, 1)
        noise = torch.from_numpy(self.rng.gumbel(size=log_chances.shape).astype(np.float32))
        actions = (log_chances + noise).argmax(1)
        self.actions[step] = actions.numpy()
        self.chances[step] = log_chances.gather(1, actions[:, None])[:, 0].numpy()
        self.values[step] = values.numpy()
        return self.actions[step].copy()

    def advantages(self) -> NDArray[np.float32]:
        """The generalised advantage estimate of each decision, along the chain of its seat's own decisions."""
        discount, trace, links = self.config.discount, self.config.trace, self.links
        found = np.zeros(self.actions.shape, np.float32)
        every = np.arange(self.config.games)
        for step in reversed(range(self.config.steps)):
            follows = links.next[step]
            linked = follows >= 0
            follows = np.where(linked, follows, 0)
            onward = np.where(linked, discount * self.values[follows, every], 0)
            surprise = links.rewards[step] + onward - self.values[step]
            onward = np.where(linked, discount * trace * found[follows, every], 0)
            found[step] = np.where(links.waiting[step], 0, surprise + onward)
        return found


def templates(game: Game, config: Config) -> Any:
    """The configured games, one for each row: every value of every option that varies, dealt in turn."""
    vary = config.vary or {}
    chosen = [game.configure(**{k: v[i % len(v)] for k, v in vary.items()}) for i in range(config.games)]
    return np.concatenate(chosen).view(np.recarray)


def learn(network: Network, optimiser: torch.optim.Optimizer, rollout: Rollout, config: Config) -> dict[str, float]:
    """Improve the network on one rollout; what there is to log."""
    advantages = rollout.advantages()
    use = np.flatnonzero(rollout.links.taken & ~rollout.links.waiting)
    observations = rollout.observations.flatten(0, 1)
    masks = rollout.masks.flatten(0, 1)
    actions, old = torch.from_numpy(rollout.actions.ravel()), torch.from_numpy(rollout.chances.ravel())
    advantage = torch.from_numpy(advantages.ravel())
    target = advantage + torch.from_numpy(rollout.values.ravel())
    logged: list[tuple[float, ...]] = []
    for _ in range(config.epochs):
        order = torch.from_numpy(rollout.rng.permutation(use))
        for part in order.split(config.minibatch):
            with torch.autocast("cpu", torch.bfloat16):
                logits, values = network(observations[part], masks[part])
            log_chances = torch.log_softmax(logits, 1)
            change = log_chances.gather(1, actions[part, None])[:, 0] - old[part]
            better = (advantage[part] - advantage[part].mean()) / (advantage[part].std() + 1e-6)
            clipped = change.exp().clamp(1 - config.clip, 1 + config.clip)
            policy_loss = -torch.minimum(change.exp() * better, clipped * better).mean()
            value_loss = (values - target[part]).square().mean()
            entropy = -(log_chances.exp() * log_chances.clamp(min=-30)).sum(1).mean()
            optimiser.zero_grad(set_to_none=True)
            (policy_loss + config.value * value_loss - config.entropy * entropy).backward()  # type: ignore[no-untyped-call]
            nn.utils.clip_grad_norm_(network.parameters(), config.most_gradient)
            optimiser.step()
            divergence = (change.exp() - 1 - change).mean()
            logged.append((policy_loss.item(), value_loss.item(), entropy.item(), divergence.item()))
    names = ("policy_loss", "value_loss", "entropy", "divergence")
    return dict(zip(names, np.mean(logged, axis=0).tolist(), strict=True))


class Trainer:
    """A run: network, pool of past selves, counters, and the folder where all of it is kept."""

    def __init__(self, game: Game, config: Config, out: Path) -> None:
        torch.manual_seed(config.seed)
        self.game, self.config, self.out = game, config, out
        self.network = Network(game.fields.size, len(game.actions), config.width)
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate, eps=1e-5)
        self.pool: list[dict[str, Any]] = []
        self.decisions, self.seconds, self.env_seconds = 0, 0.0, 0.0
        self.rng = np.random.default_rng(config.seed)
        self.rollout = Rollout(game, config, self.rng)

    def iterate(self) -> dict[str, float]:
        """One rollout and one improvement; what there is to log."""
        began = time.perf_counter()
        if self.decisions // self.config.snapshot_every >= len(self.pool):
            self.pool.append({k: v.clone() for k, v in self.network.state_dict().items()})
            self._invite()
        left = max(0.1, 1 - 0.9 * self.decisions / self.config.decisions)
        for group in self.optimiser.param_groups:
            group["lr"] = self.config.learning_rate * left
        self.rollout.play(self.network)
        logged = learn(
            self.network, self.optimiser, self.rollout, replace(self.config, entropy=self.config.entropy * left)
        )
        self.decisions += self.config.steps * self.config.games
        self.seconds += time.perf_counter() - began
        self.env_seconds += self.rollout.env_seconds
        self.rollout.env_seconds = 0.0
        return {**logged, "decisions_per_second": self.decisions / self.seconds, "env_share": self.env_share}

    @property
    def env_share(self) -> float:
        """The share of the time that the environment took."""
        return self.env_seconds / self.seconds

    def _invite(self) -> None:
        """Ask other past selves to the tables: the newest, and older ones, each as likely."""
        chosen = {len(self.pool) - 1, *self.rng.integers(0, len(self.pool), self.config.past_selves - 1).tolist()}
        self.rollout.others = [agents.load(name, self.game) for name in self.config.scripted]
        for number in sorted(chosen):
            past = Network(self.game.fields.size, len(self.game.actions), self.config.width)
            past.load_state_dict(self.pool[number])
            self.rollout.others.append(network_agent(past, temperature=1.0))

    def save(self) -> None:
        """Write the checkpoint, whole or not at all."""
        everything = {
            "network": self.network.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "pool": self.pool,
            "counters": (self.decisions, self.seconds, self.env_seconds),
            "rng": self.rng.bit_generator.state,
        }
        half = self.out / "checkpoint.tmp"
        torch.save(everything, half)
        os.replace(half, self.out / "checkpoint.pt")

    def resume(self) -> None:
        """Go on from the checkpoint. Raises ValueError where it is missing or damaged."""
        path = self.out / "checkpoint.pt"
        if not path.exists():
            raise ValueError(f"expected a checkpoint to resume from, found no {path}; start without --resume")
        try:
            saved = torch.load(path, weights_only=True)
            self.network.load_state_dict(saved["network"])
            self.optimiser.load_state_dict(saved["optimiser"])
            self.pool = saved["pool"]
            self.decisions, self.seconds, self.env_seconds = saved["counters"]
            self.rng.bit_generator.state = saved["rng"]
        except Exception as error:
            raise ValueError(f"expected a checkpoint of this run in {path}, which cannot be read: {error}") from None
        self._invite()
        self.rollout.batch.scatter(self.rng)
        self.rollout.batch.start()


def prepare(out: Path, config: Config, resume: bool) -> Config:
    """Make the folder of the run and write its config there; the config of a run that is resumed comes from there.

    Raises ValueError for a folder that holds another run, or one made for another observation.
    """
    path = out / "config.json"
    if resume:
        stored = read_run(path, registry.load)
        return Config(**{**stored, "scripted": tuple(stored["scripted"])})
    if path.exists():
        raise ValueError(
            f"expected a new folder, but {out} holds a run; pass --resume to go on with it, or another --out"
        )
    out.mkdir(parents=True, exist_ok=True)
    write_run(path, asdict(config), registry.load(config.game))
    return config


def train(trainer: Trainer, checkpoint_every: float, evaluate_every: float, console: Console) -> None:
    """Iterate until all decisions are taken, with progress, TensorBoard logs, checkpoints and evaluations."""
    from torch.utils.tensorboard import SummaryWriter

    config, game = trainer.config, trainer.game
    logs = SummaryWriter(str(trainer.out))  # type: ignore[no-untyped-call]
    saved = evaluated = time.monotonic()
    bar = (TextColumn("training"), BarColumn(), TextColumn("{task.fields[told]}"), TimeRemainingColumn())
    with Progress(*bar, console=console) as progress:
        task = progress.add_task("", total=config.decisions, completed=trainer.decisions, told="")
        while trainer.decisions < config.decisions:
            for name, number in trainer.iterate().items():
                logs.add_scalar(name, number, trainer.decisions)  # type: ignore[no-untyped-call]
            told = f"{trainer.decisions:,} decisions, {trainer.decisions / trainer.seconds:,.0f}/s"
            progress.update(task, completed=trainer.decisions, told=told)
            now = time.monotonic()
            if now - evaluated > evaluate_every or trainer.decisions >= config.decisions:
                evaluated = now
                for name in config.scripted:
                    pair = {"learner": network_agent(trainer.network), name: agents.load(name, game)}
                    share = win_shares(game, pair, 400, config.seed)["learner"]
                    logs.add_scalar(f"wins_against_{name}", share.rate, trainer.decisions)  # type: ignore[no-untyped-call]
                    console.print(
                        f"{told}: wins {share} against {name}, {trainer.env_share:.1%} of the time in the env"
                    )
            if now - saved > checkpoint_every or trainer.decisions >= config.decisions:
                saved = now
                trainer.save()


def main(
    game: Annotated[str, typer.Option(help="which game")] = Config.game,
    vary: Annotated[list[str] | None, typer.Option(help="option of the game and its values: titans=2,4,6")] = None,
    decisions: Annotated[int, typer.Option(min=1, help="decisions to learn from")] = Config.decisions,
    games: Annotated[int, typer.Option(min=2, help="games at once")] = Config.games,
    steps: Annotated[int, typer.Option(min=2, help="decisions of each game in a rollout")] = Config.steps,
    width: Annotated[int, typer.Option(min=8, help="units of the hidden layers")] = Config.width,
    learning_rate: Annotated[float, typer.Option(min=0, help="of Adam, at the start")] = Config.learning_rate,
    epochs: Annotated[int, typer.Option(min=1, help="times that each rollout is learned from")] = Config.epochs,
    scripted: Annotated[str, typer.Option(help="reference agents that take some seats")] = ",".join(Config.scripted),
    seed: Annotated[int, typer.Option(help="seed of games, play and weights")] = Config.seed,
    threads: Annotated[int, typer.Option(min=1, help="threads of the network")] = 1,
    out: Annotated[Path, typer.Option(help="folder of the run")] = Path("runs/ppo"),
    resume: Annotated[bool, typer.Option("--resume", help="go on with the run in that folder")] = False,
    checkpoint_every: Annotated[float, typer.Option(help="seconds between checkpoints")] = 20.0,
    evaluate_every: Annotated[float, typer.Option(help="seconds between evaluations")] = 120.0,
) -> None:
    """Train a network by self-play and save it as a policy that any agent's name can stand beside."""
    torch.set_num_threads(threads)
    console = Console()
    try:
        loaded = registry.load(game)
        names = tuple(filter(None, scripted.split(",")))
        for name in names:
            agents.load(name, loaded)
        config = Config(game=game, vary=read_choices(vary or []), decisions=decisions, games=games, steps=steps)
        config = replace(config, width=width, learning_rate=learning_rate, epochs=epochs, scripted=names, seed=seed)
        templates(loaded, config)
        trainer = Trainer(loaded, prepare(out, config, resume), out)
        if resume:
            trainer.resume()
    except (ValueError, TypeError) as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None
    train(trainer, checkpoint_every, evaluate_every, console)
    facts = {"script": "training.ppo", "config": asdict(trainer.config), "seconds": round(trainer.seconds)}
    save_policy(out / "policy.onnx", trainer.network, loaded, facts)
    console.print(f"The policy is in {out / 'policy.onnx'}; play it as policy:{out / 'policy.onnx'}")


if __name__ == "__main__":
    typer.run(main)
