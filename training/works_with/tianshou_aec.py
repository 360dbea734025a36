"""Tianshou's `PettingZooEnv`, masks respected.

    python training/works_with/tianshou_aec.py

Seen with tianshou 2.0.1. Observations are float32, as in every AEC environment: whole numbers pay where many games are
played at once.
"""

from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector
from tianshou.env import DummyVectorEnv, PettingZooEnv

import titan_env

game = titan_env.load("titan_race")


def make() -> PettingZooEnv:
    """Return one race; an illegal action would raise."""
    return PettingZooEnv(titan_env.GameAEC(game, titans=2))


env = make()
players = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space) for _ in env.agents]
algorithm = MultiAgentOffPolicyAlgorithm(algorithms=players, env=env)
collector = Collector(algorithm, DummyVectorEnv([make, make]))
collector.reset()
print(collector.collect(n_episode=2))
