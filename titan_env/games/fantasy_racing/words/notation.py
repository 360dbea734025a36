"""The text form of the numbers of a position: names for those that have them."""

from __future__ import annotations

from titan_env.contract import Status
from titan_env.contract.position_text import FieldFormats, Number, Word, expect, numbers
from titan_env.games.fantasy_racing.rules.circuits import CIRCUIT_NAMES, square_name, square_number
from titan_env.games.fantasy_racing.rules.state import (
    GENERATED_CIRCUIT,
    OWN_CIRCUIT,
    RANDOM,
    STATE,
    Ask,
    Due,
    Object,
    Phase,
    Roll,
    Rule,
)
from titan_env.games.fantasy_racing.words.translation import _


class _Square:
    """A square by its name."""

    def write(self, number: int) -> str:
        return square_name(number)

    def read(self, word: str) -> int:
        return square_number(word)


class _Rules:
    """The special rules of a racer, joined by commas."""

    def write(self, number: int) -> str:
        return ",".join(rule.name.lower() for rule in Rule if int(number) >> rule & 1) or "none"

    def read(self, word: str) -> int:
        names = [] if word == "none" else word.split(",")
        known = ", ".join(Rule.__members__).lower()
        is_known = {name.upper() for name in names} <= set(Rule.__members__)
        expect(is_known, _("expected rules out of {known}, got {got}", known=known, got=repr(word)))
        return sum({1 << Rule[name.upper()] for name in names})


DUE = Word(Due.__members__)
EFFECT = Number(STATE["agenda"])
COUNT = Number(STATE["racers"].base["objects"])
POINTS = Number(STATE["scores"])
"""The numbers that are no field of their own: an effect on the agenda and its numbers, a count of objects, points."""

OBJECT_NAMES = {thing.name.lower(): int(thing) for thing in Object}
RACER_FIELDS: FieldFormats = {
    **numbers(STATE["racers"].base, {"character", "square", "objects", "rules"}),
    "rules": _Rules(),
}
_UNNAMED = {"RANDOM": RANDOM, "GENERATED": GENERATED_CIRCUIT, "OWN": OWN_CIRCUIT}
_CIRCUITS = _UNNAMED | {name.upper(): number for number, name in enumerate(CIRCUIT_NAMES)}
FIELDS: FieldFormats = {
    **numbers(
        STATE,
        {
            "scores",
            "won",
            "place",
            "out",
            "order",
            "levels",
            "starts",
            "printed",
            "gone",
            "traps",
            "racers",
            "dice",
            "due",
        }
        | {"agenda"},
    ),
    "over": Word(Status.__members__),
    "ask": Word(Ask.__members__),
    "phase": Word(Phase.__members__),
    "roll": Word(Roll.__members__),
    "ball": _Square(),
    "circuit": Word(_CIRCUITS),
    **{name: Number(STATE[name]) for name in ("won", "place", "out", "order", "levels", "dice")},
    "starts": _Square(),
}
