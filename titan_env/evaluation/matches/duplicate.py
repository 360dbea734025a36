"""Duplicate play: the same game again with every agent in every seat, so that luck is equal for all.

A block is one seed: the same setup and the same dice at the same point of the game, played once for each order of the
agents around the table. Agents are compared within the block, as bridge teams are. The saving is measured
(`Comparison.equivalent_games`), not guaranteed.

With fewer agents than sides an agent sits beside its own copies, and can win by helping them: for comparisons at tables
of three and more sides use `titan_env.evaluation.matches.focal`.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.blocks import Blocks, Players, play
from titan_env.extras import extra

with extra("evaluation"):
    from scipy import stats

_SURE = 0.05  # the joint error probability of all intervals of one table


def play_blocks(
    game: Game | str,
    players: Players,
    seeds: Sequence[int],
    /,
    records: Path | None = None,
    names: Sequence[str] = (),
    **options: Any,
) -> NDArray[np.float64]:
    """Return the shares of wins in the blocks of these seeds, float64 (blocks, orders, agents).

    See `play_block_results`; raises ValueError for invalid options too.
    """
    return play_block_results(GameSetup.of(game, options), players, seeds, records, names).shares


def play_block_results(
    setup: GameSetup,
    players: Players,
    seeds: Sequence[int],
    records: Path | None = None,
    names: Sequence[str] = (),
) -> Blocks:
    """Play one block for each seed and return the results.

    Each agent plays every side equally often in a block, whose results do not depend on the other blocks. `records` is
    a folder in which every game is recorded, under the agents' `names`. Raises ValueError for fewer than 2 agents, or
    more than sides.
    """
    setup.check_agents(len(players))
    lineups = np.tile(np.arange(len(players)), (len(seeds), 1))
    folders = [] if records is None else [records] * len(seeds)
    return play(setup, players, lineups, seeds, math.factorial(len(players)), folders, names)


@dataclass(frozen=True)
class Comparison:
    """The comparison of an agent with others from blocks: `shares` (blocks, games, 2), its own and all the others'.

    `looks` is the number of tests so far in a sequential comparison; None: a single one. `cells` is the number of
    comparisons in the table. `points` has the same shape as `shares`; None in a game without points. `sides` is the
    number of sides among which the agent has one; with 2, both agents share the table equally.
    """

    shares: NDArray[np.float64]
    looks: int | None = None
    cells: int = 1
    points: NDArray[np.float64] | None = None
    sides: int = 2

    @property
    def blocks(self) -> int:
        """The number of blocks played."""
        return len(self.shares)

    @property
    def games(self) -> int:
        """The number of games played."""
        return int(self.shares.shape[0] * self.shares.shape[1])

    @property
    def fair(self) -> float:
        """The share of wins of an agent that is equal to the others."""
        return 1 / self.sides

    @property
    def rate(self) -> float:
        """The first agent's share of wins; what nobody wins is shared by all sides."""
        return float(self._wins().mean())

    @property
    def level(self) -> float:
        """Significance level of look k: 0.05 / cells / (k (k + 1)), so that all looks together spend 5 %."""
        shared = _SURE / self.cells
        return shared if self.looks is None else shared / (self.looks * (self.looks + 1))

    @property
    def half_width(self) -> float:
        """Half the width of the interval around `rate`, paired within blocks (Student's t).

        One block won by each side is added for the spread (after Agresti and Coull 1998): a few blocks with equal
        results do not mean that all will be equal.
        """
        if self.blocks < 2:
            return 1.0
        spread = np.append(self._wins().mean(axis=1), (0, 1)).std(ddof=1)
        return float(stats.t.ppf(1 - self.level / 2, self.blocks - 1) * spread / self.blocks**0.5)

    @property
    def interval(self) -> tuple[float, float]:
        """The confidence interval of `rate`, within [0, 1]."""
        return max(0.0, self.rate - self.half_width), min(1.0, self.rate + self.half_width)

    @property
    def of_two(self) -> tuple[float, float, float]:
        """The rate and its interval as the share of a table of two with the same odds against each other side."""
        rate, low, high = share_of_two((self.rate, *self.interval), self.sides).tolist()
        return rate, low, high

    @property
    def margin(self) -> float:
        """Half the width of the interval of the share of two."""
        _, low, high = self.of_two
        return self.half_width if self.sides == 2 else (high - low) / 2

    @property
    def decided(self) -> bool:
        """True if the interval excludes the fair share."""
        return abs(self.rate - self.fair) > self.half_width

    @property
    def equivalent_games(self) -> float | None:
        """The number of independent games with an interval as narrow; None if all blocks are equal, or one alone."""
        wins = self._wins()
        if self.blocks < 2:
            return None
        of_block = wins.mean(axis=1).var(ddof=1)
        return float(wins.var(ddof=1) / of_block * self.blocks) if of_block > 0 else None

    @property
    def points_ahead(self) -> tuple[float, float] | None:
        """The first agent's mean lead in points and half the width of its interval; None without points."""
        if self.points is None:
            return None
        of_block = (self.points[:, :, 0] - self.points[:, :, 1]).mean(axis=1)
        error = of_block.std(ddof=1) / self.blocks**0.5 if self.blocks > 1 else np.inf
        return float(of_block.mean()), float(stats.t.ppf(1 - self.level / 2, max(1, self.blocks - 1)) * error)

    def _wins(self) -> NDArray[np.float64]:
        """Return the first agent's share of each game: float64 (blocks, games)."""
        return first_wins(self.shares, self.sides)

    def __str__(self) -> str:
        low, high = self.interval
        fair = "" if self.sides == 2 else f" of a fair {100 * self.fair:.3g} %"
        return f"{self.rate:.1%} ({low:.1%} to {high:.1%}){fair}"


def first_wins(shares: NDArray[np.float64], sides: int) -> NDArray[np.float64]:
    """Return the first agent's share of each game, (blocks, games); what nobody wins is shared by all sides."""
    wins: NDArray[np.float64] = shares[:, :, 0] + (1 - shares.sum(axis=2)) / sides
    return wins


def share_of_two(rate: ArrayLike, sides: ArrayLike) -> NDArray[np.float64]:
    """Return the share of two with the odds that agents with these rates among so many sides have against each."""
    won = np.multiply(rate, np.subtract(sides, 1))
    shares: NDArray[np.float64] = won / (won + np.subtract(1, rate))
    return shares
