"""The languages of Titan Race: `_` says a text in the one that is spoken."""

from __future__ import annotations

from titan_env.contract.translation import mark
from titan_env.games.titan_race.rules.circuits import circuit_drawing
from titan_env.games.titan_race.rules.state import CIRCUIT_NAMES, Card, Face, Terrain
from titan_env.games.titan_race.rules.translation import _ as _

FACES = (mark("yellow"), mark("blue"), mark("brown"), mark("red"), mark("green"), mark("purple"))
"""The names of the faces of a die, by `Face`."""
TERRAINS = (
    mark("plain"),
    mark("bonus"),
    mark("lava"),
    mark("pirates"),
    mark("super-ramp left"),
    mark("super-ramp right"),
    mark("multi-ramp"),
    mark("statue"),
    mark("pentacle"),
    mark("ice"),
)
"""The names of the terrains, by `Terrain`."""
CARDS = (
    mark("tribal trap"),
    mark("speed potion"),
    mark("shield"),
    mark("explosion"),
    mark("fireball"),
    mark("lightning"),
    mark("mimic"),
    mark("retreat"),
    mark("wings"),
    mark("healing potion"),
    mark("gust"),
    mark("hourglass"),
    mark("thorns"),
)
"""The names of the cards, by `Card`."""


def face_name(face: int) -> str:
    """Return the name of a die's face."""
    return _(FACES[Face(int(face))])


def terrain_name(terrain: int) -> str:
    """Return the name of a terrain."""
    return _(TERRAINS[Terrain(int(terrain))])


def card_name(card: int) -> str:
    """Return a card's name as it is spoken."""
    return _(CARDS[Card(int(card))])


_TITLES = {name: circuit_drawing(name).partition("\n")[0].removeprefix("title: ") for name in CIRCUIT_NAMES}


def circuit_title(name: str) -> str:
    """Return the name of one of the six circuits as printed on its board."""
    return _(_TITLES[name])
