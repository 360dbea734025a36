"""The clock of a game: time for each person, for the whole game with an increment or anew for each decision.

The first decision of each seat costs no time, as others may still be on their way to the table; nor does a question
that is asked in private, as a running clock would tell the others of it. Agents have no clock.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

MOST_SECONDS = 7 * 24 * 3600
"""The bound on the time of a game, of an increment and of a decision."""


@dataclass
class GameClock:
    """The seconds that each person has left. `charge` is to be called whenever somebody else is asked."""

    seconds: int
    """The time for the game, or for each decision."""
    increment: int = 0
    """The seconds that are added after each decision."""
    is_each: bool = False
    """The time is for each decision: what is left of it is lost."""
    left: dict[int, float] = field(default_factory=dict)
    """Seat -> its seconds when the clock was set last; a seat that has not decided yet is not there."""
    late: list[int] = field(default_factory=list)
    """The seats whose time was over, in that order."""
    running: int | None = None
    """The seat whose time runs."""
    now: Callable[[], float] = field(default=time.monotonic, repr=False, compare=False)
    _since: float = field(default=0.0, repr=False, compare=False)

    def __post_init__(self) -> None:
        self._since = self.now()

    def left_of(self, seat: int) -> float:
        """Return the seconds that a seat has left now, at least 0."""
        ran = self.now() - self._since if seat == self.running else 0.0
        return max(0.0, self.left.get(seat, float(self.seconds)) - ran)

    @property
    def is_over(self) -> bool:
        """True if the seat whose time runs has none left."""
        return self.running is not None and self.left_of(self.running) <= 0

    def charge(self, decided: int | None, asked: int | None) -> None:
        """Take what has run from who was asked, give the seat that has `decided` its increment, and run for another.

        None: nobody has decided, or nobody with a clock is asked.
        """
        if self.running is not None:
            self.left[self.running] = self.left_of(self.running)
        if decided is not None:
            before = self.left.get(decided, float(self.seconds))
            self.left[decided] = float(self.seconds) if self.is_each else before + self.increment
        self.running = asked if asked in self.left else None
        self._since = self.now()

    def anew(self) -> GameClock:
        """Return a clock of the same times for another game."""
        return GameClock(self.seconds, self.increment, self.is_each, now=self.now)

    def seen(self, seats: Iterable[int]) -> dict[str, Any]:
        """Return what the page shows: the seconds that these seats have left, whose time runs, and whose is over."""
        left = {seat: round(self.left_of(seat), 1) for seat in seats}
        return {"left": left, "running": self.running, "late": self.late}

    def as_json(self) -> dict[str, Any]:
        """Return the clock as it is kept."""
        left = {seat: round(self.left_of(seat), 3) for seat in self.left}
        times = {"seconds": self.seconds, "increment": self.increment, "each": self.is_each}
        return {**times, "left": left, "late": self.late}

    @classmethod
    def from_json(cls, kept: Mapping[str, Any]) -> GameClock:
        """Return the clock of `as_json`; it stands until somebody is asked."""
        left = {int(seat): float(seconds) for seat, seconds in kept["left"].items()}
        return cls(kept["seconds"], kept["increment"], kept["each"], left, kept["late"])
