"""PPO with RLlib: self-play of all seats with one policy, from a laptop to a Ray cluster::

    make rllib
    .venv-rllib/bin/python -m training.rllib_ppo --option titans=4 --workers 2 --iterations 20 --out runs/rllib

In a Ray cluster run it on one of the machines, with ``--address auto`` and more workers. A run goes on from its
latest checkpoint with ``--resume``; TensorBoard shows the folder.
"""

from __future__ import annotations

import math
import os
from pathlib import Path
from typing import Annotated, Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

import ray
import typer
from ray.rllib.algorithms.ppo import PPO, PPOConfig
from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
from ray.rllib.core.rl_module.rl_module import RLModuleSpec
from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
from tensorboardX import SummaryWriter

from titan_env import registry
from titan_env.cli.seating import read_options
from titan_env.rllib import GameMultiAgentEnv
from training.policies import read_run, write_run

_STORE = 200_000_000  # bytes of Ray's object store on one machine: rollouts are small


def configure(game: str, options: dict[str, Any], workers: int, batch: int, seed: int) -> PPOConfig:
    """One masked policy in all seats."""
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config={"fcnet_hiddens": [256, 256], "fcnet_activation": "relu", "head_fcnet_hiddens": []},
    )
    return (
        PPOConfig()
        .environment(GameMultiAgentEnv, env_config={"game": game, **options}, disable_env_checking=True)
        .framework("torch")
        .env_runners(num_env_runners=workers, rollout_fragment_length="auto")
        .multi_agent(policies={"everybody"}, policy_mapping_fn=lambda agent, episode, **_: "everybody")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"everybody": module}))
        .training(
            train_batch_size_per_learner=batch, minibatch_size=min(1024, batch), num_epochs=3, gamma=0.999, lr=3e-4
        )
        .debugging(seed=seed)
    )


def main(
    game: Annotated[str, typer.Option(help="which game")] = next(iter(registry.GAMES)),
    option: Annotated[list[str] | None, typer.Option("--option", "-o", help="option of the game: name=value")] = None,
    workers: Annotated[int, typer.Option(min=0, help="processes that play")] = 2,
    iterations: Annotated[int, typer.Option(min=1, help="iterations in all")] = 20,
    batch: Annotated[int, typer.Option(min=64, help="decisions of an iteration")] = 4000,
    seed: Annotated[int, typer.Option(help="seed of play and weights")] = 0,
    address: Annotated[str, typer.Option(help="address of a Ray cluster; none: this machine")] = "",
    out: Annotated[Path, typer.Option(help="folder of the run")] = Path("runs/rllib"),
    resume: Annotated[bool, typer.Option("--resume", help="go on from the latest checkpoint in that folder")] = False,
) -> None:
    """Train a policy by self-play with RLlib."""
    out = out.resolve()
    checkpoint, settings = out / "checkpoint", out / "config.json"
    try:
        options = read_options(option or [])
        registry.load(game).configure(**options)
        if resume:
            chosen = read_run(settings, registry.load)
            if not checkpoint.exists():
                raise ValueError(f"expected a checkpoint to resume from, found no {checkpoint}")
        if not resume and settings.exists():
            raise ValueError(f"expected a new folder, but {out} holds a run; pass --resume, or another --out")
    except (ValueError, TypeError) as error:
        typer.echo(f"Error: {error}", err=True)
        raise typer.Exit(2) from None
    if address:
        try:
            ray.init(address=address)
        except (ConnectionError, ValueError) as error:
            typer.echo(f"Error: expected a Ray cluster at {address}, found none: {error}", err=True)
            raise typer.Exit(2) from None
    else:
        ray.init(num_cpus=max(2, workers + 1), include_dashboard=False, object_store_memory=_STORE)
    if not resume:
        out.mkdir(parents=True, exist_ok=True)
        chosen = {"game": game, "options": options, "workers": workers, "batch": batch, "seed": seed}
        write_run(settings, {**chosen, "ray": ray.__version__}, registry.load(game))
        config = configure(game, options, workers, batch, seed)
    else:
        config = configure(chosen["game"], chosen["options"], workers, chosen["batch"], chosen["seed"])
    algorithm = PPO(config)
    logs = SummaryWriter(str(out))
    if resume:
        algorithm.restore_from_path(str(checkpoint))
    while algorithm.iteration < iterations:
        result = algorithm.train()
        played = result["env_runners"]
        decisions, games = played["num_env_steps_sampled_lifetime"], played.get("num_episodes", 0)
        told = {**result["learners"]["everybody"], "games": games}
        for name, number in told.items():
            if isinstance(number, (int, float)) and math.isfinite(number):
                logs.add_scalar(name, number, int(decisions))
        typer.echo(
            f"iteration {algorithm.iteration}: {decisions:,.0f} decisions, {games:.0f} games, "
            f"{result['time_this_iter_s']:.1f} s"
        )
        algorithm.save_to_path(str(checkpoint))
    logs.close()
    algorithm.stop()
    ray.shutdown()


if __name__ == "__main__":
    typer.run(main)
