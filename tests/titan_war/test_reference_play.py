"""Random wars of the second implementation: they end, and the public record never lies."""

from __future__ import annotations

import random
from typing import Any

import pytest

from tests.titan_battle.reference_data import KINDS
from tests.titan_war.reference import War
from tests.titan_war.reference_table import Table

pytestmark = pytest.mark.thorough

OPTIONS: dict[str, dict[str, Any]] = {
    "plain": {},
    "stern": {"agreements": False, "concede": False},
    "goal": {"goal": 100},
    "turns": {"turns": 12},
    "lean": {"lean": True},
    "open": {"open": True},
    "championship": {"mulligan": "2 or 5", "first_teleport": "not to a tower"},
}


class Dice:
    """Chance out of one seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)

    def die(self) -> int:
        return self.rng.randint(1, 6)

    def reversed_lot(self) -> bool:
        return self.rng.random() < 0.5

    def hits(self, dice: int, number: int) -> int:
        return sum(self.die() >= number for _ in range(dice))


def check(table: Table) -> None:
    """The truth lies within the public record, no legion is too high, nobody has too many."""
    for legion in table.legions:
        assert 0 < legion.height <= 7
        assert all(legion.least[kind] <= legion.holds[kind] <= legion.most[kind] for kind in KINDS)
        assert not table.options["open"] or legion.is_public()
        assert table.alive[legion.owner]
    for kind in KINDS:
        there = sum(legion.holds[kind] for legion in table.legions)
        assert 0 <= table.supply[kind] <= KINDS[kind].supply - there
    for seat in range(table.players):
        assert sum(legion.holds["titan"] for legion in table.of(seat)) == table.alive[seat] or not table.of(seat)
        assert table.free_markers(seat) >= 0


@pytest.mark.parametrize("name", OPTIONS)
@pytest.mark.parametrize("players", [2, 3, 4, 6])
def test_a_random_war_ends_and_its_record_holds(name: str, players: int) -> None:
    dice = Dice(players)
    towers = dice.rng.sample([100, 200, 300, 400, 500, 600], players)
    war = War(towers, **OPTIONS[name]).start(dice)
    while war.ask:
        war.answer(dice.rng.choice(sorted(war.legal())), dice)
        check(war.table)
    assert war.table.won == {seat for seat in range(players) if war.table.places[seat] == 1}
    assert min(war.table.places) == 1
