"""The first start: rules are compiled while the page is already there, and says how far that is."""

from __future__ import annotations

import gc
import time
from typing import Any

from titan_env import registry
from titan_env.agents.warm_up import let_agents_decide
from titan_env.contract import Game
from titan_env.engine.warm_up import play_first_decisions


class Ready:
    """Which games are ready to be played."""

    def __init__(self) -> None:
        self._loaded: set[str] = set()
        self._began: float | None = None

    def games(self) -> list[Game]:
        """Every game; those that have not been compiled yet are, one after the other, which may take minutes."""
        self._began = self._began or time.monotonic()
        games = []
        for name in registry.names():
            games.append(registry.load(name))
            if name not in self._loaded:
                play_first_decisions([name])
                let_agents_decide(games[-1])
                gc.freeze()  # what is loaded stays; to look through it for garbage held everybody up for 70 ms
            self._loaded.add(name)
        return games

    def has(self, name: Any) -> bool:
        """Whether a game of this name is ready."""
        return isinstance(name, str) and name in self._loaded

    def progress(self) -> dict[str, int]:
        """How many games are ready, of how many, and since how many seconds they are made so."""
        names = registry.names()
        seconds = 0 if self._began is None else round(time.monotonic() - self._began)
        return {"ready": len(self._loaded.intersection(names)), "games": len(names), "seconds": seconds}
