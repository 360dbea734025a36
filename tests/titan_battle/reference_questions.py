"""Questions of Titan's second implementation, and the characters in its battles."""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Question:
    who: Any
    """A side of a battle, or a seat of a war."""
    ask: str
    options: tuple[str, ...]


Play = Generator[Question, str, Any]
Hits = Callable[[int, int], int]
"""How many of so many dice show at least a strike number."""


@dataclass(eq=False)
class Fighter:
    side: str
    kind: str
    power: int
    late: bool = False
    """Reinforcement or summoned."""
    hex: str = ""
    hits: int = 0
    gone: bool = False
    moved: bool = False
    locked: bool = False
    struck: bool = False

    @property
    def left(self) -> int:
        return self.power - self.hits

    @property
    def living(self) -> bool:
        return not self.gone and self.left > 0

    @property
    def on_map(self) -> bool:
        """Stands or, slain in this phase, still lies on the map."""
        return bool(self.hex) and not self.gone


def ask(who: Any, question: str, options: Iterable[str]) -> Play:
    """Ask, unless there is only one answer; STRIKE is always asked."""
    options = tuple(options)
    if len(options) == 1 and question != "STRIKE":
        return options[0]
    return (yield Question(who, question, options))
