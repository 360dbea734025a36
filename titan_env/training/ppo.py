"""Train a network by proximal policy optimisation, with self-play on the batched engine::

    python -m titan_env.training.ppo --vary titans=2,3,4,4,4,4,5,6 --scripted expert,greedy --out runs/ppo

Every seat of every game learns with the same network, from its own decision to its own next one
(Schulman et al. 2017; masked logits after Huang and Ontanon 2020). In a share of the games some seats
are played by past selves and by reference agents, so that the policy is also good against others.
A teacher's decisions may be imitated at first (Schmitt et al. 2018: "Kickstarting Deep Reinforcement Learning").
With `--kl-coef` it is magnetic mirror descent (`titan_env.training.ppo_update`).
A run that was stopped or killed has saved a policy, and continues with ``--resume``; TensorBoard shows ``runs/ppo``.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Annotated, Any

import numpy as np

from titan_env import agents, registry
from titan_env.agents.delegate import delegating, delegating_name, load_delegated
from titan_env.agents.name_grammar import quoted
from titan_env.agents.policy import Policy
from titan_env.agents.score_features import Adviser
from titan_env.cli.console import MISTAKES, THREADS, Stop, check_table, given, training_bar, user_errors
from titan_env.cli.options import Bounds, GameOptions, Resume, from_dataclasses, with_usual
from titan_env.contract import Game
from titan_env.engine.devices import Device
from titan_env.engine.option_text import with_fixed
from titan_env.evaluation.matches.match import Proportion
from titan_env.extras import extra
from titan_env.records.sealed import reading
from titan_env.training.checkpoints import load_sealed, read_weights, save_sealed, shape_of
from titan_env.training.data_parallel import LostProcess, Peers, job_of, share_of
from titan_env.training.export_policy import save_policy
from titan_env.training.network import PolicyNetwork, check_device, network_agent, wins
from titan_env.training.ppo_config import Config
from titan_env.training.ppo_rollout import RolloutBuffer, teacher_of
from titan_env.training.ppo_update import learn
from titan_env.training.run_folder import POLICY, Run
from titan_env.training.tracking import Tracking

with extra("training"):
    import torch
    import typer

CHECKPOINT = "checkpoint.pt"
DEVICE_ERRORS = (NotImplementedError, MemoryError, torch.OutOfMemoryError)
"""The errors of rules that do not compile for a GPU, and of a device with too little memory."""


def untyped(game: Game, start: str) -> dict[str, Any]:
    """Return defaults for flags not given: the architecture of `start`, or, without `start`, the game's adviser."""
    return shape_of(Path(start), game)._asdict() if start else {"adviser": game.metadata.adviser}


def adviser_of(config: Config, game: Game) -> Adviser | None:
    """Return the run's adviser, None without one. Raises ValueError for an agent that scores no actions."""
    return Adviser(config.adviser, game) if config.adviser else None


class Trainer:
    """A training run: network, optimiser, pool of past selves, counters, and folder.

    The network is on `device`, and so are the games, but with `games`, a device of their own.
    """

    def __init__(
        self,
        game: Game,
        config: Config,
        out: Path,
        device: str = "cpu",
        peers: Peers | None = None,
        games: str | Device = "",
    ) -> None:
        torch.manual_seed(config.seed)
        self.peers = peers or Peers(job_of(game, config, out, device, games if isinstance(games, str) else games.name))
        own = share_of(config, self.peers.rank)
        self.game, self.config, self.out, self.device = game, config, out, device
        self._adviser = adviser_of(config, game)
        self.network = self._new_network()
        self.optimiser = torch.optim.Adam(self.network.parameters(), lr=config.learning_rate, eps=1e-5, fused=True)
        self.pool: list[dict[str, Any]] = []
        self.invited: list[int] = []  # the past selves that play, by number
        self.before: dict[str, Any] = {}  # the facts of the policy that the initial weights come from
        self.decisions, self.seconds, self.env_seconds = 0, 0.0, 0.0
        self.rng = np.random.default_rng(own.seed)
        self.rollout = RolloutBuffer(game, own, self.rng, self._adviser, device, games or device)

    def _new_network(self) -> PolicyNetwork:
        """Return an untrained network of the run's shape, on its device."""
        size, actions, config = self.game.rules.fields.size, len(self.game.rules.actions), self.config
        network = PolicyNetwork(size, actions, config.width, self._adviser, config.critic, config.trust)
        return network.to(self.device)

    def begin(self) -> None:
        """Load the initial weights, if any, and save the run. Raises ValueError for weights that do not fit."""
        if self.config.start:
            path = Path(self.config.start)
            self.network.load_state_dict(
                read_weights(path, self.game, self.config.width, self._adviser, self.config.critic)
            )
            heard, here = shape_of(path, self.game).adviser, self.config.adviser
            if heard != here:
                raise ValueError(f"expected --adviser {heard}, which {path} was trained with, got {here}")
            if path.suffix == ".onnx":
                self.before = Policy(self.game, path).made
        if self.peers.rank == 0:
            self.save()

    def iterate(self) -> dict[str, float]:
        """Run one rollout and one update; return the metrics to log. Raises LostProcess if a process has ended."""
        self.peers.play(self.seconds)
        began = time.perf_counter()
        if self.decisions // self.config.snapshot_every >= len(self.pool):
            self.pool.append({k: v.clone() for k, v in self.network.state_dict().items()})
            self._invite()
        left = max(0.1, 1 - 0.9 * self.done)
        for group in self.optimiser.param_groups:
            group["lr"] = self.config.learning_rate * left
        lesson = self.lesson
        self.rollout.play(self.network, taught=lesson > 0)
        lower = replace(self.config, ent_coef=self.config.ent_coef * left, kl_coef=self.config.kl_coef * left)
        logged = learn(self.network, self.optimiser, self.rollout, lower, lesson, self.peers)
        self.decisions += self.config.num_steps * self.config.num_envs
        self.seconds += time.perf_counter() - began
        self.env_seconds += self.rollout.env_seconds
        self.rollout.env_seconds = 0.0
        if (length := self.rollout.mean_length()) is not None:
            logged["game_length"] = length
        logged["learning_rate"] = self.config.learning_rate * left
        if self.env_seconds:
            logged["env_share"] = self.env_share
        return {**logged, "seconds": self.seconds, "decisions_per_second": self.decisions / self.seconds}

    @property
    def done(self) -> float:
        """The share of the run that is done, by decisions or by time; 1 or more at its end."""
        by_time = self.seconds / (60 * self.config.minutes) if self.config.minutes else 0.0
        return max(self.decisions / self.config.total_timesteps, by_time)

    @property
    def lesson(self) -> float:
        """The weight of the imitation loss: 1 at the beginning, 0 once the lessons are over."""
        if not self.config.teacher or self.done >= self.config.lessons:
            return 0.0
        return 1 - self.done / self.config.lessons

    @property
    def env_share(self) -> float:
        """The share of the time spent in the environment, where the games are on the processor."""
        return self.env_seconds / self.seconds

    def _invite(self) -> None:
        """Choose the past selves that play: the newest, and older ones, uniformly.

        Their number never falls: the players of running games are stored by number.
        """
        newest = len(self.pool) - 1
        older = self.rng.choice(newest, min(newest, self.config.past_selves - 1), replace=False)
        self.invited = [*sorted(older.tolist()), newest]
        self._seat_others()

    def _seat_others(self) -> None:
        """Load the scripted agents and the past selves that were chosen, if any play."""
        if not self.config.others:
            return
        self.rollout.scripted = [agents.load(name, self.game) for name in self.config.scripted]
        self.rollout.past = [self.past(number) for number in self.invited]

    def past(self, number: int) -> PolicyNetwork:
        """Return the network of a past self; number 0 is the one before the first decision."""
        network = self._new_network()
        network.load_state_dict(self.pool[number])
        return network

    def agent(self, network: PolicyNetwork, temperature: float = 0.0) -> agents.Agent:
        """Return a network as an agent, with those that answer the questions that are delegated."""
        return delegating(self.game, network_agent(network, temperature), self.rollout.delegation.named)

    def wins_against(self, name: str) -> Proportion:
        """Play the network at the tables of its games against an agent, and return its share of wins."""
        return wins(self.game, self.agent(self.network), name, self.config.dealt(), self.config.seed)

    def state(self) -> dict[str, Any]:
        """Return all that is this process's own."""
        return {"invited": self.invited, "rollout": self.rollout.state()}

    def save(self) -> None:
        """Write the checkpoint and the policy, each atomically."""
        everything = {
            "network": self.network.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "pool": self.pool,
            "counters": (self.decisions, self.seconds, self.env_seconds),
            "before": json.dumps(self.before),
            "processes": [self.state(), *(torch.load(io.BytesIO(state)) for state in self.peers.states())],
            "torch": torch.get_rng_state(),
        }
        save_sealed(self.out / CHECKPOINT, everything)
        made = {"decisions_taken": self.decisions, "seconds": round(self.seconds), "threads": torch.get_num_threads()}
        facts = {"script": "titan_env.training.ppo", "config": asdict(self.config), **made}
        if self.device != "cpu":
            facts |= {"device": self.device, "games_device": self.rollout.batch.device.name}
        if self.before:
            facts["before"] = self.before
        save_policy(self.out / POLICY, self.network, self.game, facts)

    def resume(self) -> None:
        """Restore the checkpoint. Raises ValueError if it is damaged."""
        path = self.out / CHECKPOINT
        with reading("a checkpoint of this run", path, "start anew with another --out"):
            saved = load_sealed(path)
            self.network.load_state_dict(saved["network"])
            self.optimiser.load_state_dict(saved["optimiser"])
            self.pool = saved["pool"]
            self.decisions, self.seconds, self.env_seconds = saved["counters"]
            self.before = json.loads(saved["before"])
            own = saved["processes"][self.peers.rank]
            self.invited = own["invited"]
            if self.pool:
                self._seat_others()
            self.rollout.restore(own["rollout"])
            torch.set_rng_state(saved["torch"])
        self.peers.resumes = True


def train(trainer: Trainer, stop: Stop, checkpoint_every: float, evaluate_every: float) -> None:
    """Iterate until the run is done, with progress, TensorBoard logs, checkpoints and evaluations, one before all."""
    with extra("training"):
        from torch.utils.tensorboard import SummaryWriter

    logs: Any = SummaryWriter(str(trainer.out), purge_step=trainer.decisions + 1 if trainer.decisions else None)
    with logs, training_bar() as progress:
        task = progress.add_task("", total=1.0, text="")
        progress.update(task, completed=trainer.done)
        if not trainer.decisions:
            logs.add_scalar("seconds", 0.0, 0)
            for result in _evaluate(trainer, logs):
                progress.console.print(f"before learning: {result}")
        saved = evaluated = time.monotonic()
        while trainer.done < 1 and not stop.asked:
            for name, number in trainer.iterate().items():
                logs.add_scalar(name, number, trainer.decisions)
            now = time.monotonic()
            message = f"{trainer.decisions:,} decisions, {trainer.decisions / trainer.seconds:,.0f}/s"
            progress.update(task, completed=trainer.done, text=message)
            if now - saved > checkpoint_every:
                trainer.save()
                saved = time.monotonic()
            if now - evaluated > evaluate_every or trainer.done >= 1:
                share = f", {trainer.env_share:.1%} of the time in the env" if trainer.env_seconds else ""
                for result in _evaluate(trainer, logs):
                    progress.console.print(f"{message}: {result}{share}")
                evaluated = time.monotonic()
    trainer.save()


def _evaluate(trainer: Trainer, logs: Any) -> Iterator[str]:
    """Play the network against each scripted agent, log the share of wins, and yield a sentence that says it."""
    for name in trainer.config.scripted:
        share = trainer.wins_against(name)
        logs.add_scalar(f"wins_against_{name}", share.rate, trainer.decisions)
        yield f"wins {share} against {name}"


@dataclass(frozen=True)
class Arguments(Tracking):
    """The options beside the config."""

    option: GameOptions = field(default_factory=dict)
    threads: Annotated[int, Bounds(1)] = THREADS
    """Threads of the network and of the games."""
    device: str = "cpu"
    """Device of the network and the games: cpu or cuda."""
    games_device: str = ""
    """Another device for the games: cpu, for rules that do not compile for a GPU."""
    out: Path = Path("runs/ppo")
    """Folder of the run."""
    resume: Resume = False
    checkpoint_every: Annotated[float, Bounds(0)] = 10.0
    """Seconds between checkpoints."""
    evaluate_every: Annotated[float, Bounds(0)] = 120.0
    """Seconds between evaluations."""


@from_dataclasses
def main(context: typer.Context, config: Config, args: Arguments) -> None:
    """Train a network by self-play and save it as a policy that can be played by name."""
    torch.set_num_threads(args.threads)
    run = Run(args.out, CHECKPOINT, free=("minutes",))
    with user_errors((*MISTAKES, *DEVICE_ERRORS)):
        args.check()
        for device in (args.device, args.games_device or args.device):
            check_device(device)
        typed = given(context) | ({"vary"} if args.option else set())
        usual = untyped(registry.load(config.game), config.start)
        config = replace(
            with_usual(config, typed),
            vary=with_fixed(config.vary, args.option),
            **{name: value for name, value in usual.items() if name not in typed},
        )
        config = run.settle(config, typed, args.resume)
        loaded = check_table(config.game, config.scripted, config.dealt())
        teacher_of(config, loaded)
        load_delegated(loaded, config.delegate)
        adviser_of(config, loaded)
        loaded.rules.reward_scale(config.reward)
        trainer = Trainer(loaded, config, args.out, args.device, games=args.games_device)
        run.begin()
        (trainer.resume if args.resume else trainer.begin)()
        run.write(config, loaded)
    ends = (LostProcess, *DEVICE_ERRORS) if trainer.rollout.batch.device.name != "cpu" else (LostProcess,)
    with run.going() as stop, args.tracked(config, args.out), user_errors(ends), closing(trainer.peers):
        train(trainer, stop, args.checkpoint_every, args.evaluate_every)
        name = delegating_name(f"policy:{quoted(str(args.out / POLICY))}", config.delegate)
        print(f"The policy is in {args.out / POLICY}; play it as {name}")


if __name__ == "__main__":
    typer.run(main)
