"""Threads for long work that owners share: nobody's work keeps that of others waiting for long.

Few pieces of work of one owner are begun at a time. Those that are begun take turns at the processors: after a slice of
time a piece lets others go on first, those of owners who have fewer turns and have waited longest.
"""

from __future__ import annotations

import functools
import itertools
import os
import threading
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor

SLICE = 0.25
"""The seconds after which work lets others go on first."""
MOST_EACH, MOST = 2, 32
"""The bounds on pieces of work that are begun at a time: of one owner, and of all."""


class FairThreads:
    """Threads of which `turns` work at a time, by default as many as there are processors, at least four."""

    def __init__(self, turns: int | None = None) -> None:
        self._free = max(4, os.cpu_count() or 1) if turns is None else turns
        self._pool = ThreadPoolExecutor(MOST)
        self._changed = threading.Condition()
        self._queued: dict[str, deque[tuple[Future[None], Callable[[], None]]]] = {}
        self._begun: Counter[str] = Counter()
        self._at_work: Counter[str] = Counter()
        self._tickets = itertools.count()
        self._waiting: dict[int, str] = {}
        """The tickets of begun work that waits for a turn, in order, with the owner of each."""
        self._here = threading.local()
        self._is_closed = False

    def submit(self, owner: str, work: Callable[..., None], *values: object) -> Future[None]:
        """Queue work of an owner; it calls `let_others_work` now and then."""
        done: Future[None] = Future()
        with self._changed:
            self._queued.setdefault(owner, deque()).append((done, functools.partial(work, *values)))
            self._begin_work()
        return done

    def let_others_work(self) -> None:
        """Let others go on first if the work in this thread has had its slice of time; return when its turn comes.

        Does nothing outside of these threads.
        """
        owner = getattr(self._here, "owner", None)
        if owner is None or not self._waiting or time.monotonic() - self._here.since < SLICE:
            return
        self._leave(owner)
        self._enter(owner)

    def close(self) -> None:
        """Drop what has not begun; what has begun needs no turns any more."""
        with self._changed:
            self._is_closed = True
            for done, _work in itertools.chain(*self._queued.values()):
                done.cancel()
            self._queued.clear()
            self._changed.notify_all()
        self._pool.shutdown(wait=False, cancel_futures=True)

    def _begin_work(self) -> None:
        """Begin queued work as far as there is room: that of the owner with the least at work first."""
        while self._begun.total() < MOST:
            able = [owner for owner in self._queued if self._begun[owner] < MOST_EACH]
            if not able:
                return
            owner = min(able, key=lambda name: self._begun[name])
            queue = self._queued.pop(owner)
            done, work = queue.popleft()
            if queue:
                self._queued[owner] = queue  # behind the others
            if done.set_running_or_notify_cancel():
                self._begun[owner] += 1
                self._pool.submit(self._run, owner, done, work)

    def _run(self, owner: str, done: Future[None], work: Callable[[], None]) -> None:
        """Do a piece of work, in turns with the others."""
        self._enter(owner)
        self._here.owner = owner
        try:
            work()
        except BaseException as error:
            failed: BaseException | None = error
            traceback.clear_frames(error.__traceback__)  # errors are kept; what a stopped search held is not
        else:
            failed = None
        self._here.owner = None
        self._leave(owner)
        with self._changed:
            self._begun -= Counter([owner])
            if not self._is_closed:
                self._begin_work()
        if failed is None:
            done.set_result(None)
        else:
            done.set_exception(failed)

    def _enter(self, owner: str) -> None:
        """Wait for a turn of this owner."""
        with self._changed:
            ticket = next(self._tickets)
            self._waiting[ticket] = owner
            self._changed.wait_for(lambda: self._is_closed or (self._free > 0 and self._next() == ticket))
            del self._waiting[ticket]
            self._free -= 1
            self._at_work[owner] += 1
            self._changed.notify_all()
        self._here.since = time.monotonic()

    def _leave(self, owner: str) -> None:
        """Give a turn back."""
        with self._changed:
            self._free += 1
            self._at_work -= Counter([owner])
            self._changed.notify_all()

    def _next(self) -> int:
        """Return the ticket whose turn it is: of the owner with the fewest at work, the one that came first."""
        return min(self._waiting, key=lambda ticket: (self._at_work[self._waiting[ticket]], ticket))
