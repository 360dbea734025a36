"""The text form of the numbers of a position: names for those that have them."""

from __future__ import annotations

from titan_env.contract import Status
from titan_env.contract.position_text import FieldFormats, Number, Word, numbers
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules.characters import CHARACTERS
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES
from titan_env.games.titan_war.rules.lands import LAND_NUMBERS
from titan_env.games.titan_war.rules.state import LEGION_RECORD, LEGIONS, NOBODY, STATE, Ask, Mulligan, Phase, Stage
from titan_env.games.titan_war.words.translation import _


class _Land:
    """A land by its printed number."""

    def write(self, number: int) -> str:
        return str(LAND_NUMBERS[int(number)])

    def read(self, word: str) -> int:
        if not word.isdecimal() or int(word) not in LAND_NUMBERS:
            raise ValueError(_("expected the number of a land, got {got}", got=repr(word)))
        return LAND_NUMBERS.index(int(word))


class _Marker:
    """A legion by the number of its marker, from 0 on, or `none`."""

    def write(self, number: int) -> str:
        return "none" if number == NOBODY else str(int(number))

    def read(self, word: str) -> int:
        if word == "none":
            return NOBODY
        if not word.isdecimal() or int(word) >= LEGIONS:
            said = mark("expected a marker from 0 to {most} or none, got {got}")
            raise ValueError(_(said, most=LEGIONS - 1, got=repr(word)))
        return int(word)


class _Entry:
    """A side of a battleland by its capital letter."""

    def write(self, number: int) -> str:
        return ENTRY_NAMES[int(number)]

    def read(self, word: str) -> int:
        if word not in ENTRY_NAMES:
            raise ValueError(_("expected one of {known}, got {got}", known=", ".join(ENTRY_NAMES), got=repr(word)))
        return ENTRY_NAMES.index(word)


LAND, MARKER, ENTRY = _Land(), _Marker(), _Entry()
KIND = Word({name: number for number, name in enumerate(CHARACTERS)})
COUNT = Number(LEGION_RECORD["height"])
AGE = Number(LEGION_RECORD["age"])

KINDS_COUNTED = ("supply", "returning", "split")
"""Fields that count characters of each kind."""
LISTS: FieldFormats = {name: Number(STATE[name]) for name in ("scores", "towers", "had_turn", "won", "place", "out")}
"""Fields with a number for each seat."""
_APART = {"legions", "battle", "seats_at", *KINDS_COUNTED, *LISTS}
FIRST_FIELDS: FieldFormats = {
    "seats": Number(STATE["seats"]),
    "turns": Number(STATE["turns"]),
    "mover": Number(STATE["mover"]),
    "phase": Word(Phase.__members__),
    "roll": Number(STATE["roll"]),
}
"""The fields that are written of every position."""
FIELDS: FieldFormats = {
    **{name: number for name, number in numbers(STATE, _APART).items() if name not in FIRST_FIELDS},
    "over": Word(Status.__members__),
    "ask": Word(Ask.__members__),
    "mulligan": Word(Mulligan.__members__),
    "stage": Word(Stage.__members__),
    "land": LAND,
    "destination": LAND,
    "wanted": KIND,
    **dict.fromkeys(("picked", "attacker", "defender", "winner", "donor"), MARKER),
}
"""The fields that are written if their value is not the usual one."""
