"""Legions as a seat may know them: the own ones as they are, others by the public record."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from titan_env.games.titan_battle.rules.characters import POWER, SKILL
from titan_env.games.titan_battle.rules.state import KINDS, Character
from titan_env.games.titan_battle.words.language import character_name
from titan_env.games.titan_war.rules.state import EVERYWHERE
from titan_env.games.titan_war.words.language import _


@dataclass(frozen=True)
class Seen:
    """One legion as somebody sees it."""

    marker: int
    owner: int
    land: int
    height: int
    age: int
    has_moved: bool
    least: tuple[int, ...]
    """How many of each kind it holds for certain."""
    most: tuple[int, ...]
    """And how many it may hold."""

    @property
    def known(self) -> list[int]:
        """The kinds that it holds for certain, in their order, each as often."""
        return [kind for kind in range(KINDS) for _time in range(self.least[kind])]

    @property
    def unknown(self) -> int:
        """How many of its characters are not known."""
        return self.height - sum(self.least)
