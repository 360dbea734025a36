"""Decisions of planning agents in threads: one decision a game at a time, with a time limit.

A request that waits for a decision occupies no worker; an agent that is quick decides at once. A second request for the
same decision joins the first, so reloading the page loses nothing; a decision that nobody waits for any more is
stopped, and so is one that takes too long.
"""

from __future__ import annotations

import asyncio
import os
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextvars import copy_context
from dataclasses import dataclass, field
from typing import TypeVar
from weakref import WeakKeyDictionary

from titan_env.contract.translation import TranslatableError, mark
from titan_env.play.agent_calls import needs_of
from titan_env.web.sessions.fair_threads import FairThreads
from titan_env.web.views.live_game import LiveGame
from titan_env.web.views.translation import _

LONGEST = 60.0
"""The time limit of one decision, in seconds."""
WORK, MOMENT = 0.01, 0.1
"""The CPU and wall seconds up to which an agent decides without a thread, which would cost more."""
PATIENCE = 5.0
"""The seconds for which an abandoned decision goes on: reloading the page takes less."""


Found = TypeVar("Found")

_STOPPED = mark("the agent was stopped before it had decided")


class AgentCancelled(TranslatableError):
    """The error for an agent that was stopped before it had decided."""

    words = _


@dataclass(eq=False)
class _Thought:
    """One decision in progress."""

    longest: float
    let_others_work: Callable[[], None]
    waiting: int = 0
    began: float | None = None
    unwanted: threading.Event = field(default_factory=threading.Event)
    decided: Future[None] = field(init=False)

    def go_on(self) -> None:
        """Let other decisions go on first after a while. Raises AgentCancelled for an unwanted or too long decision."""
        self.let_others_work()
        now = time.monotonic()
        self.began = self.began or now
        if self.unwanted.is_set():
            raise AgentCancelled(_STOPPED)
        if now - self.began > self.longest:
            why = mark("the agent has not decided within {n} seconds; begin with another one")
            raise AgentCancelled(why, n=f"{self.longest:g}")

    def give_up_if_alone(self) -> None:
        """Mark the decision as unwanted if nobody waits for it."""
        if not self.waiting:
            self.unwanted.set()


class AgentScheduler:
    """The decisions in progress: planning agents share threads of their own, in turns of their games' owners."""

    def __init__(self, longest: float = LONGEST, patience: float = PATIENCE) -> None:
        self._longest, self._patience = longest, patience
        self._is_closed = False
        self._others, self._planners = ThreadPoolExecutor(max(4, os.cpu_count() or 1)), FairThreads()
        self._thoughts: WeakKeyDictionary[LiveGame, _Thought] = WeakKeyDictionary()
        self._works: set[_Thought] = set()
        self._are_quick: dict[tuple[str, str], bool] = {}
        """Game and agent -> whether its latest decision was quick; unknown ones decide in a thread."""

    async def decide(self, live_game: LiveGame) -> None:
        """Let the agent to act decide. Raises AgentCancelled if it is stopped, ValueError if no agent is to act."""
        await self._decide(live_game)
        await self.answer_in_private(live_game)

    async def answer_in_private(self, live_game: LiveGame) -> None:
        """Let agents answer private questions, so that nobody sees that they were asked. Raises AgentCancelled."""
        while live_game.is_asked_in_private:
            await self._decide(live_game)

    async def _decide(self, live_game: LiveGame) -> None:
        """Let the agent to act decide once."""
        thought = self._thoughts.get(live_game)
        if thought is None or thought.decided.done():
            plans = needs_of(live_game.asked).plans
            thought = _Thought(self._longest, self._planners.let_others_work)
            if not plans and self._are_quick.get((live_game.game.name, live_game.player), False):
                self._let_act(live_game, thought)
                return
            if self._is_closed:
                raise AgentCancelled(_STOPPED)
            if plans:
                thought.decided = self._planners.submit(live_game.owner, self._let_act, live_game, thought)
            else:
                thought.decided = self._others.submit(self._let_act, live_game, thought)
            self._thoughts[live_game] = thought
        thought.waiting += 1
        try:
            await _end_of(thought.decided)
        finally:
            thought.waiting -= 1
            asyncio.get_running_loop().call_later(self._patience, thought.give_up_if_alone)
        if thought.decided.cancelled():
            raise AgentCancelled(_STOPPED)
        thought.decided.result()

    def _let_act(self, live_game: LiveGame, thought: _Thought) -> None:
        """Let an agent decide, and measure whether it is quick."""
        player, began, worked = (live_game.game.name, live_game.player), time.monotonic(), time.thread_time()
        live_game.ask_agent(thought.go_on)
        self._are_quick[player] = time.thread_time() - worked < WORK and time.monotonic() - began < MOMENT

    async def work(
        self, owner: str, find: Callable[[Callable[[], None]], Found], longest: float | None = None
    ) -> Found:
        """Return what an owner's other long work finds, done in turns with the planners; it calls its argument often.

        It is stopped when nobody waits for it any more. Raises AgentCancelled if it is stopped otherwise.
        """
        if self._is_closed:
            raise AgentCancelled(_STOPPED)
        work, found = _Thought(longest or self._longest, self._planners.let_others_work), []
        speaking = copy_context()
        work.decided = self._planners.submit(owner, lambda: found.append(speaking.run(find, work.go_on)))
        self._works.add(work)
        try:
            await _end_of(work.decided)
        finally:
            work.unwanted.set()
            self._works.discard(work)
        if work.decided.cancelled():
            raise AgentCancelled(_STOPPED)
        work.decided.result()
        return found[0]

    async def stop(self, live_game: LiveGame) -> None:
        """Stop the decision in progress in a game, and wait for its end."""
        thought = self._thoughts.get(live_game)
        if thought is not None and not thought.decided.done():
            thought.unwanted.set()
            await _end_of(thought.decided)

    def close(self) -> None:
        """Stop all decisions, and begin none."""
        self._is_closed = True
        for thought in [*self._thoughts.values(), *self._works]:
            thought.unwanted.set()
        self._planners.close()
        self._others.shutdown(wait=False, cancel_futures=True)


async def _end_of(decided: Future[None]) -> None:
    """Wait until a decision has ended, in any way."""
    ended = asyncio.wrap_future(decided)
    ended.add_done_callback(lambda future: future.cancelled() or future.exception())  # marks the error as seen
    await asyncio.wait([ended])
