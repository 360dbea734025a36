"""One round of expert iteration: does a policy learn what a search around it finds?

    python training/experiments/expert_iteration.py --minutes 25

The policy plays itself; in a share of the positions every action that it considers is tried in the same imagined
worlds, as the agent ``rollout`` does (Anthony, Tian, Barber 2017: "Thinking Fast and Slow with Deep Learning and Tree
Search"). The network is then moved towards actions that the search found better, by as much as they were better, and
held to what it played before. A twentieth of the positions is kept out of that, to see what carries over.
`docs/notes/learning.md` tells what came of it.
"""

from __future__ import annotations

import argparse
import itertools
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
import torch

from titan_env import agents, registry
from titan_env.agents import shipped
from titan_env.agents.planning import leaf_values, play_on
from titan_env.agents.policy import Policy
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.match import win_rates
from titan_env.play.determinization import Determinizations, agent_rng
from titan_env.training.checkpoints import read_weights
from titan_env.training.network import PolicyNetwork, network_agent

POLICY, WIDTH = "ppo@titan_race-v3", 128
TITANS = (2, 3, 4, 4, 4, 4, 5, 6)
GAMES = 256
SEARCHED = 0.25  # share of the decisions
LEAST = 5e-3  # the policy considers what it does with at least this probability
KEPT_OUT = 20  # one position in so many is not learned from
MINIBATCH, EPOCHS, LEARNING_RATE = 1024, 6, 5e-4
STRENGTH = 30.0  # of the pull towards what is better, against that towards what was played before
LEAST_LOG = -30.0  # log-probability below which nothing counts


@dataclass
class Lessons:
    """Positions and what the search says of their actions: (positions, ...)."""

    observations: Any
    masks: Any
    advantages: Any
    """Of each action over what the policy plays, once by one half of the worlds and once by the other: (2, ..., A)."""


def searched(policy: Policy, batch: Batch, rows: Any, chances: Any, worlds: int, rng: np.random.Generator) -> Any:
    """Return the values of the actions that the policy considers, (2, rows, actions); NaN for the others."""
    decision, action = np.nonzero(chances >= LEAST)
    imagined = Determinizations(batch.game, batch.states[rows].view(np.recarray), rng).imagine(worlds, rng)
    tried = imagined.select((decision[:, None] * worlds + np.arange(worlds)).ravel())
    seats, began = tried.states["seat"].astype(np.int64), tried.states[batch.game.rules.chance_clock].copy()
    tried.step(np.repeat(action, worlds))
    play_on(tried, seats, began, policy, rng)
    worth = leaf_values(tried, policy)[np.arange(tried.num_games), seats].reshape(len(action), worlds // 2, 2)
    found = np.full((2, len(rows), len(batch.game.rules.actions)), np.nan, np.float32)
    found[:, decision, action] = worth.mean(axis=1).T
    return found


def gather(game: Game, policy: Policy, minutes: float, worlds: int, seed: int) -> Lessons:
    """Let the policy play itself for so long, and search in some of its positions."""
    rng = agent_rng(seed)
    templates = [GameSetup.of(game, {"titans": TITANS[row % len(TITANS)]}).template for row in range(GAMES)]
    batch = Batch(game, GAMES, templates=np.concatenate(templates).view(np.recarray))
    batch.reseed_from(rng)
    batch.start()
    parts: list[tuple[Any, Any, Any]] = []
    ends = time.monotonic() + 60 * minutes
    while time.monotonic() < ends:
        chances, _ = policy.policy(batch.observations, batch.masks)
        is_choice = (chances >= LEAST).sum(axis=1) > 1  # what is illegal has no chance
        rows = np.flatnonzero(is_choice & (rng.random(GAMES) < SEARCHED))
        if len(rows):
            worth = searched(policy, batch, rows, chances[rows], worlds, rng)
            played = np.where(np.isnan(worth[0]), 0, chances[rows])
            usual = np.nansum(worth * played, axis=2) / played.sum(axis=1)
            seen, may = batch.observations[rows].astype(np.float16), batch.masks[rows] != 0
            parts.append((seen, may, worth - usual[..., None]))
        scores = np.log(np.maximum(chances, 1e-30)) + rng.gumbel(size=chances.shape)
        batch.step(scores.argmax(axis=1))
        if batch.over.any():
            batch.start(batch.over)
    observations, masks, advantages = zip(*parts, strict=True)
    return Lessons(np.concatenate(observations), np.concatenate(masks), np.concatenate(advantages, axis=1))


def learn(network: PolicyNetwork, lessons: Lessons) -> tuple[float, float]:
    """Move the network towards what is better; its gain per decision before and after, in positions kept out."""
    before = PolicyNetwork(lessons.observations.shape[1], lessons.masks.shape[1], WIDTH)
    before.load_state_dict(network.state_dict())
    observations, masks = torch.from_numpy(lessons.observations), torch.from_numpy(lessons.masks)
    better = torch.from_numpy(np.nan_to_num(lessons.advantages.mean(axis=0)))
    kept_out, rest = np.split(np.arange(len(masks)), [len(masks) // KEPT_OUT])

    def gain() -> float:
        with torch.no_grad():
            logits, _ = network(observations[kept_out].float(), masks[kept_out])
        return float((logits.softmax(1) * better[kept_out]).sum(1).mean())

    optimiser = torch.optim.Adam(network.parameters(), LEARNING_RATE)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.05, EPOCHS * -(-len(rest) // MINIBATCH))
    first, rng = gain(), np.random.default_rng(0)
    for _ in range(EPOCHS):
        for part in torch.from_numpy(rng.permutation(rest)).split(MINIBATCH):
            seen, may = observations[part].float(), masks[part]
            logits, values = network(seen, may)
            with torch.no_grad():
                old_logits, old_values = before(seen, may)
            likely, old = (torch.log_softmax(each, 1).clamp(min=LEAST_LOG) for each in (logits, old_logits))
            chances = likely.exp()
            pull = STRENGTH * (chances * better[part]).sum(1) - (chances * (likely - old)).sum(1)
            optimiser.zero_grad()
            (0.5 * (values - old_values).square().mean() - pull.mean()).backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
    return first, gain()


def main() -> None:
    """Gather, learn, compare."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=25, help="Minutes of searching.")
    parser.add_argument("--worlds", type=int, default=16, help="Determinizations for each action; an even number.")
    parser.add_argument("--races", type=int, default=4096, help="Blocks of each pair.")
    parser.add_argument("--seed", type=int, default=0)
    asked = parser.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(asked.seed)
    game = registry.load("titan_race")
    policy = Policy(game, shipped(game)[POLICY])
    lessons = gather(game, policy, asked.minutes, asked.worlds, asked.seed)
    one, other = np.nan_to_num(lessons.advantages, nan=-1.0)
    chosen = one.argmax(axis=1)
    print(f"{len(one):,} positions, {np.isfinite(lessons.advantages[0]).sum(axis=1).mean():.1f} actions each.")
    found = other[np.arange(len(one)), chosen].mean()
    print(f"What half of the worlds prefer gains {found:+.4f} a decision by the other half.")
    network = PolicyNetwork(game.rules.fields.size, len(game.rules.actions), WIDTH)
    network.load_state_dict(read_weights(shipped(game)[POLICY], game, WIDTH))
    first, last = learn(network, lessons)
    print(f"Where it was not taught the network gains {first:+.4f} before and {last:+.4f} after.", flush=True)
    players = {"taught": network_agent(network), POLICY: policy, "expert": agents.load("expert", game)}
    for name, against in itertools.combinations(players, 2):
        pair = {name: players[name], against: players[against]}
        share = win_rates(game, pair, asked.races, 10_000_000, titans=4)[name]
        print(f"{name} wins {share} against {against}", flush=True)


if __name__ == "__main__":
    main()
