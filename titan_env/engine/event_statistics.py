"""Self-play games with their events counted, for statistics of a game."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game, specialize
from titan_env.engine.agent_calls import ask_in_batch
from titan_env.engine.batch import Batch, plain
from titan_env.engine.batch_loops import divide
from titan_env.engine.determinization import agents_rng

legal: Any = None
step: Any = None
observe: Any = None


def count_rows(
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
        divide(observations[i], scales)


@dataclass(frozen=True)
class Games:
    """Finished games: `states` (N,), `first` (N,) the seat that began, `counts` (N, kinds) the events of each kind."""

    game: Game
    states: Any
    first: NDArray[np.int64]
    counts: NDArray[np.int64]

    def traits(self) -> list[Mapping[str, Any]]:
        """Return each game's `statistics`, by name; empty dicts for a game that declares none."""
        return [self.game.metadata.statistics(state) if self.game.metadata.statistics else {} for state in self.states]


def play(
    game: Game,
    agent: Callable[..., NDArray[np.int64]],
    games: int,
    seed: int,
    progress: Callable[[int], None] = lambda ended: None,
    **options: Any,
) -> Games:
    """Play games to their end with one agent in every seat; call `progress` with the number of finished games."""
    batch = Batch(game, games, **options)
    batch.seed(seed)
    batch.start()
    rng = agents_rng(seed)
    first = batch.states["seat"].astype(np.int64)
    counts = np.zeros((games, max(game.rules.events) + 1), np.int64)
    log = np.zeros(1, game.rules.log).view(np.recarray)
    run = specialize(count_rows, game.rules.functions)
    shown = (plain(batch.states), plain(batch.luck), batch.masks, batch.observations, batch.scales, plain(log))
    while len(rows := np.flatnonzero(~batch.over)):
        run(*shown, rows, ask_in_batch(agent, batch, rows, rng).actions, counts)
        progress(int(batch.over.sum()))
    return Games(game, batch.states, first, counts)
