"""Self-play games with their events counted, for statistics of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.record_copies import as_arrays
from titan_env.contract import Game, specialize
from titan_env.engine.batch import Batch
from titan_env.engine.batch_loops import scale_observation
from titan_env.play.agent_calls import ask_in_batch
from titan_env.play.determinization import agent_rng

legal: Any = None
step: Any = None
observe: Any = None


def step_and_count_rows(
    states: Any, luck: Any, masks: Any, observations: Any, scales: Any, log: Any, rows: Any, actions: Any, counts: Any
) -> None:
    """Play one legal decision in each of the `rows` (B,) and add its events to `counts` (N, kinds), by kind."""
    for n in range(len(rows)):
        i = rows[n]
        log[0].count = 0
        step(states[i], actions[n], luck[i], log[0])
        for event in range(min(log[0].count, len(log[0].events))):
            counts[i, log[0].events[event, 0]] += 1
        legal(states[i], masks[i])
        observe(states[i], states[i].seat, observations[i])
        scale_observation(observations[i], scales)


@dataclass(frozen=True)
class FinishedGames:
    """Finished games: `states` (N,), `first` (N,) the seat that began, `counts` (N, kinds) the events of each kind."""

    game: Game
    states: Any
    first: NDArray[np.int64]
    counts: NDArray[np.int64]

    def statistics(self) -> list[Mapping[str, Any]]:
        """Return each game's `statistics`, by name; empty dicts for a game that declares none."""
        return [self.game.metadata.statistics(state) if self.game.metadata.statistics else {} for state in self.states]


def play_and_count(
    game: Game | str,
    agent: Callable[..., NDArray[np.int64]],
    games: int,
    seed: int,
    progress: Callable[[int], None] = lambda ended: None,
    **options: Any,
) -> FinishedGames:
    """Play games to their end with one agent in every seat; call `progress` with the number of finished games."""
    batch = Batch(game, games, **options)
    game = batch.game
    batch.seed(seed)
    batch.start()
    rng = agent_rng(seed)
    first = batch.states["seat"].astype(np.int64)
    counts = np.zeros((games, max(game.rules.events) + 1), np.int64)
    log = np.zeros(1, game.rules.log).view(np.recarray)
    run = specialize(step_and_count_rows, game.rules.functions)
    shown = (
        as_arrays(batch.states),
        as_arrays(batch.luck),
        batch.masks,
        batch.observations,
        batch.scales,
        as_arrays(log),
    )
    while len(rows := np.flatnonzero(~batch.over)):
        run(*shown, rows, ask_in_batch(agent, batch, rows, rng).actions, counts)
        progress(int(batch.over.sum()))
    return FinishedGames(game, batch.states, first, counts)
