"""Decisions of scripted agents as a Minari dataset, imitated with plain PyTorch.

    python training/works_with/minari_torch.py

Seen with minari 0.5.4, torch 2.13.0.
"""

import os
import tempfile

os.environ["MINARI_DATASETS_PATH"] = tempfile.mkdtemp()

import minari
import numpy as np
import torch

import titan_env
from titan_env.training.minari_dataset import play, write

game = titan_env.load("titan_race")
write(game, "race/greedy-v0", play(game, ["greedy"], 4, 0, titans=2), "four races of greedy agents")
episodes = list(minari.load_dataset("race/greedy-v0").iterate_episodes())
seen = torch.as_tensor(np.concatenate([episode.observations["observation"][:-1] for episode in episodes]))
masks = torch.as_tensor(np.concatenate([episode.observations["action_mask"][:-1] for episode in episodes])).bool()
actions = torch.as_tensor(np.concatenate([episode.actions for episode in episodes]))
network = torch.nn.Linear(seen.shape[1], masks.shape[1])
optimizer = torch.optim.Adam(network.parameters(), 1e-2)
for _ in range(50):
    logits = network(seen).masked_fill(~masks, -torch.inf)
    loss = torch.nn.functional.cross_entropy(logits, actions)
    optimizer.zero_grad()
    loss.backward()
    optimizer.step()
print(f"{len(actions)} decisions, {(logits.argmax(1) == actions).float().mean():.0%} imitated")
