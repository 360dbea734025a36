"""The guests of a game, who sit at it or watch by invitation: the first who opens a seat's link takes the seat."""

from __future__ import annotations

import hashlib
import json
import secrets
from dataclasses import dataclass, field
from typing import Any

from titan_env.web.views.game_clock import GameClock
from titan_env.web.views.translation import _

WATCHING = -1
"""In place of a seat: an invitation to watch, which any number of visitors may open."""
MOST_WATCHING = 200
"""The bound on those who watch one game."""


def hash_of_secret(secret: str) -> str:
    """Return the hash by which a visitor, or the key of an invitation, is kept."""
    return hashlib.sha256(secret.encode()).hexdigest()


@dataclass
class Guests:
    """The guests of one game and its open invitations; visitors and keys are hashes."""

    seats: dict[int, str] = field(default_factory=dict)
    """Seat -> the guest who has taken it."""
    watching: list[str] = field(default_factory=list)
    """The guests without a seat."""
    invitations: dict[int, str] = field(default_factory=dict)
    """Seat, or `WATCHING` -> the key of its open invitation."""
    resigned: dict[int, str] = field(default_factory=dict)
    """Seat of a person who has resigned -> the agent that plays on in it."""
    rematch: str = ""
    """The id of the game in which the same people play again."""
    names: dict[int, str] = field(default_factory=dict)
    """Seat -> the name that the person there goes by."""
    clock: GameClock | None = None
    """The clock of the people, if they play with one."""
    changes: int = 0
    """The number of changes so far."""

    def __bool__(self) -> bool:
        return bool(self.seats or self.watching or self.invitations)

    def admits(self, visitor: str, key: str = "") -> bool:
        """Return whether a visitor is a guest, or has the key of an open invitation."""
        return visitor in self.seats.values() or visitor in self.watching or self._invited(key) is not None

    def invite(self, seat: int) -> str:
        """Return the key of a new invitation to a seat; an older one to the same seat is void."""
        key = secrets.token_urlsafe(16)
        self.invitations[seat] = hash_of_secret(key)
        if self.seats.pop(seat, None) is not None:
            self.names.pop(seat, None)
        self.changes += 1
        return key

    def join(self, visitor: str, key: str) -> None:
        """Seat a visitor by the key of an invitation. Raises ValueError for one that is void, and for too many guests.

        Whoever has joined already may use their key again.
        """
        seat = self._invited(key)
        if seat is None:
            if self.admits(visitor):
                return
            raise ValueError(_("expected an open invitation, got one that was taken or is void; ask for another"))
        if seat != WATCHING:
            del self.invitations[seat]
            self.seats[seat] = visitor
        elif not self.admits(visitor):
            if len(self.watching) >= MOST_WATCHING:
                raise ValueError(_("expected at most {n} who watch one game; try again later", n=MOST_WATCHING))
            self.watching.append(visitor)
        self.changes += 1

    def resign(self, seat: int, agent: str) -> None:
        """Give a seat to an agent for the rest of the game; an invitation to it is void, and its guest looks on."""
        self.resigned[seat] = agent
        self.invitations.pop(seat, None)
        self.changes += 1

    def call(self, seat: int, name: str) -> None:
        """Let the person in a seat go by a name; "" takes it away. Raises ValueError for the name of somebody else."""
        if name.casefold() in (other.casefold() for taken, other in self.names.items() if taken != seat):
            raise ValueError(_("expected a name that nobody else has at this table, got {got}", got=repr(name)))
        if name:
            self.names[seat] = name
        else:
            self.names.pop(seat, None)
        self.changes += 1

    def play_again(self, rematch: str) -> None:
        """Keep the game in which the same people play again."""
        self.rematch = rematch
        self.changes += 1

    def moved_on(self, shift: int, seats: int) -> Guests:
        """Return the guests of a new game, each so many of the `seats` further."""
        guests = Guests({(seat + shift) % seats: visitor for seat, visitor in self.seats.items()}, [*self.watching])
        guests.names = {(seat + shift) % seats: name for seat, name in self.names.items()}
        guests.clock = self.clock and self.clock.anew()
        return guests

    def as_text(self) -> str:
        """Return the guests as JSON."""
        clock = self.clock and self.clock.as_json()
        return json.dumps([self.seats, self.watching, self.invitations, self.resigned, self.rematch, self.names, clock])

    @classmethod
    def from_text(cls, text: str) -> Guests:
        """Return the guests of `as_text`; "" means none."""
        if not text:
            return cls()
        kept: list[Any] = json.loads(text)
        kept += [{}, "", {}, None][len(kept) - 3 :]  # what there was not before 0.3.0
        seats, watching, invitations, resigned, rematch, names, clock = kept
        return cls(
            {int(seat): visitor for seat, visitor in seats.items()},
            watching,
            {int(seat): key for seat, key in invitations.items()},
            {int(seat): agent for seat, agent in resigned.items()},
            rematch,
            {int(seat): name for seat, name in names.items()},
            clock and GameClock.from_json(clock),
        )

    def _invited(self, key: str) -> int | None:
        """Return the seat of an open invitation; None if there is none with this key."""
        wanted = hash_of_secret(key)
        return next((seat for seat, kept in self.invitations.items() if kept == wanted), None)
