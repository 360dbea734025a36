"""The text form of the numbers of a position: names for those that have them."""

from __future__ import annotations

from titan_env.contract import MOST_SEATS, Status
from titan_env.contract.position_text import FieldFormats, Number, Word, expect, numbers
from titan_env.contract.translation import mark
from titan_env.games.titan_battle.words.notation import ENTRY, KIND
from titan_env.games.titan_war.rules.lands import LAND_NUMBERS
from titan_env.games.titan_war.rules.state import LEGION_RECORD, LEGIONS, NOBODY, STATE, Ask, Mulligan, Phase, Stage
from titan_env.games.titan_war.words.translation import _


class _Land:
    """A land by its printed number."""

    def write(self, number: int) -> str:
        return str(LAND_NUMBERS[int(number)])

    def read(self, word: str) -> int:
        is_land = word.isdecimal() and int(word) in LAND_NUMBERS
        expect(is_land, _("expected the number of a land, got {got}", got=repr(word)))
        return LAND_NUMBERS.index(int(word))


class _Marker:
    """A legion by the number of its marker, from 0 on, or `none`."""

    def write(self, number: int) -> str:
        return "none" if number == NOBODY else str(int(number))

    def read(self, word: str) -> int:
        if word == "none":
            return NOBODY
        message = mark("expected a marker from 0 to {most} or none, got {got}")
        expect(word.isdecimal() and int(word) < LEGIONS, _(message, most=LEGIONS - 1, got=repr(word)))
        return int(word)


class _SeatCount(Number):
    """The number of seats."""

    def read(self, word: str) -> int:
        count = super().read(word)
        expect(2 <= count <= MOST_SEATS, _("expected 2 to {most} seats, got {got}", most=MOST_SEATS, got=repr(word)))
        return count


LAND, MARKER = _Land(), _Marker()
COUNT = Number(LEGION_RECORD["height"])
MARKS: FieldFormats = {"age": Number(LEGION_RECORD["age"]), "moved": Number(LEGION_RECORD["moved"]), "entry": ENTRY}
"""What else is said of a legion: its age, whether it has moved, the side on which it came upon an enemy."""

KINDS_COUNTED = ("supply", "returning", "split")
"""Fields that count characters of each kind."""
LISTS: FieldFormats = {name: Number(STATE[name]) for name in ("scores", "towers", "had_turn", "won", "place", "out")}
"""Fields with a number for each seat."""
_APART = {"legions", "battle", "seats_at", *KINDS_COUNTED, *LISTS}
FIRST_FIELDS: FieldFormats = {
    "seats": _SeatCount(STATE["seats"]),
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
