"""What an agent that listens is given besides imagined worlds: what its seat has heard, and room for its own words.

Such an agent says so (``plans = listens = True``); at matches, duplicate play and the table of one game its worlds are
`Heard`. Elsewhere, where nobody keeps what has happened, they are plain `titan_env.engine.worlds.Worlds`.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.engine.batch import Batch, Records
from titan_env.engine.worlds import Worlds

REMEMBERED = 200
"""Decisions of a game that are kept, at most; who has not decided for longer hears of the latest."""


@dataclass(frozen=True)
class Step:
    """One decision: the positions (1,) before and after it, its action, and what happened (n, 4)."""

    before: Records
    action: int
    after: Records
    events: NDArray[np.int32]


class Past:
    """What has happened in one game lately."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._steps: deque[Step] = deque(maxlen=REMEMBERED)

    def add(self, before: Records, action: int, after: Records, events: NDArray[np.int32]) -> None:
        """A decision was played; the positions are (1,) and nobody else's."""
        self._steps.append(Step(before, action, after, events))

    def take_back(self) -> None:
        """Forget the latest decision, if it is still known."""
        if self._steps:
            self._steps.pop()

    def heard_by(self, seat: int) -> list[str]:
        """What a seat has heard since its own last decision, that one and what came of it first, in sentences."""
        since: list[Step] = []
        for step in reversed(self._steps):
            since.append(step)
            if int(step.before[0].seat) == seat:
                break
        return [sentence for step in reversed(since) for sentence in self._told(step, seat)]

    def _told(self, step: Step, seat: int) -> list[str]:
        """One decision and its events, as a seat hears of them."""
        actor = int(step.before[0].seat)
        if actor == seat:
            said: str | None = f"You (player_{seat}): {self._game.text.describe_action(step.before[0], step.action)}"
        else:
            said = self._game.action_text_for(step.before[0], step.action, seat)
            said = None if said is None else f"player_{actor}: {said}"
        told = [said, *(self._game.event_text_for(step.after[0], event, seat) for event in step.events)]
        return [sentence for sentence in told if sentence is not None]


class Heard(Worlds):
    """Imagined worlds, what each seat has `heard` (B,) since its own last decision, and room for its `thoughts` (B,).

    What an agent writes into `thoughts` is kept beside its decisions in the record.
    """

    def __init__(
        self,
        game: Game,
        states: Records,
        rng: np.random.Generator,
        pasts: Sequence[Past],
        go_on: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(game, states, rng, go_on)
        self.go_on = go_on
        self.heard = [past.heard_by(int(seat)) for past, seat in zip(pasts, self.seats, strict=True)]
        self.thoughts = [""] * len(pasts)


def thought_of(words: str) -> dict[str, str]:
    """What an agent thinks, as a record keeps it: nothing where it is nothing."""
    return {"thought": words} if words else {}


@contextmanager
def remembered(batch: Batch, actions: NDArray[np.int64], pasts: Sequence[Past]) -> Iterator[None]:
    """Around a step of a batch with events: what happens in it becomes part of each row's past."""
    running, before = np.flatnonzero(~batch.over), batch.states.copy()
    yield
    for row in running:
        one = slice(row, row + 1)
        was, now = before[one].view(np.recarray), batch.states[one].copy().view(np.recarray)
        pasts[int(row)].add(was, int(actions[row]), now, batch.happened(int(row)))
