"""The config of a run of `titan_env.training.ppo`."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from titan_env import registry
from titan_env.training.run_folder import at_least, at_most


@dataclass(frozen=True)
class Config:
    """All settings on which the result depends; they are saved with it."""

    game: str = next(iter(registry.GAMES))
    vary: Mapping[str, Sequence[Any]] | None = None  # option -> its values; one given twice has double weight
    also: Mapping[str, Sequence[Any]] | None = None  # further tables, each with one option only
    total_timesteps: int = 110_000_000
    minutes: float = 0.0  # the limit of learning time; 0: none
    num_envs: int = 1024
    num_steps: int = 128
    update_epochs: int = 3
    sure: float = 0.3  # share of the nearly certain decisions used in an epoch
    learning_rate: float = 7e-4  # falls to a tenth along a line
    width: int = 256
    critic: bool = False  # the value has hidden layers of its own
    scripted: tuple[str, ...] = ("random",)
    seed: int = 0
    minibatch_size: int = 4096
    gamma: float = 0.999
    gae_lambda: float = 0.8  # lambda of the generalised advantage estimate
    value_gae_lambda: float = 0.8  # lambda of the value's targets
    clip_coef: float = 0.2
    ent_coef: float = 0.002  # falls to a tenth along a line
    vf_coef: float = 0.5
    max_grad_norm: float = 0.5
    delegate: Mapping[str, str] | None = None  # question -> the agent that answers it in the learner's seats
    others: float = 0.3  # share of the games with others in some seats
    past_selves: int = 2  # snapshots that play at a time
    snapshot_every: int = 1_000_000
    reward: str = "win"  # or "rank", "score"
    start: str = ""  # the file with the initial weights
    adviser: str = ""  # an agent whose action scores are an input of the network, in training and play
    trust: float = 4.0  # the initial weight of an advice of 1 in a logit
    teacher: str = ""  # an agent whose decisions are imitated at first
    lessons: float = 0.25  # share of the run with imitation, at a falling weight

    def __post_init__(self) -> None:
        """Raise ValueError for numbers out of range."""
        at_least(
            self,
            total_timesteps=1,
            num_envs=2,
            num_steps=2,
            update_epochs=1,
            minibatch_size=4,
            learning_rate=0,
            width=8,
        )
        at_least(
            self, past_selves=1, snapshot_every=1, seed=0, ent_coef=0, vf_coef=0, max_grad_norm=1e-9, clip_coef=1e-9
        )
        at_least(self, sure=0.01, gamma=0, gae_lambda=0, value_gae_lambda=0, others=0, minutes=0, lessons=0, trust=0)
        at_most(self, sure=1, gamma=1, gae_lambda=1, value_gae_lambda=1, others=1, lessons=1)

    def dealt(self) -> list[dict[str, Any]]:
        """Return the options of each game: those of all tables, assigned in rotation.

        Raises ValueError for fewer games than tables.
        """
        tables = tables_of(self.vary or {}, self.also or {})
        if len(tables) > self.num_envs:
            raise ValueError(f"expected at least {len(tables)} games, one for each combination, got {self.num_envs}")
        return [tables[i % len(tables)] for i in range(self.num_envs)]


def tables_of(
    vary: Mapping[str, Sequence[Any]], also: Mapping[str, Sequence[Any]] | None = None
) -> list[dict[str, Any]]:
    """Return the options of all tables: each combination of the values in `vary`, then each single option in `also`."""
    combined = [dict(zip(vary, values, strict=True)) for values in itertools.product(*vary.values())]
    return combined + [{name: value} for name, values in (also or {}).items() for value in values]
