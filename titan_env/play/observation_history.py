"""The history that a listening agent (``plans = listens = True``) gets with its imagined worlds, and its thoughts.

In matches, duplicate play and games at one table its worlds are `WorldsWithHistory`. Callers that keep no history
give it plain `titan_env.play.determinization.Determinizations`.
"""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.record_copies import copy_records
from titan_env.contract import Game
from titan_env.engine.batch import Batch, Records
from titan_env.play.determinization import Determinizations, batch_of

MOST_STEPS = 200
"""The bound on the decisions of a game whose events are kept; of a longer history the latest are left."""


@dataclass(frozen=True)
class PlayedStep:
    """One decision: the positions (1,) before and after it, its action, and its events int32 (n, 4)."""

    before: Records
    action: int
    after: Records
    events: NDArray[np.int32]


class EventHistory:
    """The decisions of one game: the latest `MOST_STEPS` with their events, of all others the positions."""

    def __init__(self, game: Game) -> None:
        self._game = game
        self._steps: deque[PlayedStep] = deque(maxlen=MOST_STEPS)
        self._actors: list[int] = []
        self._positions: defaultdict[int, list[Records]] = defaultdict(list)
        self._memories: defaultdict[int, dict[Any, Any]] = defaultdict(dict)

    def add(self, before: Records, action: int, after: Records, events: NDArray[np.int32]) -> None:
        """Append a decision; the positions are (1,), and no one else may write to them."""
        self._steps.append(PlayedStep(before, action, after, events))
        self._actors.append(int(before[0].seat))
        self._positions[self._actors[-1]].append(before)

    def take_back(self) -> None:
        """Remove the latest decision, if there is one, and what agents remember."""
        if self._steps:
            self._steps.pop()
        if self._actors:
            self._positions[self._actors.pop()].pop()
        self._memories.clear()

    def decided_by(self, seat: int) -> list[Records]:
        """Return the positions (1,) in which a seat has decided, from the beginning of the game."""
        return self._positions[seat]

    def memory_of(self, seat: int) -> dict[Any, Any]:
        """Return a place for what agents in a seat remember; it is emptied when a decision is taken back."""
        return self._memories[seat]

    def heard_by(self, seat: int) -> list[str]:
        """Return the sentences of all that a seat may know since its own last decision, which is the first of them."""
        since: list[PlayedStep] = []
        for step in reversed(self._steps):
            since.append(step)
            if int(step.before[0].seat) == seat:
                break
        return [sentence for step in reversed(since) for sentence in self._sentences_for(step, seat)]

    def _sentences_for(self, step: PlayedStep, seat: int) -> list[str]:
        """Return the sentences of one decision and its events that a seat may know of."""
        actor = int(step.before[0].seat)
        if actor == seat:
            own: str | None = f"You (player_{seat}): {self._game.text.describe_action(step.before[0], step.action)}"
        else:
            own = self._game.action_text_for(step.before[0], step.action, seat)
            own = None if own is None else f"player_{actor}: {own}"
        owns = [own, *(self._game.event_text_for(step.after[0], event, seat) for event in step.events)]
        return [sentence for sentence in owns if sentence is not None]


class WorldsWithHistory(Determinizations):
    """Imagined worlds with the sentences that each seat has `heard` since its own last decision, and `thoughts`.

    Both are lists of length B. Texts that an agent writes into `thoughts` are kept with its decisions in the record.
    `decided` (B,) counts each seat's own earlier decisions, `memories` (B,) are kept for it until decisions are taken
    back.
    """

    def __init__(
        self,
        game: Game,
        states: Records,
        rng: np.random.Generator,
        histories: Sequence[EventHistory],
        go_on: Callable[[], None] = lambda: None,
    ) -> None:
        super().__init__(game, states, rng, go_on)
        self.go_on = go_on
        self.heard = [history.heard_by(int(seat)) for history, seat in zip(histories, self.seats, strict=True)]
        self.thoughts = [""] * len(histories)
        played = list(zip(histories, self.seats.tolist(), strict=True))
        self.memories = [history.memory_of(seat) for history, seat in played]
        self._positions = [history.decided_by(seat) for history, seat in played]
        self.decided = [len(positions) for positions in self._positions]

    def observed(self, row: int, first: int) -> tuple[NDArray[np.float32], NDArray[np.int8]]:
        """Return what a row's seat observed at its decisions from number `first` on: (n, F), and the masks (n, A)."""
        states: Records = np.concatenate(self._positions[row][first:]).view(np.recarray)
        then = batch_of(self.game, states, np.random.default_rng(0))
        return then.observations, then.masks


def thought_entry(words: str) -> dict[str, str]:
    """Return the entry for an agent's thought in a record's line: {"thought": words}, or {} for ""."""
    return {"thought": words} if words else {}


@contextmanager
def record_steps(batch: Batch, actions: NDArray[np.int64], histories: Sequence[EventHistory]) -> Iterator[None]:
    """Add the step of a batch that is played inside this context to the history of each running row.

    The batch must be made with ``events=True``.
    """
    running, before = np.flatnonzero(~batch.over), copy_records(batch.states)
    yield
    for row in running:
        one = slice(row, row + 1)
        was, now = before[one], copy_records(batch.states[one])
        histories[int(row)].add(was, int(actions[row]), now, batch.last_events(int(row)))
