"""One character against one, solved exactly by going back from the last round: a yardstick for agents.

`python -m titan_env.games.titan_battle.duel minotaur warbear --land plains --side B` prints the share of the battle
that the attacker wins under best play of both; a mutual elimination counts half. Nobody is reinforced or summoned.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.games.titan_battle.rules.characters import CHARACTERS, NATIVE, POWER
from titan_env.games.titan_battle.rules.decision import aims
from titan_env.games.titan_battle.rules.lands import CONTACT, ENTRY_NAMES, HAZARDS, LAND_NAMES
from titan_env.games.titan_battle.rules.maneuver import destinations
from titan_env.games.titan_battle.rules.rangestrikes import can_shoot, number_of_shot, shot_dice
from titan_env.games.titan_battle.rules.state import (
    BATTLE,
    EMPTY,
    HEXES,
    NOBODY,
    OUTSIDE,
    ROUNDS,
    SLOTS,
    Hazard,
    Land,
    Phase,
    Side,
)
from titan_env.games.titan_battle.rules.strikes import FACES, number_of_strike, strike_dice

Array = NDArray[np.float64]

FIGHTERS = (Side.ATTACKER * SLOTS, Side.DEFENDER * SLOTS)
"""The only fighter of each side."""
WON, DRAWN, LOST = 1.0, 0.5, 0.0  # for the attacker


def hit_odds(dice: int, number: int, power: int) -> Array:
    """How likely a strike leads from so many hits taken to so many, (power + 1, power + 1); the slain stay slain."""
    odds = np.eye(power + 1)
    miss = (number - 1) / FACES
    one = miss * np.eye(power + 1) + (1 - miss) * np.eye(power + 1, k=1)
    one[power, power] = 1
    for _ in range(dice):
        odds = odds @ one
    return odds


def settle(worth: Array) -> None:
    """Write what it is worth when one of the two is slain, or both, by hits taken (..., attacker's, defender's)."""
    worth[..., -1, :], worth[..., :, -1], worth[..., -1, -1] = LOST, WON, DRAWN


class Duel:
    """A battle of two characters on a land; `side` is where the attacker enters."""

    def __init__(self, attacker: str, defender: str, land: str, side: str = "B") -> None:
        self.kinds = [CHARACTERS.index(attacker), CHARACTERS.index(defender)]
        self.powers = [int(POWER[kind]) for kind in self.kinds]
        self.battle: Any = np.zeros(1, BATTLE).view(np.recarray)[0]
        self.battle.land, self.battle.entry = LAND_NAMES.index(land), ENTRY_NAMES.index(side)
        self.battle.fighters["hex"] = EMPTY
        self.battle.picked = self.battle.target = NOBODY
        for who, kind, power in zip(FIGHTERS, self.kinds, self.powers, strict=True):
            self.battle.fighters[who].kind, self.battle.fighters[who].power = kind, power
        cold = HAZARDS[self.battle.land] == Hazard.DRIFT
        self.cold = [cold & ~NATIVE[kind, Hazard.DRIFT] for kind in self.kinds]

    def set(self, places: Sequence[int], half: int, begun: int, phase: Phase) -> None:
        """Put both on hexes in a half of a round."""
        battle = self.battle
        battle.half, battle.rounds_begun, battle.phase = half, begun, phase
        for who, place in zip(FIGHTERS, places, strict=True):
            battle.fighters[who].hex = place

    def is_contact(self, places: Sequence[int]) -> bool:
        """Whether the two are in contact."""
        return max(places) < HEXES and bool(CONTACT[self.battle.land, places[0]] >> places[1] & 1)

    def moves(self, places: Sequence[int], half: int, begun: int) -> list[int]:
        """Where the one whose half it is can be after its maneuver."""
        own = places[half]
        if self.is_contact(places):
            return [own]
        self.set(places, half, begun, Phase.MANEUVER)
        found = int(destinations(self.battle, FIGHTERS[half]))
        there = [number for number in range(HEXES) if found >> number & 1]
        return there if own == OUTSIDE and there else [*there, own]

    def struck(self, places: Sequence[int], half: int, after: Array) -> Array:
        """What a half is worth before its strikes, by hits taken of both, from what it is worth `after` them."""
        attacker, defender = FIGHTERS
        self.set(places, half, 2, Phase.STRIKE)
        battle, (most, least) = self.battle, self.powers
        if self.is_contact(places):
            given = hit_odds(*self._strike(attacker, defender), least)
            taken = hit_odds(*self._strike(defender, attacker), most)
            after = taken @ after @ given.T
        elif can_shoot(battle, FIGHTERS[half]) and aims(battle, FIGHTERS[half]):
            who, whom = FIGHTERS[half], FIGHTERS[1 - half]
            odds = hit_odds(shot_dice(battle, who), number_of_shot(battle, who, whom), self.powers[1 - half])
            if half == Side.ATTACKER:
                after = np.maximum(after, after @ odds.T)
            else:
                after = np.minimum(after, odds @ after)
        if self.cold[0][places[0]]:
            after = hit_odds(1, 1, most) @ after
        if self.cold[1][places[1]]:
            after = after @ hit_odds(1, 1, least).T
        return after

    def _strike(self, who: int, whom: int) -> tuple[int, int]:
        """Dice and strike number of one against the other."""
        return int(strike_dice(self.battle, who, whom)), int(number_of_strike(self.battle, who, whom))

    def worth(self) -> float:
        """The share of the battle that the attacker wins under best play of both."""
        after = np.full((HEXES, HEXES, self.powers[0] + 1, self.powers[1] + 1), LOST)  # time-loss
        settle(after)
        places = [(a, b) for a in range(HEXES) for b in range(HEXES) if a != b]
        ways = {(half, place): self.moves(place, half, 2) for place in places for half in range(2)}
        for _ in range(ROUNDS - 1):
            for half in (Side.ATTACKER, Side.DEFENDER):
                fought = self._fight(places, half, after)
                for place in places:
                    after[place] = self._choose(fought, place, half, ways[half, place])
                settle(after)
        return self._first_round(self._fight(places, Side.ATTACKER, after))

    def _fight(self, places: Sequence[tuple[int, int]], half: int, after: Array) -> Array:
        """What each pair of places is worth before the strikes of a half."""
        fought = np.zeros_like(after)
        for place in places:
            fought[place] = self.struck(place, half, after[place])
        return fought

    def _choose(self, fought: Array, place: Sequence[int], half: int, ways: list[int]) -> Array:
        """The best of the places to which the one whose half it is can go."""
        if half == Side.ATTACKER:
            return np.asarray(fought[ways, place[1]].max(axis=0))
        return np.asarray(fought[place[0], ways].min(axis=0))

    def _first_round(self, fought: Array) -> float:
        """The defender comes on, then the attacker; who finds no way in is lost."""
        ways = self.moves((OUTSIDE, OUTSIDE), Side.DEFENDER, 1)
        if ways == [OUTSIDE]:
            return WON
        return min(self._answer(fought, place) for place in ways)

    def _answer(self, fought: Array, place: int) -> float:
        """What it is worth that the defender has come on at a place; drift there hurts it before the attacker comes."""
        cold = int(self.cold[1][place])
        if cold >= self.powers[1]:
            return WON
        ways = self.moves((OUTSIDE, place), Side.ATTACKER, 1)
        return LOST if ways == [OUTSIDE] else float(fought[ways, place, 0, cold].max())


def main() -> None:
    """Print what a duel is worth to its attacker."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("attacker", choices=CHARACTERS)
    parser.add_argument("defender", choices=CHARACTERS)
    parser.add_argument("--land", choices=LAND_NAMES, default=LAND_NAMES[Land.PLAINS])
    parser.add_argument("--side", choices=ENTRY_NAMES, default="B", help="where the attacker enters; in a tower B")
    chosen = parser.parse_args()
    print(f"{Duel(chosen.attacker, chosen.defender, chosen.land, chosen.side).worth():.4f}")


if __name__ == "__main__":
    main()
