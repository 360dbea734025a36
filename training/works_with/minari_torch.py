"""Imitation from a Minari dataset, with plain PyTorch; the policy that it saves plays wherever an agent does.

    python training/works_with/minari_torch.py --game titan_race --decisions 100000 --save runs/imitation.onnx
    python training/works_with/minari_torch.py --players expert greedy --winners --decisions 100000 --save runs/won.onnx

Seen with minari 0.5.4, torch 2.13.0.

The players fill a dataset with so many decisions. A plain network then imitates each of them some ten times, or those
of winners alone, the plainest offline method (Chen et al. 2021, "Decision Transformer": "%BC").
"""

import argparse
import os
import tempfile
from pathlib import Path

os.environ["MINARI_DATASETS_PATH"] = tempfile.mkdtemp()

import minari
import numpy as np
import torch
from torch import nn

import titan_env
from titan_env.engine.option_text import read_options
from titan_env.training.export_policy import save_layers
from titan_env.training.minari_dataset import play, write

parser = argparse.ArgumentParser()
parser.add_argument("--game", default="titan_race")
parser.add_argument("-o", "--option", nargs="+", default=[], metavar="NAME=VALUE", help="Options of the game.")
parser.add_argument("--players", nargs="+", default=["expert"], help="Agent that plays the games of the dataset.")
parser.add_argument("--winners", action="store_true", help="Imitate only episodes with a reward above 0.")
parser.add_argument("--decisions", type=int, default=20_000, help="Decisions of the dataset.")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--save", type=Path, help="File of the policy.")
args = parser.parse_args()

GAMES, PASSES, BATCH = 16, 10, 256

game, options = titan_env.load(args.game), read_options(args.option)
torch.manual_seed(args.seed)
torch.set_num_threads(1)
rng = np.random.default_rng(args.seed)
episodes = play(game, args.players, GAMES, args.seed << 32, **options)
decisions = sum(len(episode.actions) for episode in episodes)
while decisions < args.decisions:
    played = play(game, args.players, GAMES, (args.seed << 32) + len(episodes), **options)
    episodes += played
    decisions += sum(len(episode.actions) for episode in played)
write(game, "imitation/games-v0", episodes, f"games of {', '.join(args.players)}")
dataset = list(minari.load_dataset("imitation/games-v0").iterate_episodes())
kept = [episode for episode in dataset if episode.rewards.sum() > 0 or not args.winners]
if not kept:
    raise SystemExit(f"expected an episode with a reward above 0, got none in {len(dataset)}; give more --decisions")
seen = torch.as_tensor(np.concatenate([episode.observations["observation"][:-1] for episode in kept]))
masks = torch.as_tensor(np.concatenate([episode.observations["action_mask"][:-1] for episode in kept])).bool()
actions = torch.as_tensor(np.concatenate([episode.actions for episode in kept]))
size, outputs = seen.shape[1], masks.shape[1]
network = nn.Sequential(nn.Linear(size, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, outputs))
optimizer = torch.optim.Adam(network.parameters(), 1e-3)
for _ in range(-(-PASSES * len(actions) // BATCH)):
    rows = torch.as_tensor(rng.integers(len(actions), size=BATCH))
    logits = network(seen[rows]).masked_fill(~masks[rows], -torch.inf)
    optimizer.zero_grad()
    nn.functional.cross_entropy(logits, actions[rows]).backward()
    optimizer.step()
with torch.no_grad():
    imitated = (network(seen).masked_fill(~masks, -torch.inf).argmax(1) == actions).float().mean()
print(f"{len(dataset)} episodes, {len(actions)} decisions to imitate, {imitated:.0%} imitated")
if args.save:
    made = {"trained": "minari_torch", "seed": args.seed, "decisions": args.decisions, "config": {"reward": "win"}}
    value = nn.Linear(size, 1)  # nothing is learned of positions
    nn.init.zeros_(value.weight), nn.init.zeros_(value.bias)
    save_layers(args.save, [*network], [value], game, made)
    print(f"wrote {args.save}")
