"""The languages of a battle: `_` says a text in the one that is spoken; the names of things, marked for catalogues."""

from __future__ import annotations

from titan_env.contract.translation import mark
from titan_env.games.titan_battle.rules.translation import _ as _

CHARACTERS = (
    *(mark("titan"), mark("angel"), mark("archangel"), mark("guardian"), mark("warlock"), mark("centaur")),
    *(mark("gargoyle"), mark("ogre"), mark("lion"), mark("minotaur"), mark("ranger"), mark("troll")),
    *(mark("cyclops"), mark("gorgon"), mark("warbear"), mark("griffon"), mark("wyvern"), mark("behemoth")),
    *(mark("unicorn"), mark("dragon"), mark("giant"), mark("hydra"), mark("serpent"), mark("colossus")),
)
"""The names of the characters, by `Character`."""
LANDS = (
    *(mark("plains"), mark("woods"), mark("brush"), mark("jungle"), mark("marsh"), mark("hills"), mark("desert")),
    *(mark("swamp"), mark("mountains"), mark("tundra"), mark("tower")),
)
"""The names of the terrains, by `Land`."""
HAZARDS = (*(mark("plain"), mark("tree"), mark("bog"), mark("sand"), mark("bramble"), mark("drift"), mark("volcano")),)
"""The names of the hazards of a hex, by `Hazard`."""
BORDERS = ("", mark("slope"), mark("dune"), mark("wall"), mark("cliff"))
"""The names of the borders of a hex, by `Border`."""
SIDES = (mark("the attacker"), mark("the defender"))
"""The names of the sides, by `Side`."""


def character_name(kind: int) -> str:
    """Return a character as it is spoken."""
    return _(CHARACTERS[int(kind)])


def land_name(land: int) -> str:
    """Return a terrain as it is spoken."""
    return _(LANDS[int(land)])


def hazard_name(hazard: int) -> str:
    """Return the name of a hazard in the current language."""
    return _(HAZARDS[int(hazard)])


def border_name(border: int) -> str:
    """Return a border as it is spoken."""
    return _(BORDERS[int(border)])


def side_name(side: int) -> str:
    """Return a side as it is spoken: the attacker, the defender."""
    return _(SIDES[int(side)])


def sentence(text: str) -> str:
    """Return a text that begins with a capital letter."""
    return text[:1].upper() + text[1:]
