"""The references of a task: its panel's strengths, and the ratings that score 0 and 100, with their own error.

They are measured once, from the rows of the panel: each member plays the task as an entrant does. The strengths of all
members are fitted to all of these games together. The scale is that of the rows of `random` and of the member that
scores 100, which every later agent leaves as they are.

A score is 100 (x - random) / (hundred - random), where the rating x of an entrant, and both ends, move with the
strengths of the members. The covariance of all of these comes from the spread of the blocks, which all rows share; by
the delta method it gives the error of a score, and of a difference of two. References are taken for independent of the
blocks of a card, as they are in a round; on the public seeds the dice that they share make scores near 100 surer than
stated.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.benchmark.panel import ZERO, Panel, block_ratings, entrants_wins, rating_gradient
from titan_env.evaluation.benchmark.scores import Estimate, Statistic, mean, normalise
from titan_env.evaluation.benchmark.tasks import Benchmark, Task
from titan_env.evaluation.matches.match import Z95
from titan_env.evaluation.matches.mixed_tables import Block, play_tables, winners_of
from titan_env.evaluation.matches.plackett_luce import ELO, Fit

MOST_AT_ONCE = 128
"""The blocks in one batch."""
KEPT = 4
"""The blocks of each row whose winners are kept beside the references, so that old ones are noticed."""
_DECIMALS = 2  # of points


@dataclass(frozen=True)
class References:
    """The references of a task, in rating points: strengths of the panel's members in their order, and the scale.

    `covariance` is that of all of these, strengths first, `lineups` those of the rows. `spread` is the standard
    deviation, over blocks, of the score by which the best member's row is ahead of 100, `lead` its mean.
    """

    strengths: Sequence[float]
    random: float
    hundred: float
    covariance: NDArray[np.float64]
    lineups: NDArray[np.int64]
    spread: float
    lead: float

    @classmethod
    def of(cls, measures: Mapping[str, Any], panel: Panel, lineups: NDArray[np.int64]) -> References:
        """Return the references of a panel from what `measured` returned, with the line-ups of the rows."""
        random, hundred = (measures["ratings"][name] for name in (ZERO, panel.hundred))
        strengths = [measures["strengths"][name] for name in panel.members]
        best = max(rating for name, rating in measures["ratings"].items() if name != panel.hundred)
        lead = float(normalise(best, random, hundred)) - 100
        covariance = _symmetric(measures["covariance"])
        return cls(strengths, random, hundred, covariance, lineups, measures["spread"], lead)

    def scores(self, wins: NDArray[np.float64], lineups: NDArray[np.int64]) -> NDArray[np.float64]:
        """Return the scores of blocks, (blocks,), from an entrant's shares of wins; their mean is the score."""
        return normalise(block_ratings(wins, lineups, self.strengths), self.random, self.hundred)

    def resolves(self, blocks: int) -> float:
        """Return the smallest difference of two scores on the same blocks that their 95 % interval tells from none."""
        return float(Z95 * self.spread / blocks**0.5)

    def score_error(self, score: float) -> float:
        """Return the standard error that a score has from the references."""
        return self._error(self._moves(score))

    def lead_error(self, score: float, other: float) -> float:
        """Return the standard error that the difference of two scores has from the references."""
        return self._error(self._moves(score) - self._moves(other))

    def points_error(self) -> float:
        """Return the standard error of the points between both ends of the scale."""
        return self._error(np.array([*np.zeros(len(self.strengths)), 1, -1]))

    def _moves(self, score: float) -> NDArray[np.float64]:
        """Return by how much a score moves with each strength and both ends of the scale: (members + 2,)."""
        share, points = score / 100, self.hundred - self.random
        gradient = rating_gradient(self.random + share * points, self.lineups, self.strengths)
        moves: NDArray[np.float64] = 100 / points * np.array([*gradient, share - 1, -share])
        return moves

    def _error(self, moves: NDArray[np.float64]) -> float:
        """Return the standard error of what moves so with the references."""
        return float(np.sqrt(max(0.0, float(moves @ self.covariance @ moves))))


def references_of(game: Game, benchmark: Benchmark, task: Task) -> References:
    """Return the references of a task. Raises ValueError where they are not measured, or for another panel."""
    measures, panel = task.references, benchmark.panel
    if measures.get("panel") != panel.id(game):
        raise ValueError(
            f"expected references of {game.name}, {task.name} with the panel {panel.id(game)}, got "
            f"{measures.get('panel', 'none')}; measure them with --references"
        )
    return References.of(measures, panel, panel.lineups(GameSetup.of(game, task.options).sides, task.reference_seeds))


def _symmetric(triangle: Sequence[str]) -> NDArray[np.float64]:
    """Return the matrix with these rows of its lower triangle."""
    rows = [[float(number) for number in row.split()] for row in triangle]
    lower = np.array([row + [0.0] * (len(rows) - len(row)) for row in rows])
    matrix: NDArray[np.float64] = lower + np.tril(lower, -1).T
    return matrix


def play_row(setup: GameSetup, panel: Panel, member: str, seeds: range) -> list[str]:
    """Return the winners of each block of a member's row, as `Block` has them."""
    tables = tables_of(panel, member, panel.lineups(setup.sides, seeds))
    parts = [slice(begin, begin + MOST_AT_ONCE) for begin in range(0, len(seeds), MOST_AT_ONCE)]
    return [block.winners for part in parts for block in play_tables(setup, tables[part], seeds[part])]


def tables_of(panel: Panel, entrant: str, lineups: NDArray[np.int64]) -> list[tuple[str, ...]]:
    """Return line-ups with an entrant by name."""
    names = (entrant, *panel.members)
    return [tuple(names[number] for number in lineup) for lineup in lineups]


def measured(panel: Panel, sides: int, seeds: range, rows: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    """Return the references of a task by name, from the winners of each block of all members' rows."""
    lineups, names = panel.lineups(sides, seeds), list(panel.members)
    blocks = {
        name: [Block(*of) for of in zip(seeds, tables_of(panel, name, lineups), rows[name], strict=True)]
        for name in names
    }
    fit = Fit(winners_of([block for row in blocks.values() for block in row], names), {names.index(panel.hundred): 0.0})
    strengths = [round(float(ELO * strength), _DECIMALS) for strength in fit.strengths]
    shares = {name: np.array([block.shares() for block in row]) for name, row in blocks.items()}
    row_ratings = {name: block_ratings(entrants_wins(won, lineups), lineups, strengths) for name, won in shares.items()}
    ratings = {name: round(float(row.mean()), _DECIMALS) for name, row in row_ratings.items()}
    errors = {name: round(float(row.std(ddof=1)) / len(seeds) ** 0.5, _DECIMALS) for name, row in row_ratings.items()}
    best = max((name for name in names if name != panel.hundred), key=lambda name: ratings[name])
    ahead = normalise(row_ratings[best] - row_ratings[panel.hundred], 0.0, ratings[panel.hundred] - ratings[ZERO])
    moved = ELO * fit.influences()
    ends = [
        (row_ratings[name] - ratings[name]) / len(seeds) + moved @ rating_gradient(ratings[name], lineups, strengths)
        for name in (ZERO, panel.hundred)
    ]
    covariance = len(seeds) * np.cov(np.column_stack([moved, *ends]), rowvar=False)
    return {
        "spread": round(float(ahead.std(ddof=1)), _DECIMALS),
        "strengths": dict(zip(names, strengths, strict=True)),
        "ratings": ratings,
        "errors": errors,
        "covariance": [" ".join(f"{number:.1f}" for number in row[: i + 1]) for i, row in enumerate(covariance)],
        "kept": {name: list(rows[name][:KEPT]) for name in names},
    }


def widened(known: Estimate, values: Sequence[float], errors: Sequence[float], statistic: Statistic = mean) -> Estimate:
    """Return an estimate of a statistic over tasks, widened by the standard error that each value has by itself."""
    tasks, apart = np.array(values, np.float64)[:, None], np.diag(errors)
    moved = (statistic(tasks + apart) - statistic(tasks - apart)) / 2
    own = float(Z95 * np.sqrt((moved**2).sum()))
    low, high = (float(np.hypot(known.value - end, own)) for end in (known.low, known.high))
    return Estimate(known.value, known.value - low, known.value + high)
