"""What others hold is drawn anew from the public record alone, and the open question can be answered."""

from __future__ import annotations

import os
from itertools import islice
from typing import Any

import numpy as np
import pytest

from tests.titan_war.determinize import exchange
from titan_env.contract import COMPILED, seeded
from titan_env.games.titan_battle.rules.state import Character
from titan_env.games.titan_war import GAME
from titan_env.games.titan_war.rules.actions import PICK_LAND
from titan_env.games.titan_war.rules.definition import PRESETS
from titan_env.games.titan_war.rules.state import LANDS, LEGIONS, PRIVATE_ASKS, Ask

pytestmark = pytest.mark.thorough

WARS = int(os.environ.get("IMAGINED_WARS", 4 if COMPILED else 1))
DECISIONS = 400
EVERY, EXCHANGES = 16, 4


def wars(name: str) -> Any:
    """States of random wars, one after each decision."""
    for seed in range(WARS):
        states = GAME.rules.configure(**PRESETS[name])
        state, rng = states[0], np.random.default_rng(seed)
        luck, log = seeded([seed], GAME.rules.luck), np.zeros(1, GAME.rules.log).view(np.recarray)
        GAME.rules.setup(state, luck[0])
        for _ in range(DECISIONS):
            GAME.rules.step(state, int(rng.choice(np.flatnonzero(GAME.rules.mask(state)))), luck[0], log[0])
            if state.over:
                break
            yield states, rng


def copied(states: Any) -> Any:
    return np.frombuffer(bytearray(states.tobytes()), states.dtype).view(np.recarray)


def imagined(states: Any, seat: int, seed: int) -> Any:
    world, luck = copied(states), seeded([seed], GAME.rules.luck)
    GAME.rules.imagine(world[0], seat, luck[0])
    return world[0]


def of(state: Any, seat: int) -> Any:
    """The legions of a seat on the board."""
    legions = state["legions"][:LEGIONS]
    return legions[(legions["height"] > 0) & (legions["owner"] == seat)]


@pytest.mark.parametrize("name", ["two", "four", "six", "lean", "stern"])
def test_an_imagined_world_keeps_to_the_public_record(name: str) -> None:
    for states, rng in wars(name):
        state, seat = states[0], int(rng.integers(states[0].seats))
        world = imagined(states, seat, int(rng.integers(1000)))
        assert answers_as_all_know(world), "the open question has an answer, and a choice where all can see it"
        for player in range(int(state.seats)):
            was, now = of(state, player), of(world, player)
            assert len(was) == len(now)
            before, after = was["holds"], now["holds"]
            assert (before.sum(axis=0) == after.sum(axis=0)).all()
            assert (after.sum(axis=1) == was["height"]).all()
            assert (now["height"] == was["height"]).all()
            assert (now["at_least"] <= after).all()
            assert (after <= now["at_most"]).all()
            assert player != seat or (after == before).all()


def answers_as_all_know(state: Any) -> bool:
    """Whether the open question is one that is asked: some legion moves, others than in secret have two answers."""
    mask = GAME.rules.mask(state)
    if state.ask == Ask.MOVE:
        return bool(mask[PICK_LAND : PICK_LAND + LANDS].any())
    in_secret = state.ask in (*PRIVATE_ASKS, *list(Ask)[: Ask.START - 1])
    return int(mask.sum()) > 1 or bool(in_secret and mask.any())


BLOCKED = """
seats: 2
turns: 8
mover: 0
phase: movement
roll: 6
towers: 1 4 0 0 0 0
had_turn: 1 1 0 0 0 0
scores: {score} 0 0 0 0 0
{legions}
legion 4 41: ogre 2 / age 5, moved
legion 5 3: ogre 2 / age 6, moved
legion 6 101: ogre 2 / age 7, moved
legion 7 200: angel, ogre / age 8, moved
legion 12 41: titan, lion / age 9
legion 13 3: lion 2 / age 10
legion 14 101: lion 2 / age 11
ask: {ask}
"""
"""Nobody can walk from the tower 100, since an own legion is engaged behind each exit."""

HIDDEN = "record titan 0-1, angel 0-2, ogre 0-3, lion 0-3"


@pytest.mark.compiled
@pytest.mark.parametrize(
    ("ask", "legions", "lords"),
    [
        ("stack\nland: 100", "legion 0 100: ogre 2|legion 1 100: titan, lion|legion 2 100: angel, lion", 2),
        ("move", "legion 0 100: ogre 2|legion 1 100: ogre, lion|legion 2 100: angel, titan", 1),
        ("go_land\npicked: 0\nland: 100\nteleporting: 1", "legion 0 100: angel, lion|legion 1 100: titan, ogre", 1),
    ],
)
def test_who_is_asked_where_nobody_can_walk_can_teleport(ask: str, legions: str, lords: int) -> None:
    lines = [f"{line} / age {age}" for age, line in enumerate(legions.split("|"), 1)]
    text = BLOCKED.format(ask=ask, score=0, legions="\n".join(f"{line} / {HIDDEN}" for line in lines))
    states = GAME.text.parse_position(text)
    ways = set()
    for seed in range(60):
        world = imagined(states, 1, seed)
        assert answers_as_all_know(world)
        here = of(world, 0)[of(world, 0)["land"] == states[0].legions[0].land]
        found = (here["holds"][:, : Character.ARCHANGEL + 1].sum(axis=1) > 0).tolist()
        assert sum(found) >= lords
        ways.add(tuple(found))
    assert len(ways) > 1, "it is not always the same one"


def twin_of(states: Any, seat: int, rng: np.random.Generator) -> Any:
    """The same war in which what is hidden from a seat lies elsewhere."""
    twin = copied(states)
    for _ in range(EXCHANGES):
        tried = copied(twin)
        exchange(tried[0], rng)
        if (seen(states[0], seat) == seen(tried[0], seat)).all():
            twin = tried
    return twin


@pytest.mark.parametrize("name", ["two", "four", "lean"])
def test_an_imagined_world_does_not_depend_on_the_truth(name: str) -> None:
    changed = 0
    for states, rng in islice(wars(name), 0, None, EVERY):
        seat = int(states[0].seat)
        twin = twin_of(states, seat, rng)
        world = imagined(states, seat, 5)
        other = imagined(twin, seat, 5)
        assert world.tobytes() == other.tobytes()
        assert (seen(states[0], seat) == seen(world, seat)).all()
        changed += twin.tobytes() != states.tobytes()
    assert changed > 10


def seen(state: Any, seat: int) -> Any:
    vector = np.zeros(GAME.rules.fields.size, GAME.rules.fields.dtype)
    GAME.rules.observe(state, seat, vector)
    return vector
