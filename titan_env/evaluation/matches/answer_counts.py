"""The counters that agents keep of their answers, summed over all processes that have played units of a command."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import Any

from titan_env import agents
from titan_env.contract import Game


class AnswerCounts:
    """The counters of agents by name: those in the lines of a journal, and what this process has counted since."""

    def __init__(self, game: Game, names: Iterable[str], lines: Iterable[Mapping[str, Any]] = ()) -> None:
        self._game, self._names = game, tuple(names)
        self._before = self._now()
        self._total = {name: Counter[str]() for name in self._names}
        for line in lines:
            for name in self._names:
                self._total[name].update(line.get("counted", {}).get(agents.kept_name(name), {}))

    def _now(self) -> dict[str, Counter[str]]:
        """Return this process's counters."""
        return {name: Counter(agents.counts(name, self._game)) for name in self._names}

    def take(self) -> dict[str, dict[str, dict[str, int]]]:
        """Add what was counted since the last call; return it as an entry of a journal's line, {} if it is nothing."""
        now = self._now()
        more = {name: now[name] - self._before[name] for name in self._names}
        self._before = now
        for name, counted in more.items():
            self._total[name].update(counted)
        counts = {agents.kept_name(name): dict(counted) for name, counted in more.items() if counted}
        return {"counted": counts} if counts else {}

    def sentences(self) -> list[str]:
        """Return a line for each agent that has counted something, with the answers of units that were not finished."""
        self.take()
        return [
            f"{name}: {agents.usage_summary(name, self._game, counted)}"
            for name, counted in self._total.items()
            if counted
        ]
