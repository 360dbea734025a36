"""The languages of Fantasy Racing: `_` says a text in the one that is spoken; what characters and things are called."""

from __future__ import annotations

from titan_env.contract.translation import mark
from titan_env.games.fantasy_racing.rules.state import Character, Colour, Object, Rule, Square
from titan_env.games.fantasy_racing.rules.translation import _ as _

CHARACTERS = (
    *(mark("elf"), mark("human"), mark("dwarf"), mark("goblin"), mark("orc"), mark("beastman")),
    *(mark("sorceress"), mark("hybrid baby"), mark("thief"), mark("lizardman")),
)
"""What a character is called, by `Character`."""
TOKENS = (
    *(mark("El"), mark("Hu"), mark("Dw"), mark("Go"), mark("Or"), mark("Be"), mark("So"), mark("Ba"), mark("Th")),
    *(mark("Li"), mark("Ra")),
)
"""The letters on the token of a character, by `Character`; last of a racer whose character is not known yet."""
RULES = (
    *(mark("poison"), mark("bite"), mark("defusing"), mark("initiative"), mark("plague"), mark("fire wand")),
    *(mark("teleport wand"), mark("fast"), mark("theft"), mark("brute")),
)
"""What a special rule is called, by `Rule`."""
SQUARES = (
    *(mark("plain"), mark("barrier"), mark("rock"), mark("hole"), mark("shortcut"), mark("coin"), mark("clover")),
    *(mark("shield"), mark("chest")),
)
"""What is on a square, by `Square`."""
OBJECTS = (
    *(mark("fire ring"), mark("lightning ring"), mark("axe"), mark("spear"), mark("trap"), mark("bottle")),
    *(mark("syringe"), mark("shield"), mark("clover"), mark("coin")),
)
"""What an object is called, by `Object`."""
CHESTS = (
    *(mark("dark green chest"), mark("light green chest"), mark("white chest"), mark("orange chest")),
    mark("red chest"),
)
"""What a chest is called, by `Colour`."""


def character_name(character: int) -> str:
    """A character as it is spoken."""
    return _(CHARACTERS[Character(int(character))])


def token_name(character: int) -> str:
    """Return the letters on the token of a character, -1 if it is not known yet."""
    return _(TOKENS[int(character)])


def rule_name(rule: int) -> str:
    """A special rule as it is spoken."""
    return _(RULES[Rule(int(rule))])


def terrain_name(printed: int) -> str:
    """Return the words for what is on a square."""
    return _(SQUARES[Square(int(printed))])


def object_name(thing: int) -> str:
    """An object as it is spoken."""
    return _(OBJECTS[Object(int(thing))])


def chest_name(colour: int) -> str:
    """A chest by its colour."""
    return _(CHESTS[Colour(int(colour))])


def capital(text: str) -> str:
    """A text that begins with a capital letter."""
    return text[:1].upper() + text[1:]


def player_name(seat: int) -> str:
    """A player by number, from 1 on."""
    return _("player {n}", n=int(seat) + 1)
