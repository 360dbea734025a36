"""The masterboard: 96 lands read from their table and checked, and every way over them, laid out once."""

from __future__ import annotations

from importlib import resources
from typing import NamedTuple

import numpy as np

from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES, LAND_NAMES
from titan_env.games.titan_battle.rules.state import Land as Terrain
from titan_env.games.titan_war.rules.state import FACES, LANDS, TOWERS

DATA = resources.files("titan_env.games.titan_war") / "data"
SIGNS = "TASB"
"""Triple arrow, arrow, sphere, block."""
COLUMNS, ROWS = 15, 8
NOWHERE = -1  # instead of a land, or of a side
TELEPORT_DISTANCE = 6


class LandEntry(NamedTuple):
    """One line of the table."""

    number: int
    column: int
    row: int
    terrain: int
    signs: tuple[tuple[str, int], ...]
    """Each sign by which the land is left, and the number of the land where it leads."""
    enter: dict[int, int]
    """The Entry by the number of the land from which one comes."""


def parse_lands(text: str, where: str) -> list[LandEntry]:
    """The lands of a table in its order. Raises ValueError naming the line and what is wrong with it."""
    lines = text.splitlines()
    if not any(line.startswith("# source: ") and len(line) > len("# source: ") for line in lines):
        raise ValueError(f"{where}: expected a source")
    entries = [_read_land(line, where) for line in lines if line and not line.startswith("#")]
    _check_lands(entries, where)
    return entries


def _read_land(line: str, where: str) -> LandEntry:
    """One line: number, place, terrain, signs, entry sides."""
    words = line.split()
    signs = tuple((word[0], int(word[1:])) for word in words[3:] if ":" not in word)
    pairs = [word.split(":") for word in words[3:] if ":" in word]
    if words[2] not in LAND_NAMES or not {sign for sign, _ in signs} <= set(SIGNS):
        raise ValueError(f"{where}: expected a terrain and signs of {SIGNS}, got {line.strip()!r}")
    if not {side for _, side in pairs} <= set(ENTRY_NAMES):
        raise ValueError(f"{where}: expected entry sides of {', '.join(ENTRY_NAMES)}, got {line.strip()!r}")
    column, row = map(int, words[1].split(","))
    enter = {int(other): ENTRY_NAMES.index(side) for other, side in pairs}
    return LandEntry(int(words[0]), column, row, LAND_NAMES.index(words[2]), signs, enter)


def _check_lands(entries: list[LandEntry], where: str) -> None:
    """Raise ValueError for lands that no board can have."""
    numbers = {entry.number: entry for entry in entries}
    if len(entries) != LANDS or len(numbers) != LANDS:
        raise ValueError(f"{where}: expected {LANDS} lands with numbers of their own, got {len(numbers)}")
    if len({(entry.column, entry.row) for entry in entries}) != LANDS:
        raise ValueError(f"{where}: expected a place of its own for each land")
    for entry in entries:
        if not (0 <= entry.column < COLUMNS and 0 <= entry.row < ROWS):
            raise ValueError(f"{where}, land {entry.number}: expected a place in {COLUMNS} columns and {ROWS} rows")
        if not {there for _, there in entry.signs} <= set(entry.enter):
            raise ValueError(f"{where}, land {entry.number}: expected signs to lead to neighbours, got {entry.signs}")
        if len(set(entry.enter.values())) != len(entry.enter) and entry.terrain != Terrain.TOWER:
            raise ValueError(f"{where}, land {entry.number}: expected each side to face one neighbour")
        for other in entry.enter:
            if other not in numbers or entry.number not in numbers[other].enter:
                raise ValueError(f"{where}, land {entry.number}: expected a neighbour on both sides, got {other}")
    towers = [entry.number for entry in entries if entry.terrain == Terrain.TOWER]
    if sorted(towers) != [100 * tower for tower in range(1, TOWERS + 1)]:
        raise ValueError(f"{where}: expected towers 100 to {100 * TOWERS}, got {towers}")


ENTRIES = parse_lands((DATA / "lands.txt").read_text("utf-8"), "lands.txt")
LAND_NUMBERS = tuple(entry.number for entry in ENTRIES)
"""The printed numbers of the lands, in the order of ours."""
_ORDER = {number: land for land, number in enumerate(LAND_NUMBERS)}
TERRAIN = np.array([entry.terrain for entry in ENTRIES], np.int64)
"""The terrain of each land, (96,)."""
PLACES = tuple((entry.column, entry.row) for entry in ENTRIES)
"""Column and row of each land on the drawn board."""
TOWER_LANDS = np.array([_ORDER[100 * tower] for tower in range(1, TOWERS + 1)], np.int64)
"""The land of each tower, (6,)."""


def land_number(number: int) -> int:
    """Our number of a land by its printed one. Raises ValueError where there is none."""
    if number not in _ORDER:
        raise ValueError(f"expected the number of a land, got {number}")
    return _ORDER[number]


NEIGHBOURS = tuple(tuple(_ORDER[other] for other in entry.enter) for entry in ENTRIES)
"""The lands beside each."""
ENTRY_SIDE = np.full((LANDS, LANDS), NOWHERE, np.int8)
"""On which Entry a land is entered, by land and the land from which one comes, (96, 96)."""
for _entry in ENTRIES:
    for _other, _side in _entry.enter.items():
        ENTRY_SIDE[_ORDER[_entry.number], _ORDER[_other]] = _side


# A normal move


def first_steps(land: int) -> list[int]:
    """The first step: if the land has a block, along it and nowhere else; otherwise along any sign."""
    signs = ENTRIES[land].signs
    blocks = [there for sign, there in signs if sign == "B"]
    return [_ORDER[there] for there in blocks or [there for _, there in signs]]


def later_steps(land: int, origin: int) -> list[int]:
    """Every later step: along arrows only, never back to the land just left."""
    return [_ORDER[there] for sign, there in ENTRIES[land].signs if sign in "AT" and _ORDER[there] != origin]


def ways_from(land: int, roll: int) -> list[list[int]]:
    """Every way of so many steps: the lands that it enters, in order."""
    ways = [[there] for there in first_steps(land)]
    for _ in range(roll - 1):
        longer = []
        for way in ways:
            steps = later_steps(way[-1], ([land, *way])[-2])
            longer += [[*way, there] for there in steps]
        ways = longer
    return ways


_WAYS = [[ways_from(land, roll) for roll in range(1, FACES + 1)] for land in range(LANDS)]
MOST_WAYS = max(len(ways) for row in _WAYS for ways in row)
WAYS = np.full((LANDS, FACES + 1, MOST_WAYS, FACES), NOWHERE, np.int8)
"""The lands of each way that the signs allow, by starting land and roll, (96, 7, ways, 6)."""
for _land, _row in enumerate(_WAYS):
    for _roll, _ways in enumerate(_row, 1):
        for _number, _way in enumerate(_ways):
            WAYS[_land, _roll, _number, :_roll] = _way
WAY_COUNT = np.array([[0, *map(len, row)] for row in _WAYS], np.int64)
"""How many there are, (96, 7)."""


# Teleports


def lands_within(land: int, steps: int) -> set[int]:
    """The lands at most so many steps away, whatever signs and legions stand there."""
    reached = {land}
    for _ in range(steps):
        reached |= {there for here in reached for there in NEIGHBOURS[here]}
    return reached


TELEPORTS = np.zeros((LANDS, LANDS), bool)
"""Where the tower teleport leads from each tower, if nobody stands there, (96, 96)."""
for _tower in TOWER_LANDS.tolist():
    TELEPORTS[_tower, sorted(lands_within(_tower, TELEPORT_DISTANCE) | set(TOWER_LANDS.tolist()))] = True
    TELEPORTS[_tower, _tower] = False
