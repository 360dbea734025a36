"""Action scores of an agent (the adviser) as further inputs of a trained network."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env import agents
from titan_env.agents.trained import PLAYED_BY, shipped
from titan_env.contract import Game
from titan_env.contract.options import near

QUANTIZED_ONE = 127
"""In whole numbers so many stand for 1, so that advice fits into the bytes of an observation."""


def input_size(game: Game, advised: bool) -> int:
    """Return the size of a network's input: the observation's and, if advised, one score for each action."""
    return game.rules.fields.size + (len(game.rules.actions) if advised else 0)


class Adviser:
    """The adviser: an agent's scores as numbers, 1 for the best legal action, e times less for each point below it.

    Raises ValueError for an agent that does not come with the game (a policy's file names its adviser,
    and must not make others' code run), or does not score actions.
    """

    def __init__(self, name: str, game: Game) -> None:
        tuned = [name for name, file in shipped(game).items() if PLAYED_BY[file.suffix] == "tuned"]
        known = [*game.metadata.agents, *tuned]
        if not known:
            raise ValueError(f"expected no adviser: {game.metadata.title} names no agents of its own, got {name!r}")
        if name.partition(":")[0] not in known:
            raise ValueError(f"expected an adviser among {', '.join(known)}, got {name!r}{near(name, known)}")
        agent: Any = agents.load(name, game)
        if not hasattr(agent, "scores"):
            raise ValueError(f"expected an adviser that scores actions, as greedy and expert do, got {name!r}")
        self.name = name
        self._scores: Callable[[NDArray[np.float32]], NDArray[np.float32]] = agent.scores

    def quantized(self, observations: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.int64]:
        """Return the advice on each action, (B, A), from 0 (illegal, or far worse) to `QUANTIZED_ONE`."""
        legal = masks != 0
        advice = QUANTIZED_ONE * legal.astype(np.int64)  # on the one legal action nobody needs to be asked
        rows = np.flatnonzero(legal.sum(axis=1) > 1)
        if len(rows):
            scores = self._scores(observations[rows])
            scores = np.where(legal[rows] & np.isfinite(scores), scores, -np.inf)
            most = scores.max(axis=1, keepdims=True)
            # On the question of another seat, which this one only looks at, there may be nothing to say.
            advice[rows] = np.rint(QUANTIZED_ONE * np.exp(scores - np.where(np.isfinite(most), most, 0)))
        return advice

    def advice(self, observations: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.float32]:
        """Return the advice on each action, scaled to 0..1: float32 (B, A)."""
        return (self.quantized(observations, masks) / np.float32(QUANTIZED_ONE)).astype(np.float32)

    def augmented_observation(self, observations: NDArray[np.float32], masks: NDArray[np.int8]) -> NDArray[np.float32]:
        """Append the advice to observations (B, F): float32 (B, F + A)."""
        return np.concatenate([observations, self.advice(observations, masks)], axis=1)
