"""Proximal policy optimisation on one page, by self-play on the batched engine::

    python -m training.ppo --vary titans=2,3,4,4,4,4,5,6 --scripted expert,greedy --out runs/ppo

Every seat of every game learns with the same network, from its own decision to its own next one
(Schulman et al. 2017; masked logits after Huang and Ontanon 2020). In a share of the games some seats
are taken by earlier selves and by reference agents, so that what it learns also holds against others.
A run that was stopped or killed goes on with ``--resume``; TensorBoard shows ``runs/ppo``.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from torch import nn

import agents
from titan_env import registry
from titan_env.batch import Batch, configured
from titan_env.cli.seating import read_choices, read_names
from titan_env.contract import MOST_SEATS, Game, Over
from titan_env.links import Links
from titan_env.worlds import decide
from training.commands import SCRIPTED, check_table, given, training_bar, user_errors
from training.output import make_whole
from training.policies import Network, network_agent, save_policy, wins
from training.runs import Run, Stop, at_least

CHECKPOINT = "checkpoint.pt"
LEARNER = 0  # in `Rollout.players`: the seat learns; k: it is played by the k-th of the others


@dataclass(frozen=True)
class Config:
    """Everything that the result depends on; saved beside it."""

    game: str = next(iter(registry.GAMES))
    vary: Mapping[str, Sequence[Any]] | None = None  # option -> its values; one that is there twice weighs double
    decisions: int = 110_000_000
    games: int = 512
    steps: int = 64
    epochs: int = 3
    learning_rate: float = 1e-3  # falls to a tenth along a line
    width: int = 256
    scripted: tuple[str, ...] = ("greedy",)
    seed: int = 0
    minibatch: int = 4096
    discount: float = 0.999
    trace: float = 0.8  # lambda of the generalised advantage estimate
    clip: float = 0.2
    entropy: float = 0.02  # falls to a tenth along a line
    value: float = 0.5
    most_gradient: float = 0.5
    others: float = 0.7  # share of the games with others in some seats
    past_selves: int = 2  # how many sit at tables at a time
    snapshot_every: int = 2_000_000

    def __post_init__(self) -> None:
        """Raise ValueError for numbers that nothing can be learned with."""
        at_least(self, decisions=1, games=2, steps=2, epochs=1, minibatch=4, learning_rate=0, width=8)
        at_least(self, past_selves=1, snapshot_every=1, seed=0)

    def dealt(self) -> list[dict[str, Any]]:
        """The options of each game: every combination of the values of all options that vary, dealt in turn.

        Raises ValueError for fewer games than combinations.
        """
        vary = self.vary or {}
        combinations = [dict(zip(vary, values, strict=True)) for values in itertools.product(*vary.values())]
        if len(combinations) > self.games:
            raise ValueError(f"expected at least {len(combinations)} games, one for each combination, got {self.games}")
        return [combinations[i % len(combinations)] for i in range(self.games)]


class Rollout:
    """Many games and what was decided in them: (steps, games) of everything that learning wants."""

    def __init__(self, game: Game, config: Config, rng: np.random.Generator) -> None:
        shape = (config.steps, config.games)
        self.game, self.config, self.rng = game, config, rng
        templates = np.concatenate([configured(game, options) for options in config.dealt()])
        self.batch = Batch(game, config.games, templates=templates.view(np.recarray))
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
        self.begin()

    def begin(self) -> None:
        """Begin every game anew, with other luck."""
        self.batch.scatter(self.rng)
        self.batch.start()
        self._reseat(np.ones(self.config.games, np.bool_))

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


def minibatches(order: torch.Tensor, size: int) -> list[torch.Tensor]:
    """An order in parts; a tail that is too short to be normalised by itself is learned with the part before it."""
    parts = list(order.split(size))
    if len(parts) > 1 and len(parts[-1]) <= size / 4:
        parts[-2:] = [torch.cat(parts[-2:])]
    return [part for part in parts if len(part) > 1]


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
        for part in minibatches(order, config.minibatch):
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
    if not all(weights.isfinite().all() for weights in network.parameters()):
        raise FloatingPointError("expected finite weights after learning, got others; the checkpoint is from before")
    names = ("policy_loss", "value_loss", "entropy", "divergence")
    return dict(zip(names, np.mean(logged, axis=0).tolist(), strict=True)) if logged else {}


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
        make_whole(self.out / CHECKPOINT, lambda path: torch.save(everything, path))

    def resume(self) -> None:
        """Go on from the checkpoint. Raises ValueError where it is damaged."""
        path = self.out / CHECKPOINT
        try:
            saved = torch.load(path, weights_only=True)
            self.network.load_state_dict(saved["network"])
            self.optimiser.load_state_dict(saved["optimiser"])
            self.pool = saved["pool"]
            self.decisions, self.seconds, self.env_seconds = saved["counters"]
            self.rng.bit_generator.state = saved["rng"]
        except Exception:  # whatever a reader of damaged bytes comes upon
            reason = "which is damaged or belongs to another run; start anew with another --out"
            raise ValueError(f"expected a checkpoint of this run in {path}, {reason}") from None
        if self.pool:
            self._invite()
        self.rollout.begin()


def train(trainer: Trainer, stop: Stop, checkpoint_every: float, evaluate_every: float) -> None:
    """Iterate until all decisions are taken, with progress, TensorBoard logs, checkpoints and evaluations."""
    from torch.utils.tensorboard import SummaryWriter

    config, done = trainer.config, trainer.decisions >= trainer.config.decisions
    saved = evaluated = time.monotonic()
    logs: Any = SummaryWriter(str(trainer.out), purge_step=trainer.decisions + 1 if trainer.decisions else None)
    with logs, training_bar() as progress:
        task = progress.add_task("", total=config.decisions, completed=trainer.decisions, told="")
        while not done and not stop.asked:
            for name, number in trainer.iterate().items():
                logs.add_scalar(name, number, trainer.decisions)
            done, now = trainer.decisions >= config.decisions, time.monotonic()
            told = f"{trainer.decisions:,} decisions, {trainer.decisions / trainer.seconds:,.0f}/s"
            progress.update(task, completed=trainer.decisions, told=told)
            if now - saved > checkpoint_every:
                trainer.save()
                saved = time.monotonic()
            if now - evaluated > evaluate_every or done:
                for name in config.scripted:
                    share = wins(trainer.game, network_agent(trainer.network), name, config.dealt(), config.seed)
                    logs.add_scalar(f"wins_against_{name}", share.rate, trainer.decisions)
                    spent = f"{trainer.env_share:.1%} of the time in the env"
                    progress.console.print(f"{told}: wins {share} against {name}, {spent}")
                evaluated = time.monotonic()
    trainer.save()


def main(
    context: typer.Context,
    game: Annotated[str, typer.Option(help="which game")] = Config.game,
    vary: Annotated[list[str] | None, typer.Option(help="option of the game and its values: titans=2,4,6")] = None,
    decisions: Annotated[int, typer.Option(help="decisions to learn from; may grow with --resume")] = Config.decisions,
    games: Annotated[int, typer.Option(help="games at once")] = Config.games,
    steps: Annotated[int, typer.Option(help="decisions of each game in a rollout")] = Config.steps,
    width: Annotated[int, typer.Option(help="units of the hidden layers")] = Config.width,
    learning_rate: Annotated[float, typer.Option(help="of Adam, at the start")] = Config.learning_rate,
    epochs: Annotated[int, typer.Option(help="times that each rollout is learned from")] = Config.epochs,
    scripted: Annotated[str, typer.Option(help=SCRIPTED)] = ",".join(Config.scripted),
    seed: Annotated[int, typer.Option(help="seed of games, play and weights")] = Config.seed,
    threads: Annotated[int, typer.Option(min=1, help="threads of the network")] = 1,
    out: Annotated[Path, typer.Option(help="folder of the run")] = Path("runs/ppo"),
    resume: Annotated[bool, typer.Option("--resume", help="go on with the run in that folder")] = False,
    checkpoint_every: Annotated[float, typer.Option(min=0, help="seconds between checkpoints")] = 10.0,
    evaluate_every: Annotated[float, typer.Option(min=0, help="seconds between evaluations")] = 120.0,
) -> None:
    """Train a network by self-play and save it as a policy that any agent's name can stand beside."""
    torch.set_num_threads(threads)
    run = Run(out, CHECKPOINT)
    with user_errors():
        names, varied = tuple(filter(None, read_names(scripted))), read_choices(vary or [])
        config = Config(game, varied, decisions, games, steps, epochs, learning_rate, width, names, seed)
        config = run.settle(config, given(context), resume)
        loaded = check_table(config.game, config.scripted, config.dealt())
        trainer = Trainer(loaded, config, out)
        (trainer.resume if resume else trainer.save)()
        run.write(config, loaded)
    with run.going() as stop:
        train(trainer, stop, checkpoint_every, evaluate_every)
    facts = {"script": "training.ppo", "config": asdict(config), "seconds": round(trainer.seconds)}
    save_policy(out / "policy.onnx", trainer.network, loaded, facts)
    typer.echo(f"The policy is in {out / 'policy.onnx'}; play it as policy:{out / 'policy.onnx'}")


if __name__ == "__main__":
    typer.run(main)
