"""Two checks of a table of ratings: how far the model is from the games, and who is played in equilibrium.

A rating is one number for each agent, and a circle of three that beat each other has none. The largest residual
measures the distance of the games to the model. The Nash average of the odds between pairs (Balduzzi et al. 2018) is
the equilibrium mix of agents, computed for each redraw of the blocks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from titan_env.evaluation.matches.plackett_luce import Choices, Fit
from titan_env.extras import extra

with extra("evaluation"):
    from scipy.optimize import linprog

Residuals: TypeAlias = NDArray[np.float64]

REDRAWS = 200
BOUND = 0.05
"""The share of a pair's games by which their wins may differ from the model's, beyond chance."""
_ERRORS = 3  # standard errors that are chance
_IMAGINED = 0.5  # wins of each against each: keeps the odds finite
_PART = 0.01  # the least part of a mixture that is printed


def largest_residual(names: Sequence[str], choices: Choices, anchor: str) -> str:
    """Return the sentence on the pair of agents whose games are furthest from the model's."""
    if len(np.unique(choices.present, axis=0)) == 1:
        return "The same agents sat at every table, so that the model has no residuals."
    off, games = residuals(names, choices, anchor)
    return f"The largest residual of the model: {_residual(names, off, games, np.abs(off).argmax())}."


def unlike_the_model(names: Sequence[str], choices: Choices, anchor: str) -> list[str]:
    """Return a sentence if a pair's games are further from the model's than `BOUND` and their chance explain.

    Agents that help or hunt one of the others are: a rating says nothing of such a table.
    """
    off, games = residuals(names, choices, anchor)
    beyond = np.abs(off) - BOUND - _ERRORS * 0.5 / np.sqrt(np.maximum(games, 1))
    if beyond.max() <= 0:
        return []
    return [f"expected games as the model of ratings has them, but {_residual(names, off, games, beyond.argmax())}"]


def residuals(names: Sequence[str], choices: Choices, anchor: str) -> tuple[Residuals, Residuals]:
    """Return what each agent wins beyond the model in a game with each other, and their games: (agents, agents)."""
    fit = Fit(choices, {names.index(anchor): 0.0})
    decided = choices.shares.sum(axis=1, keepdims=True)
    left = choices.shares - decided * fit.chances(fit.strengths, choices.present)
    together = (choices.present > 0).astype(np.float64)
    games: Residuals = together.T @ together
    return np.divide(left.T @ together, games, out=np.zeros_like(games), where=games > 0), games


def _residual(names: Sequence[str], off: Residuals, games: Residuals, cell: np.intp) -> str:
    """Return the residual at a place of the flat table as text."""
    one, other = divmod(int(cell), len(names))
    return (
        f"{names[one]} wins {100 * off[one, other]:+.1f} percentage points "
        f"in the {games[one, other]:,.0f} games with {names[other]}"
    )


def nash_average(names: Sequence[str], choices: Choices) -> str:
    """Return the sentence on the Nash equilibrium of the log odds between pairs, over redraws of the blocks."""
    _, cluster = np.unique(choices.blocks, return_inverse=True)
    of_block = np.zeros((cluster.max() + 1, len(names), len(names)))
    of_side = choices.shares / np.maximum(choices.present, 1)
    np.add.at(of_block, cluster, of_side[:, :, None] * (choices.present > 0)[:, None, :])
    rng, found = np.random.default_rng(0), Counter[tuple[str, ...]]()
    for _ in range(REDRAWS):
        drawn = rng.multinomial(len(of_block), np.full(len(of_block), 1 / len(of_block)))
        wins = np.tensordot(drawn, of_block, 1) + _IMAGINED
        parts = equilibrium(np.log(wins / wins.T))
        found[tuple(name for name, part in zip(names, parts, strict=True) if part > _PART)] += 1
    (mixture, often), *_ = found.most_common(1)
    alone = " alone" if len(mixture) == 1 else ""
    return f"Nash average of the odds between pairs: {' and '.join(mixture)}{alone} in {often} of {REDRAWS} redraws."


def equilibrium(odds: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return the parts of a mixture (agents,) that loses to none, by log odds (agents, agents) of each against each."""
    agents = len(odds)
    aim = np.append(np.zeros(agents), -1)
    worse = np.column_stack([-odds.T, np.ones(agents)])
    sums = np.append(np.ones(agents), 0)[None]
    bounds = [(0, None)] * agents + [(None, None)]
    parts: NDArray[np.float64] = linprog(aim, worse, np.zeros(agents), sums, [1], bounds).x[:agents]
    return parts
