"""The table of a war: legions, supply, scores, markers and what chance says. What all its chapters share."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any, Protocol

from tests.titan_battle.reference_data import KINDS, STARTING, value_of
from tests.titan_war.reference_legions import Legion, tighten

MARKERS = {False: 12, True: 8}
"""Of each player; fewer in the lean game."""

FULL = 7
DEFAULTS: dict[str, Any] = {
    "goal": 0,
    "turns": 0,
    "agreements": True,
    "concede": True,
    "open": False,
    "mulligan": "once",
    "first_teleport": "any",
    "lean": False,
}


class Chance(Protocol):
    """What is left to chance."""

    def die(self) -> int:
        """A movement die, 1 to 6."""

    def reversed_lot(self) -> bool:
        """Whether the angel's starting legion is the older one."""

    def hits(self, dice: int, number: int) -> int:
        """How many of so many dice show at least a strike number."""


class TheEndError(Exception):
    """The war is over, at once."""


class Table:
    """Everything that lies on the table."""

    def __init__(self, towers: list[int], **options: Any) -> None:
        self.players = len(towers)
        self.towers = towers
        self.options = DEFAULTS | options
        self.chance: Chance | None = None
        self.legions: list[Legion] = []
        self.supply = Counter({name: kind.supply for name, kind in KINDS.items()})
        if self.options["lean"]:
            self.supply.subtract({kind: self.supply[kind] for kind in STARTING[False]})
        self.starting = STARTING[self.options["lean"]]
        self.returning: list[str] = []
        """Lords and demi-lords that go back to the supply when the engagement is over."""
        self.scores = [0] * self.players
        self.alive = [True] * self.players
        self.had_turn = [False] * self.players
        self.markers = [MARKERS[self.options["lean"]]] * self.players
        """Markers that a player owns, on the board or free."""
        self.places = [0] * self.players
        self.won: set[int] = set()
        self.mover = 0
        self.roll = 0
        self.summoned = self.teleported = False
        """In this turn, by its mover."""
        self.youngest = 0

    @property
    def dice(self) -> Chance:
        assert self.chance, "chance is asked, and nobody said what it answers"
        return self.chance

    # Legions

    def of(self, seat: int) -> list[Legion]:
        return [legion for legion in self.legions if legion.owner == seat]

    def at(self, land: int, seat: int | None = None) -> list[Legion]:
        """Legions on a land, the oldest first; of one player or all."""
        found = [legion for legion in self.legions if legion.land == land and seat in (None, legion.owner)]
        return sorted(found, key=lambda legion: legion.age)

    def free_markers(self, seat: int) -> int:
        return self.markers[seat] - len(self.of(seat))

    def next_age(self) -> int:
        self.youngest += 1
        return self.youngest

    def is_public(self, legion: Legion) -> bool:
        return self.options["open"] or legion.is_public()

    def conclude(self, seat: int) -> None:
        """Everybody concludes what they can about a player's legions; in an open war all is known."""
        for legion in self.of(seat):
            if self.options["open"]:
                legion.reveal()
        tighten(self.of(seat))

    def enemies_of(self, legion: Legion) -> list[Legion]:
        """Other players' legions on the land of a legion."""
        return [other for other in self.at(legion.land) if other.owner != legion.owner]

    def donors(self, taker: Legion) -> dict[Legion, list[str]]:
        """Own legions in no unresolved engagement that hold an angel or an archangel, and which."""
        found = {}
        for legion in self.of(taker.owner):
            kinds = [kind for kind in ("angel", "archangel") if legion.holds[kind]]
            if legion is not taker and kinds and not self.enemies_of(legion):
                found[legion] = kinds
        return found

    def give(self, donor: Legion, taker: Legion, kind: str) -> None:
        """Hand a summoned angel over; an empty donor is gone. It counts as the summoning of this turn."""
        donor.lose(kind)
        taker.gain(kind)
        self.summoned = True
        if not donor.height:
            self.legions.remove(donor)
        self.conclude(taker.owner)

    def remove(self, legion: Legion) -> None:
        """Eliminate a legion: its lords and demi-lords return when the engagement is over."""
        self.legions.remove(legion)
        self.lose_characters(legion.holds)

    def lose_characters(self, characters: Mapping[str, int]) -> None:
        for kind, count in characters.items():
            if not KINDS[kind].creature and kind != "titan":
                self.returning += [kind] * count

    def value(self, legion: Legion) -> int:
        return value_of(legion.kinds, self.scores[legion.owner])

    # Players

    def living(self) -> list[int]:
        return [seat for seat in range(self.players) if self.alive[seat]]

    def end_if_decided(self, last: list[int]) -> None:
        """One player left: he wins; nobody: the last that fell share."""
        living = self.living()
        if len(living) <= 1:
            self.won = set(living or last)
            for seat in self.won:
                self.places[seat] = 1
            raise TheEndError

    def position(self) -> list[str]:
        """Legions by owner and land, and the public record where it is open."""
        lines = []
        for legion in self.legions:
            pairs = [(kind, legion.least[kind], legion.most[kind]) for kind in KINDS]
            known = " ".join(f"{kind} {least}-{most}" for kind, least, most in pairs if least != most)
            record = f" (others know only: {known})" if known else ""
            lines.append(f"{legion.owner} on {legion.land}: {' '.join(legion.kinds)}{record}")
        return sorted(lines)

    def summary(self) -> str:
        """Scores, who lives, free markers."""
        free = [self.free_markers(seat) for seat in range(self.players)]
        rows = [map(str, row) for row in (self.scores, [int(alive) for alive in self.alive], free)]
        scores, alive, markers = (" ".join(row) for row in rows)
        return f"scores {scores}, alive {alive}, markers {markers}"
