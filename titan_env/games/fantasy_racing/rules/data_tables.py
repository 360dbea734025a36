"""The numbers of the characters, rules, objects and dice, read from data and checked.

Who has the real figures corrects the data files, not the rules.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable
from enum import IntEnum
from importlib import resources
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.games.fantasy_racing.rules.state import Character, Colour, Object, Rule, Size

DATA = resources.files("titan_env.games.fantasy_racing") / "data"
KINDS = ("offensive", "non-offensive")
SIDES_OF_HIDDEN_DICE = 100


def _table(file: str, names: Iterable[str], extra: tuple[str, ...] = ()) -> dict[str, Any]:
    """The entries of a data file: one for each name, in this order, each with its source; and the `extra` ones."""
    table = tomllib.loads((DATA / file).read_text("utf-8"))
    expected = [name.lower() for name in names]
    entries = [name for name in table if name not in extra]
    if entries != expected:
        raise ValueError(f"{file}: expected entries for {', '.join(expected)}, got {', '.join(entries)}")
    for name in entries:
        if not table[name].get("source"):
            raise ValueError(f"{file}, {name}: expected a source")
    return table


def _entries(table: dict[str, Any], names: type[IntEnum]) -> list[dict[str, Any]]:
    """The entries for the members of an enum, in its order."""
    return [table[name.lower()] for name in names.__members__]


def _numbers(table: list[dict[str, Any]], key: str, low: int, high: int, file: str) -> NDArray[np.int64]:
    """One number of each entry. Raises ValueError for one that is not from `low` to `high`."""
    found = [entry[key] for entry in table]
    if any(not isinstance(number, int) or not low <= number <= high for number in found):
        raise ValueError(f"{file}: expected each {key} from {low} to {high}, got {found}")
    return np.array(found, np.int64)


def _named(names: type[IntEnum], name: str, where: str) -> int:
    """The number of a name in a data file."""
    if name.upper() not in names.__members__:
        raise ValueError(f"{where}: expected one of {', '.join(names.__members__).lower()}, got {name!r}")
    return int(names[name.upper()])


# Characters

_CHARACTERS = _table("characters.toml", Character.__members__)
CHARACTER_ENTRIES = _entries(_CHARACTERS, Character)
FIGHT = _numbers(CHARACTER_ENTRIES, "fight", 0, 100, "characters.toml")
"""Chances of winning as the attacker, in percent."""
SPEED = _numbers(CHARACTER_ENTRIES, "speed", 1, 6, "characters.toml")
"""Squares of the action `advance`."""
IS_OFFENSIVE = np.array([entry["alternative"] == "offensive" for entry in CHARACTER_ENTRIES])
"""Whether a flipped object die offers an offensive object."""
RULES_OF = np.array(
    [sum(1 << _named(Rule, rule, "characters.toml") for rule in entry["rules"]) for entry in CHARACTER_ENTRIES],
    np.int64,
)
"""The special rules of each character, one bit each; the human chooses one."""

# Special rules

_RULES = _table("rules.toml", Rule.__members__)
RULE_ENTRIES = _entries(_RULES, Rule)
POISON_POINTS = int(_RULES["poison"]["points"])
BRUTE_POINTS = int(_RULES["brute"]["points"])
DEFUSING_POINTS = int(_RULES["defusing"]["points"])
FREE_FLIPS = int(_RULES["defusing"]["free_flips"])
PLAGUE_POINTS = int(_RULES["plague"]["points"])
PLAGUE_ROWS = int(_RULES["plague"]["rows"])
PLAGUE_RANGE = int(_RULES["plague"]["range"])
BITE_RANGE = int(_RULES["bite"]["range"])
FIRE_WAND_RANGE = int(_RULES["fire_wand"]["range"])
TELEPORT_RANGE = int(_RULES["teleport_wand"]["range"])
THEFT_RANGE = int(_RULES["theft"]["range"])
THEFT_CHANCE = int(_RULES["theft"]["chance"])
THEFT_POINTS = int(_RULES["theft"]["points"])

# Objects

_OBJECTS = _table("objects.toml", Object.__members__, ("levels", "standing"))
OBJECT_ENTRIES = _entries(_OBJECTS, Object)
AXE_RANGE = int(_OBJECTS["axe"]["range"])
SPEAR_RANGE = int(_OBJECTS["spear"]["range"])
TRAP_ROWS = int(_OBJECTS["trap"]["range"])
TRAP_RANGE = int(_OBJECTS["trap"]["range_on_opponent"])
if _OBJECTS["levels"] != [colour.name.lower() for colour in Colour]:
    raise ValueError(f"objects.toml: expected levels {', '.join(Colour.__members__).lower()}")


def _thresholds() -> NDArray[np.int64]:
    """For each Colour and Object the highest face of the object die that gives it, shape (5, 10)."""
    weights = np.array([entry["weights"] for entry in OBJECT_ENTRIES]).T
    if weights.shape != (len(Colour), len(Object)) or (weights < 0).any() or (weights.sum(1) != 100).any():
        raise ValueError("objects.toml: expected weights that add up to 100 for each of the five colours")
    return weights.cumsum(1)


def _alternatives() -> NDArray[np.int64]:
    """What a flipped object die offers, by kind of character (0 non-offensive, 1 offensive) and Object."""
    found = np.zeros((2, len(Object)), np.int64)
    for offensive, key in enumerate(("non_offensive", "offensive")):
        for thing, entry in enumerate(OBJECT_ENTRIES):
            other = _named(Object, entry[key], "objects.toml")
            if other == thing or (OBJECT_ENTRIES[other]["kind"] == "offensive") != bool(offensive):
                raise ValueError(f"objects.toml: expected another object of the kind {key} for {Object(thing).name}")
            found[offensive, thing] = other
    return found


THRESHOLDS = _thresholds()
ALTERNATIVE = _alternatives()


def _standings() -> NDArray[np.int64]:
    """The Colour of each place in points, by number of racers, shape (7, 6)."""
    table = np.zeros((7, 6), np.int64)
    for racers in range(2, 7):
        colours = [_named(Colour, colour, "objects.toml, standing") for colour in _OBJECTS["standing"][str(racers)]]
        if len(colours) != racers:
            raise ValueError(f"objects.toml, standing: expected {racers} colours for {racers} racers")
        table[racers, :racers] = colours
    return table


STANDING = _standings()

# Dice

_DICE = _table("dice.toml", ("small_shock", "big_shock", "shortcut", "fight", "theft", "fast"))
FAST_FACES = np.array(_DICE["fast"]["faces"], np.int64)
SHORTCUT_ROWS = np.array(_DICE["shortcut"]["rows"], np.int64)
"""Rows forward for each face of a shortcut's D10."""
CRUSHING = np.array(_DICE["fight"]["crushing"], np.int64)
"""How many of the highest faces of the fight die are a crushing win, for each character."""
SHOCK_SIDES = np.array([0, _DICE["small_shock"]["die"], _DICE["big_shock"]["die"]], np.int64)
"""Sides of the die that a victim of each Size rolls."""
if len(CRUSHING) != len(Character) or (CRUSHING > FIGHT).any() or (CRUSHING < 0).any():
    raise ValueError("dice.toml, fight: expected for each character at most as many crushing wins as wins")
if _DICE["theft"]["success"] != THEFT_CHANCE:
    raise ValueError("dice.toml, theft: expected as many faces of success as the chance in rules.toml")
if len(SHORTCUT_ROWS) != _DICE["shortcut"]["die"]:
    raise ValueError("dice.toml, shortcut: expected rows for each face")
if sorted(FAST_FACES) != list(range(FAST_FACES[0], FAST_FACES[0] + len(FAST_FACES))):
    raise ValueError("dice.toml, fast: expected faces that follow each other")


def _landings() -> NDArray[np.int64]:
    """Rows back and columns to the right for each Size of a shock and face - 1, shape (3, 10, 2)."""
    table = np.zeros((3, 10, 2), np.int64)
    for size, name in ((Size.SMALL, "small_shock"), (Size.BIG, "big_shock")):
        landings = _DICE[name]["landings"]
        if len(landings) != _DICE[name]["die"]:
            raise ValueError(f"dice.toml, {name}: expected a landing for each face")
        table[size, : len(landings)] = landings
    return table


LANDINGS = _landings()
