"""A minotaur attacks a warbear: the duel solved by backward induction over the rules of the second implementation.

A moment is (hex and hits of the minotaur, hex and hits of the warbear); its value is the minotaur's chance to win, a
mutual elimination counting half. Hexes are "" outside. Lands with drift are left out.
"""

from __future__ import annotations

from functools import cache
from math import comb

import pytest

from tests.titan_battle.reference_board import BOARDS, DEPLOYMENT, ENTRIES
from tests.titan_battle.reference_data import KINDS
from tests.titan_battle.reference_strikes import Pair, rangestrike, strike

pytestmark = pytest.mark.thorough

Moment = tuple[str, int, str, int]
WHO = "minotaur", "warbear"
POWER = KINDS["minotaur"].power, KINDS["warbear"].power
LAST = 7


class Duel:
    def __init__(self, terrain: str, side: str) -> None:
        self.board, self.side = BOARDS[terrain], side
        self.moves = cache(self._moves)
        self.pair = cache(self._pair)
        self.fought = cache(self._fought)
        self.value = cache(self._value)

    def _moves(self, me: int, here: str, there: str) -> list[str]:
        """Hexes on which one of the two may be after its maneuver; "" if it stays outside."""
        if here and there and self.board.in_contact(here, there):
            return [here]
        start = here or ENTRIES[self.side][me]
        if not here and me and self.board.terrain == "tower":
            return DEPLOYMENT
        return [here, *self.board.destinations(WHO[me], start, [there])]

    def _pair(self, me: int, here: str, there: str, afar: bool) -> Pair | None:
        """Dice and number, if it is in contact or, from afar, may rangestrike."""
        who, whom = WHO[me], WHO[1 - me]
        if self.board.in_contact(here, there):
            return None if afar else strike(self.board, who, POWER[me], here, whom, there)
        return rangestrike(self.board, who, POWER[me], here, whom, there, []) if afar else None

    def _value(self, moment: Moment, number: int, half: int) -> float:
        """At the start of a half: 1 for the warbear's, who defends, 0 for the minotaur's."""
        if number > LAST:
            return 0.0
        minotaur, _, warbear, _ = moment
        own, other = (warbear, minotaur) if half else (minotaur, warbear)
        values = []
        for goal in self.moves(half, own, other):
            if goal:
                after = (minotaur, moment[1], goal, moment[3]) if half else (goal, moment[1], warbear, moment[3])
                values.append(self.fought(after, number, half))
            else:
                values.append(float(half))
        return min(values) if half else max(values)

    def _fought(self, moment: Moment, number: int, half: int) -> float:
        """After the maneuver: both strike in contact; else the one whose half it is may rangestrike."""
        minotaur, _, warbear, _ = moment
        following = (number + 1, 1) if half == 0 else (number, 0)
        own, other = (warbear, minotaur) if half else (minotaur, warbear)
        if not (minotaur and warbear):
            return self.value(moment, *following)
        if self.board.in_contact(own, other):
            return self.rolled(moment, half, (False, False), following)
        waited = self.value(moment, *following)
        if not self.pair(half, own, other, True):
            return waited
        shot = self.rolled(moment, half, (True, None), following)
        return min(waited, shot) if half else max(waited, shot)

    def rolled(self, moment: Moment, half: int, how: tuple[bool, bool | None], following: tuple[int, int]) -> float:
        """Average over the dice of the first, and of the second if it strikes back."""
        minotaur, hits_a, warbear, hits_d = moment
        hexes = minotaur, warbear
        odds: list[list[float]] = [[1.0], [1.0]]
        for me, afar in ((half, how[0]), (1 - half, how[1])):
            if afar is not None:
                pair = self.pair(me, hexes[me], hexes[1 - me], afar)
                assert pair
                odds[me] = _odds(*pair)
        total = 0.0
        for mine, chance in enumerate(odds[0]):
            for his, other in enumerate(odds[1]):
                after = minotaur, min(POWER[0], hits_a + his), warbear, min(POWER[1], hits_d + mine)
                total += chance * other * self.ended(after, following)
        return total

    def ended(self, moment: Moment, following: tuple[int, int]) -> float:
        lost = moment[1] >= POWER[0], moment[3] >= POWER[1]
        if any(lost):
            return 0.5 if all(lost) else float(lost[1])
        return self.value(moment, *following)


def _odds(dice: int, number: int) -> list[float]:
    """Chances of 0 to `dice` hits."""
    good = (7 - number) / 6
    return [comb(dice, hits) * good**hits * (1 - good) ** (dice - hits) for hits in range(dice + 1)]


@pytest.mark.parametrize(
    ("terrain", "side", "worth"),
    [("plains", "R", 0.584756), ("tower", "B", 0.2125), ("mountains", "B", 0.8945)],
)
def test_the_duel_is_worth_what_was_computed(terrain: str, side: str, worth: float) -> None:
    assert Duel(terrain, side).value(("", 0, "", 0), 1, 1) == pytest.approx(worth, abs=6e-5)
