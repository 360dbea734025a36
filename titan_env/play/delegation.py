"""Questions that an agent answers in the place of whoever is asked: the option `delegate` of every environment.

So a learner takes the decisions that it is to learn while, say, a scripted agent takes all others in the same seat.
Rules and action numbers stay as they are, and records hold every decision, whoever took it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.contract.options import brief, near
from titan_env.engine.batch import Batch
from titan_env.play.agent_calls import ask_in_batch

Delegate: TypeAlias = Mapping[str, Callable[..., Any]]
"""The agent ``act(observations, masks, rng)`` of each question that is delegated, by its name in the game's `asks`."""

MOST_STARTS = 1000
"""Games that begin, at most, before a learner is asked anything."""


def never_asked() -> ValueError:
    """Return the error for games in which the learner is asked nothing."""
    return ValueError(f"expected the learner to be asked within {MOST_STARTS} games; delegate fewer questions")


class Delegation:
    """The agent of each question that is delegated.

    Names are those of the game's `asks`, in any case, as "roll"; None delegates nothing. Raises ValueError for a
    question that the game does not ask, or where none is left to the learner, TypeError for what is no agent.
    """

    def __init__(self, game: Game, delegate: Delegate | None) -> None:
        asks = {ask.name.lower(): int(ask) for ask in game.rules.asks if int(ask)}
        self.named = dict(delegate or {})
        self.by_ask: dict[int, Callable[..., Any]] = {}
        """The agents by the number of the question."""
        for name, agent in self.named.items():
            if str(name).lower() not in asks:
                known = ", ".join(asks)
                raise ValueError(
                    f"expected questions among {known}, got {brief(name)}{near(str(name).lower(), list(asks))}"
                )
            if not callable(agent):
                load = f"titan_env.agents.load({agent!r}, game)"
                raise TypeError(f"expected an agent act(...) for {name!r}, got {agent!r}; try {load}")
            self.by_ask[asks[str(name).lower()]] = agent
        if self.by_ask and len(self.by_ask) == len(asks):
            raise ValueError(f"expected a question that is left to the learner, got agents for all: {', '.join(asks)}")
        self._delegated = np.zeros(max(asks.values(), default=0) + 1, np.bool_)
        self._delegated[list(self.by_ask)] = True

    def __bool__(self) -> bool:
        return bool(self.by_ask)

    def __contains__(self, ask: int) -> bool:
        return ask in self.by_ask

    def among(self, asks: NDArray[Any]) -> NDArray[np.bool_]:
        """Return which of these questions (B,) are delegated, (B,)."""
        return self._delegated[asks]

    def parts(self, asks: NDArray[Any], rows: NDArray[np.bool_]) -> Iterator[tuple[Any, NDArray[np.bool_]]]:
        """Yield each agent that is needed with its rows (N,) among these, by what is asked in each (N,)."""
        for ask, agent in self.by_ask.items():
            own = rows & (asks == ask)
            if own.any():
                yield agent, own

    def decide(self, batch: Batch, rng: np.random.Generator) -> int:
        """Return the action of the agent that answers for the first row of a batch."""
        agent = self.by_ask[int(batch.states["ask"][0])]
        return int(ask_in_batch(agent, batch, np.array([0]), rng).actions[0])
