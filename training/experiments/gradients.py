"""Measures the share of signal in a policy gradient, and its direction.

    python training/experiments/gradients.py --policy ppo@titan_race-v3

Two samples of decisions of a policy among itself and the expert each give a gradient for every lambda of the
generalised advantage estimate (Schulman et al. 2016). What the two have in common is signal: their cosine says how much
of one sample's gradient that is. A small lambda has less noise, but trusts the value, which errs: how far its signal
points where that of lambda = 1, which trusts the outcome alone, does is its agreement. `docs/notes/learning.md`
tells what came of it.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import torch

from titan_env import agents, registry
from titan_env.agents import shipped
from titan_env.cli import tables
from titan_env.contract import Game
from titan_env.training.checkpoints import read_network
from titan_env.training.network import PolicyNetwork
from titan_env.training.ppo_config import Config
from titan_env.training.ppo_rollout import RolloutBuffer

TRACES = (0.0, 0.3, 0.6, 0.8, 0.95, 1.0)
GAMES, STEPS, AT_ONCE = 2048, 128, 8192


def gradients(
    game: Game, network: PolicyNetwork, games: int, rollouts: int, seed: int
) -> tuple[torch.Tensor, list[float]]:
    """Return the policy gradient for each lambda, (lambdas, weights), and how far the advantages spread."""
    config = Config(
        game.name, {"titans": [4]}, num_envs=games, num_steps=STEPS, others=0.3, scripted=("expert",), seed=seed
    )
    rollout = RolloutBuffer(game, config, np.random.default_rng(seed), network.adviser)
    rollout.scripted, rollout.past = [agents.load("expert", game)], [network]
    weights = [part for name, part in network.named_parameters() if not name.startswith(("value", "critic"))]
    found = torch.zeros(len(TRACES), sum(part.numel() for part in weights))
    spread = np.zeros(len(TRACES))
    rollout.play(network)  # so that games are in all stages
    for _ in range(rollouts):
        rollout.play(network)
        masks, chosen = rollout.masks.flatten(0, 1), rollout.actions.flatten()
        use = rollout.links.taken.flatten() & (masks.sum(dim=1) > 1)
        advantages = torch.zeros(len(TRACES), len(use))
        for row, trace in enumerate(TRACES):
            advantages[row] = rollout.advantages(trace).flatten()
        spread += advantages[:, use].std(dim=1).numpy() / rollouts
        advantages -= advantages[:, use].mean(dim=1, keepdim=True)
        for part in use.nonzero()[:, 0].split(AT_ONCE):
            logits, _ = network(rollout.seen(rollout.observations.flatten(0, 1)[part]).float(), masks[part])
            likely = logits.log_softmax(1).gather(1, chosen[part, None])[:, 0]
            for row, advantage in enumerate(advantages[:, part]):
                slope = torch.autograd.grad((likely * advantage).sum(), weights, retain_graph=True)
                found[row] += torch.cat([one.flatten() for one in slope]) / use.sum() / rollouts
    return found, spread.tolist()


def compared(one: torch.Tensor, other: torch.Tensor) -> tuple[list[float], list[float]]:
    """For each lambda the cosine of two samples' gradients, and how far its signal agrees with that of the last.

    Neither is a number where the samples have nothing in common.
    """
    products = one @ other.T
    signal = products.diagonal().clone()
    signal[signal <= 0] = np.nan
    cosine = signal / (one.norm(dim=1) * other.norm(dim=1))
    crossed = (products[:, -1] + products[-1]) / 2
    agreement = crossed / (signal * signal[-1]).sqrt()
    return cosine.tolist(), agreement.tolist()


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("--policy", default="ppo@titan_race-v3", help="Policy of the package, or a file.")
    parser.add_argument("--games", type=int, default=GAMES, help=f"Games at once, {STEPS} decisions each in a rollout.")
    parser.add_argument("--rollouts", type=int, default=4, help="Rollouts in each of the two samples.")
    given = parser.parse_args()
    torch.set_num_threads(1)
    game = registry.load("titan_race")
    network = read_network(shipped(game).get(given.policy, Path(given.policy)), game)
    samples = [gradients(game, network, given.games, given.rollouts, seed) for seed in (10_000_000, 10_000_001)]
    cosine, agreement = compared(samples[0][0], samples[1][0])
    rows = [
        [f"{trace:g}", *(f"{number:.2f}" if np.isfinite(number) else "" for number in (spread, same, agrees))]
        for trace, spread, same, agrees in zip(TRACES, samples[0][1], cosine, agreement, strict=True)
    ]
    print(f"{given.rollouts * given.games * STEPS:,} decisions in each sample")
    print(tables.markdown(["lambda", "spread of advantages", "cosine of two samples", "agreement"], rows))


if __name__ == "__main__":
    main()
