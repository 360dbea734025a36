"""People on line at a game: visitors whose page waits for news of it, or did so some seconds ago."""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager

GRACE = 3.0
"""The seconds between two waits for news, as when a page is loaded again, after which somebody has left."""


class Presence:
    """The visitors on line at one game, by the hashes of their secrets. All calls come from one event loop."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        self._now = now
        self._waiting: Counter[str] = Counter()
        self._left: dict[str, float] = {}

    @contextmanager
    def waits(self, visitor: str) -> Iterator[None]:
        """Count a visitor as on line during the block, and some seconds after it."""
        self._waiting[visitor] += 1
        try:
            yield
        finally:
            self._waiting[visitor] -= 1
            if not self._waiting[visitor]:
                del self._waiting[visitor]
            now = self._now()
            self._left = {one: when for one, when in self._left.items() if now - when < GRACE} | {visitor: now}

    def is_here(self, visitor: str) -> bool:
        """Return whether a visitor is on line."""
        left = self._left.get(visitor)
        return visitor in self._waiting or (left is not None and self._now() - left < GRACE)
