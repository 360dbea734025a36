"""Measures of learned values: how often they tell the winner right, and whether what they foretell comes true."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from titan_env.games.titan_battle.rules.state import ROUNDS, Result
from titan_env.games.titan_battle.value.battles import Positions

Array = NDArray[np.float64]

TENTHS = 10  # groups of what is foretold


def right(scores: Array, won: NDArray[np.bool_]) -> float:
    """The share of winners that scores, above 0 for the attacker, tell right."""
    return float(((scores > 0) == won).mean())


def auc(scores: Array, won: NDArray[np.bool_]) -> float:
    """Return how likely a battle that the attacker won scores higher than one that he lost; equal ones count half.

    Not a number where all were won, or lost.
    """
    order = np.unique(scores, return_inverse=True)[1]
    counts = np.bincount(order)
    ranks = (np.cumsum(counts) - (counts - 1) / 2)[order]
    wins, losses = int(won.sum()), int((~won).sum())
    if not wins or not losses:
        return float("nan")
    return float((ranks[won].sum() - wins * (wins + 1) / 2) / (wins * losses))


def log_loss(odds: Array, won: NDArray[np.bool_]) -> float:
    """Return how much is not foretold, in nats a battle."""
    return float(np.logaddexp(0, np.where(won, -odds, odds)).mean())


def by_round(held: Positions, chances: NDArray[np.float64]) -> str:
    """Return how well the winner is foretold in each round, a table in Markdown; mutual eliminations are left out."""
    lines = ["| round | positions | winners right | AUC | log loss |", "| --- | --: | --- | --- | --- |"]
    decided = held.results != Result.MUTUAL
    odds, won = np.log(chances[:, 0]) - np.log(chances[:, 1]), held.results == Result.ATTACKER_WINS
    for begun in (*range(1, ROUNDS + 1), None):
        rows = decided & (True if begun is None else held.records["rounds_begun"] == begun)
        if not rows.any():
            continue
        measured = f"{right(odds[rows], won[rows]):.1%} | {auc(odds[rows], won[rows]):.3f}"
        name = "all" if begun is None else begun
        lines.append(f"| {name} | {rows.sum():,} | {measured} | {log_loss(odds[rows], won[rows]):.3f} |")
    return "\n".join(lines)


def calibration(results: NDArray[np.int64], chances: NDArray[np.float64], counted: str) -> str:
    """Return how often the attacker wins where that has been foretold so often, a table in Markdown.

    `chances` (B, 3) are the chances of the ends, `counted` is the noun for what results (B,) are of.
    """
    lines = [f"| foretold | {counted} | on average | attacker wins |", "| --- | --: | --- | --- |"]
    chance, won = chances[:, 0], results == Result.ATTACKER_WINS
    groups = np.minimum((TENTHS * chance).astype(np.int64), TENTHS - 1)
    for group in range(TENTHS):
        rows = groups == group
        if rows.any():
            span = f"{group / TENTHS:.0%} to {(group + 1) / TENTHS:.0%}"
            lines.append(f"| {span} | {rows.sum():,} | {chance[rows].mean():.1%} | {won[rows].mean():.1%} |")
    return "\n".join(lines)
