"""The text form of the numbers of a position: names for those that have them."""

from __future__ import annotations

from titan_env.contract import Status
from titan_env.contract.position_text import FieldFormats, Number, Word, numbers
from titan_env.games.titan_race.rules.circuits import space_name, space_number
from titan_env.games.titan_race.rules.state import (
    CHOSEN_CIRCUIT,
    CIRCUIT_NAMES,
    GENERATED_TERRAIN,
    NO_CARD,
    NO_FACE,
    NOWHERE,
    OWN_TERRAIN,
    RANDOM,
    STATE,
    Ask,
    Card,
    Condition,
    Due,
    Face,
    Titan,
)


class _Space:
    """A space by its name."""

    def write(self, number: int) -> str:
        return "none" if number == NOWHERE else space_name(number)

    def read(self, word: str) -> int:
        return NOWHERE if word == "none" else space_number(word)


_FACE, _SPACE = Word({**Face.__members__, "none": NO_FACE}), _Space()
DIE, BONUS, DUE = Word(Face.__members__), Word(Card.__members__), Word(Due.__members__)
EFFECT = Number(STATE["agenda"])
"""The numbers that are no field of their own: a die in the pool, a card, an effect on the agenda and its numbers."""

TITAN_FIELDS: FieldFormats = {
    **numbers(STATE["titans"].base, {"kind", "space", "condition", "face"}),
    "space": _SPACE,
    "condition": Word(Condition.__members__),
    "face": _FACE,
}
_UNNAMED = {"RANDOM": RANDOM, "GENERATED": GENERATED_TERRAIN, "OWN": OWN_TERRAIN, "CHOSEN": CHOSEN_CIRCUIT}
_CIRCUITS = _UNNAMED | {name.upper(): i for i, name in enumerate(CIRCUIT_NAMES)}
_LISTED = ("won", "place", "out", "scores", "lots", "gauges", "levels")
FIELDS: FieldFormats = {
    **numbers(STATE, {"terrain", "on", "titans", "pool", "cards", "due", "agenda", "circuit", *_LISTED}),
    "over": Word(Status.__members__),
    "ask": Word(Ask.__members__),
    "face": _FACE,
    "action": _FACE,
    "pentacle": _SPACE,
    "card": Word({**Card.__members__, "none": NO_CARD}),
    "borrowed": Word(Titan.__members__),
    **{name: Number(STATE[name]) for name in _LISTED},
    "circuit": Word(_CIRCUITS),
}
