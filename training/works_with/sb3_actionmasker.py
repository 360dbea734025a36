"""MaskablePPO on single environments, each with its mask.

    python training/works_with/sb3_actionmasker.py

Seen with sb3 2.9.2.
"""

from sb3_contrib import MaskablePPO
from sb3_contrib.common.maskable.evaluation import evaluate_policy
from sb3_contrib.common.wrappers import ActionMasker
from stable_baselines3.common.env_util import make_vec_env

import titan_env

game = titan_env.load("titan_race")


def make() -> ActionMasker:
    """Return one seat of a race; the wrapper is optional, for the environment answers `action_masks` itself."""
    return ActionMasker(titan_env.GameEnv(game, titans=2), lambda env: env.unwrapped.action_masks())


envs = make_vec_env(make, n_envs=4, seed=1)
model = MaskablePPO("MlpPolicy", envs, n_steps=64, batch_size=128, n_epochs=1, seed=1, device="cpu")
model.learn(256)
print(evaluate_policy(model, envs, n_eval_episodes=4, warn=False))
