"""Agents against each other: whole races in one batch, every agent in every seat equally often."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from agents import Agent
from titan_env.batch import Batch, Records, configured
from titan_env.contract import Game
from titan_env.worlds import decide

_Z = 1.959964  # two-sided 95 %


@dataclass(frozen=True)
class Share:
    """How often something happened, with a 95 % interval (Wilson 1927)."""

    happened: float
    of: int

    @property
    def rate(self) -> float:
        """The share itself."""
        return self.happened / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The Wilson score interval; (0, 1) where there is nothing to go by."""
        if not self.of:
            return 0.0, 1.0
        centre = (self.rate + _Z**2 / (2 * self.of)) / (1 + _Z**2 / self.of)
        spread = self.rate * (1 - self.rate) / self.of + _Z**2 / (4 * self.of**2)
        half = _Z / (1 + _Z**2 / self.of) * spread**0.5
        return max(0.0, centre - half), min(1.0, centre + half)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.rate:.1%} ({low:.1%} to {high:.1%})"


def set_up(game: Game, options: Mapping[str, Any]) -> Records:
    """The table (1,) with these options.

    Raises ValueError for options that the game does not have, or not with these values.
    """
    try:
        return configured(game, options)
    except TypeError as error:
        raise ValueError(str(error)) from None


def table_of(game: Game, options: Mapping[str, Any], agents: int = 2) -> Records:
    """The table (1,) at which so many agents can be compared.

    Raises ValueError for options that cannot be played, or where agents cannot sit equally often.
    """
    table = set_up(game, options)
    sides = int(table[game.sides][0])
    if not 2 <= agents <= sides:
        raise ValueError(f"expected 2 to {sides} agents at a table of {sides}, got {agents}")
    return table


def seating(agents: int, seats: int, games: int, sides: int | None = None) -> NDArray[np.int64]:
    """Which agent sits where in each game, (games, seats): in turn every order of the agents around the table.

    After each `agents` games everybody has sat everywhere, after each `agents`! also after everybody else, for
    whom one moves after matters. Seats of one side (every so many-th, where there are teams) have the same agent.
    """
    begun = ((0, *rest) for rest in itertools.permutations(range(1, agents)))
    turned = (np.roll(order, -turn) for order in begun for turn in range(agents))
    orders = np.array(list(itertools.islice(turned, games)))
    return orders[np.arange(games) % len(orders)][:, np.arange(seats) % (sides or seats) % agents]


def seated(game: Game, table: Any, agents: int, games: int) -> NDArray[np.int64]:
    """How agents sit at games that begin as `table` does, (games, seats), as `seating` says."""
    return seating(agents, int(table["seats"]), games, int(table[game.sides]))


def asked(batch: Batch, sits: NDArray[np.int64]) -> Iterator[tuple[int, NDArray[np.int64]]]:
    """Each agent that is to decide, with the rows of the batch in which it is."""
    running = np.flatnonzero(~batch.over)
    waited_for = sits[running, batch.states["seat"][running]]
    for number in np.unique(waited_for):
        yield int(number), running[waited_for == number]


def play(game: Game, agents: Sequence[Agent], games: int, seed: int, **options: Any) -> NDArray[np.bool_]:
    """Play games to their end and tell who won: (games, seats) True for each winning seat.

    Agents sit as `seating` says. The same seed gives the same games.
    """
    for agent in agents:
        if not callable(agent):
            raise TypeError(f"expected an agent, as agents.load({agent!r}, game) gives, got {agent!r}")
    batch = Batch(game, games, **options)
    batch.seed(seed)
    batch.start()
    rng = np.random.default_rng(seed)
    sits = seated(game, batch.templates[0], len(agents), games)
    actions = np.zeros(games, np.int64)
    while not batch.over.all():
        for number, rows in asked(batch, sits):
            actions[rows] = decide(agents[number], batch, rows, rng)
        batch.step(actions)
    return batch.states["won"][:, : sits.shape[1]] != 0


def win_shares(game: Game, agents: Mapping[str, Agent], games: int, seed: int, **options: Any) -> dict[str, Share]:
    """How often each agent wins when all of them sit at one table, by name; chance alone gives 1 / agents.

    The number of games is rounded up to a multiple of `agents`!, so that they have sat in every order equally
    often. Raises ValueError for more agents than can sit at the table.
    """
    table, orders = table_of(game, options, len(agents))[0], math.factorial(len(agents))
    games = -(-games // orders) * orders
    won = play(game, list(agents.values()), games, seed, **options)
    sits = seated(game, table, len(agents), games)
    decided = int(won.any(axis=1).sum())
    return {
        name: Share(float((won & (sits == number)).any(axis=1).sum()), decided) for number, name in enumerate(agents)
    }
