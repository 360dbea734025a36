"""Self-play PPO in plain PyTorch, by a network that remembers (GRU) or attends to the named fields (tokens).

    python training/works_with/torch_ppo_networks.py --network gru -o titans=2 --decisions 1000000 --save runs/gru.onnx
    python -m titan_env.evaluation.matches.evaluate policy:runs/gru.onnx random greedy -o titans=2

Seen with torch 2.13.0.

One network plays every seat, without an adviser; the only reward is the payoff at the end. `gru` remembers what its
seat saw at its own decisions, and learns from whole sequences of them. `attention` reads the fields as tokens: what is
known of one seat, one row of a board, one kind of card is one token each (Jaegle et al. 2021, "Perceiver": a few
learned queries read them all, which costs far less than attention among all tokens). A policy that is saved plays
wherever an agent does; one that remembers plays where games have a history: in matches, records and on the page.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.distributions import Categorical
from torch.nn.utils.rnn import PackedSequence

import titan_env
from titan_env.contract import MOST_SEATS, Fields
from titan_env.engine.option_text import read_options
from titan_env.extras import needs
from titan_env.play.transitions import Transitions
from titan_env.training.export_policy import save_module
from titan_env.training.network import FORBIDDEN

GAMES, STEPS, EPOCHS, MINIBATCHES = 256, 64, 2, 8
RATE, GAMMA, LAMBDA, CLIP, ENTROPY = 2e-3, 0.999, 0.8, 0.2, 0.02
HIDDEN = 128  # units of the memory
WIDTH, HEADS, QUERIES = 64, 4, 4  # numbers of a token, heads of its attention, learned queries


class Network(nn.Module):
    """A policy and a value in -1..1 over the output of an encoder, (B, W)."""

    memory: tuple[int, ...] = ()

    def __init__(self, encoder: nn.Module, width: int, actions: int) -> None:
        super().__init__()
        self.encoder = encoder
        self.policy, self.value = nn.Linear(width, actions), nn.Linear(width, 1)
        for layer in self.modules():
            if isinstance(layer, nn.Linear):
                nn.init.orthogonal_(layer.weight, 2**0.5)
                nn.init.zeros_(layer.bias)
        nn.init.orthogonal_(self.policy.weight, 0.01)  # so that it begins nearly uniform
        nn.init.orthogonal_(self.value.weight)

    def judge(self, hidden: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits (B, A) and values (B,)."""
        return self.policy(hidden), self.value(hidden)[:, 0].tanh()

    def forward(self, observations: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return logits (B, A) and values (B,) of observations (B, F)."""
        return self.judge(self.encoder(observations))

    def decide(self, observations: torch.Tensor, memory: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return logits, values and what is remembered at the seat's next decision, (B, *memory)."""
        return *self(observations), memory

    def replay(
        self, observations: torch.Tensor, memory: torch.Tensor, sizes: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits and values of sequences of decisions, packed as `in_order` says.

        `memory` (S, *memory) is what was remembered at the first decision of each.
        """
        logits, values = self(observations)
        return logits, values


class RecurrentNetwork(Network):
    """A network that remembers: a GRU between the encoder and the policy."""

    memory = (HIDDEN,)

    def __init__(self, encoder: nn.Module, actions: int) -> None:
        super().__init__(encoder, HIDDEN, actions)
        self.gru = nn.GRU(HIDDEN, HIDDEN)

    def forward(self, observations: torch.Tensor, memory: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return logits (B, A), values (B,) and memory (B, M) of observations (B, F) and the memory before (B, M)."""
        hidden, after = self.gru(self.encoder(observations)[None], memory[None])
        return *self.judge(hidden[0]), after[0]

    decide = forward

    def replay(
        self, observations: torch.Tensor, memory: torch.Tensor, sizes: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Return logits and values of sequences of decisions, learned through all of each."""
        hidden, _ = self.gru(PackedSequence(self.encoder(observations), sizes), memory[None])
        return self.judge(hidden.data)


def token_kinds(fields: Fields) -> list[NDArray[np.int64]]:
    """Return the columns of each kind of token, int64 (tokens, numbers): each column of the observation once.

    Fields with the same first axis are one kind, and each place along it a token; an axis without names is that of the
    field after it, if it is as long. Numbers and vectors that share no axis are one token together.
    """
    axes: dict[Any, list[NDArray[np.int64]]] = {}
    axis: Any = ()
    for part in reversed(fields.parts):
        columns = np.arange(fields.size)[fields.slices[part.name]]
        length = part.shape[0] if part.shape else 1
        if part.axes or not part.shape:
            axis = part.axes[0] if part.axes else ()
        elif len(axis) != length:
            axis = (part.name,) * length
        axes.setdefault(axis, []).append(columns.reshape(length, -1))
    kinds = [np.concatenate(group, axis=1) for group in axes.values()]
    alone = [kind.ravel() for kind in kinds if 1 in kind.shape]
    together = [np.concatenate(alone)[None]] if alone else []
    return [*(kind for kind in kinds if 1 not in kind.shape), *together]


class Attention(nn.Module):
    """Attention of queries (B, Q, W) to tokens (B, K, W), in `HEADS` heads."""

    def __init__(self) -> None:
        super().__init__()
        self.query, self.key_value = nn.Linear(WIDTH, WIDTH), nn.Linear(WIDTH, 2 * WIDTH)
        self.out = nn.Linear(WIDTH, WIDTH)

    def forward(self, queries: torch.Tensor, tokens: torch.Tensor) -> torch.Tensor:
        """Return what each query has read, (B, Q, W)."""
        asked = (self.query(queries), *self.key_value(tokens).chunk(2, -1))
        heads = [part.unflatten(-1, (HEADS, -1)).transpose(1, 2) for part in asked]
        return self.out(nn.functional.scaled_dot_product_attention(*heads).transpose(1, 2).flatten(2))


class TokenReader(nn.Module):
    """An encoder of observations (B, F) by attention over tokens: (B, `QUERIES` * `WIDTH`)."""

    def __init__(self, fields: Fields) -> None:
        super().__init__()
        kinds = token_kinds(fields)
        self.shapes = [kind.shape for kind in kinds]
        self.register_buffer("columns", torch.from_numpy(np.concatenate([kind.ravel() for kind in kinds])))
        self.embed = nn.ModuleList(nn.Linear(numbers, WIDTH) for _, numbers in self.shapes)
        self.places = nn.Parameter(0.1 * torch.randn(sum(tokens for tokens, _ in self.shapes), WIDTH))
        self.queries = nn.Parameter(torch.randn(QUERIES, WIDTH))
        self.read, self.compare = Attention(), Attention()
        self.norm, self.later_norm = nn.LayerNorm(WIDTH), nn.LayerNorm(WIDTH)
        self.think = nn.Sequential(nn.Linear(WIDTH, 2 * WIDTH), nn.ReLU(), nn.Linear(2 * WIDTH, WIDTH))

    def forward(self, observations: torch.Tensor) -> torch.Tensor:
        """Return what the queries have read."""
        parts = observations[:, self.columns].split([tokens * numbers for tokens, numbers in self.shapes], 1)
        kinds = zip(self.embed, parts, self.shapes, strict=True)
        tokens = torch.cat([embed(part.unflatten(1, shape)) for embed, part, shape in kinds], 1) + self.places
        queries = self.queries.expand(observations.shape[0], -1, -1)
        queries = queries + self.read(queries, tokens.relu())
        known = self.norm(queries)
        queries = queries + self.compare(known, known)
        return (queries + self.think(self.later_norm(queries))).flatten(1)


def gru(fields: Fields, actions: int) -> Network:
    """Return a network that remembers."""
    return RecurrentNetwork(nn.Sequential(nn.Linear(fields.size, HIDDEN), nn.ReLU()), actions)


def attention(fields: Fields, actions: int) -> Network:
    """Return a network that attends to the named fields."""
    return Network(TokenReader(fields), QUERIES * WIDTH, actions)


def mlp(fields: Fields, actions: int) -> Network:
    """Return a plain network of two hidden layers."""
    layers = [nn.Linear(fields.size, HIDDEN), nn.ReLU(), nn.Linear(HIDDEN, HIDDEN), nn.ReLU()]
    return Network(nn.Sequential(*layers), HIDDEN, actions)


NETWORKS = {"gru": gru, "attention": attention, "mlp": mlp}


def in_order(following: NDArray[np.int64], games: NDArray[np.int64]) -> tuple[torch.Tensor, torch.Tensor]:
    """Return decisions of these games by number, packed as PyTorch's `PackedSequence`, and the sizes of its parts.

    `following` (T, N) is the step of the same seat's next decision, -1 for none; decision (t, i) has the number
    t * N + i. A sequence is what one seat decides in one game. The first part holds the first decision of each
    sequence, the second the second ones, and so on; longer sequences stand before shorter ones.
    """
    num_steps, num_games = following.shape
    left, first = np.ones((num_steps, num_games), np.int64), np.zeros((num_steps, num_games), np.bool_)
    first[:, games] = True
    for step in reversed(range(num_steps)):
        row = np.flatnonzero(following[step] >= 0)
        left[step, row] += left[following[step, row], row]
        first[following[step, row], row] = False
    step, row = np.nonzero(first)
    longest = np.argsort(-left[step, row], kind="stable")
    step, row, parts = step[longest], row[longest], []
    while len(step):
        parts.append(torch.from_numpy(step * num_games + row))
        step = following[step, row]
        step, row = step[step >= 0], row[step >= 0]
    return torch.cat(parts), torch.tensor([len(part) for part in parts])


class Rollout:
    """Decisions of every seat in many games, (steps, games), from where the rollout before ended."""

    def __init__(self, envs: titan_env.GameVectorEnv, network: Network, steps: int, seed: int) -> None:
        shape = (steps, envs.num_envs)
        self.envs, self.network, self.fields = envs, network, envs.view.layout
        self.observations = np.zeros((*shape, self.fields.size), envs.view.dtype)
        self.masks = torch.zeros((*shape, int(envs.single_action_space.n)), dtype=torch.bool)
        self.seats = np.zeros(shape, np.int64)
        self.actions = torch.zeros(shape, dtype=torch.int64)
        self.log_probs, self.values = torch.zeros(2, *shape)
        self.remembered = torch.zeros(*shape, *network.memory)  # by the seat that decides, before it does
        self.memory = torch.zeros(envs.num_envs, MOST_SEATS, *network.memory)
        self.links = Transitions(*shape)
        self.games, self.now = 0, envs.reset(seed=seed)

    def ask(self, observations: NDArray[Any], memory: torch.Tensor) -> tuple[torch.Tensor, ...]:
        """Return the network's logits, values and memory."""
        with torch.no_grad():
            return self.network.decide(torch.from_numpy(self.fields.to_float(observations)), memory)

    def play(self) -> None:
        """Play on until every step of every game is filled, each seat by the network."""
        self.links.clear()
        every = np.arange(self.envs.num_envs)
        for step in range(len(self.seats)):
            self.observations[step], infos = self.now
            self.masks[step] = torch.from_numpy(infos["action_mask"])
            self.seats[step] = seats = infos["seat"]
            self.remembered[step] = before = self.memory[every, seats]
            logits, self.values[step], self.memory[every, seats] = self.ask(self.observations[step], before)
            policy = Categorical(logits=logits.masked_fill(~self.masks[step], FORBIDDEN))
            self.actions[step] = chosen = policy.sample()
            self.log_probs[step] = policy.log_prob(chosen)
            observations, _, terminated, truncated, infos = self.envs.step(chosen.numpy())
            self.links.add(seats, infos["rewards"], terminated, truncated, settled=infos["settled"])
            over = terminated | truncated
            self.memory[over] = 0
            self.games += int(over.sum())
            self.now = observations, infos

    def advantages(self) -> torch.Tensor:
        """Return the generalised advantage estimates along each seat's own decisions.

        Beyond a seat's last one in the rollout stands the value of what it sees now.
        """
        batch, links, every = self.envs.batch, self.links, np.arange(self.envs.num_envs)
        values, found, outlooks = self.values.numpy(), np.zeros_like(links.rewards), np.zeros_like(links.rewards)
        step, row = np.nonzero(links.waiting)
        for seat in range(batch.states["seats"].max()):
            seen = batch.observe(np.minimum(seat, batch.states["seats"] - 1))
            own = self.seats[step, row] == seat
            outlooks[step[own], row[own]] = self.ask(seen, self.memory[:, seat])[1].numpy()[row[own]]
        for step in reversed(range(len(found))):
            follows = links.next[step]
            ahead = np.where(follows >= 0, values[follows, every], outlooks[step])
            later = np.where(follows >= 0, found[follows, every], 0)
            found[step] = links.rewards[step] + GAMMA * ahead - values[step] + GAMMA * LAMBDA * later
        return torch.from_numpy(found.astype(np.float32))

    def learn(self, optimizer: torch.optim.Optimizer, entropy: float) -> None:
        """Take steps of PPO on minibatches of whole games; `entropy` is the coefficient of the policy's entropy."""
        gains = self.advantages()
        kept = self.masks, self.actions, self.log_probs, self.remembered, gains, self.values + gains
        rows = [numbers.flatten(0, 1) for numbers in kept]
        seen = self.observations.reshape(-1, self.fields.size)
        for _ in range(EPOCHS):
            for games in torch.randperm(self.envs.num_envs).chunk(MINIBATCHES):
                decisions, sizes = in_order(self.links.next, games.numpy())
                masks, actions, before, remembered, advantages, worth = (numbers[decisions] for numbers in rows)
                observations = torch.from_numpy(self.fields.to_float(seen[decisions]))
                logits, values = self.network.replay(observations, remembered[: sizes[0]], sizes)
                policy = Categorical(logits=logits.masked_fill(~masks, FORBIDDEN))
                ratio = (policy.log_prob(actions) - before).exp()
                advantages = (advantages - advantages.mean()) / (advantages.std() + 1e-8)
                gain = torch.minimum(ratio * advantages, ratio.clamp(1 - CLIP, 1 + CLIP) * advantages).mean()
                missed = (values - worth).square().mean()
                optimizer.zero_grad()
                (0.5 * missed - gain - entropy * policy.entropy().mean()).backward()
                nn.utils.clip_grad_norm_(self.network.parameters(), 0.5)
                optimizer.step()


def train(envs: titan_env.GameVectorEnv, network: Network, decisions: int, steps: int, seed: int) -> int:
    """Train by self-play, with a rate and an entropy that fall to a tenth; return the number of decisions taken."""
    optimizer = torch.optim.Adam(network.parameters(), RATE, eps=1e-5)
    rollout, taken = Rollout(envs, network, steps, seed), 0
    while taken < decisions:
        rollout.play()
        left = max(0.1, 1 - 0.9 * taken / decisions)
        optimizer.param_groups[0]["lr"] = left * RATE
        rollout.learn(optimizer, left * ENTROPY)
        taken += rollout.seats.size
        print(f"{taken:9,} decisions, {rollout.games:6,} games", flush=True)
    return taken


def main() -> None:
    """Train a network and save it as a policy."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--network", choices=NETWORKS, default="gru")
    parser.add_argument("--game", default="titan_race")
    parser.add_argument("-o", "--option", nargs="+", default=[], metavar="NAME=VALUE", help="Options of the game.")
    parser.add_argument("--decisions", type=int, default=20_000, help="Decisions to learn from.")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, help="File of the policy.")
    args = parser.parse_args()
    torch.manual_seed(args.seed)
    torch.set_num_threads(1)
    try:
        needs("export", *["onnxscript"] * bool(args.save))
        game = titan_env.load(args.game)
        fields, actions = game.rules.fields, len(game.rules.actions)
        seen = {"seats": "all", "whole": fields.whole, "autoreset_mode": "SameStep"}
        envs = titan_env.GameVectorEnv(game, GAMES, **seen, **read_options(args.option))
    except (ValueError, TypeError, ImportError) as error:
        parser.error(str(error))
    network = NETWORKS[args.network](fields, actions)
    decisions = train(envs, network, args.decisions, STEPS, args.seed)
    if args.save:
        made = {"trained": "torch_ppo_networks", "network": args.network, "seed": args.seed, "decisions": decisions}
        save_module(args.save, network, game, {**made, "config": {"reward": "win"}}, memory=network.memory)
        print(f"wrote {args.save}")


if __name__ == "__main__":
    main()
