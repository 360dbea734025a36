"""Policy improvement: an agent's decision, unless another one is clearly better in imagined worlds.

``improve:16,by=greedy`` tries every legal action in the same 16 imagined worlds with the same chance, lets greedy play
every seat on to one's own next turn, and compares what the game's `position_values` say of where that leads
(Bertsekas, Tsitsiklis, Wu 1997: "Rollout Algorithms for Combinatorial Optimization"). Greedy's own action is taken
unless the mean advantage of another one is more than `sure` of its standard errors, 1 if not given: so luck seldom
changes a good decision. A game without position values is played on to its end, for 500 decisions at most. `by` is an
agent that scores actions.
"""

from __future__ import annotations

import pkgutil
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents import load
from titan_env.agents.planning import LONGEST, budget
from titan_env.compiler.record_copies import take_records
from titan_env.contract import Game
from titan_env.engine.batch import Batch, Records
from titan_env.play.determinization import Determinizations
from titan_env.play.opinions import Opinion

LEAST_WORLDS = 2
"""The least number of worlds that have a standard error."""
MOST_SURE = 100.0

_ROWS = 8192  # games played on beside each other, at most
_ALIKE = 4  # decimals of advantages: networks round otherwise when asked about more positions at once

Scores = Callable[[NDArray[np.float32]], NDArray[np.float32]]
Values = Callable[[Records], NDArray[np.float64]]


class Improve:
    """The planner around an agent with `scores` of actions, in so many worlds a decision."""

    plans = at_once = True

    def __init__(self, scores: Scores, worlds: int, sure: float, values: Values | None) -> None:
        self._scores, self._worlds, self._sure, self.values = scores, worlds, sure, values

    def __call__(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        rng: np.random.Generator,
        worlds: Determinizations,
    ) -> NDArray[np.int64]:
        """Return the agent's action for each decision, or the one that is clearly better."""
        chosen = self._decide(observations, masks)
        batch = worlds.imagine(self._worlds, rng)
        decision, action = np.nonzero((masks != 0) & ((masks != 0).sum(axis=1) > 1)[:, None])
        at_once = max(1, _ROWS // self._worlds)
        parts = [slice(first, first + at_once) for first in range(0, len(action), at_once)]
        played = [self._play_on(self._rows(batch, decision[part]), action[part]) for part in parts]
        worth = np.concatenate([np.zeros((0, self._worlds)), *played])
        for one in np.unique(decision):
            tried = decision == one
            actions, own = action[tried], int(np.searchsorted(action[tried], chosen[one]))
            better = advantages(worth[tried], own, self._sure)
            if better.max() > 0:
                chosen[one] = actions[better.argmax()]
            values, visits = worth[tried].mean(axis=1), np.full(len(actions), self._worlds)
            value = float(values[actions == chosen[one]][0])
            worlds.leave(int(one), Opinion(actions, visits=visits, values=values, value=value))
        return chosen

    def _rows(self, worlds: Batch, decision: NDArray[np.int64]) -> Batch:
        """Return the worlds of these decisions (n,), those of one after the other."""
        return worlds.select((decision[:, None] * self._worlds + np.arange(self._worlds)).ravel())

    def _decide(self, observations: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Return the legal action with the highest score in each row, the first of equals."""
        return np.where(masks != 0, self._scores(observations), -np.inf).argmax(axis=1)

    def _play_on(self, batch: Batch, actions: NDArray[np.int64]) -> NDArray[np.float64]:
        """Play each action in its share of the rows, and on; return the values, (actions, worlds)."""
        seats = batch.states["seat"].astype(np.int64)
        batch.step(np.repeat(actions, self._worlds))
        every, others = np.arange(batch.num_games), np.zeros(batch.num_games, np.bool_)
        chosen = np.zeros(batch.num_games, np.int64)
        for _ in range(LONGEST):
            own = batch.states["seat"] == seats
            others |= ~own
            again = own & others if self.values else np.zeros_like(own)
            going = ~(batch.over | again | (batch.states["out"][every, seats] != 0))
            if not going.any():
                break
            chosen[going] = self._decide(batch.observations[going], batch.masks[going])
            batch.step(chosen, going)
        worth = batch.payoffs()[every, seats].astype(np.float64)
        open_ = ~(batch.over | (batch.states["out"][every, seats] != 0))
        if self.values and open_.any():
            worth[open_] = self.values(take_records(batch.states, open_))[np.arange(open_.sum()), seats[open_]]
        return worth.reshape(len(actions), -1)


def advantages(worth: NDArray[np.float64], own: int, sure: float) -> NDArray[np.float64]:
    """Return each action's mean advantage over the agent's `own`, less so many standard errors, (actions,).

    `worth` (actions, worlds) holds their values in the same worlds.
    """
    more = worth - worth[own]
    errors: NDArray[np.float64] = more.std(axis=1, ddof=1) / more.shape[1] ** 0.5
    return np.round(more.mean(axis=1) - sure * errors, _ALIKE)


def position_values(game: Game) -> Values | None:
    """Return the game's own values of positions, if it names a function for them."""
    place = game.metadata.position_values
    return pkgutil.resolve_name(place) if place else None


def make(game: Game, worlds: float | None = None, by: str = "", sure: float = 1.0) -> Improve:
    """Make the planner with worlds for each decision. Raises ValueError for an impossible number or agent."""
    limit = budget(worlds, None).simulations if worlds is not None else None
    if limit is None or limit < LEAST_WORLDS or not by:
        raise ValueError("expected at least 2 worlds and the agent to improve, as in improve:16,by=greedy")
    if not 0 <= sure <= MOST_SURE:
        raise ValueError(f"expected sure to be a number of standard errors from 0 to {MOST_SURE:g}, got {sure:g}")
    agent: Any = load(by, game)
    if not hasattr(agent, "scores"):
        raise ValueError(f"expected by to be an agent that scores actions, as greedy and expert do, got by={by}")
    return Improve(agent.scores, limit, sure, position_values(game))
