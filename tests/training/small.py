"""A small run of Pig for the tests of training."""

from __future__ import annotations

from titan_env import registry
from titan_env.training.ppo_config import Config

PIG = registry.load("pig")
SMALL = Config(
    game="pig",
    total_timesteps=100_000,
    num_envs=128,
    num_steps=32,
    width=16,
    learning_rate=3e-3,
    minibatch_size=1024,
    ent_coef=0.02,
    others=0.7,
    snapshot_every=2_000_000,
    scripted=("random",),
    seed=1,
)
