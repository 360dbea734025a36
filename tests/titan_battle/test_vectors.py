"""The package agrees with the vectors: walks and flights, strikes and rangestrikes, lines of sight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.titan_battle.reference_data import vectors
from titan_env.games.titan_battle.rules.characters import CHARACTERS, POWER
from titan_env.games.titan_battle.rules.hexes import HEX_NAMES, STEPS, has_hex, hex_number
from titan_env.games.titan_battle.rules.lands import ENTRY_NAMES, LAND_NAMES
from titan_env.games.titan_battle.rules.maneuver import destinations
from titan_env.games.titan_battle.rules.rangestrikes import number_of_shot, shot_dice, targets
from titan_env.games.titan_battle.rules.sight import NOT_SEEN, brambles_between
from titan_env.games.titan_battle.rules.state import EMPTY, HEXES, OUTSIDE, SLOTS, STATE, Phase, Side
from titan_env.games.titan_battle.rules.strikes import living_enemies, number_of_strike, strike_dice

pytestmark = pytest.mark.thorough

ATTACKER, DEFENDER = Side.ATTACKER * SLOTS, Side.DEFENDER * SLOTS
"""The first fighter of each side."""


def battle_on(land: str) -> Any:
    """Return a battle of round 2 in which nobody stands yet."""
    battle = np.zeros(1, STATE).view(np.recarray)[0].battle
    battle.land, battle.rounds_begun, battle.phase = LAND_NAMES.index(land), 2, Phase.MANEUVER
    battle.fighters["hex"] = EMPTY
    return battle


def put(battle: Any, who: int, kind: str, number: int) -> None:
    """Put a fighter on a hex, or outside."""
    fighter = battle.fighters[who]
    fighter.kind, fighter.hex = CHARACTERS.index(kind), number
    fighter.power = POWER[fighter.kind]


def names(hexes: int) -> list[str]:
    """Return the names of a set of hexes."""
    return [HEX_NAMES[number] for number in range(HEXES) if has_hex(hexes, number)]


def test_a_move_ends_where_the_vectors_say() -> None:
    for (land, kind, start, *rest), ends in vectors("walks"):
        battle = battle_on(land)
        who = DEFENDER if start in "rbl" else ATTACKER
        battle.half = Side.DEFENDER if who else Side.ATTACKER
        if start.upper() in ENTRY_NAMES:
            battle.entry = ENTRY_NAMES.index(start.upper())
            put(battle, who, kind, OUTSIDE)
        else:
            put(battle, who, kind, hex_number(start))
        for other, taken in enumerate(rest[1:], 1):
            put(battle, other, "ogre", hex_number(taken))
        assert sorted(names(destinations(battle, who))) == ends, (land, kind, start, rest)


def test_a_strike_and_a_rangestrike_have_the_dice_and_the_number_of_the_vectors() -> None:
    for (land, kind, here, target, there), result in vectors("strikes"):
        battle, a, b = battle_on(land), hex_number(here), hex_number(there)
        battle.phase = Phase.STRIKE
        put(battle, ATTACKER, kind, a)
        put(battle, DEFENDER, target, b)
        found = ["no"]
        if STEPS[a, b] == 1 and living_enemies(battle, ATTACKER):
            pair = strike_dice(battle, ATTACKER, DEFENDER), number_of_strike(battle, ATTACKER, DEFENDER)
            found = [str(number) for number in pair]
        elif STEPS[a, b] > 1 and has_hex(int(targets(battle, ATTACKER)), b):
            found = [str(shot_dice(battle, ATTACKER)), str(number_of_shot(battle, ATTACKER, DEFENDER))]
        assert found == result, (land, kind, here, target, there)


@pytest.mark.parametrize("steps", [2, 3])
def test_a_line_of_sight_is_free_where_the_vectors_say(steps: int) -> None:
    for (land, here), words in vectors("sight"):
        bar = words.index("|")
        a = hex_number(here)
        seen = [
            name
            for b, name in enumerate(HEX_NAMES)
            if STEPS[a, b] == steps and brambles_between(LAND_NAMES.index(land), a, b, 0) != NOT_SEEN
        ]
        assert seen == (words[:bar] if steps == 2 else words[bar + 1 :]), (land, here)
