"""Legions, and the public record of what others may know of them."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from tests.titan_battle.reference_data import KINDS, in_order


@dataclass(eq=False)
class Legion:
    """One marker on the board with the characters under it; `least` and `most` are the public record."""

    owner: int
    land: int
    age: int
    holds: Counter[str]
    least: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    most: dict[str, int] = field(default_factory=lambda: dict.fromkeys(KINDS, 0))
    moved: bool = False
    side: str = ""
    """On which it entered its land in this turn."""

    @property
    def height(self) -> int:
        return self.holds.total()

    @property
    def kinds(self) -> list[str]:
        return in_order(self.holds.elements())

    def has_lord(self) -> bool:
        return any(KINDS[kind].lord for kind in self.holds if self.holds[kind])

    def gain(self, kind: str) -> None:
        """Get a character in public."""
        self.holds[kind] += 1
        self.least[kind] += 1
        self.most[kind] += 1

    def lose(self, kind: str) -> None:
        """Lose a character in public."""
        self.holds[kind] -= 1
        self.least[kind] = max(0, self.least[kind] - 1)
        self.most[kind] = max(0, self.most[kind] - 1)

    def show(self, kind: str, count: int) -> None:
        """Show so many of a kind to everybody."""
        self.least[kind] = max(self.least[kind], count)

    def reveal(self) -> None:
        """Show everything to everybody."""
        self.least = {kind: self.holds[kind] for kind in KINDS}
        self.most = dict(self.least)

    def is_public(self) -> bool:
        return self.least == self.most

    def split(self, leaving: Iterable[str], age: int) -> Legion:
        """Split characters off; others see how many."""
        part = Counter(leaving)
        old_least, old_most = dict(self.least), dict(self.most)
        self.holds = self.holds - part
        new = Legion(self.owner, self.land, age, part)
        for kind in KINDS:
            new.least[kind] = max(0, old_least[kind] - self.height)
            new.most[kind] = min(old_most[kind], new.height)
            self.least[kind] = max(0, old_least[kind] - new.height)
            self.most[kind] = min(old_most[kind], self.height)
        return new

    def join(self, other: Legion) -> None:
        """Take in another legion of the same player."""
        self.holds = self.holds + other.holds
        for kind in KINDS:
            self.least[kind] += other.least[kind]
            self.most[kind] += other.most[kind]


def tighten(legions: list[Legion]) -> None:
    """Conclude from one player's legions what everybody can conclude, until nothing changes."""
    total = sum((legion.holds for legion in legions), Counter[str]())
    changed = True
    while changed:
        before = [(dict(legion.least), dict(legion.most)) for legion in legions]
        for legion in legions:
            for kind in KINDS:
                _tighten_kind(legion, kind, legions, total)
        changed = before != [(legion.least, legion.most) for legion in legions]


def _tighten_kind(legion: Legion, kind: str, legions: list[Legion], total: Mapping[str, int]) -> None:
    others_least = sum(count for other, count in legion.least.items() if other != kind)
    others_most = sum(count for other, count in legion.most.items() if other != kind)
    elsewhere = [other for other in legions if other is not legion]
    spread_least = sum(other.least[kind] for other in elsewhere)
    spread_most = sum(other.most[kind] for other in elsewhere)
    most = min(legion.most[kind], legion.height - others_least, total.get(kind, 0) - spread_least)
    least = max(legion.least[kind], legion.height - others_most, total.get(kind, 0) - spread_most)
    legion.least[kind], legion.most[kind] = least, most
