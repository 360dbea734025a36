"""The sentences of a game that each seat may read, made once for all seats where they read the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.agents.chat.prompts import own_decision
from titan_env.contract import Game


class _Step:
    """One decision: the frozen positions around it, its action and its events; sentences are made when asked for."""

    def __init__(self, game: Game, before: Any, action: int, after: Any, events: NDArray[np.int32]) -> None:
        self.actor = int(before.seat)
        self._game, self._before, self._action, self._after, self._events = game, before, action, after, events
        self._common: list[str] | None = None

    def heard_by(self, seat: int) -> list[str]:
        """Return the sentences of the decision and its events that a seat may know of."""
        game, text = self._game, self._game.text
        if self.actor == seat:
            sentence: str | None = f"{own_decision(seat)} {text.describe_action(self._before, self._action)}"
        else:
            sentence = game.action_text_for(self._before, self._action, seat)
            sentence = None if sentence is None else f"player_{self.actor}: {sentence}"
        return ([] if sentence is None else [sentence]) + self._happened(seat)

    def _happened(self, seat: int) -> list[str]:
        """Return the sentences of the events; those of a game in which all may know of all are kept for every seat."""
        if self._game.text.describe_event_for is None:
            if self._common is None:
                self._common = [self._game.text.describe_event(self._after, event) for event in self._events]
            return self._common
        sentences = (self._game.event_text_for(self._after, event, seat) for event in self._events)
        return [sentence for sentence in sentences if sentence is not None]


class TextHistory:
    """The decisions of one game that some seat has not been told of."""

    def __init__(self, game: Game, seats: int) -> None:
        self._game = game
        self._steps: list[_Step] = []
        self._begun = 0  # the number of the first step in the list
        self._since = [0] * seats  # the number of each seat's own latest decision

    def add(self, before: Any, action: int, after: Any, events: NDArray[np.int32]) -> None:
        """Append a decision; the positions are frozen."""
        step = _Step(self._game, before, action, after, events)
        self._steps.append(step)
        self._since[step.actor] = self._begun + len(self._steps) - 1
        if (oldest := min(self._since)) > self._begun:
            del self._steps[: oldest - self._begun]
            self._begun = oldest

    def heard_by(self, seat: int) -> list[str]:
        """Return the sentences of all that a seat may know since its own last decision, which is the first of them."""
        steps = self._steps[self._since[seat] - self._begun :]
        return [sentence for step in steps for sentence in step.heard_by(seat)]
