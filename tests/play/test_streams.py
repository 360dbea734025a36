"""Random choices of agents in many games at once: those of each game alone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from titan_env import agents, registry
from titan_env.engine.batch import Batch
from titan_env.play.streams import SeatStreams

SEEDS, DECISIONS = (3, 4, 5, 6), 40
GAME = registry.load("titan_race")


def numbers(rng: Any, rows: int) -> Any:
    return rng.random((rows, 1))


def short_numbers(rng: Any, rows: int) -> Any:
    return rng.random((rows, 2), np.float32)[:, :1]


def noise(rng: Any, rows: int) -> Any:
    return np.tanh(abs(rng.gumbel(size=(rows, 2))))[:, :1]


def halves(rng: Any, rows: int) -> Any:
    """An odd count of small integers: a half of the stream's last number waits for the next draw."""
    return rng.integers(0, 7, (rows, 3), np.int32)[:, :1] / 7


def all_of_them(rng: Any, rows: int) -> Any:
    return sum(draw(rng, rows) for draw in (numbers, halves, numbers, noise, short_numbers)) / 5


@dataclass
class DrawsForAllAndThenForOne:
    """An agent that draws for every game, then a number for each by itself, and chooses by the mean."""

    draw: Callable[[Any, int], Any]

    def __call__(self, observations: Any, masks: NDArray[np.int8], rng: Any) -> NDArray[np.int64]:
        shares = self.draw(rng, len(masks))
        for row in range(len(masks)):
            shares[row] += numbers(rng, 1)[0]
        legal = masks.cumsum(axis=1)
        return np.argmax(legal > shares / 2 * legal[:, -1:], axis=1)


DRAWS = [numbers, short_numbers, noise, halves, all_of_them]


def played(agent: Any, seeds: Sequence[int]) -> list[list[int]]:
    """Play games side by side; return the first decisions in each."""
    batch = Batch(GAME, len(seeds), titans=2)
    batch.seed(seeds)
    batch.start()
    rows, streams, decided = np.arange(len(seeds)), SeatStreams([(seed,) for seed in seeds]), []
    for _ in range(DECISIONS):
        decided.append(streams.ask(agent, batch, rows).actions)
        batch.step(decided[-1])
    return np.array(decided).T.tolist()  # type: ignore[no-any-return]


@pytest.mark.parametrize("agent", [*map(DrawsForAllAndThenForOne, DRAWS), "random", "delegate:greedy,die=random"])
def test_an_agent_s_draws_do_not_depend_on_the_games_beside(agent: Any) -> None:
    agent = agents.agent_of(agent, GAME)
    assert played(agent, SEEDS) == [played(agent, [seed])[0] for seed in SEEDS]
