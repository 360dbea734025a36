"""Who has which games on the server: bounded in number, kept apart, forgotten when idle."""

from __future__ import annotations

import math
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from titan_env.web.sitting import Story
from titan_env.web.speech import _

SWEEPING = 0.001
"""How often what is idle is forgotten, as a share of the time after which it is."""


class Full(Exception):
    """No room for another game; says what to do."""


class NotYours(Exception):
    """A game that is not there, or somebody else's."""


@dataclass
class _Kept:
    """A story, whose it is, and when it was last looked at."""

    owner: str
    story: Story
    seen: float


@dataclass
class Rooms:
    """Stories by secret names, each seen by its owner only.

    At most `most` of them, `most_each` for each owner, `most_moments` in all of them together; one that
    nobody has looked at for `idle` seconds is forgotten. Where there is no room, what is missed least makes some: a
    game that nobody has played in and that nobody has looked at for `unplayed` seconds, else one that nobody has looked
    at for `resting` seconds.
    """

    most: int = 1000
    most_each: int = 8
    most_moments: int = 500_000
    idle: float = 3600.0
    resting: float = 300.0
    unplayed: float = 10.0
    now: Callable[[], float] = time.monotonic
    _kept: dict[str, _Kept] = field(default_factory=dict)
    _room: int = 0
    """Moments for which there is room, at least."""
    _swept: float = -math.inf
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, owner: str, story: Story) -> str:
        """Keep a story; its name. An owner's oldest one makes room. Raises Full where the server has none."""
        self.make_sure_of_room()
        with self._lock:
            own = [(kept.seen, name) for name, kept in self._kept.items() if kept.owner == owner]
            if len(own) >= self.most_each:
                del self._kept[min(own)[1]]
            if len(self._kept) >= self.most and not self._make_room():
                raise Full(_("expected at most {n} games on this server; try again in some minutes", n=self.most))
            name = secrets.token_urlsafe(16)
            self._kept[name] = _Kept(owner, story, self.now())
            self._room -= len(story.moments)
            return name

    def find(self, owner: str, name: str) -> Story:
        """An owner's story. Raises NotYours for one that is not there, or somebody else's."""
        with self._lock:
            self._sweep()
            kept = self._kept.get(name)
            if kept is None or not secrets.compare_digest(kept.owner, owner):
                raise NotYours(name)
            kept.seen = self.now()
            return kept.story

    def make_sure_of_room(self) -> None:
        """Raises Full where no game may grow: moments take memory. They are counted when there may be too many."""
        with self._lock:
            self._sweep()
            self._room -= 1
            if self._room > 0:
                return
            self._room = self.most_moments - self._moments()
            while self._room <= 0 and self._make_room():
                self._room = self.most_moments - self._moments()
            full = self._room <= 0
        if full:
            most = f"{self.most_moments:,}"
            raise Full(_("expected at most {n} moments on this server; try again in some minutes", n=most))

    def _moments(self) -> int:
        """How many moments there are in all games together."""
        return sum(len(kept.story.moments) for kept in self._kept.values())

    def _make_room(self) -> bool:
        """Forget the game that is missed least; False where every one is looked at."""
        now = self.now()
        waiting = [
            (kept.story.is_played, kept.seen, name)
            for name, kept in self._kept.items()
            if now - kept.seen > (self.resting if kept.story.is_played else self.unplayed)
        ]
        if waiting:
            del self._kept[min(waiting)[2]]
        return bool(waiting)

    def _sweep(self) -> None:
        """Forget what nobody has looked at for long; once in a while is often enough."""
        now = self.now()
        if now - self._swept < SWEEPING * self.idle:
            return
        self._swept, oldest = now, now - self.idle
        self._kept = {name: kept for name, kept in self._kept.items() if kept.seen > oldest}
