"""What holds in every race, whatever is played: checked at each decision of random races of every preset."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from titan_env.contract import COMPILED, Status
from titan_env.engine.batch import Batch
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.rules.controller import CONTENTS
from titan_env.games.tiny_turbo_cars.rules.state import BATTERIES, CELLS, LANES, ROWS_BELOW, UNDEALT, Ask, Terrain

pytestmark = pytest.mark.thorough

RACES = 120 if COMPILED else 3
MOST_DECISIONS = 3000


def check(states: Any, masks: Any) -> None:
    """Assert everything that must hold in each of these races, at whatever decision they stand."""
    running = states.over == Status.RUNNING
    drivers = states.drivers
    seated = np.arange(drivers.shape[1]) < states.seats[:, None]
    placed = seated & (drivers.row > 0)
    assert (masks.any(axis=1) == running).all()
    assert ((states.ask == Ask.NOTHING) == ~running).all()
    check_cars(states, drivers, seated, placed)
    check_controllers(drivers, seated)
    check_rounds(states, drivers, seated)
    unseated = drivers[~seated]
    assert (unseated.row == 0).all()
    assert (unseated.controller == UNDEALT).all()
    assert (unseated.batteries == 0).all()


def check_cars(states: Any, drivers: Any, seated: Any, placed: Any) -> None:
    """Batteries, lying, cells and cars."""
    up, lying = drivers.batteries, drivers.lying == 1
    assert ((up >= 0) & (up <= BATTERIES)).all()
    assert (up[seated & ~lying] >= 1).all()
    assert (up[lying] < BATTERIES).all()
    assert ((drivers.shields >= 0) & (drivers.shields <= states.seats[:, None])).all()
    assert (drivers.shields.sum(axis=1) <= 7).all()
    row, who = np.nonzero(placed)
    places = (drivers.row[row, who].astype(int) + ROWS_BELOW - 1) * LANES + drivers.lane[row, who]
    on_boards = places < CELLS
    terrain = states.terrain[row[on_boards], places[on_boards]]
    assert (terrain != Terrain.IMPASSABLE).all()
    assert (drivers.row < 100).all()
    for one in range(drivers.shape[1]):
        for other in range(one):
            chosen = seated[:, one] & (drivers.car[:, one] >= 0)
            assert (drivers.car[chosen, one] != drivers.car[chosen, other]).all(), "a car is driven once"


def check_controllers(drivers: Any, seated: Any) -> None:
    """Each controller that is dealt holds the 15 tiles and the hole."""
    dealt = drivers.controller[seated & (drivers.controller[..., 0] != UNDEALT)]
    assert (np.sort(dealt, axis=-1) == np.sort(CONTENTS)).all()
    undealt = drivers.controller[drivers.controller[..., 0] == UNDEALT]
    assert (undealt == UNDEALT).all()


def check_rounds(states: Any, drivers: Any, seated: Any) -> None:
    """Shields and slip token at the beginning of a round; tokens from the happiest on, each once, at last the last."""
    there = seated & (states.out[:, : drivers.shape[1]] == 0)
    count = there.sum(axis=1)[:, None]
    programming = states.ask == Ask.PROGRAM
    fresh = programming & (drivers.slides.sum(axis=1) == 0) & (drivers.token.sum(axis=1) == 0)
    first = states.rounds == 1
    assert (drivers.shields[fresh & first] == 0).all()
    shields = np.sort(np.where(there, drivers.shields, 100), axis=1)
    in_turn = np.arange(drivers.shape[1])
    assert (shields == np.where(in_turn < count, in_turn, 100))[fresh & ~first].all()
    assert (drivers.slipping[programming] == 0).all(), "no slip token is out between the turns"
    tokens = np.sort(np.where(drivers.token > 0, drivers.token, 100), axis=1)
    held = (drivers.token > 0).sum(axis=1)[:, None]
    printed = np.where(in_turn + 1 < count, in_turn + 1, states.seats[:, None])
    assert (tokens == np.where(in_turn < held, printed, 100)).all()
    left = drivers[seated & ~there]
    assert ((left.row == 0) & (left.token == 0) & (left.shields == 0) & (left.controller == UNDEALT).all(axis=-1)).all()
    racing = states.ask >= Ask.DRIVE
    waiting = drivers.token > np.take_along_axis(drivers.token, states.seat[:, None].astype(int), 1)
    assert (drivers.slipping[racing[:, None] & waiting] == 0).all()
    assert (drivers.slipping.sum(axis=1) <= 1).all()


def race_through(batch: Batch) -> None:
    """Play all rows of a batch to their end at random, checking every position on the way."""
    batch.start()
    check(batch.states, batch.masks)
    seats = batch.states.seats.astype(int)
    most = seats * batch.states.slides + np.take([0, 0, 5, 8, 12], seats)
    begun = batch.states.rounds.copy()
    length = np.zeros(batch.num_games, int)
    for _ in range(MOST_DECISIONS):
        running = ~batch.over
        if not running.any():
            break
        batch.step(np.where(running, batch.sample(), 0))
        check(batch.states, batch.masks)
        length = np.where(batch.states.rounds == begun, length + running, 0)
        begun = batch.states.rounds.copy()
        assert (length <= most)[begun > 0].all(), "a round has no more decisions than slides, drives and shields"
    assert batch.over.all(), "every race ends"
    check_ends(batch.states)


def check_ends(states: Any) -> None:
    """A race that was not truncated has one winner, who is furthest; the places are 1 to the last, each once."""
    for state in states:
        seats = int(state.seats)
        if state.over == Status.TRUNCATED:
            assert state.place.any() == state.out.any()
            assert state.rounds == state.round_limit
            continue
        assert state.won.sum() == 1
        assert sorted(state.place[:seats].tolist()) == list(range(1, seats + 1))
        assert state.place[int(state.won.argmax())] == 1
        there = np.argsort(state.place[:seats])[state.out.sum() :]  # who left with a place is not on the track
        rows = state.drivers["row"][:seats][there]
        assert (np.diff(rows) <= 0).all()
        assert rows[0] > state.line


@pytest.mark.parametrize("preset", GAME.rules.presets)
def test_random_races_keep_the_rules(preset: str) -> None:
    batch = Batch(GAME, RACES, **GAME.rules.presets[preset])
    batch.seed(0)
    race_through(batch)


@settings(deadline=None, max_examples=20 if COMPILED else 1)
@given(
    seed=st.integers(0, 2**32 - 1),
    players=st.integers(2, 4),
    length=st.integers(1, 4),
    slides=st.integers(1, 100),
    countdown=st.integers(1, 100),
    line_pushes=st.booleans(),
    podium=st.booleans(),
    cars=st.sampled_from(["draft", "random"]),
)
def test_any_options_can_be_raced(seed: int, **options: Any) -> None:
    batch = Batch(GAME, 8 if COMPILED else 1, **options)
    batch.seed(seed)
    race_through(batch)


@settings(deadline=None, max_examples=20 if COMPILED else 1)
@given(seed=st.integers(0, 2**32 - 1), cells=st.lists(st.sampled_from(".cbow"), min_size=300, max_size=300))
def test_boards_crowded_with_terrain_can_be_raced(seed: int, cells: list[str]) -> None:
    """Nobody would draw them, and no check would pass them, yet the rules hold."""
    fresh = GAME.rules.configure(boards=["driveway", "study", "kitchen", "corridor", "garden"])
    kinds = np.array([".cbow".index(symbol) for symbol in cells])
    fresh[0].terrain[(ROWS_BELOW + 3) * LANES :][: len(kinds)] = kinds
    batch = Batch(GAME, 8 if COMPILED else 1, templates=fresh)
    batch.seed(seed)
    race_through(batch)


def test_equal_play_is_equal_bytes() -> None:
    """The same seed and the same decisions give the same record, byte by byte, in company and alone."""
    count = 8 if COMPILED else 2
    together = Batch(GAME, count)
    together.seed(5)
    together.start()
    together.rollout(60)
    alone = Batch(GAME, 1)
    for row in range(count):
        alone.seed(5 + row)
        alone.start()
        alone.rollout(60)
        assert alone.states.tobytes() == together.states[row : row + 1].tobytes()


def test_a_game_takes_at_most_1200_bytes() -> None:
    assert GAME.rules.state.itemsize <= 1200
