"""The text form of the numbers of a position: names for those that have them."""

from __future__ import annotations

from titan_env.contract import Status
from titan_env.contract.position_text import FieldFormats, Number, Word, expect, expect_known, numbers
from titan_env.games.titan_battle.rules.characters import CHARACTERS
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES
from titan_env.games.titan_battle.rules.setup import SEATS
from titan_env.games.titan_battle.rules.state import (
    FIGHTER,
    STATE,
    Ask,
    Land,
    Phase,
    Result,
    Side,
    Window,
)
from titan_env.games.titan_battle.words.translation import _


class _Kinds:
    """A set of characters, their names joined by commas."""

    def write(self, number: int) -> str:
        return ",".join(name for kind, name in enumerate(CHARACTERS) if int(number) >> kind & 1) or "none"

    def read(self, word: str) -> int:
        names = [] if word == "none" else word.split(",")
        known, is_known = ", ".join(CHARACTERS), set(names) <= set(CHARACTERS)
        expect(is_known, _("expected characters out of {known}, got {got}", known=known, got=repr(word)))
        return sum({1 << CHARACTERS.index(name) for name in names})


class _Place:
    """A hex, or where else a fighter is."""

    names = (*HEX_NAMES, "outside", "gone")

    def write(self, number: int) -> str:
        return self.names[int(number)]

    def read(self, word: str) -> int:
        expect(word in self.names, _("expected a hex from A1 to F4, outside or gone, got {got}", got=repr(word)))
        return self.names.index(word)


class _Entry:
    """The side on which the attacker enters, by its capital letter."""

    def write(self, number: int) -> str:
        return ENTRY_NAMES[int(number)]

    def read(self, word: str) -> int:
        expect_known(word, ENTRY_NAMES)
        return ENTRY_NAMES.index(word)


class _Seat(Number):
    """The seat that attacks."""

    def read(self, word: str) -> int:
        seat = super().read(word)
        expect(0 <= seat < SEATS, _("expected seat 0 or 1, got {got}", got=repr(word)))
        return seat


PLACE, ENTRY = _Place(), _Entry()
KIND = Word({name: number for number, name in enumerate(CHARACTERS)})
COUNT = Number(FIGHTER["hits"])
"""The numbers that are no field of their own: hits, power."""
MARKS = ("moved", "locked", "struck", "slain")
"""The flags of a fighter, each 0 or 1."""

FIRST_FIELDS: FieldFormats = {
    "land": Word(Land.__members__),
    "entry": ENTRY,
    "rounds_begun": Number(STATE["battle"]["rounds_begun"]),
    "half": Word(Side.__members__),
    "phase": Word(Phase.__members__),
}
"""The fields that are written of every battle; usual values of the others follow from these."""
BATTLE_FIELDS: FieldFormats = {
    **numbers(STATE["battle"], {"fighters", "picked", "target", *FIRST_FIELDS}),
    "result": Word(Result.__members__),
    "ask": Word(Ask.__members__),
    "asked": Word(Side.__members__),
    "window": Word(Window.__members__),
    "supply": _Kinds(),
}
PICKED = ("picked", "target")
"""The fighters that are named by where they are."""
_LISTED = ("scores", "won", "place", "out")
STATE_FIELDS: FieldFormats = {
    **numbers(STATE, {"battle", "ask", "draws", "attacker", *_LISTED}),
    "over": Word(Status.__members__),
    **{name: Number(STATE[name]) for name in (*_LISTED, "draws")},
}
SEAT = _Seat(STATE["attacker"])
SEAT_FIELD = "attacker_seat"
"""The seat that attacks, as the option is called; `attacker` names its legion."""
