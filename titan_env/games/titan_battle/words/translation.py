"""The languages of a battle: `_` says a text in the one that is spoken; the names of things, marked for catalogues."""

from __future__ import annotations

from titan_env.contract.language import mark
from titan_env.games.titan_battle.rules.complaints import _ as _

CHARACTERS = (
    *(mark("titan"), mark("angel"), mark("archangel"), mark("guardian"), mark("warlock"), mark("centaur")),
    *(mark("gargoyle"), mark("ogre"), mark("lion"), mark("minotaur"), mark("ranger"), mark("troll")),
    *(mark("cyclops"), mark("gorgon"), mark("warbear"), mark("griffon"), mark("wyvern"), mark("behemoth")),
    *(mark("unicorn"), mark("dragon"), mark("giant"), mark("hydra"), mark("serpent"), mark("colossus")),
)
"""What a character is called, by `Character`."""
LANDS = (
    *(mark("plains"), mark("woods"), mark("brush"), mark("jungle"), mark("marsh"), mark("hills"), mark("desert")),
    *(mark("swamp"), mark("mountains"), mark("tundra"), mark("tower")),
)
"""What a terrain is called, by `Land`."""
HAZARDS = (*(mark("plain"), mark("tree"), mark("bog"), mark("sand"), mark("bramble"), mark("drift"), mark("volcano")),)
"""What covers a hex, by `Hazard`."""
BORDERS = ("", mark("slope"), mark("dune"), mark("wall"), mark("cliff"))
"""What lies on the side of a hex, by `Border`."""
SIDES = (mark("the attacker"), mark("the defender"))
"""Who fights, by `Side`."""


def character_name(kind: int) -> str:
    """A character as it is spoken."""
    return _(CHARACTERS[int(kind)])


def land_name(land: int) -> str:
    """A terrain as it is spoken."""
    return _(LANDS[int(land)])


def hazard_name(hazard: int) -> str:
    """What covers a hex, as it is spoken."""
    return _(HAZARDS[int(hazard)])


def border_name(border: int) -> str:
    """A border as it is spoken."""
    return _(BORDERS[int(border)])


def side_name(side: int) -> str:
    """A side as it is spoken: the attacker, the defender."""
    return _(SIDES[int(side)])


def sentence(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]
