"""The games on the server by owner: bounded in number, separated by visitor, forgotten when idle.

Visitors are hashes of their secrets throughout.
"""

from __future__ import annotations

import math
import secrets
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from weakref import WeakValueDictionary

from titan_env.web.views.game_view import GameView
from titan_env.web.views.translation import _

SWEEPING = 0.001
"""The interval between sweeps of idle games, as a share of the idle time."""


class ServerFull(Exception):
    """The error for a server without room for another game."""


class SessionNotFound(Exception):
    """The error for a game that does not exist, or belongs to another visitor."""


@dataclass
class _StoredSession:
    """A game, its owner, and the time of its latest use."""

    owner: str
    game_view: GameView
    seen: float


@dataclass
class SessionStore:
    """Games by secret names, each accessible to its owner and guests only.

    There are at most `most` of them, `most_each` for each owner, of `most_bytes` all together; one not used for `idle`
    seconds is forgotten. A full server drops the least valuable one: a game without decisions that was not used
    for `unplayed` seconds, else one not used for `resting` seconds.
    """

    most: int = 1000
    most_each: int = 8
    most_bytes: int = 2**31
    idle: float = 3600.0
    resting: float = 300.0
    unplayed: float = 10.0
    now: Callable[[], float] = time.monotonic
    are_kept: Callable[[], bool] = lambda: False
    """Return whether the games in play are in a file too."""
    may_be_called: Callable[[str], bool] = lambda name: True
    """Return whether a new game may have a name: one by which questions about it reach this store."""
    _alive: WeakValueDictionary[str, GameView] = field(default_factory=WeakValueDictionary)
    """The games that anybody holds: one that was forgotten here may still be in use."""
    _kept: dict[str, _StoredSession] = field(default_factory=dict)
    _free_bytes: int = 0
    """A lower bound on the bytes for which there is room."""
    _largest: int = 0
    """The bytes of one moment of the game with the largest ones."""
    _swept: float = -math.inf
    _lock: threading.Lock = field(default_factory=threading.Lock)

    def __len__(self) -> int:
        return len(self._kept)

    def add(self, owner: str, game_view: GameView, name: str = "") -> str:
        """Store a game and return its name, a new one if it has none; an owner's oldest one makes room.

        Raises ServerFull if the server has no room.
        """
        self.ensure_free_bytes()
        with self._lock:
            own = [(kept.seen, name) for name, kept in self._kept.items() if kept.owner == owner]
            if len(own) >= self.most_each:
                del self._kept[min(own)[1]]
            if len(self._kept) >= self.most and not self._drop_oldest():
                raise ServerFull(_("expected at most {n} games on this server; try again in some minutes", n=self.most))
            name = name or self._new_name()
            game_view.owner = owner
            self._kept[name], self._alive[name] = _StoredSession(owner, game_view, self.now()), game_view
            self._free_bytes -= game_view.nbytes
            self._largest = max(self._largest, game_view.moment_bytes)
            return name

    def find(self, visitor: str, name: str, key: str = "") -> GameView:
        """Return a game for its owner, a guest, or whoever has the key of an invitation; otherwise as if not there.

        Raises SessionNotFound.
        """
        with self._lock:
            self._sweep()
            kept = self._kept.get(name)
            if kept is None or not kept.game_view.admits(visitor, key):
                raise SessionNotFound(name)
            kept.seen = self.now()
            return kept.game_view

    def has(self, name: str) -> bool:
        """Return whether there is a game of this name."""
        with self._lock:
            self._sweep()
            return name in self._kept

    def of_owner(self, owner: str) -> list[tuple[str, GameView]]:
        """Return an owner's games with their names, the latest used first."""
        with self._lock:
            own = [(kept.seen, name, kept.game_view) for name, kept in self._kept.items() if kept.owner == owner]
        return [(name, game_view) for _seen, name, game_view in sorted(own, key=lambda one: -one[0])]

    def alive(self, name: str) -> GameView | None:
        """Return a game that was forgotten here, but is still in use, as by an agent that thinks."""
        return self._alive.get(name)

    def _new_name(self) -> str:
        """Return a secret name that a new game may have."""
        while not self.may_be_called(name := secrets.token_urlsafe(16)):
            pass
        return name

    def ensure_free_bytes(self) -> None:
        """Raise ServerFull if no game may grow, since moments take memory; it is counted only near the bound."""
        with self._lock:
            self._sweep()
            self._free_bytes -= max(1, self._largest)
            if self._free_bytes > 0:
                return
            self._free_bytes = self.most_bytes - self._bytes()
            while self._free_bytes <= 0 and self._drop_oldest():
                self._free_bytes = self.most_bytes - self._bytes()
            full = self._free_bytes <= 0
        if full:
            most = f"{self.most_bytes / 2**20:,.1f}"
            raise ServerFull(_("expected games of at most {n} MB on this server; try again in some minutes", n=most))

    def _bytes(self) -> int:
        """Return the bytes of the moments of all games."""
        return sum(kept.game_view.nbytes for kept in self._kept.values())

    def _drop_oldest(self) -> bool:
        """Forget the least valuable game; return False if all are in use."""
        now, are_kept = self.now(), self.are_kept()
        waiting = [
            (kept.game_view.is_played and not are_kept, kept.seen, name)
            for name, kept in self._kept.items()
            if (are_kept and kept.game_view.live)
            or now - kept.seen > (self.resting if kept.game_view.is_played else self.unplayed)
        ]
        if waiting:
            del self._kept[min(waiting)[2]]
        return bool(waiting)

    def _sweep(self) -> None:
        """Forget idle games, at most once in `SWEEPING` of the idle time."""
        now = self.now()
        if now - self._swept < SWEEPING * self.idle:
            return
        self._swept, oldest = now, now - self.idle
        self._kept = {name: kept for name, kept in self._kept.items() if kept.seen > oldest}
