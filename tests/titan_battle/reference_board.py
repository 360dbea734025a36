"""The eleven battlelands read from their drawings, and how characters move on them, hex by hex."""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass, field

from tests.titan_battle.reference_data import DATA, KINDS, TERRAINS, Kind

COUNTS = {"A": 3, "B": 4, "C": 5, "D": 6, "E": 5, "F": 4}
TOPMOST = {"A": 2, "B": 1, "C": 1, "D": 0, "E": 1, "F": 1}
"""Row of the topmost hex of each column."""

HEXES = [f"{column}{number}" for column, count in COUNTS.items() for number in range(1, count + 1)]
NORTH, NORTH_EAST, SOUTH_EAST, SOUTH, SOUTH_WEST, NORTH_WEST = range(6)
LETTERS = {"s": "slope", "d": "dune", "w": "wall", "c": "cliff"}

ENTRIES = {
    "R": [["F4", "F3", "F2", "F1"], ["A1", "A2", "A3"]],
    "B": [["D1", "C1", "B1", "A1"], ["D6", "E5", "F4"]],
    "L": [["A3", "B4", "C5", "D6"], ["F1", "E1", "D1"]],
}
"""Hexes on which the attacker and the defender enter, by the attacker's side."""

DEPLOYMENT = ["C3", "C4", "D3", "D4", "D5", "E3", "E4"]
"""Hexes on which the defender of a tower starts."""


def place(name: str) -> tuple[int, int]:
    """Column and row of a hex, rows downwards."""
    column, number = name[0], int(name[1])
    return "ABCDEF".index(column), TOPMOST[column] + COUNTS[column] - number


PLACES = {name: place(name) for name in HEXES}
NAMES = {spot: name for name, spot in PLACES.items()}


def neighbour(name: str, direction: int) -> str | None:
    """Return the hex beside a hex; None off the map."""
    x, y = PLACES[name]
    odd = x % 2
    steps = [(0, -1), (1, odd - 1), (1, odd), (0, 1), (-1, odd), (-1, odd - 1)]
    return NAMES.get((x + steps[direction][0], y + steps[direction][1]))


def neighbours(name: str) -> list[str]:
    """The hexes beside a hex."""
    return [beside for direction in range(6) if (beside := neighbour(name, direction))]


def direction_to(here: str, there: str) -> int:
    """Direction from a hex to a hex beside it."""
    return next(direction for direction in range(6) if neighbour(here, direction) == there)


def cube(name: str) -> tuple[int, int, int]:
    """Cube coordinates of a hex; they add up to 0."""
    x, y = PLACES[name]
    r = y - (x - x % 2) // 2
    return x, r, -x - r


def distance(here: str, there: str) -> int:
    """Range between two hexes, counting both ends: 2 for hexes beside each other."""
    return 1 + max(abs(a - b) for a, b in zip(cube(here), cube(there), strict=True))


@dataclass
class Board:
    """One battleland."""

    terrain: str
    hazard: dict[str, str] = field(default_factory=dict)
    level: dict[str, int] = field(default_factory=dict)
    borders: dict[tuple[str, int], str] = field(default_factory=dict)
    """Border of a hex at one of its sides."""

    def border(self, here: str, there: str) -> tuple[str, str]:
        """Return the border between two hexes beside each other, and the hex to which it belongs."""
        for owner, other in ((here, there), (there, here)):
            kind = self.borders.get((owner, direction_to(owner, other)))
            if kind:
                return kind, owner
        return "", ""

    def walled(self, name: str) -> bool:
        """Whether a hex has a wall of its own."""
        return any(self.borders.get((name, direction)) == "wall" for direction in range(6))

    def in_contact(self, here: str, there: str) -> bool:
        """Beside each other, with no cliff between."""
        return there in neighbours(here) and self.border(here, there)[0] != "cliff"

    # Moves

    def may_stand(self, kind: Kind, name: str) -> bool:
        """Whether the hazard of a hex lets a character end its move there."""
        hazard = self.hazard[name]
        return hazard != "tree" and (hazard not in ("bog", "volcano") or kind.at_home(hazard))

    def cost(self, kind: Kind, name: str, origin: str) -> int:
        """Movement that entering a hex costs, from a hex beside it or ("") from outside; 99 where it is forbidden."""
        if not self.may_stand(kind, name):
            return 99
        hazard = self.hazard[name]
        slowing = ["bramble", "drift"] if kind.flies else ["bramble", "drift", "sand"]
        slowed = hazard in slowing and not kind.at_home(hazard)
        if origin and not kind.flies:
            border, owner = self.border(origin, name)
            if border == "cliff":
                return 99
            if owner == name:
                slowed = slowed or border == "wall" or (border == "slope" and not kind.at_home("slope"))
        return 2 if slowed else 1

    def may_fly_over(self, kind: Kind, name: str) -> bool:
        return self.hazard[name] != "volcano" or kind.at_home("volcano")

    def destinations(self, who: str, start: str | Iterable[str], taken: Iterable[str]) -> set[str]:
        """Hexes that a character may reach from a hex, or from outside over the hexes of a side."""
        kind, taken = KINDS[who], set(taken)
        first = neighbours(start) if isinstance(start, str) else start
        queue = [(0, name, start if isinstance(start, str) else "") for name in first]
        ends: set[str] = set()
        passed: dict[str, int] = {}
        heapq.heapify(queue)
        while queue:
            spent, name, origin = heapq.heappop(queue)
            ending = spent + self.cost(kind, name, origin)
            if name not in taken and ending <= kind.skill:
                ends.add(name)
            if kind.flies:
                through = spent + 1 if self.may_fly_over(kind, name) else 99
            else:
                through = 99 if name in taken else ending
            if through < min(kind.skill, passed.get(name, 99)):
                passed[name] = through
                for beside in neighbours(name):
                    heapq.heappush(queue, (through, beside, name))
        return ends - ({start} if isinstance(start, str) else set())


def _read(terrain: str) -> Board:
    """Read a drawn map: name, hazard and level in the middle of each box, borders as letters at its sides."""
    lines = (DATA / "battlelands" / f"{terrain}.txt").read_text("utf-8").split("\n")
    lines = lines[lines.index("") + 1 :]
    board = Board(terrain)
    for name in HEXES:
        x, y = PLACES[name]
        top, left = 4 * y + 2 * (x % 2), 14 * x
        words = lines[top + 2][left + 1 : left + 14].split()
        assert words[0] == name, (terrain, name, words)
        board.hazard[name] = next((word for word in words[1:] if not word.isdigit()), "plain")
        board.level[name] = next((int(word) for word in words[1:] if word.isdigit()), 0)
        rows = [(top + 1, [NORTH_WEST, NORTH, NORTH_EAST]), (top + 3, [SOUTH_WEST, SOUTH, SOUTH_EAST])]
        for row, directions in rows:
            for column, direction in zip((1, 7, 13), directions, strict=True):
                letter = lines[row].ljust(90)[left + column]
                if letter != " ":
                    board.borders[name, direction] = LETTERS[letter]
    return board


BOARDS = {terrain: _read(terrain) for terrain in TERRAINS}
