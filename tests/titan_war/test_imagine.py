"""What others hold is drawn anew from the public record alone, and the open question can be answered."""

from __future__ import annotations

import os
from itertools import islice
from typing import Any

import numpy as np
import pytest

from tests.titan_war.determinize import exchange
from titan_env.contract import COMPILED, outcomes, seeded
from titan_env.games.titan_war import GAME, PRESETS
from titan_env.games.titan_war.rules.state import LEGIONS

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


def imagined(states: Any, seat: int, seed: int) -> tuple[Any, Any]:
    world, luck = copied(states), seeded([seed], GAME.rules.luck)
    GAME.rules.imagine(world[0], seat, luck[0])
    return world[0], luck[0]


def of(state: Any, seat: int) -> Any:
    """The legions of a seat on the board."""
    legions = state["legions"][:LEGIONS]
    return legions[(legions["height"] > 0) & (legions["owner"] == seat)]


@pytest.mark.parametrize("name", ["two", "four", "six", "lean", "stern"])
def test_an_imagined_world_keeps_to_the_public_record(name: str) -> None:
    for states, rng in wars(name):
        state, seat = states[0], int(rng.integers(states[0].seats))
        world, luck = imagined(states, seat, int(rng.integers(1000)))
        outcomes(luck)
        assert GAME.rules.mask(world).any(), "the open question has an answer"
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
        world, _ = imagined(states, seat, 5)
        other, _ = imagined(twin, seat, 5)
        assert world.tobytes() == other.tobytes()
        assert (seen(states[0], seat) == seen(world, seat)).all()
        changed += twin.tobytes() != states.tobytes()
    assert changed > 10


def seen(state: Any, seat: int) -> Any:
    vector = np.zeros(GAME.rules.fields.size, GAME.rules.fields.dtype)
    GAME.rules.observe(state, seat, vector)
    return vector
