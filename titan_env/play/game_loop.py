"""The loop that plays a batch of games to its end among agents; matches, puzzles, records and training use it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, nullcontext
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.engine.batch import Batch

Decide = Callable[[int, NDArray[np.int64]], NDArray[np.int64]]
"""``decide(agent, rows) -> actions``: the action numbers of one agent, by its number, in these rows (B,)."""
AroundStep = Callable[[NDArray[np.int64]], AbstractContextManager[Any]]
"""``around(actions)``: a context in which one step of all running rows is played, actions (N,)."""


def rows_by_agent(batch: Batch, sits: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Yield each agent that is to act, with the rows of the batch in which it is.

    `sits` (N, seats) is the number of the agent in each seat.
    """
    running = np.flatnonzero(~batch.over)
    waited_for = sits[running, batch.states["seat"][running]]
    for number in np.unique(waited_for):
        yield int(number), running[waited_for == number]


def game_steps(
    batch: Batch, sits: NDArray[np.int64], decide: Decide, around: AroundStep | None = None
) -> Iterator[NDArray[np.int64]]:
    """Play a batch to its end; yield the running rows (B,) before each decision, which is played on resumption.

    `sits` (N, seats) is the number of the agent in each seat.
    """
    actions = np.zeros(batch.num_games, np.int64)
    while len(running := np.flatnonzero(~batch.over)):
        yield running
        for number, rows in rows_by_agent(batch, sits):
            actions[rows] = decide(number, rows)
        with around(actions) if around else nullcontext():
            batch.step(actions)


def play_games(batch: Batch, sits: NDArray[np.int64], decide: Decide, around: AroundStep | None = None) -> None:
    """Play a batch to its end; the arguments are those of `game_steps`."""
    for _ in game_steps(batch, sits, decide, around):
        continue
