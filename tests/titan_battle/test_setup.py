"""Setting up: options and what is wrong with others, battlelands as they are read, legions that are drawn."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from titan_env import Batch
from titan_env.contract import COMPILED, Status
from titan_env.games.titan_battle import GAME
from titan_env.games.titan_battle.rules.characters import (
    CHARACTERS,
    ENTRIES,
    IS_CREATURE,
    SUPPLY,
    check_entry,
)
from titan_env.games.titan_battle.rules.definition import PRESETS
from titan_env.games.titan_battle.rules.lands import LAND_NAMES, drawing, parse_land
from titan_env.games.titan_battle.rules.state import (
    GONE,
    KINDS,
    LEGION,
    OUTSIDE,
    SLOTS,
    Ask,
    Character,
    Entry,
    Land,
    Side,
)

BATTLES = 400 if COMPILED else 10

WRONG: list[tuple[dict[str, Any], str]] = [
    ({"land": "moon"}, "land: expected one of plains, woods, .*, got 'moon'"),
    ({"side": "T"}, "side: expected one of R, B, L, random, got 'T'"),
    ({"land": "tower", "side": "L"}, "side: expected B in a tower, got 'L'"),
    ({"attacker": ["goblin"]}, "attacker: expected one of titan, .*, got 'goblin'"),
    ({"attacker": "everybody"}, "attacker: expected one of drawn, with_titan, titan, .*, got 'everybody'"),
    ({"attacker": "ogr"}, "attacker: expected one of .*, got 'ogr'; did you mean ogre?"),
    ({"attacker": ["drawn"]}, "attacker: expected one of titan, .*, got 'drawn'"),
    ({"attacker": b"ogre"}, "attacker: expected drawn, with_titan or a list of characters, got b'ogre'"),
    ({"defender": None}, "defender: expected drawn, with_titan or a list of characters, got None"),
    ({"defender": ["ogre"] * 8}, "defender: expected 1 to 7 characters, got 8"),
    ({"defender": []}, "defender: expected 1 to 7 characters, got 0"),
    ({"defender": ["titan", "titan"]}, "defender: expected at most one titan, got 2"),
    ({"mirror": "yes"}, "mirror: expected True or False, got 'yes'"),
    ({"mirror": True, "attacker": ["ogre"]}, "mirror: expected both legions to be drawn alike"),
    ({"growth": 13}, "growth: expected 0 to 12, got 13"),
    ({"scores": [100]}, r"scores: expected two numbers, attacker and defender, got \[100\]"),
    ({"scores": [0, -1]}, "scores: expected 0 to 5000, got -1"),
    ({"attacker_seat": 2}, "attacker_seat: expected 0 to 1, got 2"),
    ({"reinforcement": 1}, "reinforcement: expected True or False, got 1"),
    ({"summon": "titan"}, "summon: expected one of none, angel, archangel, got 'titan'"),
    ({"limit": 0}, "limit: expected 1 to 1000000, got 0"),
]


def begun(count: int = 1, **options: Any) -> Any:
    """Battles that have just begun."""
    batch = Batch(GAME, count, **options)
    batch.seed(3)
    batch.start()
    return batch


@pytest.mark.parametrize(("options", "complaint"), WRONG, ids=lambda value: str(value))
def test_what_cannot_be_fought_is_refused(options: dict[str, Any], complaint: str) -> None:
    with pytest.raises((ValueError, TypeError), match=complaint):
        GAME.rules.configure(**options)


def test_options_are_taken_as_they_are_given() -> None:
    batch = begun(
        land="hills",
        side="L",
        attacker=["ogre", "titan"],
        defender="troll",
        scores=[327, 1163],
        attacker_seat=1,
        summon="archangel",
    )
    state = batch.states[0]
    battle = state.battle
    assert (battle.land, battle.entry, state.attacker) == (Land.HILLS, Entry.LEFT, 1)
    assert [(f.kind, f.power, f.hex) for f in battle.fighters[:2]] == [(0, 9, OUTSIDE), (7, 6, OUTSIDE)]
    assert (battle.angel_waits, battle.archangel_waits, battle.may_reinforce) == (0, 1, 1)
    assert (state.ask, state.seat) == (Ask.MANEUVER, 0)


def test_the_titans_power_is_6_and_1_for_each_100_points() -> None:
    battle = begun(attacker=["titan"], defender=["titan"], scores=(327, 1163)).states[0].battle
    assert (battle.fighters[0].power, battle.fighters[SLOTS].power) == (9, 17)


def test_a_battle_is_truncated_at_its_limit() -> None:
    batch = begun(land="plains", attacker=["ogre", "ogre"], defender=["lion", "lion"], limit=2)
    for _ in range(2):
        assert batch.states[0].over == Status.RUNNING
        batch.step([int(np.argmax(batch.masks[0]))])
    assert batch.states[0].over == Status.TRUNCATED
    assert not batch.states[0].won.any()


def test_without_reinforcement_there_is_none() -> None:
    assert begun(**PRESETS["duel"]).states[0].battle.may_reinforce == 0


def test_lists_need_not_fit_the_box() -> None:
    battle = begun(attacker=["hydra"] * 7, defender=["hydra"] * 7).states[0].battle
    assert battle.supply >> Character.HYDRA & 1 == 0
    assert battle.supply >> Character.LION & 1 == 1


@pytest.mark.parametrize("growth", [0, 6, 12])
def test_a_drawn_legion_has_at_most_seven_in_the_order_of_their_kinds(growth: int) -> None:
    fighters = begun(BATTLES, growth=growth).states.battle.fighters
    for side in Side:
        legion = fighters[:, side * SLOTS : side * SLOTS + LEGION]
        outside = legion.hex == OUTSIDE
        size = outside.sum(axis=1)
        assert (size >= 3).all()
        assert (size <= min(LEGION, 4 + growth)).all()
        assert ((np.diff(legion.kind.astype(int), axis=1) >= 0) | ~outside[:, 1:]).all()
        assert ((outside & ~IS_CREATURE[legion.kind]).sum(axis=1) <= 1 + growth).all()
        assert (outside[:, :-1] >= outside[:, 1:]).all()
        if growth == 0:
            assert set(np.unique(legion.kind[outside])) <= {0, 1, 5, 6, 7}
            creatures = np.where(outside & (legion.kind >= Character.CENTAUR), legion.kind, -1)
            assert all((np.bincount(row[row >= 0]) <= 2).all() for row in creatures)


def test_titan_angel_and_none_are_equally_likely_lords() -> None:
    fighters = begun(BATTLES, growth=0).states.battle.fighters
    first = fighters.kind[:, 0]
    for lord in (Character.TITAN, Character.ANGEL):
        assert abs((first == lord).mean() - 1 / 3) < (0.08 if COMPILED else 1)


def test_in_a_mirror_both_have_the_same_legion() -> None:
    fighters = begun(BATTLES, **PRESETS["mirror"]).states.battle.fighters
    for name in ("kind", "hex", "power"):
        assert (fighters[name][:, :SLOTS] == fighters[name][:, SLOTS:]).all()


def test_in_titans_both_have_one() -> None:
    fighters = begun(BATTLES, **PRESETS["titans"]).states.battle.fighters
    for side in Side:
        legion = fighters[:, side * SLOTS : side * SLOTS + SLOTS]
        assert (((legion.kind == Character.TITAN) & (legion.hex < GONE)).sum(axis=1) == 1).all()


def test_land_side_and_seat_are_drawn() -> None:
    states = begun(BATTLES).states
    if COMPILED:
        assert set(states.battle.land) == set(range(len(Land)))
        assert set(states.battle.entry) == {0, 1, 2}
        assert set(states.attacker) == {0, 1}
    assert (states.battle.entry[states.battle.land == Land.TOWER] == Entry.BOTTOM).all()


def test_the_box() -> None:
    assert len(CHARACTERS) == KINDS == 24
    assert int(SUPPLY.sum()) == sum(entry["supply"] for entry in ENTRIES.values())


def test_a_character_that_cannot_be_is_refused() -> None:
    for wrong in ({"power": 0}, {"class": "king"}, {"ranged": "far"}, {"flies": 1}, {"native": ["sea"]}):
        with pytest.raises(ValueError, match=r"characters.toml, lion: expected"):
            check_entry("lion", {**ENTRIES["lion"], **wrong})


def test_a_battleland_that_cannot_be_is_refused() -> None:
    good = drawing("desert")
    wrong = [
        (good.replace("# source: ", "# from: "), "expected a source"),
        (good.replace("D6 sand ", "D6 lava "), "desert, D6: expected a hazard and a level"),
        (good.replace("| C5 ", "| C9 "), "desert: expected C5 in its box"),
        (good.replace("|d            |", "|x            |"), "expected a border of"),
        ("\n".join(good.splitlines()[:-9]), "expected a box for"),
    ]
    for text, complaint in wrong:
        with pytest.raises(ValueError, match=complaint):
            parse_land(text, "desert")
    for name in LAND_NAMES:
        assert len(parse_land(drawing(name), name).hazards) == 27
