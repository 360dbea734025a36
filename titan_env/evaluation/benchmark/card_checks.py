"""Check a card: its agents are those that were played, its blocks the task's, and blocks drawn by lot come out as kept.

A block's games depend on its seed and the agents alone, so any block can be played again by itself.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from titan_env import registry
from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.benchmark.result_cards import Head, ResultCard, TaskResult
from titan_env.evaluation.benchmark.tasks import Benchmark, Task, read_benchmark
from titan_env.evaluation.matches.fingerprints import fingerprints_by_game

SHARE = 0.05
"""The share of each task's blocks that is played again, at least one."""

Replay = Callable[[GameSetup, Sequence[str], NDArray[np.int64], Sequence[int]], TaskResult]
"""Plays an agent among others, a block for each line-up and seed: `benchmark.play_task`."""


@dataclass(frozen=True)
class CheckedTask:
    """A task of a card: its game and name, its blocks, those that were played again, and the faults that were found."""

    game: str
    task: str
    blocks: int
    again: int
    faults: Sequence[str]


def changed_agents(head: Head) -> list[str]:
    """Return a sentence for each agent of a card that is not made of the same files now."""
    return [
        f"{head.agents[name]} has changed: hash {hash_now}, {head.hashes.get(name)} on the card"
        for name, hash_now in fingerprints_by_game(head.agents).items()
        if hash_now != head.hashes.get(name)
    ]


def check_tasks(
    card: ResultCard, seeds_of: Callable[[Game, Task], range], seed: int, play: Replay
) -> list[CheckedTask]:
    """Return what was found of each task of a card's games; `seed` draws the blocks that `play` plays again.

    Raises ValueError for a task of another version of a game, and for another panel.
    """
    tasks = [
        (game, benchmark, task)
        for name in card.head.agents
        for game in [registry.load(name)]
        for benchmark in [read_benchmark(game)]
        for task in benchmark.tasks
    ]
    card.expect_tasks([(game.id, task.name) for game, _, task in tasks])
    card.expect_panels({game.name: benchmark.panel.id(game) for game, benchmark, _ in tasks})
    rng = np.random.default_rng(seed)
    return [_checked(card, *one, seeds_of(one[0], one[2]), rng, play) for one in tasks]


def _checked(
    card: ResultCard,
    game: Game,
    benchmark: Benchmark,
    task: Task,
    seeds: range,
    rng: np.random.Generator,
    play: Replay,
) -> CheckedTask:
    """Return what was found of one task."""
    outcome = card.outcomes.get((game.id, task.name))
    if outcome is None:
        return CheckedTask(game.id, task.name, 0, 0, [f"{game.id} {task.name} is missing; play the card to its end"])
    if list(outcome.seeds) != list(seeds):
        fault = f"{game.id} {task.name}: expected blocks with the seeds {seeds.start} to {seeds.stop - 1}, got others"
        return CheckedTask(game.id, task.name, len(outcome.seeds), 0, [fault])
    drawn = np.sort(rng.choice(len(seeds), math.ceil(SHARE * len(seeds)), replace=False))
    setup, names = GameSetup.of(game, task.options), (card.head.agents[game.name], *benchmark.panel.members)
    lineups = benchmark.panel.lineups(setup.sides, seeds)[drawn]
    again = play(setup, names, lineups, [seeds[i] for i in drawn])
    other = [seeds[i] for i, same in zip(drawn, _same(outcome, again, drawn), strict=True) if not same]
    complaint = f"{len(other)} of the {len(drawn)} blocks that were played again come out otherwise"
    faults = [f"{game.id} {task.name}: {complaint}, first that with seed {other[0]}"] if other else []
    return CheckedTask(game.id, task.name, len(seeds), len(drawn), faults)


def _same(outcome: TaskResult, again: TaskResult, drawn: NDArray[np.int64]) -> list[bool]:
    """Return of each block that was played again whether wins and decisions are those of the card."""
    return [
        outcome.digests[i] == digest
        and len(outcome.wins[i]) == len(wins)
        and np.allclose(outcome.wins[i], wins, atol=1e-6)
        for i, digest, wins in zip(drawn.tolist(), again.digests, again.wins, strict=True)
    ]
