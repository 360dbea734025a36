"""TorchRL's `PettingZooWrapper` with masks, in a war of three: `DeadSteps`, as TorchRL asks who is out for an action.

    python training/works_with/torchrl_aec.py

Seen with torchrl 0.14.1. Observations are float32, as in every AEC environment: whole numbers pay where many games are
played at once.
"""

from torchrl.envs.libs.pettingzoo import PettingZooWrapper
from torchrl.envs.utils import check_env_specs

import titan_env
from titan_env.envs.dead_steps import DeadSteps

war = titan_env.GameAEC("titan_war", players=3, limit=400)
env = PettingZooWrapper(DeadSteps(war), use_mask=True, return_state=False)
check_env_specs(env)
env.set_seed(1)
rollout = env.rollout(100_000, break_when_any_done=False, break_when_all_done=True)
print(rollout["player_0", "observation", "observation"].shape, rollout["player_0", "action_mask"].shape)
ends = {agent: int(rollout["next", agent, "terminated"].sum()) for agent in war.possible_agents}
print("decisions after each seat's end:", ends)
