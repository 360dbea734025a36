"""Train MaskablePPO (sb3-contrib) by self-play against a pool of past selves and reference agents::

    python -m titan_env.training.sb3_maskable_ppo --option titans=4 --total-timesteps 5_000_000 --out runs/sb3

One seat of each of many games learns, in one process; the other seats are the newest self, older ones,
and the scripted agents, in turn. A run that was stopped has saved a policy; with ``--resume`` it goes on as if it had
never stopped, as one that was killed does. ``tensorboard --logdir runs/sb3`` shows it. `titan_env.training.ppo` learns
from every seat, and is several times as fast.
"""

from __future__ import annotations

import io
import json
import time
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Annotated, Any
from zipfile import ZipFile

import numpy as np
from numpy.typing import NDArray

from titan_env import agents
from titan_env.agents.delegate import delegating, delegating_name, load_delegated
from titan_env.agents.name_grammar import quoted
from titan_env.cli.console import Stop, check_table, given, training_bar, user_errors
from titan_env.cli.options import (
    DEFAULT_GAME,
    Bounds,
    Delegates,
    GameName,
    GameOptions,
    Resume,
    Scripted,
    check_bounds,
    from_dataclasses,
    with_usual,
)
from titan_env.contract import Game
from titan_env.envs.sb3 import GameVecEnv
from titan_env.envs.sb3_agents import as_agent
from titan_env.extras import extra
from titan_env.records.sealed import expect_unpackable, reading, unseal, write_sealed
from titan_env.training.export_policy import save_layers
from titan_env.training.network import wins
from titan_env.training.run_folder import POLICY, Run
from titan_env.training.sb3_opponents import Pool
from titan_env.training.sb3_state import read_state, restore_run, run_state, write_state
from titan_env.training.tracking import Tracking

with extra("training"):
    import torch
    import typer
    from rich.progress import Progress

with extra("sb3"):
    from sb3_contrib import MaskablePPO
    from stable_baselines3.common.callbacks import BaseCallback
    from stable_baselines3.common.save_util import load_from_zip_file
    from stable_baselines3.common.torch_layers import BaseFeaturesExtractor

CHECKPOINT = "checkpoint.zip"


@dataclass(frozen=True)
class Config:
    """All settings on which the result depends; they are saved with it."""

    game: GameName = DEFAULT_GAME
    options: GameOptions = field(default_factory=dict)
    total_timesteps: Annotated[int, Bounds(1)] = 5_000_000
    """Decisions of the run; another number may be given with --resume."""
    num_envs: Annotated[int, Bounds(2)] = 256
    """Number of games played in parallel."""
    num_steps: Annotated[int, Bounds(2)] = 32
    """Decisions of each game in a rollout."""
    snapshot_every: Annotated[int, Bounds(1)] = 250_000
    """Decisions between snapshots of past selves."""
    scripted: Scripted = ("random",)
    seed: Annotated[int, Bounds(0)] = 0
    """Seed of the games, the play and the weights."""
    update_epochs: Annotated[int, Bounds(1)] = 3
    """Epochs of learning from each rollout."""
    minibatch_size: Annotated[int, Bounds(2)] = 2048
    """Decisions in one step of Adam."""
    learning_rate: Annotated[float, Bounds(0)] = 1e-3
    """Learning rate of Adam."""
    gamma: Annotated[float, Bounds(0, 1)] = 0.999
    """Discount factor per decision."""
    ent_coef: Annotated[float, Bounds(0)] = 0.01
    """Coefficient of the entropy."""
    layers: tuple[int, ...] = (128, 128)
    """Units of a hidden layer; repeated for each of them."""
    delegate: Delegates = None

    def __post_init__(self) -> None:
        """Raise ValueError for numbers out of range."""
        check_bounds(self)


@dataclass(frozen=True)
class Arguments(Tracking):
    """The options beside the config."""

    out: Path = Path("runs/sb3")
    """Folder of the run."""
    resume: Resume = False
    checkpoint_every: Annotated[float, Bounds(0)] = 10.0
    """Seconds between checkpoints."""


class Fractions(BaseFeaturesExtractor):
    """The first layer of the network: whole numbers, as the games write them, divided by their fields' scales."""

    def __init__(self, observation_space: Any, divisors: NDArray[np.float32]) -> None:
        """`divisors` are those of `Fields`."""
        super().__init__(observation_space, observation_space.shape[0])
        self.register_buffer("divisors", torch.from_numpy(divisors), persistent=False)

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return fractions (B, F)."""
        return observations / self.divisors  # type: ignore[operator]


def save_model(path: Path, model: MaskablePPO, game: Game, facts: Mapping[str, Any]) -> None:
    """Write a trained model as a policy file."""
    policy: Any = model.policy
    critic = [*policy.mlp_extractor.value_net, policy.value_net]
    save_layers(path, _actor(policy), critic, game, facts)


def _actor(policy: Any) -> list[torch.nn.Module]:
    """Return the layers from an observation in fractions to the logits of the actions."""
    return [*policy.mlp_extractor.policy_net, policy.action_net]


class Keeper(BaseCallback):
    """The callback that saves checkpoints and snapshots, evaluates and shows progress, each when it is due."""

    def __init__(
        self,
        out: Path,
        pool: Pool,
        games: GameVecEnv,
        config: Config,
        every: float,
        stop: Stop,
        progress: Progress,
        begun: dict[str, Any] | None,
    ) -> None:
        """`begun` is the state from which a run is resumed, which is set before the first rollout."""
        super().__init__()
        self.state = begun
        """The state of the run at the end of its latest rollout; None before the first one."""
        self._out, self._pool, self._games, self._config, self._every = out, pool, games, config, every
        self._stop, self._saved, self._progress = stop, time.monotonic(), progress
        self._task = progress.add_task("", total=config.total_timesteps, text="")
        self._seats = int(games.batch.templates["seats"].max()) - 1

    def _on_training_start(self) -> None:
        self._snapshots = self.num_timesteps // self._config.snapshot_every
        model: Any = self.model
        if self.state is None:
            self._invite()
        else:
            self._pool.restore(self.state["pool"])
            self._games.set_opponents(self._pool.seated(model))
            restore_run(model, self._games, self.state)

    def _on_step(self) -> bool:
        return not self._stop.asked

    def _on_rollout_start(self) -> None:
        done = self._tell()
        if done // self._config.snapshot_every > self._snapshots:
            self._snapshots = done // self._config.snapshot_every
            self._invite()
            self._evaluate()
        self._keep()
        if time.monotonic() - self._saved > self._every:
            save(self.model, self._out, self.state)
            self._saved = time.monotonic()

    def _on_training_end(self) -> None:
        if not self._stop.asked:
            self._tell()
            self._keep()

    def _keep(self) -> None:
        """Keep the state of the run, which goes on from here if it is stopped."""
        model: Any = self.model
        self.state = run_state(model, self._games, self._pool.state())

    def _tell(self) -> int:
        """Update the progress bar; return the number of decisions learned from."""
        self.learned = self.num_timesteps
        self._progress.update(self._task, completed=self.learned, text=f"{self.learned:,} decisions")
        return self.learned

    def _invite(self) -> None:
        """Save a snapshot and choose new opponents."""
        model: Any = self.model
        self._pool.add(model)
        self._games.set_opponents(self._pool.seat(model, self._seats))

    def _evaluate(self) -> None:
        """Play races against the scripted agents and log the shares of wins."""
        model: Any = self.model
        config = self._config
        for name in config.scripted:
            share = wins(self._games.batch.game, as_agent(model), name, [config.options], config.seed, games=200)
            self.logger.record(f"wins_against_{name}", share.rate)
            self._progress.console.print(f"{self.num_timesteps:,} decisions: wins {share} against {name}")


def save(model: Any, out: Path, state: dict[str, Any] | None) -> None:
    """Write the checkpoint, atomically: the model, and the state of the run once it has begun."""
    data = io.BytesIO()
    model.save(data)
    write_state(data, {"run": state})
    write_sealed(out / CHECKPOINT, data.getvalue())


def begin(games: GameVecEnv, config: Config, out: Path) -> MaskablePPO:
    """Return a new model, which takes whole numbers from games that write them."""
    fields = games.batch.game.rules.fields
    seen: dict[str, Any] = {"net_arch": list(config.layers)}
    if fields.whole:
        seen |= {
            "features_extractor_class": Fractions,
            "features_extractor_kwargs": {"divisors": fields.divisors},
        }
    return MaskablePPO(
        "MlpPolicy",
        games,
        n_steps=config.num_steps,
        batch_size=min(config.minibatch_size, config.num_steps * config.num_envs),
        n_epochs=config.update_epochs,
        gamma=config.gamma,
        ent_coef=config.ent_coef,
        learning_rate=config.learning_rate,
        seed=config.seed,
        tensorboard_log=str(out),
        policy_kwargs=seen,
    )


def go_on(games: GameVecEnv, config: Config, out: Path) -> tuple[MaskablePPO, dict[str, Any] | None]:
    """Return the model and the state of the checkpoint, read without unpickling.

    Raises ValueError for a damaged one. The state is None if the run had not begun.
    """
    model = begin(games, config, out)
    with reading("a checkpoint of this run", out / CHECKPOINT, "start anew with another --out"):
        data = unseal((out / CHECKPOINT).read_bytes())
        expect_unpackable(data)
        _, parameters, _ = load_from_zip_file(io.BytesIO(data), load_data=False)
        model.set_parameters(parameters, device=model.device)
        with ZipFile(io.BytesIO(data)) as archive:
            saved, state = json.loads(archive.read("data")), read_state(archive)["run"]
        model.num_timesteps, model._n_updates = int(saved["num_timesteps"]), int(saved["_n_updates"])
    return model, state


@from_dataclasses
def main(context: typer.Context, config: Config, args: Arguments) -> None:
    """Train MaskablePPO against a pool of past selves and reference agents."""
    torch.set_num_threads(1)  # small networks gain nothing from more
    run, out = Run(args.out, CHECKPOINT), args.out
    with user_errors():
        args.check()
        config = run.settle(with_usual(config, given(context)), given(context), args.resume)
        loaded = check_table(config.game, config.scripted, [config.options])
        run.begin()
        delegated = load_delegated(loaded, config.delegate)
        envs = GameVecEnv(
            loaded, config.num_envs, whole=loaded.rules.fields.whole, delegate=delegated, **config.options
        )
        model, begun = go_on(envs, config, out) if args.resume else (begin(envs, config, out), None)
        others = [agents.load(name, loaded) for name in config.scripted]
        completed = partial(delegating, loaded, delegated=delegated)
        pool = Pool(out / "pool", others, config.seed, completed)
        if args.resume:
            pool.check(model)
        else:
            save(model, out, None)
        run.write(config, loaded)
    with run.going() as stop, args.tracked(config, out), training_bar() as progress:
        keeper = Keeper(out, pool, envs, config, args.checkpoint_every, stop, progress, begun)
        left = max(0, config.total_timesteps - model.num_timesteps)
        model.learn(left, callback=keeper, tb_log_name="log", reset_num_timesteps=not args.resume)
        if stop.asked:
            model.num_timesteps = keeper.learned  # of the rollout that was broken off nothing is kept
        save(model, out, keeper.state)
        made = {"config": asdict(config), "decisions": model.num_timesteps}
        save_model(out / POLICY, model, loaded, {"script": "titan_env.training.sb3_maskable_ppo", **made})
        print(f"The model is in {out / CHECKPOINT}, for MaskablePPO.load(), which runs what others hide in theirs.")
        name = delegating_name(f"policy:{quoted(str(out / POLICY))}", config.delegate)
        print(f"Play it as {name}")


if __name__ == "__main__":
    typer.run(main)
