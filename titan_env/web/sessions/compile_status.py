"""The games that are made ready at the start, with the progress, while the page is already served.

A thread of its own loads one game after the other, one that somebody waits for first, and a short game of each is
played. What would have to be compiled for that is compiled, and kept, by a child process.
"""

from __future__ import annotations

import asyncio
import gc
import os
import subprocess
import sys
import threading
import time
import traceback
from collections.abc import Callable
from concurrent.futures import Future
from typing import Any

from titan_env import registry
from titan_env.compiler.forks import end_with_input
from titan_env.compiler.loading import NotKept, loading_only


class CompileStatus:
    """The games that are ready: `make_ready`, a function of a module, has used all that a game of this name needs."""

    def __init__(self, make_ready: Callable[[str], None]) -> None:
        self._make_ready = make_ready
        self._lock = threading.Lock()
        self._games: dict[str, Future[None]] = {}
        self._wanted: list[str] = []
        self._began: float | None = None
        self._is_at_work = False

    def begin(self) -> None:
        """Make all games ready that are not, unless that is being done."""
        with self._lock:
            for name in registry.names():
                self._games.setdefault(name, Future())
            if not self._is_at_work and self._next() is not None:
                self._began = self._began or time.monotonic()
                self._is_at_work = True
                threading.Thread(target=self._work, name="loading", daemon=True).start()

    async def wait(self, name: Any) -> None:
        """Wait until a game is ready, before those that nobody waits for, if that has begun."""
        ready = self._games.get(name) if isinstance(name, str) else None
        if ready is not None and not ready.done():
            if name not in self._wanted:
                self._wanted.append(name)
            await asyncio.wait([asyncio.wrap_future(ready)])

    def has(self, name: Any) -> bool:
        """Return whether a game of this name is ready."""
        return isinstance(name, str) and name in self._games and self._games[name].done()

    def progress(self) -> dict[str, Any]:
        """Return the games that are ready, the number of all games, and the seconds since the first began."""
        names = registry.names()
        seconds = 0 if self._began is None else round(time.monotonic() - self._began)
        return {"ready": list(filter(self.has, names)), "games": len(names), "seconds": seconds}

    def _next(self) -> str | None:
        """Return the game to make ready next; None if all are."""
        return next((name for name in [*self._wanted, *self._games] if not self._games[name].done()), None)

    def _work(self) -> None:
        """Make ready what is not yet; a game that fails is left to whoever begins it."""
        gc.freeze()  # loaded modules stay: collecting garbage among them took 70 ms at a time
        while True:
            with self._lock:
                name = self._next()
                if name is None:
                    self._is_at_work = False
                    return
            try:
                self._load(name)
                gc.collect()  # the games that were played for that go
                gc.freeze()
            except Exception:
                traceback.print_exc()  # whoever begins the game meets the error too
            self._games[name].set_result(None)

    def _load(self, name: str) -> None:
        """Load a game, once a child process has compiled what is not kept; without a cache it is compiled here."""
        try:
            with loading_only():
                self._make_ready(name)
        except NotKept:
            _call_in_child(self._make_ready, registry.address(registry.load(name)))
            self._make_ready(name)


def _call_in_child(function: Callable[[str], None], argument: str) -> None:
    """Call a function of a module in a process of its own, which ends with this one, and wait for its end.

    Raises CalledProcessError if it fails.
    """
    program = (
        f"from {end_with_input.__module__} import {end_with_input.__name__}; {end_with_input.__name__}(); "
        f"from {function.__module__} import {function.__name__}; {function.__name__}({argument!r})"
    )
    paths = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    with subprocess.Popen([sys.executable, "-c", program], stdin=subprocess.PIPE, env=paths) as child:
        if code := child.wait():
            raise subprocess.CalledProcessError(code, child.args)
