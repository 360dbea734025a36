"""The panel of a game's tasks: the agents among which an entrant is seated, and its rating among them.

In every second block it is alone among copies of one member, so that the weak meet the weak, too; in the others as many
different members as there are other sides are drawn by lot, who sat least first. The lot hangs on the panel and the
first seed alone: all entrants meet the same members in the same blocks. Members that are held out are of another kind
than the known ones: they plan. A rating is the strength of most likelihood by the model of
`titan_env.evaluation.matches.plackett_luce`, with those of the members given.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.evaluation.matches.mixed_tables import draw_tables
from titan_env.evaluation.matches.plackett_luce import ELO
from titan_env.extras import extra
from titan_env.records.sealed import digest_of

with extra("evaluation"):
    from scipy.optimize import brentq

ZERO = "random"
"""The member that scores 0."""

_ENTRANT = "the entrant"
_BEYOND = 800.0  # points beyond the members' strengths up to which a rating is sought: odds of a hundred to one
_DIGITS = 12  # of a panel's hash


@dataclass(frozen=True)
class Panel:
    """The panel of a game: members that anybody may train against, and those held out; `hundred` scores 100."""

    known: tuple[str, ...]
    held_out: tuple[str, ...]
    hundred: str

    @property
    def members(self) -> tuple[str, ...]:
        """All members, the known ones first."""
        return self.known + self.held_out

    def id(self, game: Game) -> str:
        """Return the hash of the members and of the version of their game, 12 hex digits."""
        return digest_of([game.id, self.hundred, *self.members])[:_DIGITS]

    def lineups(self, sides: int, seeds: range) -> NDArray[np.int64]:
        """Return the agents around the table in the first game of each block by number, (blocks, sides).

        0 is the entrant, 1 and on are the members; `hundred` fills the places for which there are too few.
        """
        number = {name: place for place, name in enumerate((_ENTRANT, *self.members))}
        tables = draw_tables(list(self.members), sides, len(seeds), seeds.start, self.hundred, only=_ENTRANT)
        lineups = np.array([[number[name] for name in table] for table in tables])
        of_copies = lineups[1::2]
        first = np.where(of_copies[:, :1] == 0, of_copies[:, 1:2], of_copies[:, :1])
        lineups[1::2] = np.where(of_copies == 0, 0, first)
        return lineups


def entrants_wins(shares: NDArray[np.float64], lineups: NDArray[np.int64]) -> NDArray[np.float64]:
    """Return the entrant's share of each win, (blocks, games), from those of all places, (blocks, games, sides).

    What nobody wins is shared by all sides.
    """
    place = (lineups == 0).argmax(axis=1)[:, None, None]
    own = np.take_along_axis(shares, place, axis=2)[:, :, 0]
    wins: NDArray[np.float64] = own + (1 - shares.sum(axis=2)) / lineups.shape[1]
    return wins


def block_ratings(
    wins: NDArray[np.float64], lineups: NDArray[np.int64], strengths: Sequence[float]
) -> NDArray[np.float64]:
    """Return ratings of an entrant in points, one a block, whose mean is that of most likelihood.

    `wins` (blocks, games) are its shares of the wins, `lineups` (blocks, sides) those of `Panel.lineups`, `strengths`
    the members' in points. A block lies as far from the mean as its wins move the rating, times the number of blocks.
    """
    weights = np.exp(np.array([-np.inf, *strengths]) / ELO)
    company, shares = np.log(weights[lineups].sum(axis=1)), wins.mean(axis=1)

    def missed(rating: float) -> NDArray[np.float64]:
        return shares - _chances(rating, company)

    low, high = min(strengths) - _BEYOND, max(strengths) + _BEYOND
    if missed(low).mean() <= 0:
        rating = low
    elif missed(high).mean() >= 0:
        rating = high
    else:
        rating = float(brentq(lambda tried: missed(tried).mean(), low, high))
    chances, moved = _chances(rating, company), missed(rating)
    ratings: NDArray[np.float64] = rating + ELO * (moved - moved.mean()) / (chances * (1 - chances)).mean()
    return ratings


def rating_gradient(rating: float, lineups: NDArray[np.int64], strengths: Sequence[float]) -> NDArray[np.float64]:
    """Return by how much an entrant's rating moves with the strength of each member, (members,); they sum to 1."""
    weights = np.exp(np.array([-np.inf, *strengths]) / ELO)[lineups]
    chances = _chances(rating, np.log(weights.sum(axis=1)))
    pull = (chances * (1 - chances))[:, None] * weights / weights.sum(axis=1, keepdims=True)
    gradient = np.bincount(lineups.ravel(), pull.ravel(), len(strengths) + 1)[1:] / pull.sum()
    return gradient


def _chances(rating: float, company: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the chances to win against companies, (blocks,), from the logarithms of their summed strengths."""
    chances: NDArray[np.float64] = 1 / (1 + np.exp(company - rating / ELO))
    return chances
