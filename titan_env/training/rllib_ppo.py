"""Train a policy with RLlib's PPO: self-play of all seats, from a laptop to a Ray cluster::

    make rllib
    .venv-rllib/bin/python -m titan_env.training.rllib_ppo -o titans=4 --workers 2 --iterations 20 --out runs/rllib

In a Ray cluster run it on one of the machines, with ``--address auto`` and more workers. A run that was stopped or
killed continues from its latest checkpoint with ``--resume``, in new games: RLlib keeps neither the episodes of its env
runners nor their generators. TensorBoard shows the folder.
"""

from __future__ import annotations

import math
import os
import shutil
from dataclasses import asdict, dataclass, field
from numbers import Real
from pathlib import Path
from typing import Annotated, Any

os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
os.environ.setdefault("RAY_ACCEL_ENV_VAR_OVERRIDE_ON_ZERO", "0")

try:
    import ray
    import typer
    from ray.rllib.algorithms.ppo import PPO, PPOConfig
    from ray.rllib.core.rl_module.multi_rl_module import MultiRLModuleSpec
    from ray.rllib.core.rl_module.rl_module import RLModuleSpec
    from ray.rllib.examples.rl_modules.classes.action_masking_rlm import ActionMaskingTorchRLModule
    from tensorboardX import SummaryWriter
except ModuleNotFoundError as missing:
    raise SystemExit(
        f"Error: expected {missing.name}; run make rllib, and then this script with .venv-rllib/bin/python"
    ) from None

from titan_env import registry
from titan_env.agents.delegate import delegating_name, load_delegated
from titan_env.agents.name_grammar import quoted
from titan_env.cli.console import check_table, given, user_errors
from titan_env.cli.options import (
    DEFAULT_GAME,
    Bounds,
    Delegates,
    GameName,
    GameOptions,
    Resume,
    check_bounds,
    from_dataclasses,
)
from titan_env.contract import Game
from titan_env.envs.rllib import GameMultiAgentEnv
from titan_env.records.atomic_files import replace_atomically
from titan_env.training.export_policy import save_layers
from titan_env.training.run_folder import POLICY, Run
from titan_env.training.tracking import Tracking

_STRIDE = 1000  # between the seeds of neighbouring iterations; Ray adds the number of a worker to a seed
_STORE = 200_000_000  # bytes of Ray's object store on one machine: rollouts are small


@dataclass(frozen=True)
class Config:
    """All settings on which the result depends; they are saved with it."""

    game: GameName = DEFAULT_GAME
    options: GameOptions = field(default_factory=dict)
    workers: Annotated[int, Bounds(0)] = 2
    """Processes that play."""
    iterations: Annotated[int, Bounds(1)] = 20
    """Iterations of the run; another number may be given with --resume."""
    batch: Annotated[int, Bounds(64)] = 4000
    """Decisions of an iteration."""
    seed: Annotated[int, Bounds(0)] = 0
    """Seed of the play and the weights."""
    update_epochs: Annotated[int, Bounds(1)] = 3
    """Epochs of learning from each iteration."""
    minibatch_size: Annotated[int, Bounds(1)] = 1024
    """Decisions in one step of Adam."""
    learning_rate: Annotated[float, Bounds(0)] = 3e-4
    """Learning rate of Adam."""
    gamma: Annotated[float, Bounds(0, 1)] = 0.999
    """Discount factor per decision."""
    layers: tuple[int, ...] = (256, 256)
    """Units of a hidden layer; repeated for each of them."""
    delegate: Delegates = None

    def __post_init__(self) -> None:
        """Raise ValueError for numbers out of range."""
        check_bounds(self)


@dataclass(frozen=True)
class Arguments(Tracking):
    """The options beside the config."""

    address: str = ""
    """Address of a Ray cluster; none: this machine."""
    out: Path = Path("runs/rllib")
    """Folder of the run."""
    resume: Resume = False


class DelegatingEnv(GameMultiAgentEnv):
    """The environment with agents that its config names by text, since those travel to other processes."""

    def __init__(self, config: dict[str, Any]) -> None:
        delegated = load_delegated(registry.game_of(config["game"]), config.get("delegate"))
        super().__init__({**config, "delegate": delegated})


def algorithm_of(config: Config, begun: int = 0) -> PPO:
    """Return RLlib's PPO with one masked policy in all seats; `begun` iterations are done, and other seeds follow."""
    module = RLModuleSpec(
        module_class=ActionMaskingTorchRLModule,
        model_config={"fcnet_hiddens": list(config.layers), "fcnet_activation": "relu", "head_fcnet_hiddens": []},
    )
    minibatch = min(config.minibatch_size, config.batch)
    return PPO(
        PPOConfig()
        .environment(
            DelegatingEnv,
            env_config={"game": config.game, "delegate": config.delegate, **config.options},
            disable_env_checking=True,
        )
        .framework("torch")
        .env_runners(num_env_runners=config.workers, rollout_fragment_length="auto")
        .multi_agent(policies={"everybody"}, policy_mapping_fn=lambda agent, episode, **_: "everybody")
        .rl_module(rl_module_spec=MultiRLModuleSpec(rl_module_specs={"everybody": module}))
        .training(
            train_batch_size_per_learner=config.batch,
            minibatch_size=minibatch,
            num_epochs=config.update_epochs,
            gamma=config.gamma,
            lr=config.learning_rate,
        )
        .debugging(seed=config.seed + _STRIDE * begun)
    )


def start_ray(address: str, workers: int) -> None:
    """Start Ray on this machine, or connect to a cluster. Raises ValueError if there is none at the address."""
    if not address:
        ray.init(num_cpus=max(2, workers + 1), include_dashboard=False, object_store_memory=_STORE)
        return
    try:
        ray.init(address=address)
    except (ConnectionError, ValueError) as error:
        raise ValueError(f"expected a Ray cluster at {address}, found none: {error}") from None


def save(algorithm: PPO, run: Run) -> None:
    """Write a checkpoint atomically, and remove earlier ones."""
    before = list(run.folder.glob(run.checkpoints))
    path = run.folder / f"checkpoint-{algorithm.iteration:06d}"
    replace_atomically(path, lambda half: algorithm.save_to_path(str(half)))
    for folder in before:
        shutil.rmtree(folder)


def resume_from(path: Path | None, algorithm: PPO) -> None:
    """Restore a checkpoint. Raises ValueError for a damaged one."""
    try:
        algorithm.restore_from_path(str(path))
    except Exception:  # any error: damaged files raise anything
        reason = "which is damaged or belongs to another run; start anew with another --out"
        raise ValueError(f"expected a checkpoint of this run in {path}, {reason}") from None


def iterate(algorithm: PPO, logs: Any) -> None:
    """Run one iteration, print a line about it, and log it for TensorBoard."""
    result = algorithm.train()
    played = result["env_runners"]
    decisions, games = played["num_env_steps_sampled_lifetime"], played.get("num_episodes", 0)
    for name, number in {**result["learners"]["everybody"], "games": games}.items():
        if isinstance(number, Real) and math.isfinite(number):  # of NumPy's kinds too
            logs.add_scalar(name, number, int(decisions))
    print(
        f"iteration {algorithm.iteration}: {decisions:,.0f} decisions, {games:.0f} games, "
        f"{result['time_this_iter_s']:.1f} s",
        flush=True,
    )


def export(path: Path, algorithm: PPO, game: Game, config: Config) -> None:
    """Write the trained policy as a file that `titan_env.agents.load` reads."""
    learners = algorithm.learner_group.foreach_learner(lambda learner: learner.module["everybody"])
    module = next(iter(learners)).get()
    actor, critic = module.encoder.actor_encoder, module.encoder.critic_encoder
    policy, value = [*actor.net.mlp, *module.pi.net.mlp], [*critic.net.mlp, *module.vf.net.mlp]
    save_layers(path, policy, value, game, {"script": "titan_env.training.rllib_ppo", "config": asdict(config)})


@from_dataclasses
def main(context: typer.Context, config: Config, args: Arguments) -> None:
    """Train a policy by self-play with RLlib."""
    run = Run(args.out.resolve(), "checkpoint-*", length="iterations", free=("workers",))
    with user_errors():
        args.check()
        config = run.settle(config, given(context), args.resume)
        loaded = check_table(config.game, [], [config.options])
        load_delegated(loaded, config.delegate)
        run.begin()
        start_ray(args.address, config.workers)
        algorithm = algorithm_of(config, int(str(run.latest)[-6:]) if args.resume else 0)
        if args.resume:
            resume_from(run.latest, algorithm)
        else:
            save(algorithm, run)
        run.write(config, loaded)
    with run.going() as stop, args.tracked(config, args.out), SummaryWriter(str(args.out)) as logs:
        while algorithm.iteration < config.iterations and not stop.asked:
            iterate(algorithm, logs)
            save(algorithm, run)
    export(run.folder / POLICY, algorithm, loaded, config)
    algorithm.stop()
    ray.shutdown()
    name = delegating_name(f"policy:{quoted(str(args.out / POLICY))}", config.delegate)
    print(f"The latest checkpoint is {run.latest}; play it as {name}")


if __name__ == "__main__":
    typer.run(main)
