"""A loop as CleanRL writes them, on the Gymnasium `VectorEnv`.

    python training/works_with/cleanrl_loop.py

Seen with torch 2.13.0.

REINFORCE with a mask. A step goes from the learner's decision to its own next one; the illegal logits are set to
minus infinity when acting and when learning. Observations are whole numbers, a quarter of the memory; `to_float` makes
the fractions that the network takes.
"""

import gymnasium as gym
import torch
from torch.distributions import Categorical

import titan_env

game = titan_env.load("titan_race")
envs = titan_env.GameVectorEnv(game, 16, titans=2, whole=True, autoreset_mode="SameStep")
envs = gym.wrappers.vector.RecordEpisodeStatistics(envs)
torch.manual_seed(1)
network = torch.nn.Sequential(
    torch.nn.Linear(envs.single_observation_space.shape[0], 64),
    torch.nn.Tanh(),
    torch.nn.Linear(64, int(envs.single_action_space.n)),
)
optimizer = torch.optim.Adam(network.parameters(), 1e-3)
observations, infos = envs.reset(seed=1)
for update in range(4):
    logs, rewards, ended = [], [], []
    for _ in range(64):
        mask = torch.as_tensor(infos["action_mask"]).bool()
        logits = network(torch.as_tensor(game.rules.fields.to_float(observations))).masked_fill(~mask, -torch.inf)
        policy = Categorical(logits=logits)
        actions = policy.sample()
        observations, reward, terminated, truncated, infos = envs.step(actions.numpy())
        logs.append(policy.log_prob(actions))
        rewards.append(torch.as_tensor(reward, dtype=torch.float32))
        ended.append(torch.as_tensor(terminated | truncated))
    returns, after = [], torch.zeros(16)
    for reward, over in zip(reversed(rewards), reversed(ended), strict=True):
        after = reward + 0.99 * after * ~over
        returns.append(after)
    loss = -(torch.stack(logs) * torch.stack(returns[::-1])).mean()
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
    assert not infos["illegal"].any()
    print(f"update {update}: loss {loss.item():.3f}")
