"""Networks that remember: what one remembers of a game follows from what its seat has observed at its own decisions.

So a game that is resumed, taken back, or played in a batch with others goes on as it would alone.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from titan_env.agents import AgentFailed
from titan_env.agents.logits import chances_of, chosen_by
from titan_env.play.determinization import Determinizations
from titan_env.play.observation_history import WorldsWithHistory
from titan_env.play.opinions import opinions_of_policy

Answers = tuple[NDArray[np.float32], NDArray[np.float32], NDArray[np.float32]]
"""Masked logits (B, A), values (B,), and what is remembered at the next decision, (B, ...)."""


class RecurrentAgent(ABC):
    """An agent that remembers numbers of the shape `memory` from decision to decision; all are 0 at the beginning.

    It plays its best action, or one drawn at a `temperature` above 0. Subclasses define `answers`. It raises
    AgentFailed where the caller keeps no history of the game.
    """

    plans = listens = at_once = True
    memory: Sequence[int]
    temperature: float = 0.0

    @abstractmethod
    def answers(
        self, observations: NDArray[np.float32], masks: NDArray[np.int8], memory: NDArray[np.float32]
    ) -> Answers:
        """Return the network's answers to observations (B, F), masks (B, A) and what is remembered (B, ...)."""

    def __call__(
        self,
        observations: NDArray[np.float32],
        masks: NDArray[np.int8],
        rng: np.random.Generator,
        worlds: Determinizations,
    ) -> NDArray[np.int64]:
        """Return the actions, int64 (B,), and keep what is remembered of each game."""
        if not isinstance(worlds, WorldsWithHistory):
            raise AgentFailed(
                "this network remembers its games: expected it where their history is kept, as in evaluate"
            )
        before = np.stack([self._remembered(worlds, row) for row in range(len(masks))])
        logits, values, after = self.answers(observations, masks, before)
        for row, decided in enumerate(worlds.decided):
            worlds.memories[row][self] = {decided: before[row], decided + 1: after[row]}
        worlds.opinions[:] = opinions_of_policy(chances_of(logits), values, masks)
        return chosen_by(logits, self.temperature, rng)

    def _remembered(self, worlds: WorldsWithHistory, row: int) -> NDArray[np.float32]:
        """Return what is remembered of a row's game, after the decisions that others took in the agent's place too."""
        kept, decided = worlds.memories[row].get(self, {}), worlds.decided[row]
        known = max((count for count in kept if count <= decided), default=0)
        memory: NDArray[np.float32] = kept[known] if known in kept else np.zeros(self.memory, np.float32)
        if known < decided:
            for observation, mask in zip(*worlds.observed(row, known), strict=True):
                memory = self.answers(observation[None], mask[None], memory[None])[2][0]
        return memory
