"""TorchRL's `PettingZooWrapper` with masks.

    python training/works_with/torchrl_aec.py

Seen with torchrl 0.14.1. Observations are float32, as in every AEC environment: whole numbers pay where many games are
played at once.
"""

from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.envs.utils import check_env_specs

import titan_env

game = titan_env.load("titan_race")
env = PettingZooWrapper(titan_env.GameAEC(game, titans=2), use_mask=True, return_state=False)
check_env_specs(env)
rollout = env.rollout(20)
print(rollout["player_0", "observation", "observation"].shape, rollout["player_0", "action_mask"].shape)
