"""The masterboard once more: the 96 lands read from their table, and how legions move over them."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

DATA = Path(__file__).parent / "data"
Moves = dict[int, set[str]]
"""Lands that may be reached, with the sides on which they are entered."""

TELEPORT_DISTANCE = 6
TOWERS = [100 * block for block in range(1, 7)]


@dataclass(frozen=True)
class Land:
    terrain: str
    signs: tuple[tuple[str, int], ...]
    """Signs by which it is left, and where they lead."""
    enter: dict[int, str]
    """Side on which it is entered from each land beside it."""


def _read() -> dict[int, Land]:
    lands = {}
    for line in (DATA / "lands.txt").read_text("utf-8").splitlines():
        if line and not line.startswith("#"):
            number, _, terrain, *words = line.split()
            signs = tuple((word[0], int(word[1:])) for word in words if ":" not in word)
            enter = {int(word.split(":")[0]): word.split(":")[1] for word in words if ":" in word}
            lands[int(number)] = Land(terrain, signs, enter)
    return lands


LANDS = _read()
ORDER = {land: i for i, land in enumerate(LANDS)}


def normal_moves(start: int, roll: int, own: Collection[int] = (), enemies: Collection[int] = ()) -> Moves:
    """Where a legion may go by the signs, with other own legions and enemies on these lands."""
    found: Moves = {}

    def walk(here: int, origin: int, left: int) -> None:
        if here in enemies and here in own:
            return
        if here in enemies or not left:
            if here in enemies or here not in own:
                found.setdefault(here, set()).add(LANDS[here].enter[origin])
            return
        for sign, there in LANDS[here].signs:
            if sign in "AT" and there != origin:
                walk(there, here, left - 1)

    blocks = [there for sign, there in LANDS[start].signs if sign == "B"]
    for there in blocks or [there for _, there in LANDS[start].signs]:
        walk(there, start, roll - 1)
    return found


def lands_within(start: int, steps: int) -> set[int]:
    """Lands at most so many steps away, whatever signs and legions stand there."""
    reached = {start}
    for _ in range(steps):
        reached = reached | {there for here in reached for there in LANDS[here].enter}
    return reached


def tower_teleports(start: int, occupied: Collection[int]) -> set[int]:
    """Vacant towers and vacant lands at most six steps away."""
    return (lands_within(start, TELEPORT_DISTANCE) | set(TOWERS)) - set(occupied)
