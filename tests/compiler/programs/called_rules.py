"""Rules that rules call, which no cache has seen."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import rule, specialize
from titan_env.contract.frame import typed_rule

POINT = np.dtype([("x", np.int64)])


@rule
def doubled(number: int) -> int:
    return 2 * number


@rule
def one_more(number: int) -> int:
    return doubled(number) + 1


def move(point: Any, by: int) -> None:
    point.x += doubled(by)


def move_twice(points: Any, by: int) -> None:
    for point in points:
        move(point, by)
        move(point, by)


MOVE = typed_rule(rule(move), (POINT, np.int64))
MOVE_TWICE = specialize(move_twice, {"move": MOVE})
