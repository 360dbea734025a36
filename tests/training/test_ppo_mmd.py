"""Magnetic mirror descent by self-play in Goofspiel, whose bids are secret: best responses win less and less."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from titan_env import registry
from titan_env.engine.batch import Batch
from titan_env.play.sequence_form import Array, SmallGame
from titan_env.training.network import PolicyNetwork
from titan_env.training.ppo import Trainer
from titan_env.training.ppo_config import Config

pytestmark = [pytest.mark.thorough, pytest.mark.compiled]

GOOFSPIEL = registry.load("goofspiel")
TABLE = {"players": 2, "cards": 4}
MMD = Config(
    game="goofspiel",
    vary={name: [value] for name, value in TABLE.items()},
    total_timesteps=400_000,
    num_envs=256,
    num_steps=32,
    width=64,
    learning_rate=2e-3,
    minibatch_size=2048,
    ent_coef=0.5,
    kl_coef=0.5,
    others=0.0,
    scripted=(),
    seed=1,
)


def exploitability(small: SmallGame, network: PolicyNetwork) -> float:
    """Return what best responses win on average beyond the value of the game."""

    def plays(states: Any) -> Array:
        batch = Batch(GOOFSPIEL, len(states), templates=states)
        batch.refresh()
        with torch.no_grad():
            logits, _ = network(torch.from_numpy(batch.observations).float(), torch.from_numpy(batch.masks != 0))
        chances: Array = logits.double().softmax(1).numpy()
        return chances

    return small.exploitability(plays).mean


def trained(config: Config, out: Path) -> Trainer:
    """Return a finished run."""
    trainer = Trainer(GOOFSPIEL, config, out)
    while trainer.done < 1:
        trainer.iterate()
    return trainer


def test_best_responses_win_less_against_mirror_descent_and_more_against_ppo_without_entropy(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    first = Batch(GOOFSPIEL, 1, **TABLE)
    first.reseed_from(np.random.default_rng(0))
    first.start()
    small = SmallGame(GOOFSPIEL, first.states[0])
    mirror = trained(MMD, tmp_path / "mmd")
    greedy = trained(replace(MMD, ent_coef=0.0, kl_coef=0.0), tmp_path / "ppo")
    untrained = exploitability(small, mirror.past(0))
    assert untrained == pytest.approx(0.75, abs=0.02)
    assert exploitability(small, mirror.network) < untrained - 0.1
    assert exploitability(small, greedy.network) > untrained + 0.1, "a policy without chance is answered best"
