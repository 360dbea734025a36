"""The eleven battlelands, read from their drawings and checked.

After the comment lines and an empty line, the box of hex (x, y) has its upper left corner at line 4y + 2(x mod 2),
column 14x; name, hazard and level stand two lines below; its borders NW, N, NE one line below and SW, S, SE three
lines below, at columns +1, +7, +13.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.games.titan_battle.rules.characters import DATA
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES, NEIGHBOURS, OFF_MAP, PLACES, hex_number, hex_set
from titan_env.games.titan_battle.rules.state import (
    DIRECTIONS,
    HEXES,
    LANDS,
    UPHILL,
    Border,
    Edge,
    Entry,
    Hazard,
    Land,
    Side,
)

LAND_NAMES = tuple(land.name.lower() for land in Land)
ENTRY_NAMES = ("R", "B", "L")
LETTERS = " sdwc"
"""How a border is drawn, in the order of `Border`."""
MOST_LEVEL = 2
BOX_WIDTH, BOX_HEIGHT = 14, 4
_LETTER_AT = ((1, 7), (1, 13), (3, 13), (3, 7), (3, 1), (1, 1))
"""Line and column, from a box's corner, of the letters of its six sides from N on."""
ENTRY_HEXES = {
    Entry.RIGHT: ("F4 F3 F2 F1", "A1 A2 A3"),
    Entry.BOTTOM: ("D1 C1 B1 A1", "D6 E5 F4"),
    Entry.LEFT: ("A3 B4 C5 D6", "F1 E1 D1"),
}
"""Where attacker and defender enter, by the attacker's side."""
DEPLOYMENT = hex_set(map(hex_number, ["C3", "C4", "D3", "D4", "D5", "E3", "E4"]))
"""Where the defender of a tower begins."""


class Battleland(NamedTuple):
    """A map: hazard and level of each hex, (27,), and the border that it has on each side, (27, 6)."""

    hazards: NDArray[np.int64]
    levels: NDArray[np.int64]
    borders: NDArray[np.int64]


def drawing(name: str) -> str:
    """The drawing of a battleland, with its heading."""
    return (DATA / "battlelands" / f"{name}.txt").read_text("utf-8")


def parse_land(text: str, where: str) -> Battleland:
    """A drawn battleland. Raises ValueError naming the hex and what is wrong with it."""
    heading = [line for line in text.splitlines() if line.startswith("#")]
    if not any(line.startswith("# source: ") and len(line) > len("# source: ") for line in heading):
        raise ValueError(f"{where}: expected a source")
    lines = text.splitlines()[len(heading) + 1 :]
    land = Battleland(*(np.zeros(shape, np.int64) for shape in (HEXES, HEXES, (HEXES, DIRECTIONS))))
    for number, (x, y) in enumerate(PLACES):
        top, left = BOX_HEIGHT * y + BOX_HEIGHT // 2 * (x % 2), BOX_WIDTH * x
        box = [f"{line:100}"[left : left + BOX_WIDTH + 1] for line in lines[top : top + BOX_HEIGHT]]
        if len(box) < BOX_HEIGHT:
            raise ValueError(f"{where}: expected a box for {HEX_NAMES[number]}, got no more lines")
        land.hazards[number], land.levels[number] = _read_hex(box[2][1:-1], HEX_NAMES[number], where)
        for direction, (line, column) in enumerate(_LETTER_AT):
            letter = box[line][column]
            if letter not in LETTERS:
                raise ValueError(f"{where}, {HEX_NAMES[number]}: expected a border of {LETTERS!r}, got {letter!r}")
            land.borders[number, direction] = LETTERS.index(letter)
    check_land(land, where)
    return land


def _read_hex(text: str, name: str, where: str) -> tuple[int, int]:
    """Hazard and level of the hex of this name."""
    words = text.split()
    if words[:1] != [name]:
        raise ValueError(f"{where}: expected {name} in its box, got {text.strip()!r}")
    level = int(words.pop()) if words[-1].isdecimal() else 0
    hazard = words[1] if len(words) > 1 else "plain"
    if hazard.upper() not in Hazard.__members__ or len(words) > 2 or not 0 <= level <= MOST_LEVEL:
        raise ValueError(f"{where}, {name}: expected a hazard and a level from 0 to {MOST_LEVEL}, got {text.strip()!r}")
    return Hazard[hazard.upper()], level


def check_land(land: Battleland, where: str) -> None:
    """Raise ValueError for borders that no map can have: off the map, or from both hexes."""
    for number in range(HEXES):
        for direction in range(DIRECTIONS):
            neighbour = NEIGHBOURS[number, direction]
            border = land.borders[number, direction]
            if border == Border.NONE:
                continue
            side = f"{where}, {HEX_NAMES[number]}, side {direction}"
            if neighbour == OFF_MAP:
                raise ValueError(f"{side}: expected no border at the edge of the map, got {LETTERS[border]!r}")
            if land.borders[neighbour, (direction + 3) % DIRECTIONS] != Border.NONE:
                raise ValueError(f"{side}: expected a border from one hex only, got {HEX_NAMES[neighbour]} too")


_LANDS = [parse_land(drawing(name), f"{name}.txt") for name in LAND_NAMES]
HAZARDS = np.array([land.hazards for land in _LANDS])
LEVELS = np.array([land.levels for land in _LANDS])
BORDERS = np.array([land.borders for land in _LANDS])
"""Hazard and level of each hex of each land, (11, 27), and its borders, (11, 27, 6)."""


def edge_between(land: int, a: int, b: int) -> int:
    """The side between two neighbours, as met on the way from `a` to `b`; NONE where they are no neighbours."""
    for direction in range(DIRECTIONS):
        if NEIGHBOURS[a, direction] == b:
            own, other = BORDERS[land, a, direction], BORDERS[land, b, (direction + 3) % DIRECTIONS]
            return int(own or (other + UPHILL if other else Edge.NONE))
    return Edge.NONE


def is_cliff(edge: int) -> bool:
    """Whether a side is a cliff, either way."""
    return edge in (Edge.DOWN_CLIFF, Edge.UP_CLIFF)


EDGES = np.array(
    [[[edge_between(land, a, b) for b in range(HEXES)] for a in range(HEXES)] for land in range(LANDS)], np.int8
)
"""The Edge between each two hexes of each land, (11, 27, 27)."""
CONTACT = np.array(
    [
        [hex_set(b for b in NEIGHBOURS[a] if b != OFF_MAP and not is_cliff(EDGES[land, a, b])) for a in range(HEXES)]
        for land in range(LANDS)
    ],
    np.int32,
)
"""The neighbours of each hex of each land with no cliff between, as sets, (11, 27)."""
ENTRANCES = np.array(
    [[hex_set(map(hex_number, ENTRY_HEXES[entry][side].split())) for entry in Entry] for side in Side], np.int32
)
"""The entry hexes of each Side by Entry, as sets, (2, 3)."""
_HAS_WALL = (BORDERS == Border.WALL).any(axis=2)
CLIMB = np.where(_HAS_WALL[:, None, :], np.maximum(LEVELS[:, None, :] - LEVELS[:, :, None], 0), 0).astype(np.int8)
"""How many levels a hex with walls stands above another, by land, from, to, (11, 27, 27)."""
