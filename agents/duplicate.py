"""Duplicate play: the same game again with every agent in every seat, so that luck is shared out evenly.

A block is one seed: the same set-up (who sits where apart), and the same dice at the same point of the
game, played once for each rotation of the agents around the table. Agents are compared within the
block, as bridge teams are. How much that saves is measured, not promised (`Comparison.plain_races`).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy import stats

from agents import Agent
from agents.match import seating
from titan_env.batch import Batch, Records, configured
from titan_env.contract import Game
from titan_env.replay import Recorder
from titan_env.worlds import decide

_STRIDE = np.uint64(0x9E3779B97F4A7C15)  # between the streams of one game's points in time
_SURE = 0.05  # how often all intervals of one comparison may miss, together


def play_blocks(
    game: Game,
    players: Sequence[Agent],
    seeds: Sequence[int],
    records: Path | None = None,
    names: Sequence[str] = (),
    **options: Any,
) -> NDArray[np.float64]:
    """Play one block for each seed: the share of the win that each agent took, (blocks, rotations, agents).

    The shares of a game add up to 1; all are 0 where nobody has won. `records` is a folder in which every
    game is written down, under the agents' `names`. Raises ValueError where agents cannot sit equally often.
    """
    templates, rotations = configured(game, options), len(players)
    seats = int(templates["seats"][0])
    if not 2 <= rotations <= seats:
        raise ValueError(f"expected 2 to {seats} agents at a table of {seats}, got {rotations}")
    games = len(seeds) * rotations
    batch = Batch(game, games, templates=np.repeat(templates, games).view(np.recarray))
    batch.seed([seed for seed in seeds for _ in range(rotations)])
    batch.start()
    sits = np.tile(seating(rotations, seats, rotations), (len(seeds), 1))
    streams = batch.luck["stream"].copy()
    recorders: dict[int, Recorder] = {}
    if records is not None:
        for row in range(games):
            path = records / f"seed-{seeds[row // rotations]}-rotation-{row % rotations}.jsonl"
            seated = [names[agent] for agent in sits[row]]
            about: dict[str, Any] = {"options": options, "agents": seated, "seed": seeds[row // rotations]}
            recorders[row] = Recorder(path, game, batch.states[row], batch.luck[row], **about)
    rng = np.random.default_rng(list(seeds))
    while len(running := np.flatnonzero(~batch.over)):
        actions = np.zeros(games, np.int64)
        asked = sits[running, batch.states["seat"][running]]
        for number, agent in enumerate(players):
            rows = running[asked == number]
            if len(rows):
                actions[rows] = decide(agent, batch, rows, rng)
        batch.luck["stream"] = streams + batch.states[game.clock].astype(np.uint64) * _STRIDE
        recorded = [int(row) for row in running if recorders]
        for row in recorded:
            recorders[row].decide(batch.states[row], int(actions[row]))
        batch.step(actions)
        for row in recorded:
            recorders[row].happened(batch.states[row], batch.luck[row])
    return _shares(batch.states, sits, rotations).reshape(len(seeds), rotations, rotations)


def _shares(states: Records, sits: NDArray[np.int64], agents: int) -> NDArray[np.float64]:
    """The share of the win that each agent took in each game, (games, agents)."""
    won = states["won"][:, : sits.shape[1]].astype(np.float64)
    won /= np.maximum(won.sum(axis=1, keepdims=True), 1)
    return np.stack([(won * (sits == number)).sum(axis=1) for number in range(agents)], axis=1)


@dataclass(frozen=True)
class Comparison:
    """What blocks (blocks, rotations, 2) say about two agents, after so many looks at them."""

    shares: NDArray[np.float64]
    looks: int = 1

    @property
    def blocks(self) -> int:
        """How many blocks were played."""
        return len(self.shares)

    @property
    def races(self) -> int:
        """How many games were played."""
        return int(self.shares.shape[0] * self.shares.shape[1])

    @property
    def rate(self) -> float:
        """The share of wins that the first agent took; equals take one half."""
        return 0.5 + float(self._leads().mean()) / 2

    @property
    def half_width(self) -> float:
        """Half the width of the interval around `rate`, paired within blocks (t).

        The k-th look is at level 0.05 / (k (k + 1)), so that all looks hold together at 95 %. One more block
        for each side is imagined for the spread (after Agresti and Coull 1998), for a few blocks that all
        went the same way do not mean that all will.
        """
        level = _SURE / (self.looks * (self.looks + 1)) if self.looks > 1 else _SURE
        if self.blocks < 2:
            return 1.0
        spread = np.append(self._leads().mean(axis=1), (-1, 1)).std(ddof=1)
        return float(stats.t.ppf(1 - level / 2, self.blocks - 1) * spread / self.blocks**0.5 / 2)

    @property
    def interval(self) -> tuple[float, float]:
        """Lowest and highest rate that the blocks speak for."""
        return max(0.0, self.rate - self.half_width), min(1.0, self.rate + self.half_width)

    @property
    def decided(self) -> bool:
        """Whether the interval leaves equality out."""
        return abs(self.rate - 0.5) > self.half_width

    @property
    def plain_races(self) -> float | None:
        """How many independent games would give an interval as narrow; None where all blocks went the same way."""
        leads = self._leads()
        of_block = leads.mean(axis=1).var(ddof=1)
        return float(leads.var(ddof=1) / of_block * self.blocks) if of_block > 0 else None

    def _leads(self) -> NDArray[np.float64]:
        """By how much the first agent was ahead in each game, (blocks, rotations)."""
        leads: NDArray[np.float64] = self.shares[:, :, 0] - self.shares[:, :, 1]
        return leads

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.rate:.1%} ({low:.1%} to {high:.1%})"
