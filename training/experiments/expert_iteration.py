"""Expert iteration by advantages: a policy searches its own games, and a network learns what the search prefers.

    python training/experiments/expert_iteration.py --minutes 10 --vary players=2,2,3,4,4,6 --out runs/expert_iteration

In each round the policy plays itself. Wherever it has a choice, every action that it considers is tried in the same few
imagined worlds, as the agent ``rollout`` does (Anthony, Tian, Barber 2017: "Thinking Fast and Slow with Deep Learning
and Tree Search"). A network learns the advantages of actions from the positions of all rounds, and its answers times a
strength are added to the first policy's logits: both are saved as one wider network, which plays the next round.
Positions stay in the folder: a command that finds them searches no more, so that learning can be tried in several ways.
`docs/notes/learning.md` has the results.
"""

from __future__ import annotations

import copy
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, NamedTuple

import numpy as np
import torch
import typer
from torch import nn

from titan_env import registry
from titan_env.agents import shipped
from titan_env.agents.planning import leaf_values, play_on
from titan_env.agents.policy import Policy
from titan_env.cli.options import Bounds, Choices, GameName, from_dataclasses
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.play.determinization import Determinizations, agent_rng
from titan_env.training.checkpoints import read_network
from titan_env.training.export_policy import save_layers
from titan_env.training.network import PolicyNetwork
from titan_env.training.ppo_config import tables_of

GAMES = 1024
LEAST = 2e-3  # the policy considers what it does with at least this probability
KEPT_OUT = 20  # one position in so many, the last ones of a round, is not learned from
MINIBATCH, EPOCHS, LEARNING_RATE, WEIGHT_DECAY = 1024, 3, 1e-3, 1.0


class Lessons(NamedTuple):
    """Positions (D, ...) and what the search says of their actions (D, A), in float16."""

    inputs: torch.Tensor
    chances: torch.Tensor
    """Of the actions tried, by the policy that searched: their sum is 1; 0 for the others."""
    advantages: torch.Tensor
    """Over what the policy plays; 0 for actions not tried."""


def searched(policy: Policy, batch: Batch, rows: Any, tried: Any, worlds: int, rng: np.random.Generator) -> Any:
    """Return the values of the tried actions, float32 (rows, actions), means over the worlds; 0 for the others."""
    decision, action = np.nonzero(tried)
    imagined = Determinizations(batch.game, batch.states[rows].view(np.recarray), rng).imagine(worlds, rng)
    games = imagined.select((decision[:, None] * worlds + np.arange(worlds)).ravel())
    seats, began = games.states["seat"].astype(np.int64), games.states[batch.game.rules.chance_clock].copy()
    games.step(np.repeat(action, worlds))
    play_on(games, seats, began, policy, rng)
    worth = leaf_values(games, policy)[np.arange(games.num_games), seats].reshape(len(action), worlds)
    found = np.zeros(tried.shape, np.float32)
    found[decision, action] = worth.mean(axis=1)
    return found


def gather(game: Game, policy: Policy, network: PolicyNetwork, asked: Arguments, seed: int) -> Lessons:
    """Let the policy play itself for some processor time, and search wherever it has a choice."""
    rng, tables = agent_rng(seed), tables_of(asked.vary)
    templates = [GameSetup.of(game, tables[row % len(tables)]).template for row in range(GAMES)]
    batch = Batch(game, GAMES, templates=np.concatenate(templates).view(np.recarray))
    batch.reseed_from(rng)
    batch.start()
    parts: list[tuple[Any, ...]] = []
    ends = time.process_time() + 60 * asked.minutes
    while time.process_time() < ends:
        chances, _ = policy.policy(batch.observations, batch.masks)
        tried = chances >= LEAST  # what is illegal has no chance
        rows = np.flatnonzero(tried.sum(axis=1) > 1)
        if len(rows):
            worth = searched(policy, batch, rows, tried[rows], asked.worlds, rng)
            played = chances[rows] * tried[rows]
            played /= played.sum(axis=1, keepdims=True)
            better = (worth - (worth * played).sum(axis=1, keepdims=True)) * tried[rows]
            inputs = network.network_input(batch.observations[rows], batch.masks[rows]).numpy()
            parts.append(tuple(each.astype(np.float16) for each in (inputs, played, better)))
        scores = np.log(np.maximum(chances, 1e-30)) + rng.gumbel(size=chances.shape)
        batch.step(scores.argmax(axis=1))
        if batch.over.any():
            batch.start(batch.over)
    return Lessons(*(torch.from_numpy(np.concatenate(part)) for part in zip(*parts, strict=True)))


def learn(first: PolicyNetwork, rounds: list[Lessons]) -> PolicyNetwork:
    """Return a network whose logits are the advantages of actions, fitted by least squares; it begins as `first`."""
    parts = zip(*rounds, strict=True)
    lessons = Lessons(*(torch.cat([one[: -(len(one) // KEPT_OUT)] for one in part]) for part in parts))
    network, rng, count = copy.deepcopy(first), np.random.default_rng(0), len(lessons.inputs)
    nn.init.zeros_(network.policy.weight)
    nn.init.zeros_(network.policy.bias)
    weights = [*network.trunk.parameters(), *network.policy.parameters()]
    optimiser = torch.optim.AdamW(weights, LEARNING_RATE, weight_decay=WEIGHT_DECAY)
    schedule = torch.optim.lr_scheduler.LinearLR(optimiser, 1.0, 0.05, EPOCHS * -(-count // MINIBATCH))
    for _ in range(EPOCHS):
        for part in torch.from_numpy(rng.permutation(count)).split(MINIBATCH):
            inputs, chances, better = (each.index_select(0, part).float() for each in lessons)
            found = network.policy(network.trunk(inputs))
            found = found - (found * chances).sum(1, keepdim=True)
            optimiser.zero_grad()
            (found - better).square()[chances > 0].mean().backward()  # type: ignore[no-untyped-call]
            optimiser.step()
            schedule.step()
    return network


@torch.no_grad()
def joined(first: PolicyNetwork, advantages: PolicyNetwork, strength: float) -> list[nn.Module]:
    """Return the layers of one network, with the logits of the first one plus so much of the other's."""
    all_layers: Any = [[*network.trunk.children(), network.policy] for network in (first, advantages)]
    (one, other), (two, second), (last, best) = (
        (mine.state_dict(), its.state_dict()) for mine, its in zip(*(each[::2] for each in all_layers), strict=True)
    )
    weights = [
        (torch.cat([one["weight"], other["weight"]]), torch.cat([one["bias"], other["bias"]])),
        (torch.block_diag(two["weight"], second["weight"]), torch.cat([two["bias"], second["bias"]])),
        (torch.cat([last["weight"], strength * best["weight"]], 1), last["bias"] + strength * best["bias"]),
    ]
    layers: list[nn.Module] = []
    for weight, bias in weights:
        layers += [nn.Linear(weight.shape[1], weight.shape[0]), nn.ReLU()]
        layers[-2].load_state_dict({"weight": weight, "bias": bias})
    return layers[:-1]


@torch.no_grad()
def gains(first: PolicyNetwork, advantages: PolicyNetwork, strength: float, lessons: Lessons) -> tuple[str, str]:
    """Return what the likeliest action gains a decision where nothing was taught, before and after, with intervals."""
    inputs, chances, better = (each[-(len(each) // KEPT_OUT) :].float() for each in lessons)
    before, _ = first(inputs, chances > 0)

    def text(logits: torch.Tensor) -> str:
        found = better.gather(1, logits.argmax(1, keepdim=True))
        return f"{found.mean():+.4f} ± {1.96 * found.std() / len(found) ** 0.5:.4f}"

    return text(before), text(before + strength * advantages.policy(advantages.trunk(inputs)))


@dataclass(frozen=True)
class Arguments:
    """The options."""

    policy: str = "ppo@fantasy_racing-v2"
    """Agent of the package to improve."""
    game: GameName = "fantasy_racing"
    vary: Choices = field(default_factory=dict)
    rounds: Annotated[int, Bounds(1)] = 2
    minutes: Annotated[float, Bounds(0)] = 10.0
    """Processor minutes of searching in each round."""
    worlds: Annotated[int, Bounds(1)] = 2
    """Imagined worlds of each position."""
    strength: Annotated[float, Bounds(0)] = 60.0
    """Weight of an advantage of 1 in a logit."""
    seed: Annotated[int, Bounds(0)] = 0
    out: Path = Path("runs/expert_iteration")
    """Folder of the positions and policies of each round."""


@from_dataclasses
def main(asked: Arguments) -> None:
    """Search, learn and write a policy, round by round."""
    torch.set_num_threads(1)
    torch.manual_seed(asked.seed)
    game = registry.load(asked.game)
    start = shipped(game)[asked.policy]
    policy, first, rounds = Policy(game, start), read_network(start, game), list[Lessons]()
    asked.out.mkdir(parents=True, exist_ok=True)
    for number in range(1, asked.rounds + 1):
        positions, path = asked.out / f"positions-{number}.pt", asked.out / f"policy-{number}.onnx"
        if not positions.exists():
            torch.save(tuple(gather(game, policy, first, asked, asked.seed + number)), positions)
        rounds.append(Lessons(*torch.load(positions)))
        advantages = learn(first, rounds)
        facts = {"script": "expert_iteration", "config": {"reward": policy.reward}, "before": policy.made}
        advised = (first.adviser.name, first.trust) if first.adviser else None
        layers = joined(first, advantages, asked.strength)
        save_layers(path, layers, first.value_layers(), game, facts, advised)
        before, after = gains(first, advantages, asked.strength, rounds[-1])
        print(f"Round {number}: {len(rounds[-1].inputs):,} positions. Where it was not taught the network", flush=True)
        print(f"gains {before} a decision before and {after} after; {path}", flush=True)
        policy = Policy(game, path)


if __name__ == "__main__":
    typer.run(main)
