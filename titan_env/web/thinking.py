"""Agents that plan think beside the server: one decision a game at a time, and not for ever.

Whoever waits for a thought holds no worker; an agent that takes but a moment decides at once. A second request for the
same decision joins the first, so a reload of the page loses nothing; a thought that nobody waits for any more is given
up, as is one that takes too long.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from weakref import WeakKeyDictionary

from titan_env.contract.language import ToldLater, mark
from titan_env.engine.asking import needs_of
from titan_env.web.sitting import Sitting
from titan_env.web.speech import _

LONGEST = 60.0
"""Seconds for one decision."""
WORK, MOMENT = 0.01, 0.1
"""Seconds of work, and by the clock, within which an agent decides while everybody waits: a thread costs more."""
PATIENCE = 5.0
"""Seconds in which somebody may come back to a thought: a reload takes less."""


class GivenUp(ToldLater):
    """The agent has not decided; says why."""

    words = _


@dataclass
class _Thought:
    """One decision on its way."""

    longest: float
    waiting: int = 0
    began: float | None = None
    unwanted: threading.Event = field(default_factory=threading.Event)
    decided: Future[None] = field(init=False)

    def go_on(self) -> None:
        """Raises GivenUp where there is no use in thinking on."""
        now = time.monotonic()
        self.began = self.began or now
        if self.unwanted.is_set():
            raise GivenUp(mark("the agent was stopped before it had decided"))
        if now - self.began > self.longest:
            why = mark("the agent has not decided within {n} seconds; begin with another one")
            raise GivenUp(why, n=f"{self.longest:g}")

    def give_up_if_alone(self) -> None:
        """Nobody has come back."""
        if not self.waiting:
            self.unwanted.set()


class Thinking:
    """What is being thought about: agents that plan wait for each other, nobody else waits for them."""

    def __init__(self, longest: float = LONGEST, patience: float = PATIENCE) -> None:
        self._longest, self._patience = longest, patience
        self._quick, self._planners = (ThreadPoolExecutor(max(4, os.cpu_count() or 1)) for _ in range(2))
        self._thoughts: WeakKeyDictionary[Sitting, _Thought] = WeakKeyDictionary()
        self._are_quick: dict[str, bool] = {}

    async def decide(self, sitting: Sitting) -> None:
        """Let the agent that is asked decide. Raises GivenUp where it does not, ValueError where none is asked."""
        await self._decide(sitting)
        await self.answer_in_private(sitting)

    async def answer_in_private(self, sitting: Sitting) -> None:
        """Let agents answer what they are asked in private, so that nobody sees that they were. Raises GivenUp."""
        while sitting.is_asked_in_private:
            await self._decide(sitting)

    async def _decide(self, sitting: Sitting) -> None:
        """Let the agent that is asked decide, once."""
        if not needs_of(sitting.asked).plans:
            sitting.let_act(_Thought(self._longest).go_on)
            return
        thought = self._thoughts.get(sitting)
        if thought is None or thought.decided.done():
            thought, plans = _Thought(self._longest), needs_of(sitting.asked).plans
            if not plans and self._are_quick.get(sitting.player, False):
                self._let_act(sitting, thought)
                return
            thought.decided = (self._planners if plans else self._quick).submit(self._let_act, sitting, thought)
            self._thoughts[sitting] = thought
        thought.waiting += 1
        try:
            await _end_of(thought.decided)
        finally:
            thought.waiting -= 1
            asyncio.get_running_loop().call_later(self._patience, thought.give_up_if_alone)
        thought.decided.result()

    def _let_act(self, sitting: Sitting, thought: _Thought) -> None:
        """Let an agent decide, and remember whether it is quick."""
        player, began, worked = sitting.player, time.monotonic(), time.thread_time()
        sitting.let_act(thought.go_on)
        self._are_quick[player] = time.thread_time() - worked < WORK and time.monotonic() - began < MOMENT

    async def stop(self, sitting: Sitting) -> None:
        """Give up what is thought about in a game, and wait until it is."""
        thought = self._thoughts.get(sitting)
        if thought is not None and not thought.decided.done():
            thought.unwanted.set()
            await _end_of(thought.decided)

    def close(self) -> None:
        """Give up everything."""
        for thought in list(self._thoughts.values()):
            thought.unwanted.set()
        for pool in (self._quick, self._planners):
            pool.shutdown(wait=False, cancel_futures=True)


async def _end_of(decided: Future[None]) -> None:
    """Wait until a thought has ended, however it has."""
    ended = asyncio.wrap_future(decided)
    ended.add_done_callback(lambda future: future.cancelled() or future.exception())  # heard, whoever has left
    await asyncio.wait([ended])
