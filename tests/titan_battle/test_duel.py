"""The duel of any two characters, solved exactly by going back from the end."""

from __future__ import annotations

import sys
from math import comb

import numpy as np
import pytest

from titan_env.games.titan_battle.rules.hexes import HEX_NAMES, hex_number
from titan_env.games.titan_battle.rules.lands import HAZARDS
from titan_env.games.titan_battle.rules.state import Hazard, Land, Side
from titan_env.games.titan_battle.solver.best_play import BestPlay, Duel, hit_odds, settle
from titan_env.games.titan_battle.solver.duel import main

pytestmark = pytest.mark.thorough


def taken(attacker: str, defender: str, **names: str) -> list[list[float]]:
    """What a half of the attacker in the last round is worth before its strikes, by hits taken, on two hexes."""
    duel = Duel(attacker, defender, names["land"])
    after = np.zeros((duel.powers[0] + 1, duel.powers[1] + 1))
    settle(after)
    half = Side[names.get("half", "attacker").upper()]
    worth: list[list[float]] = duel.struck((hex_number(names["a"]), hex_number(names["b"])), half, after).tolist()
    return worth


@pytest.mark.parametrize(("land", "worth"), [("plains", 0.584756), ("tower", 0.2125), ("mountains", 0.8945)])
def test_a_minotaur_that_attacks_a_warbear(land: str, worth: float) -> None:
    assert BestPlay(Duel("minotaur", "warbear", land)).worth == pytest.approx(worth, abs=6e-5)


def test_who_fights_his_like_on_even_ground_does_not_gain_by_attacking() -> None:
    assert BestPlay(Duel("ogre", "ogre", "plains")).worth <= 0.5


def test_a_strike_leads_from_hits_to_hits_as_its_dice_say() -> None:
    odds = hit_odds(4, 5, 6)
    assert odds[1, 1:5] == pytest.approx([comb(4, hits) * (1 / 3) ** hits * (2 / 3) ** (4 - hits) for hits in range(4)])
    assert odds[5, 6] == pytest.approx(1 - (2 / 3) ** 4), "more hits than can be taken"
    assert odds[6].tolist() == [0] * 6 + [1], "the slain stay slain"


def test_both_strike_in_contact_and_both_may_fall() -> None:
    worth = taken("ogre", "ogre", land="plains", a="C3", b="C4")
    both, one = 1 - (1 / 2) ** 6, (1 / 2) ** 6
    assert worth[5][5] == pytest.approx(both * (both * 0.5 + one))


def test_a_rangestrike_is_for_the_own_half_only() -> None:
    near_its_end = -2  # hits that the defender has taken: one is left
    hit = 1 - (1 / 6) ** 2
    assert taken("minotaur", "ogre", land="plains", a="C3", b="C5")[0][near_its_end] == pytest.approx(hit)
    assert taken("minotaur", "ogre", land="plains", a="C3", b="C5", half="defender")[0][near_its_end] == 0


def test_who_is_slain_by_drift_still_strikes() -> None:
    worth = taken("ogre", "ogre", land="tundra", a="C3", b="C4")
    struck = 1 - (1 / 2) ** 6
    assert worth[5][5] == pytest.approx(struck * 0.5 + (1 - struck))


def run(monkeypatch: pytest.MonkeyPatch, arguments: str) -> None:
    """Run the command."""
    monkeypatch.setattr(sys, "argv", ["duel", *arguments.split()])
    main()


@pytest.mark.parametrize(
    ("arguments", "worth"),
    [
        ("minotaur warbear --land plains --side B", "0.5848"),
        ("minotaur warbear --at outside D5 --round 1 --half attacker", "0.5848"),
        ("ogre ogre --at C3 C4 --hits 5 5 --round 7 --half attacker", "0.4999"),
        ("ogre ogre --at A1 F4 --round 7 --half attacker", "0.0000"),
    ],
)
def test_the_command_prints_what_a_position_is_worth(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: str, worth: str
) -> None:
    run(monkeypatch, arguments)
    assert capsys.readouterr().out == worth + "\n"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("--at C3 D5", "--at: expected attacker and defender with it"),
        ("--land marsh", "--land: expected attacker and defender with it"),
        ("--side L --agents greedy", "--side: expected attacker and defender with it"),
        ("ogre ogre --at C3 D5 --agents greedy", "--at: expected no --agents with it"),
        ("ogre ogre --hits 0 0", "--hits: expected --at with it"),
        ("ogre ogre --round 3", "--round: expected --at with it"),
        ("ogre ogre --half attacker", "--half: expected --at with it"),
        ("minotaur", "expected a defender too"),
        ("minotar warbear", "did you mean minotaur?"),
        ("minotaur warbear --land moon", "invalid choice: 'moon'"),
        ("minotaur warbear --side X", "invalid choice: 'X'"),
        ("minotaur warbear --land tower --side L", "--side: expected B in a tower, got L"),
        ("minotaur warbear --at C3 C3", "--at: expected two hexes, got C3 twice"),
        ("minotaur warbear --at C3 Z9", "--at: expected a hex from A1 to F4, got Z9"),
        ("lion ogre --land marsh --at {bog} C1", "--at: expected the attacker on a hex that it may enter, got {bog}"),
        ("minotaur warbear --at C3 outside", "--at: expected the defender a hex of the map, got outside"),
        ("minotaur warbear --at C3 D5 --round 1", "--at: expected the attacker outside, where it still is, got C3"),
        ("minotaur warbear --at C3 D5 --round 8", "--round: expected 1 to 7, got 8"),
        ("minotaur warbear --at C3 D5 --hits 4 0", "--hits: expected 0 to 3 of the attacker, got 4"),
        ("minotaur warbear --at outside D5 --round 1 --half attacker --hits 1 0", "expected 0 to 0 of the attacker"),
        ("--agents exprt", "did you mean expert?"),
    ],
)
def test_what_cannot_be_is_told_in_one_line(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], arguments: str, message: str
) -> None:
    bog = HEX_NAMES[int(np.flatnonzero(HAZARDS[Land.MARSH] == Hazard.BOG)[0])]
    with pytest.raises(SystemExit):
        run(monkeypatch, arguments.format(bog=bog))
    assert message.format(bog=bog) in capsys.readouterr().err.splitlines()[-1]
