"""Gumbel AlphaZero in plain PyTorch, on one page; the policy that it saves plays wherever an agent does.

    python training/works_with/torch_alphazero.py --game titan_race -o titans=2 --decisions 100000 --save runs/zero.onnx
    python -m titan_env.evaluation.matches.evaluate policy:runs/zero.onnx random greedy -o titans=2

Seen with torch 2.13.0.

Self-play by every seat, the payoff as value, no adviser. In a share of the decisions (Wu 2019, "Accelerating Self-Play
Learning in Go") a search tries some actions in imagined worlds, in which all that the seat cannot know is drawn anew,
and halves them by turns (Danihelka et al. 2022, "Policy improvement by planning with Gumbel"). The policy learns what
the search makes of it, the value what games were worth in the end.
"""

import argparse
from pathlib import Path

import numpy as np
import torch
from scipy.special import softmax
from torch import nn

import titan_env
from titan_env.engine.option_text import read_options
from titan_env.play.determinization import Determinizations
from titan_env.training.export_policy import save_layers

parser = argparse.ArgumentParser()
parser.add_argument("--game", default="titan_race")
parser.add_argument("-o", "--option", nargs="+", default=[], metavar="NAME=VALUE", help="Options of the game.")
parser.add_argument("--decisions", type=int, default=20_000, help="Decisions to learn from.")
parser.add_argument("--memory", type=int, default=100_000, help="Size of the replay buffer, in decisions.")
parser.add_argument("--seed", type=int, default=1)
parser.add_argument("--save", type=Path, help="File of the policy.")
args = parser.parse_args()

GAMES, STEPS, BATCH, UPDATES = 64, 16, 256, 24
SEARCHED, CONSIDERED, WORLDS = 0.25, 8, 4  # share of the decisions, actions that are tried first, worlds of each
VISITS, SCALE = 50, 0.5  # an action's worth counts SCALE * (VISITS + its most visits) as much as its logit

game = titan_env.load(args.game)
torch.manual_seed(args.seed)
torch.set_num_threads(1)
rng = np.random.default_rng(args.seed)
fields = game.rules.fields
batch = titan_env.Batch(game, GAMES, whole=fields.whole, **read_options(args.option))
batch.reseed_from(rng)
batch.start()
inputs, actions = batch.observations.shape[1], batch.masks.shape[1]
trunk = nn.Sequential(nn.Linear(inputs, 256), nn.ReLU(), nn.Linear(256, 256), nn.ReLU())
policy, value = nn.Linear(256, actions), nn.Sequential(nn.Linear(256, 1), nn.Tanh())
with torch.no_grad():
    policy.weight *= 0.01  # so that it begins nearly uniform
optimizer = torch.optim.Adam([*trunk.parameters(), *policy.parameters(), *value.parameters()], 1e-3)


def ask(observations, masks):
    """Return logits (B, A), very low where a mask forbids, and values (B,) of the seats that observe."""
    with torch.no_grad():
        hidden = trunk(torch.from_numpy(observations))
        return np.where(masks, policy(hidden).numpy(), -1e9), value(hidden)[:, 0].numpy()


def draw(logits):
    """Draw actions (B,) with the chances that logits (B, A) give."""
    return (logits + rng.gumbel(size=logits.shape)).argmax(1)


def worth_of(worlds, seats):
    """Return what positions are worth to these seats: the payoff of a game that is over, else the network's value."""
    every = np.arange(len(seats))
    final = worlds.over | (worlds.states["out"][every, seats] != 0)
    _, values = ask(worlds.observe(seats), True)
    return np.where(final, worlds.payoffs()[every, seats], values)


def search(rows):
    """Return the policy that a search makes of the network's, (B, A), and the actions it likes best, (B,)."""
    masks, lines = batch.masks[rows] != 0, np.arange(len(rows))[:, None]
    logits, values = ask(fields.to_float(batch.observations[rows]), masks)
    chances = softmax(logits, axis=1)
    sampled = logits + rng.gumbel(size=logits.shape)
    imagined = Determinizations(game, batch.states[rows].view(np.recarray), rng)
    total, visits = np.zeros((2, *logits.shape))
    left = min(CONSIDERED, actions)
    tried = np.argsort(-sampled, axis=1)[:, :left]
    while True:
        tried = np.where(np.take_along_axis(masks, tried, 1), tried, tried[:, :1])  # always a legal one
        worlds = imagined.imagine(WORLDS, rng)
        worlds = worlds.select(np.repeat(np.arange(worlds.num_games), left))
        worlds.step(np.repeat(tried, WORLDS, axis=0).ravel())
        worth = worth_of(worlds, np.repeat(imagined.seats, WORLDS * left)).reshape(-1, WORLDS, left).sum(1)
        np.add.at(total, (lines, tried), worth)
        np.add.at(visits, (lines, tried), WORLDS)
        seen = np.where(visits > 0, chances, 0)
        mean = total / np.maximum(visits, 1)
        count = visits.sum(1)
        mixed = (values + count * (seen * mean).sum(1) / np.maximum(seen.sum(1), 1e-9)) / (1 + count)
        better = (VISITS + visits.max(1, keepdims=True)) * SCALE * np.where(visits > 0, mean, mixed[:, None])
        left //= 2
        tried = np.take_along_axis(tried, np.argsort(-np.take_along_axis(sampled + better, tried, 1), axis=1), 1)
        tried = tried[:, : max(1, left)]
        if left < 2:
            return softmax(logits + better, axis=1), tried[:, 0]


shape = (args.memory // GAMES, GAMES)
memory = {
    "seen": np.zeros((*shape, inputs), batch.observations.dtype),  # whole numbers, where the game counts in them
    "mask": np.zeros((*shape, actions), np.bool_),
    "better": np.zeros((*shape, actions), np.float32),  # the policy that a search found
    "searched": np.zeros(shape, np.bool_),
    "seat": np.zeros(shape, np.int64),
    "worth": np.zeros(shape, np.float32),  # what the game was worth to the seat in the end
    "open": np.zeros(shape, np.bool_),  # the game goes on
}
steps, games = 0, 0
while steps * GAMES < args.decisions:
    for step in np.arange(steps, steps + STEPS) % shape[0]:
        masks = batch.masks != 0
        chosen = draw(ask(fields.to_float(batch.observations), masks)[0])
        searched = (masks.sum(axis=1) > 1) & (rng.random(GAMES) < SEARCHED)
        if searched.any():
            memory["better"][step, searched], chosen[searched] = search(np.flatnonzero(searched))
        now = {"seen": batch.observations, "mask": masks, "searched": searched, "seat": batch.states["seat"]}
        for name, values in {**now, "open": True}.items():
            memory[name][step] = values
        batch.step(chosen)
        for row in np.flatnonzero(batch.over):
            own = np.flatnonzero(memory["open"][:, row])
            memory["worth"][own, row] = batch.payoffs()[row, memory["seat"][own, row]]
            memory["open"][own, row] = False
            games += 1
        batch.start(batch.over)
    steps += STEPS
    filled = min(steps, shape[0])
    taught = np.argwhere(memory["searched"][:filled])
    known = np.argwhere(~memory["open"][:filled])
    for _ in range(UPDATES if len(known) else 0):
        rows = tuple(rng.choice(taught, BATCH).T)
        seen = torch.from_numpy(fields.to_float(memory["seen"][rows]))
        mask, better = (torch.from_numpy(memory[name][rows]) for name in ("mask", "better"))
        loss = nn.functional.cross_entropy(policy(trunk(seen)).masked_fill(~mask, -1e9), better)
        rows = tuple(rng.choice(known, BATCH).T)
        seen, worth = torch.from_numpy(fields.to_float(memory["seen"][rows])), torch.from_numpy(memory["worth"][rows])
        loss = loss + (value(trunk(seen))[:, 0] - worth).square().mean()
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
    if steps % (8 * STEPS) == 0 and len(known):
        print(f"{steps * GAMES:9,} decisions, {games:5} games, loss {loss.item():.2f}")
decisions = steps * GAMES
print(f"{decisions:9,} decisions, {games:5} games")
if args.save:
    made = {"trained": "torch_alphazero", "seed": args.seed, "decisions": decisions, "config": {"reward": "win"}}
    save_layers(args.save, [*trunk, policy], [*trunk, *value], game, made)
    print(f"wrote {args.save}")
