"""The references of a task, with their own error, which widens the interval of every score that is made with them.

A score is 100 (x - random) / (best - random). By the delta method an error of `random` moves it by (score - 100) /
(best - random) times as much, one of `best` by -score / (best - random); a difference of two scores, in which the
references are the same, moves by its own size only. References are taken for independent of the blocks of a card, as
they are in a round; on the public seeds the dice that they share make scores near 100 a little surer than told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.benchmark.scores import Estimate, Statistic, mean
from titan_env.evaluation.benchmark.tasks import Benchmark, Task
from titan_env.evaluation.matches.match import Z95

_NONE_OF_ONE = 0.5
"""A win in one more game, so that the error of a share of none is not none."""


@dataclass(frozen=True)
class References:
    """The shares of wins of `random` and of the best published agent in a task, with their standard errors."""

    random: float
    best: float
    random_error: float
    best_error: float

    def score_error(self, score: float) -> float:
        """Return the standard error that a score has from the references."""
        moved = np.hypot((score - 100) * self.random_error, score * self.best_error)
        return float(moved / (self.best - self.random))

    def lead_error(self, lead: float) -> float:
        """Return the standard error that a difference of two scores has from the references."""
        return float(abs(lead) * np.hypot(self.random_error, self.best_error) / (self.best - self.random))


def references_of(game: Game, benchmark: Benchmark, task: Task) -> References:
    """Return the references of a task. Raises ValueError where they have not been measured.

    Those that were measured without an error have that of independent games. An opponent that is the best one wins a
    fair share, without error.
    """
    references = task.references
    if not references:
        raise ValueError(f"expected references of {game.name}, {task.name}; measure them with --references")
    games = task.blocks * GameSetup.of(game, task.options).sides
    is_fair = benchmark.best == benchmark.opponent
    usual = {
        "random": _error(references["random"], games),
        "best": 0.0 if is_fair else _error(references["best"], games),
    }
    errors = [references.get(f"{which}_error", usual[which]) for which in ("random", "best")]
    return References(references["random"], references["best"], *errors)


def _error(share: float, games: int) -> float:
    """Return the standard error of a share of wins in independent games."""
    chance = (share * games + _NONE_OF_ONE) / (games + 1)
    return float(np.sqrt(chance * (1 - chance) / games))


def measured(shares: Mapping[str, NDArray[np.float64]]) -> dict[str, float]:
    """Return shares by name, with their errors, from those of blocks; a fair one is a single number."""
    measures: dict[str, float] = {}
    for which, of_blocks in shares.items():
        error = of_blocks.std(ddof=1) / len(of_blocks) ** 0.5 if len(of_blocks) > 1 else 0.0
        measures |= {which: round(float(of_blocks.mean()), 4), f"{which}_error": round(float(error), 5)}
    return measures


def widened(
    known: Estimate,
    values: Sequence[float],
    error_of: Sequence[Callable[[float], float]],
    statistic: Statistic = mean,
) -> Estimate:
    """Return an estimate of a statistic over tasks, widened by the error that each value has from its references."""
    tasks = np.array(values, np.float64)
    errors = np.diag([error(value) for error, value in zip(error_of, tasks, strict=True)])
    moved = (statistic(tasks[:, None] + errors) - statistic(tasks[:, None] - errors)) / 2
    own = float(Z95 * np.sqrt((moved**2).sum()))
    low, high = (float(np.hypot(known.value - end, own)) for end in (known.low, known.high))
    return Estimate(known.value, known.value - low, known.value + high)
