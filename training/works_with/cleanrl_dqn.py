"""Masked double DQN in the manner of CleanRL, on one page; the policy that it saves plays wherever an agent does.

    python training/works_with/cleanrl_dqn.py --game titan_race -o titans=2 --decisions 1000000 --save runs/dqn.onnx
    python -m titan_env.evaluation.matches.evaluate policy:runs/dqn.onnx random greedy -o titans=2

Seen with torch 2.13.0.

A plain network, the payoff as reward, random opponents, no adviser and no search. The mask of the next decision is kept
beside each transition, and both networks choose among legal actions only. The memory holds packed observations.
"""

import argparse
import copy
from pathlib import Path

import numpy as np
import torch
from torch import nn

import titan_env
from titan_env.engine.option_text import read_options
from titan_env.training.export_policy import save_layers

parser = argparse.ArgumentParser()
parser.add_argument("--game", default="titan_race")
parser.add_argument("-o", "--option", nargs="+", default=[], metavar="NAME=VALUE", help="Options of the game.")
parser.add_argument("--without", nargs="+", help="Observation fields to leave out, by name or pattern.")
parser.add_argument("--decisions", type=int, default=20_000, help="Decisions to learn from.")
parser.add_argument("--memory", type=int, default=200_000, help="Size of the replay buffer, in transitions.")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--save", type=Path, help="File of the policy.")
args = parser.parse_args()

GAMES, STEPS, BATCH, UPDATES = 64, 16, 256, 24
GAMMA, AVERAGED, FIRST_CHANCE, LAST_CHANCE = 0.999, 0.01, 1.0, 0.05

game = titan_env.load(args.game)
envs = titan_env.GameVectorEnv(
    game, GAMES, whole=True, without=args.without, autoreset_mode="SameStep", **read_options(args.option)
)
layout, actions = envs.view.layout, int(envs.single_action_space.n)
packer = titan_env.ObservationPacker(layout)
torch.manual_seed(args.seed)
torch.set_num_threads(1)
rng = np.random.default_rng(args.seed)
worths = nn.Sequential(nn.Linear(layout.size, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU(), nn.Linear(256, actions))
averaged = copy.deepcopy(worths)
optimizer = torch.optim.Adam(worths.parameters(), 3e-4)
memory = {
    "seen": np.zeros((args.memory, packer.size), np.uint8),
    "next": np.zeros((args.memory, packer.size), np.uint8),
    "mask": np.zeros((args.memory, actions), np.bool_),  # of the next decision
    "action": np.zeros(args.memory, np.int64),
    "reward": np.zeros(args.memory, np.float32),
    "goes_on": np.zeros(args.memory, np.float32),  # the discount of the next decision's worth; 0 at the end
}


def fractions(packed: np.ndarray) -> torch.Tensor:
    """Return packed observations (B, bytes) as the network takes them, float32 (B, V)."""
    return torch.from_numpy(layout.to_float(packer.unpack(packed)))


def best(network: nn.Module, seen: torch.Tensor, mask: np.ndarray) -> torch.Tensor:
    """Return the legal actions of the highest worth, int64 (B,)."""
    return network(seen).masked_fill(~torch.from_numpy(mask), -torch.inf).argmax(dim=1)


observations, infos = envs.reset(seed=args.seed)
decisions = 0
while (spent := decisions / args.decisions) < 1:
    chance = max(LAST_CHANCE, FIRST_CHANCE - 2 * spent * (FIRST_CHANCE - LAST_CHANCE))
    kept = {name: np.zeros((STEPS, GAMES, *values.shape[1:]), values.dtype) for name, values in memory.items()}
    for step in range(STEPS):
        masks, kept["seen"][step] = infos["action_mask"] != 0, packer.pack(observations)
        with torch.no_grad():
            chosen = best(worths, torch.from_numpy(layout.to_float(observations)), masks).numpy()
        any_legal = (rng.random(masks.shape) * masks).argmax(axis=1)
        kept["action"][step] = chosen = np.where(rng.random(GAMES) < chance, any_legal, chosen)
        observations, kept["reward"][step], terminated, truncated, infos = envs.step(chosen)
        kept["goes_on"][step] = GAMMA * ~(terminated | truncated)
    kept["next"][:], kept["mask"][:] = packer.pack(observations), infos["action_mask"] != 0
    for step in reversed(range(STEPS - 1)):  # rewards of all decisions up to the last one of the rollout
        kept["reward"][step] += kept["goes_on"][step] * kept["reward"][step + 1]
        kept["goes_on"][step] *= kept["goes_on"][step + 1]
    slots = (decisions + np.arange(STEPS * GAMES)) % args.memory
    for name, values in kept.items():
        memory[name][slots] = values.reshape(STEPS * GAMES, *values.shape[2:])
    decisions += STEPS * GAMES
    for _ in range(UPDATES):
        rows = rng.integers(min(decisions, args.memory), size=BATCH)
        drawn = {name: values[rows] for name, values in memory.items()}
        seen, later = fractions(drawn["seen"]), fractions(drawn["next"])
        with torch.no_grad():
            follows = averaged(later).gather(1, best(worths, later, drawn["mask"])[:, None])[:, 0]
            target = torch.from_numpy(drawn["reward"]) + torch.from_numpy(drawn["goes_on"]) * follows
        now = worths(seen).gather(1, torch.from_numpy(drawn["action"])[:, None])[:, 0]
        optimizer.zero_grad()
        nn.functional.smooth_l1_loss(now, target).backward()
        optimizer.step()
        with torch.no_grad():
            for slow, quick in zip(averaged.parameters(), worths.parameters(), strict=True):
                slow.lerp_(quick, AVERAGED)
    if decisions % (8 * STEPS * GAMES) == 0:
        print(f"{decisions:9,} decisions, {chance:.0%} of them at random, mean worth {now.mean().item():+.2f}")
if args.save:
    made = {"trained": "cleanrl_dqn", "seed": args.seed, "decisions": decisions, "config": {"reward": "win"}}
    value = nn.Linear(layout.size, 1)  # nothing is learned of positions but through actions
    nn.init.zeros_(value.weight), nn.init.zeros_(value.bias)
    save_layers(args.save, [*worths], [value], game, made, view=envs.view)
    print(f"wrote {args.save}")
