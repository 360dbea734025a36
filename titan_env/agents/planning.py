"""Common parts of planning agents: the budget of a decision, and the policy that guides their search."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents import load
from titan_env.agents.policy import Policy
from titan_env.contract import MOST_SEATS, Game
from titan_env.engine.batch import Batch

MOST_SIMULATIONS = 1_000_000
MOST_SECONDS = 3600.0
LONGEST = 500  # decisions that are played on at most


@dataclass(frozen=True)
class Budget:
    """Simulations or seconds for each decision. Only the first gives the same play every time."""

    simulations: int | None
    seconds: float | None

    def left(self, done: int, began: float, most: int) -> int:
        """Return the number of simulations to run next, at most `most`; 0 once the budget is spent."""
        if self.simulations is not None:
            return max(0, min(most, self.simulations - done))
        assert self.seconds is not None
        return most if time.monotonic() - began < self.seconds and done < MOST_SIMULATIONS else 0


def budget(simulations: float | None, seconds: float | None) -> Budget:
    """Return a budget of one kind. Raises ValueError for an impossible one."""
    if (simulations is None) == (seconds is None):
        raise ValueError("expected a budget as in mcts:256 or mcts:seconds=1, one of both")
    if simulations is not None and (not 1 <= simulations <= MOST_SIMULATIONS or simulations % 1):
        raise ValueError(f"expected 1 to {MOST_SIMULATIONS} simulations, got {simulations:g}")
    if seconds is not None and not 0 < seconds <= MOST_SECONDS:
        raise ValueError(f"expected more than 0 and at most {MOST_SECONDS:g} seconds, got {seconds:g}")
    return Budget(None if simulations is None else int(simulations), seconds)


def load_prior(prior: str, game: Game) -> Policy | None:
    """Return the trained policy that a planner asks, if it has one. Raises ValueError for an agent of another kind."""
    if not prior:
        return None
    policy = load(prior, game)
    if not isinstance(policy, Policy):
        raise ValueError(f"expected a trained policy as prior, such as ppo@<game>-v0, got {prior!r}")
    return policy


def play_on(
    batch: Batch, seats: NDArray[np.int64], began: NDArray[Any], prior: Policy, rng: np.random.Generator
) -> None:
    """Let the policy play for everybody up to the next turn of one seat of each row, or the end of its game.

    That is when it is asked again, others have been asked since, and the game's clock stands elsewhere than it `began`.
    """
    states = batch.states
    every, others = np.arange(batch.num_games), np.zeros(batch.num_games, np.bool_)
    actions = np.zeros(batch.num_games, np.int64)
    for _ in range(LONGEST):
        own = states["seat"] == seats
        others |= ~own
        again = own & others & (states[batch.game.rules.chance_clock] != began)
        going = ~(batch.over | again | (states["out"][every, seats] != 0))
        if not going.any():
            return
        actions[going] = prior(batch.observations[going], batch.masks[going], rng)
        batch.step(actions, going)


def leaf_values(batch: Batch, prior: Policy) -> NDArray[np.float64]:
    """Return each row's value to each seat, (N, MOST_SEATS): its result, or the policy's estimate from the seat's view.

    The seats of a row sum to zero: what the policy promises all of them together is taken from those that play on.
    """
    seats = batch.states["seats"].astype(np.int64)
    worth = np.zeros((batch.num_games, MOST_SEATS))
    anything = np.ones_like(batch.masks)
    for seat in range(int(seats.max())):
        _, worth[:, seat] = prior.policy(batch.observe(np.minimum(seat, seats - 1)), anything)
    final = batch.over[:, None] | (batch.states["out"] != 0)
    worth = np.where(final, batch.payoffs(prior.reward), worth)
    seated = np.arange(MOST_SEATS) < seats[:, None]
    open_ = seated & ~final
    promised = np.where(seated, worth, 0).sum(axis=1) / np.maximum(open_.sum(axis=1), 1)
    return np.where(open_, worth - promised[:, None], worth)
