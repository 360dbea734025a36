"""Facts about a game as a value: title, version, files, agents, and what reports measure."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from titan_env.contract.header import State


@dataclass(frozen=True, kw_only=True)
class Metadata:
    """Facts about a game; all of them may be left out."""

    title: str = ""
    """The name that people read; by default the game's name."""
    version: int = 0
    """Another one where action numbers, fields or the rules change."""
    version_history: Mapping[int, str] = field(default_factory=dict)
    """One sentence for each version of the game."""
    folder: str = ""
    """The folder of the game's files (its RULES.md, its data)."""
    agents: Mapping[str, str] = field(default_factory=dict)
    """Agents of its own by name: ``"module:make"``, called as ``make(game, **parameters)``, makes one."""
    adviser: str = ""
    """The agent that a network learns beside where none is named: it scores actions, and answers at once."""
    benchmark_options: Mapping[str, Any] = field(default_factory=dict)
    """The options of a game at its fullest, which speed and balance are reported for."""
    speed_targets: Mapping[str, float] = field(default_factory=dict)
    """Figures that the speed report should reach, by their names."""
    statistics: Callable[[State], Mapping[str, Any]] | None = None
    """``statistics(state)`` of a finished game: a text or a number for the whole game, or a list of texts by seat."""
