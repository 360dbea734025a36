"""The agents of the game: each is clearly above the one below, and none sees more than it may."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.tiny_turbo_cars.table import programming, turn
from titan_env import agents
from titan_env.contract import COMPILED
from titan_env.engine.batch import Batch
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.agents.greedy import slides_ahead
from titan_env.games.tiny_turbo_cars.agents.state_from_observation import OWN, ROW, positions
from titan_env.games.tiny_turbo_cars.rules.track import terrain_at

pytestmark = pytest.mark.thorough

GAMES = 60 if COMPILED else 2


def wins(one: str, other: str) -> float:
    """How often an agent wins against another, in either seat."""
    batch = Batch(GAME, GAMES, players=2)
    batch.seed(3)
    batch.start()
    players = [agents.load(name, GAME) for name in (one, other)]
    rng = np.random.default_rng(4)
    first = np.arange(GAMES) % 2
    while not batch.over.all():
        actions = np.zeros(GAMES, np.int64)
        for number, act in enumerate(players):
            rows = np.flatnonzero(((batch.states["seat"] == first) == (number == 0)) & ~batch.over)
            if len(rows):
                actions[rows] = act(batch.observations[rows], batch.masks[rows], rng)
        batch.step(actions)
    return float(batch.states["won"][np.arange(GAMES), first].mean())


@pytest.mark.parametrize(("better", "worse"), [("greedy", "random"), ("expert:depth=10,beam=20", "greedy")])
def test_each_agent_is_above_the_one_below(better: str, worse: str) -> None:
    assert wins(better, worse) > (0.6 if COMPILED else -1)


@pytest.mark.parametrize("slides", [1, 5, 12, 16, 30, 100])
def test_who_looks_ahead_plans_no_slide_that_it_has_not(slides: int) -> None:
    table = programming(players=2, slides=slides)
    seen: Any = GAME.rules.fields.split(table.batch.observe(np.array([int(table.state.seat)])))
    assert slides_ahead(seen, 16).tolist() == [min(slides, 16)]


def test_the_track_is_laid_anew_as_it_is() -> None:
    table = turn("", cells="C5 o, D6 w, E18 X, F4 S, B8 c, A9 b", on="C6", others=("D7", "E20"))
    seen: Any = GAME.rules.fields.split(table.batch.observe(np.array([0])))
    state = positions(seen).view(np.recarray)[0]
    for row in range(4, 22):
        for lane in range(6):
            assert terrain_at(state, row + ROW - 6, lane) == terrain_at(table.state, row, lane)
    assert state.drivers["row"][:3].tolist() == [ROW, ROW + 1, ROW + 14]
    assert state.drivers["lane"][:3].tolist() == [2, 3, 4]
    assert state.line - ROW == table.state.line - 6 or table.state.line - 6 > 59
    assert state.drivers[OWN].batteries == 3


@pytest.mark.parametrize("name", ["greedy", "expert", "afterstate@tiny_turbo_cars-v2"])
def test_an_agent_decides_alike_whatever_the_others_hold(name: str) -> None:
    table = programming()
    act = agents.load(name, GAME)
    chosen = act(table.batch.observations, table.batch.masks, np.random.default_rng(0))
    controllers = table.state.drivers["controller"]
    controllers[1] = controllers[0][::-1]
    table.batch.refresh()
    assert act(table.batch.observations, table.batch.masks, np.random.default_rng(0)) == chosen
