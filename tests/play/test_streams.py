"""Random choices of agents in many games at once: those of each game alone."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from titan_env import agents, registry
from titan_env.engine.batch import Batch
from titan_env.play.streams import SeatStreams

SEEDS, DECISIONS = (3, 4, 5, 6), 40
GAME = registry.load("titan_race")


def draws_for_all_and_then_for_one(observations: Any, masks: NDArray[np.int8], rng: Any) -> NDArray[np.int64]:
    """Draw a number for every game, then one for each by itself, and choose by their sum."""
    shares = rng.random((len(masks), 1))
    for row in range(len(masks)):
        shares[row] += rng.random((1, 1))[0]
    legal = masks.cumsum(axis=1)
    return np.argmax(legal > shares / 2 * legal[:, -1:], axis=1)


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


@pytest.mark.parametrize("agent", [draws_for_all_and_then_for_one, "random", "delegate:greedy,die=random"])
def test_an_agent_s_draws_do_not_depend_on_the_games_beside(agent: Any) -> None:
    agent = agents.agent_of(agent, GAME)
    assert played(agent, SEEDS) == [played(agent, [seed])[0] for seed in SEEDS]
