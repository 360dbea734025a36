"""One character against one, solved exactly by going back from the last round: a yardstick for agents.

A mutual elimination counts half. Nobody is reinforced or summoned. `duel` is the command that prints it, `loss`
measures agents by it.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
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
    Phase,
    Side,
)
from titan_env.games.titan_battle.rules.strikes import FACES, number_of_strike, strike_dice

Array = NDArray[np.float64]

FIGHTERS = (Side.ATTACKER * SLOTS, Side.DEFENDER * SLOTS)
"""The only fighter of each side."""
PLACES = OUTSIDE + 1
Moment = tuple[int, Side]
"""Number of a round, and whose half it is."""
WON, DRAWN, LOST = 1.0, 0.5, 0.0  # for the attacker


def hit_odds(dice: int, number: int, power: int) -> Array:
    """Return the probabilities of a strike, from hits to hits, (power + 1, power + 1); the slain stay slain."""
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
    """A battle of two characters on a land; `side` is where the attacker enters.

    Tables by round and half are indexed by the hex of the attacker, of the defender (27: outside), and the hits taken.
    """

    def __init__(self, attacker: str, defender: str, land: str, side: str = "B") -> None:
        self.kinds = [CHARACTERS.index(attacker), CHARACTERS.index(defender)]
        self.powers = [int(POWER[kind]) for kind in self.kinds]
        self.battle: Any = np.zeros(1, BATTLE).view(np.recarray)[0]
        self.battle.land, self.battle.entry = LAND_NAMES.index(land), ENTRY_NAMES.index(side)
        self.battle.fighters["hex"] = EMPTY
        self.battle.picked = self.battle.target = NOBODY
        for who, kind, power in zip(FIGHTERS, self.kinds, self.powers, strict=True):
            self.battle.fighters[who].kind, self.battle.fighters[who].power = kind, power
        cold = np.append(HAZARDS[self.battle.land] == Hazard.DRIFT, False)
        self.cold = [cold & ~NATIVE[kind, Hazard.DRIFT] for kind in self.kinds]
        self.shape = (PLACES, PLACES, self.powers[0] + 1, self.powers[1] + 1)

    def set(self, hexes: Sequence[int], half: int, begun: int, phase: Phase) -> None:
        """Put both on hexes in a half of a round."""
        battle = self.battle
        battle.half, battle.rounds_begun, battle.phase = half, begun, phase
        for who, hexagon in zip(FIGHTERS, hexes, strict=True):
            battle.fighters[who].hex = hexagon

    def is_contact(self, hexes: Sequence[int]) -> bool:
        """Return whether the two are in contact."""
        return max(hexes) < HEXES and bool(CONTACT[self.battle.land, hexes[0]] >> hexes[1] & 1)

    def goals(self, hexes: Sequence[int], half: int, begun: int) -> list[int]:
        """Return where the one whose half it is can go in its maneuver; it may stay as well."""
        if self.is_contact(hexes):
            return []
        self.set(hexes, half, begun, Phase.MANEUVER)
        found = int(destinations(self.battle, FIGHTERS[half]))
        return [number for number in range(HEXES) if found >> number & 1]

    def struck(self, hexes: Sequence[int], half: int, after: Array) -> Array:
        """Return what a half is worth before its strikes, by hits taken of both, from what it is worth `after` them."""
        self.set(hexes, half, 2, Phase.STRIKE)
        if self.is_contact(hexes):
            taken, given = self.blows()
            after = taken @ after @ given.T
        elif (odds := self.shot(half)) is not None:
            shot = after @ odds.T if half == Side.ATTACKER else odds @ after
            after = (np.maximum if half == Side.ATTACKER else np.minimum)(after, shot)
        taken, given = self.frost(hexes)
        return taken @ after @ given.T

    def blows(self) -> tuple[Array, Array]:
        """Return the odds of the hits that attacker and defender take, who have been set in contact."""
        attacker, defender = FIGHTERS
        return (
            hit_odds(*self._strike(defender, attacker), self.powers[0]),
            hit_odds(*self._strike(attacker, defender), self.powers[1]),
        )

    def shot(self, half: int) -> Array | None:
        """Return the odds of a rangestrike's hits, from where both have been set; None where there is none."""
        battle, who, whom = self.battle, FIGHTERS[half], FIGHTERS[1 - half]
        if not can_shoot(battle, who) or not aims(battle, who):
            return None
        return hit_odds(shot_dice(battle, who), number_of_shot(battle, who, whom), self.powers[1 - half])

    def frost(self, hexes: Sequence[int]) -> tuple[Array, Array]:
        """Return the odds of the hit by drift that each takes."""
        attacker, defender = (
            hit_odds(int(self.cold[side][hexes[side]]), 1, self.powers[side]) for side in (Side.ATTACKER, Side.DEFENDER)
        )
        return attacker, defender

    def _strike(self, who: int, whom: int) -> tuple[int, int]:
        """Dice and strike number of one against the other."""
        return int(strike_dice(self.battle, who, whom)), int(number_of_strike(self.battle, who, whom))


class BestPlay:
    """A duel solved: what each half of each round is worth at its beginning, and before its strikes."""

    def __init__(self, duel: Duel) -> None:
        self.duel = duel
        self.begun: dict[Moment, Array] = {}
        self.fought: dict[Moment, Array] = {}
        after = np.full(duel.shape, LOST)  # time-loss
        settle(after)
        for begun in range(ROUNDS, 0, -1):
            for half in (Side.ATTACKER, Side.DEFENDER):
                self.fought[begun, half] = self._fight(begun, half, after)
                after = self.begun[begun, half] = self._choose(begun, half)
                settle(after)

    @property
    def worth(self) -> float:
        """The share of the battle that the attacker wins under best play of both."""
        return float(self.begun[1, Side.DEFENDER][OUTSIDE, OUTSIDE, 0, 0])

    def _fight(self, begun: int, half: Side, after: Array) -> Array:
        """Return what each pair of places is worth before the strikes of a half; who has stayed outside is lost."""
        fought = np.zeros_like(after)
        for pair in pairs(begun):
            if pair[half] == OUTSIDE:
                fought[pair] = LOST if half == Side.ATTACKER else WON
            else:
                fought[pair] = self.duel.struck(pair, half, after[pair])
        return fought

    def _choose(self, begun: int, half: Side) -> Array:
        """Return what it is worth that the one whose half it is goes to the best of its places."""
        fought, chosen = self.fought[begun, half], np.zeros(self.duel.shape)
        for pair in pairs(begun):
            ways = [*self.duel.goals(pair, half, begun), pair[half]]
            if half == Side.ATTACKER:
                chosen[pair] = fought[ways, pair[1]].max(axis=0)
            else:
                chosen[pair] = fought[pair[0], ways].min(axis=0)
        return chosen


def pairs(begun: int) -> Iterator[tuple[int, int]]:
    """Return where both can be in a round: in the first one outside too."""
    for a, b in itertools.product(range(PLACES), repeat=2):
        if a == b == OUTSIDE or a != b:
            if begun == 1 or OUTSIDE not in (a, b):
                yield a, b
