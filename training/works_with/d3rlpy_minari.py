"""Decisions of scripted agents as a Minari dataset, imitated by d3rlpy, in an environment of its own.

    python -m titan_env.training.minari_dataset greedy -o titans=2 --games 100 --dataset race/x-v0 --folder runs/minari
    pip install -r training/works_with/requirements-d3rlpy.txt
    MINARI_DATASETS_PATH=runs/minari python training/works_with/d3rlpy_minari.py

Seen with d3rlpy 2.8.1, minari 0.5.4, gymnasium 1.0.0, torch 2.13.0 (CPU).

d3rlpy pins a Gymnasium that is older than this package takes, so nothing of it is imported here: the dataset has all
that is needed. Its algorithms know no masks; where one is played, its illegal choices have to be replaced.
"""

import d3rlpy
import minari
import numpy as np
from d3rlpy.dataset import MDPDataset

episodes = list(minari.load_dataset("race/greedy-v0").iterate_episodes())
seen = np.concatenate([episode.observations["observation"][:-1] for episode in episodes])
masks = np.concatenate([episode.observations["action_mask"][:-1] for episode in episodes])
actions = np.concatenate([episode.actions for episode in episodes])
dataset = MDPDataset(
    seen.astype(np.float32),
    actions,
    np.concatenate([episode.rewards for episode in episodes]).astype(np.float32),
    np.concatenate([episode.terminations for episode in episodes]).astype(np.float32),
    np.concatenate([episode.truncations for episode in episodes]).astype(np.float32),
    action_size=masks.shape[1],
)
clone = d3rlpy.algos.DiscreteBCConfig().create(device="cpu")
unlogged = d3rlpy.logging.NoopAdapterFactory()
clone.fit(dataset, n_steps=300, n_steps_per_epoch=300, show_progress=False, logger_adapter=unlogged)
chosen = clone.predict(seen.astype(np.float32))
illegal = masks[np.arange(len(chosen)), chosen] == 0
print(f"{len(actions)} decisions, {(chosen == actions).mean():.0%} imitated, {illegal.mean():.1%} illegal")
