"""AgileRL's `train_on_policy` on the Gymnasium `VectorEnv`, in an environment of its own.

    pip install -r training/works_with/requirements-agilerl.txt && pip install --no-deps -e .
    python training/works_with/agilerl_vector.py

Seen with agilerl 2.58.0, peft 0.21.2, pettingzoo 1.26.1, torch 2.13.0 (CPU).

It reads the mask from ``infos["action_mask"]`` by itself. Observations are float32: its networks take them as they
come.
"""

from agilerl.algorithms import PPO
from agilerl.training.train_on_policy import train_on_policy

import titan_env

envs = titan_env.GameVectorEnv(
    titan_env.load("titan_race"), 16, titans=2, autoreset_mode="SameStep", on_illegal="raise"
)
agent = PPO(envs.single_observation_space, envs.single_action_space, num_envs=16, learn_step=512, batch_size=128)
agents, shares = train_on_policy(
    envs, "titan_race", "PPO", [agent], max_steps=1024, evo_steps=512, eval_steps=100, verbose=False
)
print(f"{agents[0].steps} decisions without an illegal one; reward in evaluation {shares[0]:.2f}")
