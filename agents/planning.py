"""What planners share: how long one may think about a decision, and the policy that guides it."""

from __future__ import annotations

import time
from dataclasses import dataclass

from agents import load
from agents.policy import Policy
from titan_env.contract import Game

MOST_SIMULATIONS = 1_000_000
MOST_SECONDS = 3600.0


@dataclass(frozen=True)
class Budget:
    """Simulations or seconds for each decision. Only the first gives the same play every time."""

    simulations: int | None
    seconds: float | None

    def left(self, done: int, began: float, most: int) -> int:
        """How many simulations to run next, at most `most`; 0 when the budget is spent."""
        if self.simulations is not None:
            return max(0, min(most, self.simulations - done))
        assert self.seconds is not None
        return most if time.monotonic() - began < self.seconds and done < MOST_SIMULATIONS else 0


def budget(simulations: float | None, seconds: float | None) -> Budget:
    """A budget of one kind. Raises ValueError for an impossible one."""
    if (simulations is None) == (seconds is None):
        raise ValueError("expected a budget as in mcts:256 or mcts:seconds=1, one of both")
    if simulations is not None and (not 1 <= simulations <= MOST_SIMULATIONS or simulations % 1):
        raise ValueError(f"expected 1 to {MOST_SIMULATIONS} simulations, got {simulations:g}")
    if seconds is not None and not 0 < seconds <= MOST_SECONDS:
        raise ValueError(f"expected more than 0 and at most {MOST_SECONDS:g} seconds, got {seconds:g}")
    return Budget(None if simulations is None else int(simulations), seconds)


def guide(prior: str, game: Game) -> Policy | None:
    """The trained policy that a planner asks, if it has one. Raises ValueError for an agent of another kind."""
    if not prior:
        return None
    policy = load(prior, game)
    if not isinstance(policy, Policy):
        raise ValueError(f"expected a trained policy as prior, such as ppo@<game>-v0, got {prior!r}")
    return policy
