"""Ratings by the Plackett-Luce model: whoever is at a table wins with a chance in proportion to its strength.

With two at a table this is the Bradley-Terry model. Strengths are estimated by maximum likelihood (the library choix)
and told on Elo's scale, relative to an anchor, whose rating is 0: 400 points are odds of ten to one against each single
opponent. Each interval is that of the difference to the anchor, by the profile of the likelihood, which also bounds an
agent that never won. Games of one block share their luck: the blocks are the clusters of a sandwich estimate (Huber
1967), by whose ratio to the variance of independent games the profile's threshold is stretched.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from titan_env.evaluation.matches.match import Z95
from titan_env.extras import extra

with extra("evaluation"):
    import choix

ELO = 400 / np.log(10)
"""The rating points of one e-fold of the odds of winning."""
_END = 25.0  # strengths are sought up to here
_FAR = 15.0  # a strength beyond is infinite: the agent lost (or won) every game that could tell
_ENOUGH = 30  # wins from which the spread between blocks is a better guide than the model's
_EXACT = 1e-9  # of the log likelihood

Numbers = NDArray[np.float64]


@dataclass(frozen=True)
class Rating:
    """An agent's rating in points over the anchor, its 95 % interval, its share of wins and its number of games.

    A game counts once for each side that the agent had in it, as an anchor may have that fills a table.
    An agent that never won against anybody has -inf points, and `high` is the bound below which it lies.
    """

    name: str
    points: float
    low: float
    high: float
    wins: float = 0.0
    games: int = 0

    def __str__(self) -> str:
        if np.isneginf(self.points):
            return f"below {self.high:.0f} ({self.wins * self.games:,.0f} of {self.games:,} games)"
        if np.isposinf(self.points):
            return f"above {self.low:.0f} ({self.wins * self.games:,.0f} of {self.games:,} games)"
        if self.low == self.points == self.high:
            return f"{self.points:.0f}"
        return f"{self.points:.0f} ({_end(self.low)} to {_end(self.high)})"


def _end(points: float) -> str:
    """Return an end of an interval as text."""
    return f"{points:.0f}" if np.isfinite(points) else "any less" if points < 0 else "any more"


@dataclass(frozen=True)
class Choices:
    """Choices of a winner among agents by number: all float64 (choices, agents) but `blocks`, int64 (choices,).

    `present` counts the sides of each agent at the table. `shares` of the win sum to 1, or to 0 if nobody won. Choices
    of equal `blocks` share their luck.
    """

    present: Numbers
    shares: Numbers
    blocks: NDArray[np.int64]

    @classmethod
    def of_winners(cls, tables: NDArray[np.int64], shares: Numbers, blocks: NDArray[np.int64], agents: int) -> Choices:
        """Return one choice for each game: `tables` (games, sides) are agents by number, `shares` of the same shape."""
        return cls(_added(np.ones(tables.shape), tables, agents), _added(shares, tables, agents), blocks)

    @classmethod
    def of_places(cls, tables: NDArray[np.int64], places: Numbers, blocks: NDArray[np.int64], agents: int) -> Choices:
        """Return the choices of the first, the second, ... of each game among those that are left.

        `places` (games, sides) count from 1; sides of equal place share a choice.
        """
        stages = []
        for place in range(1, tables.shape[1] + 1):
            first = (places == place).astype(np.float64)
            left = places >= place
            counted = (first.sum(axis=1) > 0) & (left.sum(axis=1) > 1)
            shares = first[counted] / first[counted].sum(axis=1, keepdims=True)
            present = _added(left[counted].astype(np.float64), tables[counted], agents)
            stages.append((present, _added(shares, tables[counted], agents), blocks[counted]))
        return cls(*(np.concatenate(parts) for parts in zip(*stages, strict=True)))


def _added(numbers: Numbers, tables: NDArray[np.int64], agents: int) -> Numbers:
    """Return the sums of numbers (games, sides) by agent: float64 (games, agents)."""
    sums = np.zeros((len(tables), agents))
    np.add.at(sums, (np.arange(len(tables))[:, None], tables), numbers)
    return sums


def rate(names: Sequence[str], choices: Choices, anchor: str) -> list[Rating]:
    """Compute the ratings of agents over an anchor, the best first. Raises ValueError for an anchor that is missing."""
    if anchor not in names:
        raise ValueError(f"expected an anchor among {', '.join(names)}, got {anchor}")
    fit = Fit(choices, {names.index(anchor): 0.0})
    ratings = []
    for number, name in enumerate(names):
        games = int(choices.present[:, number].sum())
        wins = float(choices.shares[:, number].sum()) / max(games, 1)
        points, low, high = (ELO * end for end in fit.interval(number))
        ratings.append(Rating(name, points, low, high, wins, games))
    return sorted(ratings, key=lambda rating: (-rating.points, -rating.high, rating.name))


class Fit:
    """The strengths of maximum likelihood, and their intervals, by number of the agent.

    `held` are the strengths that are given: that of the anchor, or those of all agents but one. `errors` are the
    standard errors of the given ones, by which the intervals of the others are widened as if they were independent.
    """

    def __init__(self, choices: Choices, held: Mapping[int, float], errors: Mapping[int, float] | None = None) -> None:
        self.choices, self._errors = choices, dict(errors or {})
        self._held = {number: float(np.clip(strength, -_END, _END)) for number, strength in held.items()}
        decided = choices.shares.sum(axis=1) > 0
        self._present, company = np.unique(choices.present[decided], axis=0, return_inverse=True)
        self._won = np.zeros_like(self._present)
        np.add.at(self._won, company.ravel(), choices.shares[decided])
        self._free = np.array([number not in self._held for number in range(choices.present.shape[1])])
        self.strengths, self._most = self._climb(self._first_guess(), self._free)
        self._stretch = self._stretches()

    def _first_guess(self) -> Numbers:
        """Return the strengths by choix's I-LSR over the given ones: exact unless somebody won, or lost, everything.

        A win shared by sides is a win of each, and a weak prior keeps all finite: `_climb` goes on from here.
        """
        sides = {row.tobytes(): np.repeat(np.arange(len(row)), row.astype(np.int64)).tolist() for row in self._present}
        data = []
        for game, winner in zip(*np.nonzero(self.choices.shares), strict=True):
            losers = list(sides[self.choices.present[game].tobytes()])
            losers.remove(int(winner))
            data.append((int(winner), tuple(losers)))
        guess: Numbers = choix.ilsr_top1(len(self._free), data, alpha=1e-3) if data else np.zeros(len(self._free))
        given, strengths = list(self._held), list(self._held.values())
        guess = guess + np.median(strengths - guess[given])
        guess[given] = strengths
        return np.clip(guess, -_END, _END)

    def chances(self, strengths: Numbers, present: Numbers) -> Numbers:
        """Return each agent's chance to win at tables (n, agents) with these agents present."""
        weights = present * np.exp(strengths - strengths.max())
        chances: Numbers = weights / weights.sum(axis=1, keepdims=True)
        return chances

    def _likelihood(self, strengths: Numbers) -> float:
        """Return the log likelihood of strengths."""
        totals = np.log((self._present * np.exp(strengths)).sum(axis=1))
        return float((self._won * strengths).sum() - (self._won.sum(axis=1) * totals).sum())

    def _curvature(self, strengths: Numbers) -> Numbers:
        """Return the negative second derivatives of the log likelihood: (agents, agents)."""
        chances, counts = self.chances(strengths, self._present), self._won.sum(axis=1)
        curvature: Numbers = np.diag(counts @ chances) - (counts[:, None] * chances).T @ chances
        return curvature

    def _climb(self, strengths: Numbers, free: NDArray[np.bool_]) -> tuple[Numbers, float]:
        """Return the strengths of most likelihood with those that are not free held, and its logarithm (Newton)."""
        likelihood = self._likelihood(strengths)
        if not free.any():
            return strengths, likelihood
        for _ in range(200):
            counts = self._won.sum(axis=1)
            slope = (self._won - counts[:, None] * self.chances(strengths, self._present)).sum(axis=0)[free]
            curvature = self._curvature(strengths)[np.ix_(free, free)] + 1e-10 * np.eye(free.sum())
            step = np.clip(np.linalg.solve(curvature, slope), -2, 2)
            for _ in range(40):
                tried = strengths.copy()
                tried[free] = np.clip(tried[free] + step, -_END, _END)
                gain = self._likelihood(tried) - likelihood
                if gain >= 0:
                    break
                step = step / 2
            if gain < 0:
                break
            strengths, likelihood = tried, likelihood + gain
            if gain < _EXACT:
                break
        return strengths, likelihood

    def influences(self) -> Numbers:
        """Return by how much each block, in the order of their numbers, moves each strength: (blocks, agents).

        The sum of their outer products estimates the strengths' covariance. Given strengths, and those without end,
        are not moved.
        """
        numbers, cluster = np.unique(self.choices.blocks, return_inverse=True)
        free = self._finite()
        decided = self.choices.shares.sum(axis=1, keepdims=True)
        left = self.choices.shares - decided * self.chances(self.strengths, self.choices.present)
        of_block, moved = np.zeros((len(numbers), len(free))), np.zeros((len(numbers), len(self.strengths)))
        np.add.at(of_block, cluster, left[:, free])
        moved[:, free] = of_block @ np.linalg.inv(self._curvature(self.strengths)[np.ix_(free, free)])
        return moved

    def _finite(self) -> NDArray[np.int64]:
        """Return the numbers of the agents whose strengths are neither given nor without end."""
        return np.flatnonzero((np.abs(self.strengths) < _FAR) & self._free)

    def _stretches(self) -> Numbers:
        """Return the variance of each strength by the spread of the blocks, divided by the model's: (agents,).

        It is at least 1 for agents with few wins, whose blocks are nearly all alike, and 1 for strengths without end.
        """
        stretches, free = np.ones(len(self.strengths)), self._finite()
        blocks = len(np.unique(self.choices.blocks))
        if len(free) == 0 or blocks < 2:
            return stretches
        curvature = self._curvature(self.strengths)
        bread = np.linalg.inv(curvature[np.ix_(free, free)])
        spread = (self.influences()[:, free] ** 2).sum(axis=0) * blocks / (blocks - 1)
        errors = np.array([self._errors.get(number, 0.0) for number in range(len(stretches))])
        moved = bread @ curvature[free] * errors
        ratio = (spread + (moved**2).sum(axis=1)) / np.diag(bread)
        stretches[free] = np.where(self._won.sum(axis=0)[free] < _ENOUGH, np.maximum(ratio, 1), ratio)
        return stretches

    def interval(self, number: int) -> tuple[float, float, float]:
        """Return an agent's strength and the ends of its 95 % interval; infinite where nothing tells."""
        if number in self._held:
            return (self._held[number],) * 3
        at = float(self.strengths[number])
        point = at if abs(at) < _FAR else np.copysign(np.inf, at)
        low = -np.inf if point == -np.inf else self._bound(number, -1)
        high = np.inf if point == np.inf else self._bound(number, 1)
        return float(point), low, high

    def _bound(self, number: int, side: int) -> float:
        """Return the strength on one side at which the profile of the likelihood reaches its threshold."""
        threshold = Z95**2 / 2 * float(self._stretch[number])
        inside, strengths = float(self.strengths[number]), self.strengths.copy()
        free = self._free.copy()
        free[number] = False

        def drop(value: float) -> float:
            """Return how far the profile lies below the threshold at a value."""
            held = strengths.copy()
            held[number] = value
            return self._most - self._climb(held, free)[1] - threshold

        outside, step = inside, 0.25
        while drop(outside := outside + side * step) < 0:
            inside, step = outside, 2 * step
            if abs(outside) > _END:
                return side * np.inf
        for _ in range(40):
            middle = (inside + outside) / 2
            if abs(outside - inside) < 1e-4:
                break
            inside, outside = (middle, outside) if drop(middle) < 0 else (inside, middle)
        return float((inside + outside) / 2)
