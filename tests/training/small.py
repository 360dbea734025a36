"""A small run of Pig for the tests of training.

Pig: two players roll a die in turn (action 0, "roll") and add its faces to a heap. A 1 loses the heap and the turn;
"hold" (action 1) makes the heap safe and passes the turn. Who has 20 safe points first wins 1, the other loses 1.
"""

from __future__ import annotations

from titan_env import registry
from titan_env.training.ppo_config import Config

PIG = registry.load("pig")
ROLL, HOLD = (PIG.rules.actions.numbers[text] for text in ("roll", "hold"))
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
"""Rollouts of 32 decisions in each of 128 games, and a network of two hidden layers with 16 units."""
