"""A small run of Pig for the tests of training."""

from __future__ import annotations

from titan_env import registry
from titan_env.training.ppo_config import Config

PIG = registry.load("pig")
SMALL = Config(
    game="pig",
    decisions=100_000,
    games=128,
    steps=32,
    width=16,
    learning_rate=3e-3,
    minibatch=1024,
    entropy=0.02,
    others=0.7,
    snapshot_every=2_000_000,
    scripted=("random",),
    seed=1,
)
