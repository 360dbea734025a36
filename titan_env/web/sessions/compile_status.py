"""Compilation of the games' rules at the first start, with its progress, while the page is already served.

A thread of its own compiles one game after the other, one that somebody waits for first; each can be begun as soon as
its own rules are compiled.
"""

from __future__ import annotations

import asyncio
import gc
import threading
import time
import traceback
from concurrent.futures import Future
from typing import Any

from titan_env import registry
from titan_env.engine.warm_up import play_first_decisions
from titan_env.envs.warm_up import let_agents_decide


class CompileStatus:
    """The games whose rules are compiled."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._games: dict[str, Future[None]] = {}
        self._wanted: list[str] = []
        self._began: float | None = None
        self._is_at_work = False

    def begin(self) -> None:
        """Compile all games that are not compiled yet, unless that is being done."""
        with self._lock:
            for name in registry.names():
                self._games.setdefault(name, Future())
            if not self._is_at_work and self._next() is not None:
                self._began = self._began or time.monotonic()
                self._is_at_work = True
                threading.Thread(target=self._compile, name="compiling", daemon=True).start()

    async def wait(self, name: Any) -> None:
        """Wait until a game is compiled, before those that nobody waits for, if the compilation has begun."""
        compiled = self._games.get(name) if isinstance(name, str) else None
        if compiled is not None and not compiled.done():
            if name not in self._wanted:
                self._wanted.append(name)
            await asyncio.wait([asyncio.wrap_future(compiled)])

    def has(self, name: Any) -> bool:
        """Return whether a game of this name is compiled."""
        return isinstance(name, str) and name in self._games and self._games[name].done()

    def progress(self) -> dict[str, Any]:
        """Return the games that are ready, the number of all games, and the seconds since the compilation began."""
        names = registry.names()
        seconds = 0 if self._began is None else round(time.monotonic() - self._began)
        return {"ready": list(filter(self.has, names)), "games": len(names), "seconds": seconds}

    def _next(self) -> str | None:
        """Return the game to compile next; None if all are compiled."""
        return next((name for name in [*self._wanted, *self._games] if not self._games[name].done()), None)

    def _compile(self) -> None:
        """Compile what is not compiled yet; a game that fails is left to whoever begins it."""
        while True:
            with self._lock:
                name = self._next()
                if name is None:
                    self._is_at_work = False
                    return
            try:
                game = registry.load(name)
                play_first_decisions([name])
                let_agents_decide(game)
                gc.freeze()  # loaded modules stay: collecting garbage among them took 70 ms at a time
            except Exception:
                traceback.print_exc()  # whoever begins the game meets the error too
            self._games[name].set_result(None)
