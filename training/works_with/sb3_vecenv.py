"""Stable-Baselines3's MaskablePPO on many games in one process.

    python training/works_with/sb3_vecenv.py

Seen with sb3 2.9.2. Observations are float32: SB3's networks take them as they come and divide nothing but pictures.
"""

from sb3_contrib import MaskablePPO

import titan_env

envs = titan_env.GameVecEnv(titan_env.load("titan_race"), 16, titans=2)
envs.seed(1)
model = MaskablePPO("MlpPolicy", envs, n_steps=32, batch_size=128, n_epochs=1, seed=1, device="cpu")
model.learn(512)
actions, _ = model.predict(envs.reset(), action_masks=envs.action_masks())
print(actions.shape)
