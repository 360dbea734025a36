"""Titan's characters and musters once more, read from the tests' own copies, as plain records."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

DATA = Path(__file__).parent / "data"


@dataclass(frozen=True)
class Kind:
    """One of the 24 characters."""

    number: int
    name: str
    rank: str
    power: int
    skill: int
    flies: bool
    ranged: str
    native: frozenset[str]
    supply: int

    @property
    def lord(self) -> bool:
        return self.rank == "lord"

    @property
    def creature(self) -> bool:
        return self.rank == "creature"

    def at_home(self, hazard: str) -> bool:
        """Natives of sand are at home in dunes too."""
        return ("sand" if hazard == "dune" else hazard) in self.native

    @property
    def value(self) -> int:
        return self.power * self.skill


def _read(name: str) -> dict[str, Any]:
    return tomllib.loads((DATA / name).read_text("utf-8"))


def _kinds() -> dict[str, Kind]:
    kinds = {}
    for number, (name, entry) in enumerate(_read("characters.toml").items()):
        native = frozenset(entry["native"])
        rank, flies, ranged, supply = entry["class"], entry["flies"], entry["ranged"], entry["supply"]
        kinds[name] = Kind(number, name, rank, entry["power"], entry["skill"], flies, ranged, native, supply)
    return kinds


KINDS = _kinds()
MUSTERS = _read("musters.toml")
TERRAINS = list(MUSTERS)
STARTING = {False: MUSTERS["tower"]["anyone"], True: ["lion", "troll", "cyclops"]}
"""Starting and tower creatures; in the lean game the first three do not exist, and these take their places."""


def in_order(names: Iterable[str]) -> list[str]:
    """Characters by their numbers."""
    return sorted(names, key=lambda name: KINDS[name].number)


def titan_power(score: int) -> int:
    """6, and 1 for every full 100 points."""
    return 6 + score // 100


def value_of(names: Iterable[str], score: int = 0) -> int:
    """Power x skill of all; a titan's power follows from its player's score."""
    return sum(titan_power(score) * 4 if name == "titan" else KINDS[name].value for name in names)


def ways_to_muster(legion: Iterable[str], terrain: str, wanted: str, lean: bool = False) -> dict[str, int]:
    """Kinds that a legion may show to muster one `wanted`, and how many of each; {"": 0} where nothing is shown."""
    has = Counter(legion)
    if terrain == "tower":
        return _ways_in_a_tower(has, wanted, STARTING[lean])
    rows = zip(MUSTERS[terrain]["ladder"], MUSTERS[terrain]["needs"], strict=True)
    steps = [(name, need) for name, need in rows if not lean or name not in STARTING[False]]
    ladder, needs = [name for name, _ in steps], [need for _, need in steps]
    if wanted not in ladder:
        return {}
    step = ladder.index(wanted)
    ways = {name: 1 for name in ladder[step:] if has[name]}
    if step and has[ladder[step - 1]] >= needs[step]:
        ways[ladder[step - 1]] = needs[step]
    return ways


def _ways_in_a_tower(has: Counter[str], wanted: str, anyone: Iterable[str]) -> dict[str, int]:
    if wanted in anyone:
        return {"": 0}
    if wanted == "guardian":
        ways = {name: 3 for name in has if KINDS[name].creature and has[name] >= 3}
        return ways | ({"guardian": 1} if has["guardian"] else {})
    if wanted == "warlock":
        return {name: 1 for name in ("titan", "warlock") if has[name]}
    return {}


def musters(legion: Iterable[str], terrain: str, lean: bool = False) -> set[str]:
    """Everything a legion qualifies for in a terrain."""
    legion = list(legion)
    return {name for name in KINDS if ways_to_muster(legion, terrain, name, lean)}


def vectors(name: str) -> Iterator[tuple[list[str], list[str]]]:
    """Words before and after the colon of each line."""
    for line in (DATA / f"{name}.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            before, after = line.split(":")
            yield before.split(), after.split()
