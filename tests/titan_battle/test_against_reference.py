"""Two implementations of the same rules play the same battles: same questions, same choices, same results."""

from __future__ import annotations

import os
from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.titan_battle.reference import FULL, SIDES, Battle
from tests.titan_battle.reference_board import HEXES
from tests.titan_battle.reference_data import KINDS, TERRAINS
from titan_env.contract import COMPILED, outcomes, seeded
from titan_env.games.titan_battle import GAME
from titan_env.games.titan_battle.rules.definition import PRESETS
from titan_env.games.titan_battle.rules.state import EMPTY, GONE, OUTSIDE, SLOTS

BATTLES = int(os.environ.get("REFERENCE_BATTLES", 10 if COMPILED else 2))
"""Battles of each kind."""

NAMES = list(KINDS)
SCATTERING = 0.2
"""How often everybody is put somewhere else instead of a maneuver."""
EAGER = 0.85
"""How often a random player goes on where it could end or pass."""


# The adapter: everything that is known here of the game's state.

PLAIN_POWER = 6
POINTS = 100
"""For each of which a titan has one power more."""


def fighters_of(state: Any, side: str) -> list[Any]:
    """Return the fighters of a side that are or were in the battle."""
    first = SIDES.index(side) * SLOTS
    return [fighter for fighter in state.battle.fighters[first : first + SLOTS] if fighter.hex != EMPTY]


def taken_over(state: Any) -> Battle:
    """Return the battle that a fresh state holds, before its first question."""
    battle = state.battle
    legions = [fighters_of(state, side) for side in SIDES]
    powers = [{NAMES[one.kind]: int(one.power) for one in legion} for legion in legions]
    scores = [POINTS * (power.get("titan", PLAIN_POWER) - PLAIN_POWER) for power in powers]
    attacker, defender = ([NAMES[one.kind] for one in legion] for legion in legions)
    return Battle(
        TERRAINS[battle.land],
        "RBL"[battle.entry],
        attacker,
        defender,
        (scores[0], scores[1]),
        reinforcement=bool(battle.may_reinforce),
        summon="angel" if battle.angel_waits else "archangel" if battle.archangel_waits else "none",
        supply={name: int(battle.supply) >> kind & 1 for kind, name in enumerate(NAMES)},
    )


def seat_of(state: Any, side: str) -> int:
    """Return the seat that plays a side."""
    attacker = int(state.attacker)
    return attacker if side == "attacker" else 1 - attacker


def standing(state: Any) -> list[tuple[str, str, str, int]]:
    """Side, kind, hex ("" outside) and hits of everybody who is in the battle."""
    found = []
    for side in SIDES:
        for one in fighters_of(state, side):
            if one.hex != GONE:
                spot = "" if one.hex == OUTSIDE else HEXES[one.hex]
                found.append((side, NAMES[one.kind], spot, int(one.hits)))
    return sorted(found)


class Pair:
    """One battle, played by the package and by the reference side by side."""

    def __init__(self, seed: int, **options: Any) -> None:
        self.states = GAME.rules.configure(**options)
        self.state = self.states[0]
        self.luck = seeded([seed], GAME.rules.luck)
        self.log = np.zeros(1, GAME.rules.log).view(np.recarray)
        self.rng = np.random.default_rng(seed)
        GAME.rules.setup(self.state, self.luck[0])
        self.battle = taken_over(self.state).start()
        self.seen: Counter[str] = Counter()
        """Questions that were asked, and the result."""

    def choices(self) -> list[str]:
        """What the package says is legal; both must agree on that, on the question and on who is asked."""
        mask = np.zeros(len(GAME.rules.actions), np.int8)
        GAME.rules.legal(self.state, mask)
        texts = [GAME.rules.actions.texts[action] for action in np.flatnonzero(mask)]
        ours = GAME.rules.asks(int(self.state.ask)).name, int(self.state.seat), set(texts)
        assert ours == (self.battle.ask, seat_of(self.state, self.battle.side_to_answer), self.battle.legal())
        return texts

    def play(self, text: str) -> None:
        """Play one decision in both battles, with the same dice at the same strike number."""
        GAME.rules.step(self.state, GAME.rules.actions.read(text), self.luck[0], self.log[0])
        rolled = outcomes(self.luck[0]).tolist()
        announced = [
            event for event in self.log[0].events[: self.log[0].count] if event[0] == GAME.rules.events["DICE"]
        ]

        def hits(dice: int, number: int) -> int:
            answer, sides = rolled.pop(0)
            assert (-sides - 1, *announced.pop(0)[1:3]) == (dice, dice, number)
            return answer

        self.battle.answer(text, hits)
        assert not rolled, "every answer of chance was asked for by both"

    def play_out(self, scattering: float = 0.0) -> int:
        """Play to the end at random; return how many decisions that took."""
        decisions = 0
        while not self.state.over:
            texts = self.choices()
            self.seen[self.battle.ask] += 1
            onward = [text for text in texts if text not in ("end", "pass")]
            text = self.rng.choice(onward if onward and self.rng.random() < EAGER else texts)
            ending = self.battle.ask == "MANEUVER" and not self.battle.deploying()
            if ending and self.rng.random() < scattering:
                self.scatter()
                text = "end"
            self.play(text)
            decisions += 1
            ours = sorted((one.side, one.kind, one.hex, one.hits) for one in self.battle.fighters if not one.gone)
            assert standing(self.state) == ours
        assert not self.battle.ask
        self.seen[self.battle.result] += 1
        winners = {seat_of(self.state, side) for side in self.battle.winners}
        assert {seat for seat in range(2) if self.state.won[seat]} == winners
        return decisions

    def scatter(self) -> None:
        """Put everybody somewhere, more or less wounded; the phase must be ended then, its choices are outdated."""
        free = [str(spot) for spot in self.rng.permutation(HEXES)]
        for side in SIDES:
            ours = [one for one in self.battle.fighters if one.side == side]
            for theirs, one in zip(fighters_of(self.state, side), ours, strict=True):
                spot = next((spot for spot in free if self.battle.board.may_stand(KINDS[one.kind], spot)), "")
                if spot and not one.gone:
                    free.remove(spot)
                    one.hex, one.hits = spot, int(self.rng.integers(0, one.power))
                    theirs.hex, theirs.hits = HEXES.index(spot), one.hits


@pytest.mark.parametrize("preset", PRESETS)
def test_random_battles_of_every_preset(preset: str) -> None:
    decisions = sum(Pair(seed, **PRESETS[preset]).play_out() for seed in range(BATTLES))
    assert decisions > 5 * BATTLES


@pytest.mark.parametrize("land", TERRAINS)
def test_random_battles_of_any_characters(land: str) -> None:
    """Legions of any characters, titans of any power, something to summon; also scattered over the land."""
    rng = np.random.default_rng(TERRAINS.index(land))
    for seed in range(2 * BATTLES):
        _any_battle(seed, land, rng).play_out(scattering=seed % 2 * SCATTERING)


EVERYTHING = {"MANEUVER", "GO", "STRIKE", "TARGET", "HANDICAP", "CARRY", "REINFORCE", "SUMMON"}
EVERYTHING |= {"attacker", "defender", "mutual", "time-loss"}


def test_every_question_and_every_end_is_met() -> None:
    rng = np.random.default_rng(0)
    seen: Counter[str] = Counter()
    for seed in range(200):
        pair = _any_battle(seed, TERRAINS[seed % len(TERRAINS)], rng)
        pair.play_out(scattering=SCATTERING)
        seen += pair.seen
        if set(seen) == EVERYTHING:
            break
    assert set(seen) == EVERYTHING


def _any_battle(seed: int, land: str, rng: np.random.Generator) -> Pair:
    """A battle of three to seven characters of any kind on each side, one titan at most."""
    legions = []
    for _ in range(2):
        kinds = [str(kind) for kind in rng.choice(NAMES[1:], rng.integers(3, FULL + 1))]
        legions.append(["titan", *kinds[1:]] if rng.random() < 0.5 else kinds)
    scores = [int(score) for score in rng.integers(0, 1500, 2)]
    summon = str(rng.choice(["none", "angel", "archangel"]))
    return Pair(seed, land=land, attacker=legions[0], defender=legions[1], scores=scores, summon=summon)
