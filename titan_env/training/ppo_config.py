"""The config of a run of `titan_env.training.ppo`."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Annotated, Any

from titan_env.cli.options import DEFAULT_GAME, Also, Bounds, Choices, Delegates, GameName, Scripted, check_bounds


@dataclass(frozen=True)
class Config:
    """All settings on which the result depends; they are saved with it."""

    game: GameName = DEFAULT_GAME
    vary: Choices = field(default_factory=dict)
    also: Also = field(default_factory=dict)
    total_timesteps: Annotated[int, Bounds(1)] = 110_000_000
    """Decisions of the run; another number may be given with --resume."""
    minutes: Annotated[float, Bounds(0)] = 0.0
    """Limit of the learning time in minutes; 0: none."""
    num_envs: Annotated[int, Bounds(2)] = 1024
    """Number of games played in parallel."""
    processes: Annotated[int, Bounds(1)] = 1
    """Processes that share the games and sum their gradients; best with --threads 1."""
    num_steps: Annotated[int, Bounds(2)] = 128
    """Decisions of each game in a rollout."""
    update_epochs: Annotated[int, Bounds(1)] = 3
    """Epochs of learning from each rollout."""
    sure: Annotated[float, Bounds(0.01, 1)] = 0.3
    """Share of the nearly certain decisions used in an epoch."""
    learning_rate: Annotated[float, Bounds(0)] = 7e-4
    """Learning rate of Adam at the start; it falls linearly to a tenth."""
    width: Annotated[int, Bounds(8)] = 256
    """Units of each hidden layer."""
    critic: bool = False
    """Give the value hidden layers of its own."""
    scripted: Scripted = ("random",)
    seed: Annotated[int, Bounds(0)] = 0
    """Seed of the games, the play and the weights."""
    minibatch_size: Annotated[int, Bounds(4)] = 4096
    """Decisions in one step of Adam."""
    gamma: Annotated[float, Bounds(0, 1)] = 0.999
    """Discount factor per decision."""
    gae_lambda: Annotated[float, Bounds(0, 1)] = 0.8
    """Lambda of the generalised advantage estimate."""
    value_gae_lambda: Annotated[float, Bounds(0, 1)] = 0.8
    """Lambda of the value's targets."""
    clip_coef: Annotated[float, Bounds(1e-9)] = 0.2
    """Clipping coefficient of the probability ratio."""
    ent_coef: Annotated[float, Bounds(0)] = 0.002
    """Coefficient of the entropy at the start; it falls linearly to a tenth."""
    kl_coef: Annotated[float, Bounds(0)] = 0.0
    """Coefficient of the reverse KL divergence from the rollout's policy, 0 for PPO, above 0 magnetic mirror descent;
    it falls as that of the entropy."""
    vf_coef: Annotated[float, Bounds(0)] = 0.5
    """Coefficient of the value loss."""
    max_grad_norm: Annotated[float, Bounds(1e-9)] = 0.5
    """Maximum norm of the gradient."""
    delegate: Delegates = None
    others: Annotated[float, Bounds(0, 1)] = 0.3
    """Share of the games with past selves and reference agents in some seats."""
    past_selves: Annotated[int, Bounds(1)] = 2
    """Number of past selves that play at a time."""
    snapshot_every: Annotated[int, Bounds(1)] = 1_000_000
    """Decisions between snapshots of past selves."""
    reward: str = "win"
    """Reward at the end of a game: win, rank or score."""
    start: str = ""
    """File with the initial weights: a policy.onnx or a checkpoint.pt."""
    adviser: str = ""
    """Agent whose action scores are an input of the network: expert; left out, that of --start or the game's own;
    '' for none."""
    trust: Annotated[float, Bounds(0)] = 4.0
    """Initial weight of an advice of 1 in a logit."""
    teacher: str = ""
    """Agent whose decisions are imitated at first: expert."""
    lessons: Annotated[float, Bounds(0, 1)] = 0.25
    """Share of the run with imitation, at a falling weight."""

    def __post_init__(self) -> None:
        """Raise ValueError for numbers out of range."""
        check_bounds(self)

    def dealt(self) -> list[dict[str, Any]]:
        """Return the options of each game: those of all tables, assigned in rotation.

        Raises ValueError for fewer games than tables.
        """
        setups = tables_of(self.vary, self.also)
        if len(setups) > self.num_envs:
            raise ValueError(f"expected at least {len(setups)} games, one for each combination, got {self.num_envs}")
        return [setups[i % len(setups)] for i in range(self.num_envs)]


def tables_of(
    vary: Mapping[str, Sequence[Any]], also: Mapping[str, Sequence[Any]] | None = None
) -> list[dict[str, Any]]:
    """Return the options of all tables: each combination of the values in `vary`, then each single option in `also`."""
    combined = [dict(zip(vary, values, strict=True)) for values in itertools.product(*vary.values())]
    return combined + [{name: value} for name, values in (also or {}).items() for value in values]
