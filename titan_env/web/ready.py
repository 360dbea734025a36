"""Compilation of the games' rules at the first start, with its progress, while the page is already served."""

from __future__ import annotations

import gc
import time
from typing import Any

from titan_env import registry
from titan_env.agents.warm_up import let_agents_decide
from titan_env.contract import Game
from titan_env.engine.warm_up import play_first_decisions


class Ready:
    """The games whose rules are compiled."""

    def __init__(self) -> None:
        self._loaded: set[str] = set()
        self._began: float | None = None

    def games(self) -> list[Game]:
        """Return all games; compile the missing ones first, one after the other, which may take minutes."""
        self._began = self._began or time.monotonic()
        games = []
        for name in registry.names():
            games.append(registry.load(name))
            if name not in self._loaded:
                play_first_decisions([name])
                let_agents_decide(games[-1])
                gc.freeze()  # loaded modules stay: collecting garbage among them took 70 ms at a time
            self._loaded.add(name)
        return games

    def has(self, name: Any) -> bool:
        """Return whether a game of this name is compiled."""
        return isinstance(name, str) and name in self._loaded

    def progress(self) -> dict[str, int]:
        """Return the number of compiled games, of all games, and the seconds since the compilation began."""
        names = registry.names()
        seconds = 0 if self._began is None else round(time.monotonic() - self._began)
        return {"ready": len(self._loaded.intersection(names)), "games": len(names), "seconds": seconds}
