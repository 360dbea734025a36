"""MaskablePPO (sb3-contrib) by self-play against a pool of past selves and reference agents::

    python -m training.sb3_maskable_ppo --option titans=4 --decisions 5_000_000 --out runs/sb3

One seat of each of many games learns, in one process; the other seats are the newest self, older ones,
and the scripted agents, in turn. A run that was killed goes on with ``--resume``; ``tensorboard --logdir
runs/sb3`` shows it. `training/ppo.py` learns from every seat, and is several times as fast.
"""

from __future__ import annotations

import os
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import torch
import typer
from numpy.typing import NDArray
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from sb3_contrib import MaskablePPO
from stable_baselines3.common.callbacks import BaseCallback

import agents
from agents.match import win_shares
from titan_env import registry
from titan_env.cli.seating import read_options
from titan_env.sb3 import GameVecEnv
from training.policies import read_run, write_run


@dataclass(frozen=True)
class Config:
    """Everything that the result depends on; saved beside it."""

    game: str
    options: dict[str, Any]
    decisions: int
    games: int
    steps: int
    snapshot_every: int
    scripted: tuple[str, ...]
    seed: int


def as_agent(model: MaskablePPO, deterministic: bool = True) -> agents.Agent:
    """A model as an agent like any other."""

    def act(observations: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator) -> NDArray[np.int64]:
        """The most probable legal action of each row, or one drawn by its probability."""
        chosen: NDArray[np.int64] = model.predict(observations, action_masks=masks, deterministic=deterministic)[0]
        return chosen

    return act


class Pool:
    """Past selves in a folder, and the scripted agents: who sits in the other seats."""

    def __init__(self, folder: Path, scripted: list[agents.Agent], seed: int) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._folder, self._scripted = folder, scripted
        self._rng = np.random.default_rng(seed)

    def add(self, model: MaskablePPO) -> None:
        """Keep the model as it is now, whole or not at all."""
        path = self._folder / f"{model.num_timesteps:012d}.pt"
        torch.save(model.policy.state_dict(), path.with_suffix(".tmp"))
        os.replace(path.with_suffix(".tmp"), path)

    def seat(self, model: MaskablePPO, seats: int) -> list[agents.Agent]:
        """Agents for this many other seats: the newest self, an older one, a scripted one, and again."""
        saved = [path for path in sorted(self._folder.glob("*.pt")) if int(path.stem) <= model.num_timesteps]
        chosen: list[agents.Agent] = []
        for place in range(seats):
            if place % 3 == 2 and self._scripted:
                chosen.append(self._scripted[place // 3 % len(self._scripted)])
            else:
                path = saved[-1] if place % 3 == 0 else saved[self._rng.integers(len(saved))]
                chosen.append(self._past_self(model, path))
        return chosen

    def _past_self(self, model: MaskablePPO, path: Path) -> agents.Agent:
        """The agent of one snapshot, which draws its actions as it did when it learned."""
        policy = type(model.policy)(**model.policy._get_constructor_parameters())
        policy.load_state_dict(torch.load(path, weights_only=True))
        policy.set_training_mode(False)

        def act(
            observations: NDArray[np.float32], masks: NDArray[np.int8], rng: np.random.Generator
        ) -> NDArray[np.int64]:
            with torch.no_grad():
                distribution = policy.get_distribution(torch.from_numpy(observations), masks)
                actions: NDArray[np.int64] = distribution.get_actions().numpy()
            return actions

        return act


class Keeper(BaseCallback):
    """After every rollout: checkpoint, snapshot, evaluation and progress, each when it is due."""

    def __init__(
        self, out: Path, pool: Pool, games: GameVecEnv, config: Config, every: float, console: Console
    ) -> None:
        super().__init__()
        self._out, self._pool, self._games, self._config, self._every = out, pool, games, config, every
        self._console = console
        self._saved = time.monotonic()
        bar = (TextColumn("training"), BarColumn(), TextColumn("{task.fields[told]}"), TimeRemainingColumn())
        self._progress = Progress(*bar, console=console)
        self._task = self._progress.add_task("", total=config.decisions, told="")
        self._seats = int(games.table.templates["seats"].max()) - 1

    def _on_training_start(self) -> None:
        self._progress.start()
        self._snapshots = self.num_timesteps // self._config.snapshot_every
        self._invite()

    def _on_training_end(self) -> None:
        self.save()
        self._progress.stop()

    def _on_step(self) -> bool:
        return True

    def _on_rollout_end(self) -> None:
        done = self.num_timesteps
        self._progress.update(self._task, completed=done, told=f"{done:,} decisions")
        if done // self._config.snapshot_every > self._snapshots:
            self._snapshots = done // self._config.snapshot_every
            self._invite()
            self._evaluate()
        if time.monotonic() - self._saved > self._every:
            self.save()

    def _invite(self) -> None:
        """Keep a snapshot and seat others."""
        model: Any = self.model
        self._pool.add(model)
        self._games.set_opponents(self._pool.seat(model, self._seats))

    def _evaluate(self) -> None:
        """Race the scripted agents."""
        model: Any = self.model
        for name in self._config.scripted:
            game = self._games.table.game
            pair = {"learner": as_agent(model), name: agents.load(name, game)}
            share = win_shares(game, pair, 200, self._config.seed, **self._config.options)["learner"]
            self.logger.record(f"wins_against_{name}", share.rate)
            self._console.print(f"{self.num_timesteps:,} decisions: wins {share} against {name}")

    def save(self) -> None:
        """Write the checkpoint, and look at the clock."""
        self._saved = time.monotonic()
        save(self.model, self._out)


def stored_config(out: Path) -> Config:
    """The config of the run in a folder. Raises ValueError where there is no run to resume."""
    path = out / "config.json"
    if not path.exists() or not (out / "checkpoint.zip").exists():
        raise ValueError(f"expected a run with a checkpoint in {out} to resume, found none; start without --resume")
    stored = read_run(path, registry.load)
    return Config(**{**stored, "scripted": tuple(stored["scripted"])})


def claim(out: Path, config: Config, model: MaskablePPO) -> None:
    """Make the folder a run's: a first checkpoint, then the config, so that where there is a config one can resume."""
    out.mkdir(parents=True, exist_ok=True)
    save(model, out)
    write_run(out / "config.tmp", asdict(config), registry.load(config.game))
    os.replace(out / "config.tmp", out / "config.json")


def save(model: Any, out: Path) -> None:
    """Write the checkpoint, whole or not at all."""
    model.save(out / "half.zip")
    os.replace(out / "half.zip", out / "checkpoint.zip")


def begin(games: GameVecEnv, config: Config, out: Path) -> MaskablePPO:
    """A new model."""
    return MaskablePPO(
        "MlpPolicy",
        games,
        n_steps=config.steps,
        batch_size=min(2048, config.steps * config.games),
        n_epochs=3,
        gamma=0.999,
        ent_coef=0.01,
        learning_rate=1e-3,
        seed=config.seed,
        tensorboard_log=str(out),
        policy_kwargs={"net_arch": [256, 128]},
    )


def go_on(games: GameVecEnv, config: Config, out: Path) -> MaskablePPO:
    """The model of the checkpoint. Raises ValueError for a damaged one.

    Games begin anew, and all chance with them: on streams of this point of the run, not once more on the first ones.
    """
    try:
        model = MaskablePPO.load(out / "checkpoint.zip", env=games)
    except Exception as error:
        raise ValueError(f"expected a checkpoint in {out / 'checkpoint.zip'}, which is damaged: {error}") from None
    model.tensorboard_log = str(out)
    model.set_random_seed(config.seed + model.num_timesteps)
    return model


def main(
    game: Annotated[str, typer.Option(help="which game")] = next(iter(registry.GAMES)),
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="option of the game: name=value")] = None,
    decisions: Annotated[int, typer.Option(min=1, help="decisions of the learner")] = 5_000_000,
    games: Annotated[int, typer.Option(min=2, help="games at once")] = 256,
    steps: Annotated[int, typer.Option(min=2, help="decisions of each game in a rollout")] = 32,
    snapshot_every: Annotated[int, typer.Option(min=1, help="decisions between past selves")] = 250_000,
    scripted: Annotated[str, typer.Option(help="reference agents among the opponents")] = "greedy",
    seed: Annotated[int, typer.Option(help="seed of games, play and weights")] = 0,
    out: Annotated[Path, typer.Option(help="folder of the run")] = Path("runs/sb3"),
    resume: Annotated[
        bool, typer.Option("--resume", help="go on with the run in that folder, as its config says")
    ] = False,
    checkpoint_every: Annotated[float, typer.Option(help="seconds between checkpoints")] = 30.0,
) -> None:
    """Train MaskablePPO against a pool of past selves and reference agents."""
    torch.set_num_threads(1)  # small networks gain nothing from more
    try:
        if resume:
            config = stored_config(out)
        else:
            names = tuple(filter(None, scripted.split(",")))
            config = Config(game, read_options(option or []), decisions, games, steps, snapshot_every, names, seed)
            if (out / "config.json").exists():
                raise ValueError(f"expected a new folder, but {out} holds a run; pass --resume, or another --out")
        loaded = registry.load(config.game)
        others = [agents.load(name, loaded) for name in config.scripted]
        envs = GameVecEnv(loaded, config.games, **config.options)
        model = (go_on if resume else begin)(envs, config, out)
    except (ValueError, TypeError) as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None
    if not resume:
        claim(out, config, model)
    pool = Pool(out / "pool", others, config.seed + model.num_timesteps)
    keeper = Keeper(out, pool, envs, config, checkpoint_every, Console())
    left = max(0, config.decisions - model.num_timesteps)
    model.learn(left, callback=keeper, tb_log_name="log", reset_num_timesteps=not resume)
    typer.echo(f"The model is in {out / 'checkpoint.zip'}: MaskablePPO.load() reads it.")


if __name__ == "__main__":
    typer.run(main)
