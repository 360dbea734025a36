"""Estimates of what each seat can expect at a position, from play-outs and from the values of a trained critic."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.engine.batch import Records

CRITIC_WORLDS = 6
"""The play-outs that a critic's values are worth. Those of the policies that come with the package differ by 0.13 to
0.15 (root mean square) from 256 play-outs of the same policy, as the means of 5 to 8 play-outs do."""
_DOUBT = 4
"""The results, half of them won, that are added where errors are computed (Agresti, Coull 1998): where all play-outs
were won the chance is still not known to be 1."""


class Expected(NamedTuple):
    """The chance of winning of each seat (seats,), its standard error, and the play-outs behind it."""

    chances: NDArray[np.float64]
    errors: NDArray[np.float64]
    worlds: int


@dataclass(frozen=True)
class ChanceEstimate:
    """The estimate at one position (1,), which play-outs make better."""

    states: Records
    total: NDArray[np.float64]
    """The sum of each seat's shares of the results, (seats,)."""
    weight: int = 0
    """The number of results in that sum; a critic's values count as `CRITIC_WORLDS`."""
    worlds: int = 0
    """The play-outs among them."""

    @property
    def is_final(self) -> bool:
        """True if the game is over here, so that nothing is to be found out."""
        return bool(self.states["over"][0])

    @property
    def expected(self) -> Expected | None:
        """The chances, errors and play-outs so far; None while nothing is known."""
        if not self.weight:
            return None
        chances = self.total / self.weight
        if self.is_final:
            return Expected(chances, np.zeros_like(chances), self.worlds)
        doubted = np.clip((self.total + _DOUBT / 2) / (self.weight + _DOUBT), 0, 1)
        return Expected(chances, np.sqrt(doubted * (1 - doubted) / self.weight), self.worlds)

    def with_play_outs(self, shares: NDArray[np.float64]) -> ChanceEstimate:
        """Return the estimate with more play-outs: each seat's share of each result, (worlds, seats)."""
        count = len(shares)
        return replace(
            self, total=self.total + shares.sum(axis=0), weight=self.weight + count, worlds=self.worlds + count
        )

    def with_critic(self, chances: NDArray[np.float64]) -> ChanceEstimate:
        """Return the estimate with a critic's chances of each seat, (seats,)."""
        return replace(self, total=self.total + CRITIC_WORLDS * chances, weight=self.weight + CRITIC_WORLDS)
