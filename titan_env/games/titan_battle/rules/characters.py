"""The numbers of the characters, read from data and checked."""

from __future__ import annotations

import tomllib
from importlib import resources
from typing import Any

import numpy as np

from titan_env.games.titan_battle.rules.state import KINDS, Border, Character, Hazard

DATA = resources.files("titan_env.games.titan_battle") / "data"
CHARACTERS = tuple(character.name.lower() for character in Character)
"""The names of the characters, in the order of their numbers."""
CLASSES = ("lord", "demilord", "creature")
RANGES = ("none", "missile", "magic")
HOMES = ("tree", "bog", "sand", "bramble", "drift", "volcano", "slope")
"""What a character can be native of; natives of sand are natives of dunes."""
BOUNDS = {"power": (1, 18), "skill": (2, 4), "supply": (1, 28)}


def table(file: str, names: tuple[str, ...]) -> dict[str, Any]:
    """The entries of a data file: one for each name, in this order, each with its source."""
    entries = tomllib.loads((DATA / file).read_text("utf-8"))
    if tuple(entries) != names:
        raise ValueError(f"{file}: expected entries for {', '.join(names)}, got {', '.join(entries)}")
    for name, entry in entries.items():
        if not entry.get("source"):
            raise ValueError(f"{file}, {name}: expected a source")
    return entries


def check_entry(name: str, entry: dict[str, Any]) -> None:
    """Raise ValueError for an entry of `characters.toml` that no character can have."""
    where = f"characters.toml, {name}"
    for key, (low, high) in BOUNDS.items():
        if not isinstance(entry.get(key), int) or not low <= entry[key] <= high:
            raise ValueError(f"{where}: expected {key} from {low} to {high}, got {entry.get(key)!r}")
    for key, known in (("class", CLASSES), ("ranged", RANGES)):
        if entry.get(key) not in known:
            raise ValueError(f"{where}: expected {key} to be one of {', '.join(known)}, got {entry.get(key)!r}")
    if not isinstance(entry.get("flies"), bool):
        raise ValueError(f"{where}: expected flies to be true or false, got {entry.get('flies')!r}")
    if not set(entry.get("native", ["nothing"])) <= set(HOMES):
        raise ValueError(f"{where}: expected native to be among {', '.join(HOMES)}, got {entry.get('native')!r}")


ENTRIES = table("characters.toml", CHARACTERS)
for _name, _entry in ENTRIES.items():
    check_entry(_name, _entry)
_LIST = list(ENTRIES.values())

POWER = np.array([entry["power"] for entry in _LIST], np.int64)
"""Dice in a strike, and hits that slay; a titan's grows."""
SKILL = np.array([entry["skill"] for entry in _LIST], np.int64)
VALUE = POWER * SKILL
SUPPLY = np.array([entry["supply"] for entry in _LIST], np.int64)
"""How many of each the box has."""
FLIES = np.array([entry["flies"] for entry in _LIST])
SHOOTS = np.array([entry["ranged"] != "none" for entry in _LIST])
"""Who can rangestrike."""
IS_LORD = np.array([entry["class"] == "lord" for entry in _LIST])
IS_CREATURE = np.array([entry["class"] == "creature" for entry in _LIST])

NATIVE = np.zeros((KINDS, len(Hazard)), bool)
"""Whether a character is at home in a hazard."""
NATIVE_OF_SLOPE = np.array(["slope" in entry["native"] for entry in _LIST])
NATIVE_OF_DUNE = np.array(["sand" in entry["native"] for entry in _LIST])
for _number, _entry in enumerate(_LIST):
    for _home in set(_entry["native"]) - {Border.SLOPE.name.lower()}:
        NATIVE[_number, Hazard[_home.upper()]] = True
