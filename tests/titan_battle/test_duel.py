"""The duel solved exactly, by going back from the end: what it is worth to the minotaur under best play of both."""

from __future__ import annotations

import functools
from math import comb

import pytest

from tests.titan_battle.table import Table
from titan_env.games.titan_battle.rules.decision import aims
from titan_env.games.titan_battle.rules.lands import CONTACT
from titan_env.games.titan_battle.rules.maneuver import destinations
from titan_env.games.titan_battle.rules.rangestrikes import can_shoot, number_of_shot, shot_dice
from titan_env.games.titan_battle.rules.state import HEXES, OUTSIDE, ROUNDS, SLOTS, Land, Phase, Side
from titan_env.games.titan_battle.rules.strikes import number_of_strike, strike_dice

MINOTAUR, WARBEAR = 4, 6  # powers
DRAW = 0.5
ATTACKER, DEFENDER = 0, SLOTS


@functools.cache
def chances(dice: int, number: int, most: int) -> tuple[float, ...]:
    """How likely each number of hits is, up to so many that count."""
    each = (7 - number) / 6
    found = [0.0] * (most + 1)
    for hits in range(dice + 1):
        found[min(hits, most)] += comb(dice, hits) * each**hits * (1 - each) ** (dice - hits)
    return tuple(found)


class Duel:
    """Minotaur against warbear, position by position: where they are, and the hits that both have taken."""

    def __init__(self, land: str) -> None:
        self.land = Land[land.upper()]
        self.battle = Table(land, "minotaur outside", "warbear outside", phase="maneuver").battle
        self.worth, self.strikes = functools.cache(self._worth), functools.cache(self._strikes)
        self.moves, self.pairs = functools.cache(self._moves), functools.cache(self._pairs)
        self.shot = functools.cache(self._shot)

    def set(self, minotaur: int, warbear: int, half: int, begun: int, phase: Phase) -> None:
        battle = self.battle
        battle.half, battle.rounds_begun, battle.phase = half, begun, phase
        for who, place in ((ATTACKER, minotaur), (DEFENDER, warbear)):
            battle.fighters[who].hex = place
            battle.fighters[who].moved = battle.fighters[who].locked = battle.fighters[who].struck = 0

    def _pairs(self, minotaur: int, warbear: int) -> tuple[tuple[int, int], ...]:
        """Dice and strike number of both; none where they are not in contact."""
        if max(minotaur, warbear) == OUTSIDE or not CONTACT[self.land, minotaur] >> warbear & 1:
            return ()
        self.set(minotaur, warbear, Side.ATTACKER, 2, Phase.STRIKE)
        return tuple(
            (strike_dice(self.battle, who, whom), number_of_strike(self.battle, who, whom))
            for who, whom in ((ATTACKER, DEFENDER), (DEFENDER, ATTACKER))
        )

    def _shot(self, minotaur: int, warbear: int) -> tuple[int, int] | None:
        """Dice and strike number of the minotaur's rangestrike, if it may."""
        self.set(minotaur, warbear, Side.ATTACKER, 2, Phase.STRIKE)
        if not can_shoot(self.battle, ATTACKER) or not aims(self.battle, ATTACKER):
            return None
        return shot_dice(self.battle, ATTACKER), number_of_shot(self.battle, ATTACKER, DEFENDER)

    def _moves(self, minotaur: int, warbear: int, half: int, first: bool) -> list[int]:
        """Where the one whose half it is can be after its maneuver."""
        place = minotaur if half == Side.ATTACKER else warbear
        if self.pairs(minotaur, warbear):
            return [place]
        self.set(minotaur, warbear, half, 1 if first else 2, Phase.MANEUVER)
        found = int(destinations(self.battle, DEFENDER if half else ATTACKER))
        return [number for number in range(HEXES) if found >> number & 1] + [place] * (place < OUTSIDE)

    def _worth(self, begun: int, half: int, minotaur: int, hurt: int, warbear: int, harm: int) -> float:
        """What it is worth to the minotaur when a half begins."""
        if begun > ROUNDS:
            return 0.0
        moves = self.moves(minotaur, warbear, half, begun == 1)
        if half == Side.ATTACKER:
            return max(self.strikes(begun, half, number, hurt, warbear, harm) for number in moves)
        return min(self.strikes(begun, half, minotaur, hurt, number, harm) for number in moves)

    def _strikes(self, begun: int, half: int, minotaur: int, hurt: int, warbear: int, harm: int) -> float:
        """What it is worth when both are about to strike."""

        def then(hurt: int, harm: int) -> float:
            if hurt >= MINOTAUR or harm >= WARBEAR:
                return DRAW if hurt >= MINOTAUR and harm >= WARBEAR else float(hurt < MINOTAUR)
            return self.worth(begun + (half == Side.ATTACKER), 1 - half, minotaur, hurt, warbear, harm)

        if max(minotaur, warbear) == OUTSIDE:
            return then(hurt, harm)
        if pairs := self.pairs(minotaur, warbear):
            given, taken = chances(*pairs[0], WARBEAR - harm), chances(*pairs[1], MINOTAUR - hurt)
            return sum(
                p * q * then(hurt + j, harm + i) for i, p in enumerate(given) for j, q in enumerate(taken) if p * q
            )
        if half == Side.ATTACKER and (pair := self.shot(minotaur, warbear)):
            shot = chances(*pair, WARBEAR - harm)
            return max(then(hurt, harm), sum(p * then(hurt, harm + i) for i, p in enumerate(shot)))
        return then(hurt, harm)


@pytest.mark.parametrize(("land", "worth"), [("plains", 0.584756), ("tower", 0.2125)])
def test_what_the_duel_is_worth_to_the_minotaur(land: str, worth: float) -> None:
    assert Duel(land).worth(1, Side.DEFENDER, OUTSIDE, 0, OUTSIDE, 0) == pytest.approx(worth, abs=6e-5)
