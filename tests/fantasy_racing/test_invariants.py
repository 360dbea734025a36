"""What holds in every race, whatever is played: checked at each decision of thousands of random races."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from titan_env import Batch
from titan_env.contract import COMPILED, MOST_EVENTS, Status
from titan_env.games.fantasy_racing import GAME
from titan_env.games.fantasy_racing.rules.actions import KEEP
from titan_env.games.fantasy_racing.rules.circuits import SYMBOLS
from titan_env.games.fantasy_racing.rules.definition import PRESETS
from titan_env.games.fantasy_racing.rules.state import (
    COLUMNS,
    HAND_LIMIT,
    MOST_ARRIVALS,
    MOST_DUE,
    SQUARES,
    Ask,
    Character,
    Phase,
    Roll,
    Rule,
    Size,
    Square,
)

pytestmark = pytest.mark.thorough

RACES = 300 if COMPILED else 2
"""Races of each preset: about a million decisions together."""
MOST_DECISIONS = 2_000
"""More than any race takes, with only chance to play it."""
DECISIONS_A_TURN = 12
"""More than a turn takes on the average."""
LOUD = range(0, RACES, 16)
"""Races of which the events are counted."""
TURN_ASKS = [Ask.DIE, Ask.SKID, Ask.TURN, Ask.DISTANCE, Ask.SHORTCUT, Ask.FIRE, Ask.AIM]


def check(batch: Batch) -> None:
    """Assert everything that must hold in each of these races, at whatever decision they stand."""
    states: Any = batch.states
    running = states.over == Status.RUNNING
    _check_question(states, batch.masks, running)
    _check_board(states)
    _check_racers(states, np.arange(6) < states.seats[:, None])
    _check_bounds(batch, running)


def _check_question(states: Any, masks: Any, running: Any) -> None:
    """Whoever is asked has at least two answers, and nobody else is asked what belongs to the turn."""
    assert (masks.sum(axis=1)[running] > 1).all(), "a question with one possible answer is not asked"
    assert not masks[~running].any()
    assert ((states.ask == Ask.NOTHING) == ~running).all()
    assert ((states.seat >= 0) & (states.seat < states.seats)).all()
    current = np.take_along_axis(states.order, states.turn[:, None].astype(int), 1)[:, 0]
    assert (current == states.seat)[np.isin(states.ask, TURN_ASKS)].all()
    rolling = states.ask == Ask.ROLL
    assert (masks[rolling, KEEP] == 1).all()
    assert (states.roller == states.seat)[rolling].all()
    assert ((states.roll != Roll.NONE) == np.isin(states.ask, [Ask.ROLL, Ask.DIE])).all()
    assert ((states.dice != 0).any(axis=1) == (states.roll != Roll.NONE)).all()


def _check_board(states: Any) -> None:
    """Only objects and barriers can be gone; traps lie on plain squares and belong to racers."""
    gone = states.gone == 1
    assert ((states.printed == Square.BARRIER) | (states.printed > Square.SHORTCUT))[gone].all()
    terrain = (states.printed > Square.PLAIN) & (states.printed <= Square.SHORTCUT) & ~gone
    assert not ((states.traps > 0) & terrain).any()
    assert (states.traps <= states.seats[:, None]).all()
    placed = np.sort(np.where(np.arange(6) < states.seats[:, None], states.order, 9), 1)
    assert (np.minimum(placed, 6) == np.where(np.arange(6) < states.seats[:, None], np.arange(6), 6)).all()


def _check_racers(states: Any, racing: Any) -> None:
    """Racers hold what they can hold, stand on the board and are who they can be."""
    racers = states.racers
    assert ((racers.square >= 0) & (racers.square < SQUARES)).all()
    assert ((racers.objects >= 0) & (racers.objects <= HAND_LIMIT)).all()
    assert (racers.laps <= racers.highest)[racing].all()
    assert (racers.highest >= 0).all()
    assert (states.scores[~racing] == 0).all()
    human = racing & (racers.character == Character.HUMAN)
    begun = (states.phase != Phase.CHOICE)[:, None]
    assert (racers.rules > 0)[racing & (racers.character >= 0) & (~human | begun)].all()
    assert (racers.rules[human] & (1 << Rule.BRUTE) == 0).all()
    assert not (racers.protected == 1)[states.rounds_begun > 1].any()
    assert np.isin(racers.mark[states.ask == Ask.FIRE], [0, Size.SMALL]).all()


def _check_bounds(batch: Batch, running: Any) -> None:
    """Chains end: what waits, what is rolled and what is told stays within its room."""
    states: Any = batch.states
    assert (states.due < MOST_DUE // 2).all()
    assert (states.due == 0)[~running].all()
    assert (states.agenda[np.arange(MOST_DUE) >= states.due[:, None]] == 0).all(), "what is done leaves no mark"
    assert (states.arrivals <= MOST_ARRIVALS + MOST_DUE).all()
    assert (batch.luck.asked <= 20).all()
    assert max(len(batch.last_events(row)) for row in LOUD) < MOST_EVENTS


def race_through(batch: Batch, checked: Any) -> int:
    """Play all rows of a batch to their end at random, checking every position on the way; how many decisions."""
    checked(batch)
    decisions = 0
    for _ in range(MOST_DECISIONS):
        if batch.over.all():
            break
        before, running = batch.states.decisions.copy(), ~batch.over
        batch.step(np.where(running, batch.sample(), 0))
        assert (batch.states.decisions == before + running).all()
        decisions += int(running.sum())
        checked(batch)
    assert batch.over.all(), "every race ends"
    return decisions


def _check_ends(states: Any) -> None:
    """Most points wins, equal racers share a place."""
    assert (states.over == Status.TERMINATED).all()
    assert (states.rounds_begun == states.rounds).all()
    racing = np.arange(6) < states.seats[:, None]
    points = np.where(racing, states.scores, -(2**30))
    assert (states.won == (points == points.max(axis=1)[:, None])).all()
    more = (points[:, :, None] < points[:, None, :]).sum(axis=2)
    assert (states.place == np.where(racing, more + 1, 0)).all()


@pytest.mark.parametrize("preset", PRESETS)
def test_random_races_keep_the_rules_and_end_in_time(preset: str) -> None:
    batch = Batch(GAME, RACES, events=True, **PRESETS[preset])
    batch.seed(0)
    batch.start()
    decisions = race_through(batch, check)
    assert decisions < RACES * int(batch.states.rounds[0]) * int(batch.states.seats[0]) * DECISIONS_A_TURN
    _check_ends(batch.states)


def test_any_board_can_be_raced_with_full_hands() -> None:
    """Boards that nobody drew with care, full of terrain and traps: every chain ends all the same."""
    rng = np.random.default_rng(5)
    batch = Batch(GAME, RACES, events=True)
    batch.seed(1)
    batch.start()
    states: Any = batch.states
    printed = rng.choice(len(SYMBOLS), (RACES, SQUARES), p=[0.48, 0.08, 0.06, 0.1, 0.1, 0.04, 0.04, 0.04, 0.06])
    printed[:, :COLUMNS] = Square.PLAIN
    trapped = (printed == Square.PLAIN) & (rng.random((RACES, SQUARES)) < 0.3)
    trapped[:, :COLUMNS] = False
    states.printed[:] = printed
    states.gone[:] = 0
    states.traps[:] = np.where(trapped, rng.integers(1, 7, (RACES, SQUARES)), 0)
    states.racers.objects[:] = rng.integers(0, 5, states.racers.objects.shape)
    batch.refresh()
    race_through(batch, _check_chains)


def _check_chains(batch: Batch) -> None:
    """What waits, arrives and is told has its bounds on any board."""
    states: Any = batch.states
    assert (states.due < MOST_DUE).all()
    assert (states.arrivals <= MOST_ARRIVALS + MOST_DUE).all()
    assert ((states.racers.square >= 0) & (states.racers.square < SQUARES)).all()
    assert max(len(batch.last_events(row)) for row in LOUD) <= MOST_EVENTS


def test_equal_play_is_equal_bytes() -> None:
    """The same seed and the same decisions give the same record, byte by byte, in company and alone."""
    count = 8 if COMPILED else 2
    together = Batch(GAME, count)
    together.seed(7)
    together.start()
    alone = [Batch(GAME, 1) for _ in range(count)]
    for row, batch in enumerate(alone):
        batch.seed(7 + row)
        batch.start()
    for _ in range(150):
        actions = np.where(together.over, 0, together.sample())
        together.step(actions)
        for row, batch in enumerate(alone):
            batch.step(actions[row : row + 1])
    assert together.states.tobytes() == b"".join(batch.states.tobytes() for batch in alone)


def test_a_state_takes_less_than_1500_bytes() -> None:
    assert GAME.rules.state.itemsize <= 1_500
