"""The next outcome of chance in a listing of all of them, and how likely each is."""

from __future__ import annotations

from typing import Any

from titan_env.contract import rule


@rule
def likelihood(luck: Any) -> float:
    """Compute the joint probability of the latest step's answers."""
    ways = 1.0
    for index in range(luck.asked):
        if luck.sides[index] > 0:
            ways *= luck.sides[index]
    return luck.odds / ways  # type: ignore[no-any-return]


@rule
def set_next(luck: Any) -> None:
    """Preset the next sequence of answers after the latest step's, in counting order; none after the last."""
    index = luck.asked - 1
    while index >= 0 and luck.answers[index] + 1 == abs(luck.sides[index]):
        index -= 1
    luck.asked = 0
    luck.given = 0
    if index >= 0:
        luck.answers[index] += 1
        luck.answers[index + 1 :] = 0
        luck.given = len(luck.answers)
