"""Facts about a game as a value: title, version, files, agents, and the statistics of reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from titan_env.contract.header import State


@dataclass(frozen=True, kw_only=True, repr=False)
class Metadata:
    """Facts about a game; all of them may be left out."""

    title: str = ""
    """The name that people read; by default the game's name."""
    version: int = 0
    """The version; raise it when action numbers, fields or the rules change."""
    version_history: Mapping[int, str] = field(default_factory=dict)
    """One sentence for each version of the game."""
    folder: str = ""
    """The folder of the game's files (its RULES.md, its data)."""
    agents: Mapping[str, str] = field(default_factory=dict)
    """The game's own agents by name, as ``"module:make"``; ``make(game, **parameters)`` returns one."""
    adviser: str = ""
    """The default adviser of networks: an agent that scores actions and does not plan."""
    position_values: str = ""
    """The values by which planners compare positions, as ``"module:function"``.

    ``function(states)`` returns each seat's expected payoff by winning, float (N, seats), from -1 to 1."""
    reduced: tuple[str, ...] = ()
    """Places (``"module:NAME"``) of games made of this one that are small enough to be solved exactly."""
    exact_losses: str = ""
    """The solver of such a game, where it has one of its own, as ``"module:function"``.

    ``function(game)`` solves it and returns ``losses(agent)``, what an agent loses in the first and in the second seat
    against best play, as payoffs from -1 to 1. By default it is solved in sequence form, and best responses win it."""
    benchmark_options: Mapping[str, Any] = field(default_factory=dict)
    """The options of a full game, for which speed and balance are reported."""
    speed_targets: Mapping[str, float] = field(default_factory=dict)
    """The figures that the speed report should reach, by name."""
    statistics: Callable[[State], Mapping[str, Any]] | None = None
    """``statistics(state)`` returns a finished game's statistics by name: a text or number, or one text a seat."""
