"""Matches: whole games among agents in one batch, with every agent in every seat equally often."""

from __future__ import annotations

import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents import Agent, agent_of
from titan_env.contract import Game
from titan_env.engine.batch import Batch, Records
from titan_env.engine.game_setup import GameSetup
from titan_env.play.agent_calls import ask_in_batch, needs_of
from titan_env.play.determinization import agent_rng
from titan_env.play.game_loop import play_games
from titan_env.play.observation_history import EventHistory, record_steps

Z95 = 1.959964
"""The standard errors on each side of a 95 % interval."""


@dataclass(frozen=True)
class Proportion:
    """A frequency with its 95 % interval (Wilson 1927): `happened` of `of`."""

    happened: float
    of: int

    @property
    def rate(self) -> float:
        """The frequency; 0 of none."""
        return self.happened / self.of if self.of else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """The Wilson score interval; (0, 1) without data."""
        if not self.of:
            return 0.0, 1.0
        centre = (self.rate + Z95**2 / (2 * self.of)) / (1 + Z95**2 / self.of)
        spread = self.rate * (1 - self.rate) / self.of + Z95**2 / (4 * self.of**2)
        half = Z95 / (1 + Z95**2 / self.of) * spread**0.5
        return max(0.0, centre - half), min(1.0, centre + half)

    def __str__(self) -> str:
        low, high = self.interval
        return f"{self.rate:.1%} ({low:.1%} to {high:.1%})"


def seat_rotation(agents: int, sides: NDArray[np.int64], orders: int | None = None) -> NDArray[np.int64]:
    """Return the agent in each seat of games, int64 (games, seats), for the sides of their seats, of the same shape.

    The games cycle through all orders of the agents around the table: after each `agents` games every agent has played
    every side, after each `agents`! it has also moved after every other. Seats of one side have the same agent. With
    `orders` the games cycle through the first so many orders only.
    """
    begun = ((0, *rest) for rest in itertools.permutations(range(1, agents)))
    turned = (np.roll(order, -turn) for order in begun for turn in range(agents))
    cycle = np.array(list(itertools.islice(turned, len(sides) if orders is None else orders)))
    return cycle[(np.arange(len(sides)) % len(cycle))[:, None], sides % agents]


def sides_of(game: Game, states: Records) -> NDArray[np.int64]:
    """Return the side of every seat in these states (games,): int64 (games, seats)."""
    seats = range(int(states["seats"].max()))
    return np.array([[game.rules.side(state, seat) for seat in seats] for state in states])


def seated(game: Game, states: Records, agents: int) -> NDArray[np.int64]:
    """Return the agents' `seat_rotation` for these states (games,): int64 (games, seats)."""
    return seat_rotation(agents, sides_of(game, states))


def play(
    game: Game | str, agents: Sequence[Agent | str], games: int, seed: int, **options: Any
) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
    """Play games to their end with agents in the order of `seat_rotation`; return the winners and the seating.

    Both are (games, seats): True for each winning seat, and the number of the agent in it. Equal seeds give equal
    games. Raises TypeError for an agent that is neither a function nor a name, ValueError for invalid options, and
    for fewer than 2 agents or more than sides.
    """
    setup = GameSetup.of(game, options)
    setup.check_agents(len(agents))
    game = setup.game
    players = [agent_of(agent, game) for agent in agents]
    listens = any(needs_of(agent).listens for agent in players)
    batch = Batch(game, games, templates=setup.template, events=listens)
    batch.seed(seed)
    batch.start()
    rng = agent_rng(seed)
    sits, histories = seated(game, batch.states, len(agents)), [EventHistory(game) for _ in range(games)]

    def decide(number: int, rows: NDArray[np.int64]) -> NDArray[np.int64]:
        return ask_in_batch(players[number], batch, rows, rng, histories).actions

    play_games(batch, sits, decide, (lambda actions: record_steps(batch, actions, histories)) if listens else None)
    return batch.states["won"][:, : sits.shape[1]] != 0, sits


def win_rates(
    game: Game | str, agents: Mapping[str, Agent | str], games: int, seed: int, **options: Any
) -> dict[str, Proportion]:
    """Return each agent's share of wins with all of them in the same games, by name; equal agents get 1 / agents.

    Agents that win a game together share the win, and games that nobody wins are left out. The number of games is
    rounded up to a multiple of `agents`!, so that the agents sit in every order equally often. Raises ValueError for
    more agents than the game has sides.
    """
    orders = math.factorial(len(agents))
    games = -(-games // orders) * orders
    won, sits = play(game, list(agents.values()), games, seed, **options)
    winners = np.array([(won & (sits == number)).any(axis=1) for number in range(len(agents))])
    decided = winners.any(axis=0)
    shares = (winners[:, decided] / winners[:, decided].sum(axis=0)).sum(axis=1)
    return {name: Proportion(float(share), int(decided.sum())) for name, share in zip(agents, shares, strict=True)}
