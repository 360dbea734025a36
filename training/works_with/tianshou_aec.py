"""Tianshou's `PettingZooEnv`, masks respected, in a war of three: `DeadSteps`, as Tianshou ends with the first one out.

    python training/works_with/tianshou_aec.py

Seen with tianshou 2.0.1. Observations are float32, as in every AEC environment: whole numbers pay where many games are
played at once.
"""

from tianshou.algorithm.multiagent.marl import MultiAgentOffPolicyAlgorithm
from tianshou.algorithm.random import MARLRandomDiscreteMaskedOffPolicyAlgorithm
from tianshou.data import Collector
from tianshou.env import DummyVectorEnv, PettingZooEnv

import titan_env
from titan_env.envs.dead_steps import DeadSteps


def make() -> PettingZooEnv:
    """Return one war; an illegal action would raise."""
    return PettingZooEnv(DeadSteps(titan_env.GameAEC("titan_war", players=3, limit=400)))


env = make()
players = [MARLRandomDiscreteMaskedOffPolicyAlgorithm(action_space=env.action_space) for _ in env.agents]
algorithm = MultiAgentOffPolicyAlgorithm(algorithms=players, env=env)
collector = Collector(algorithm, DummyVectorEnv([make, make]))
collector.reset()
print(collector.collect(n_episode=2))
