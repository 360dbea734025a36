"""What holds in every race, whatever is played: checked at each decision of thousands of random races."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from titan_env.contract import COMPILED, Status
from titan_env.engine.batch import Batch
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.actions import CARDS, END, FACES
from titan_env.games.titan_race.rules.state import (
    ASIDE,
    BONUS_CARDS,
    DECK,
    DISCARD,
    EMPTY,
    HAND_LIMIT,
    MOST_DUE,
    NO_CARD,
    NOBODY,
    NOWHERE,
    SPACES,
    TRAP,
    TRAPS,
    Ask,
    Condition,
    Terrain,
    Titan,
)

pytestmark = pytest.mark.thorough

RACES = 300 if COMPILED else 4
"""Races of each preset."""
MOST_DECISIONS = 20_000
"""More than any race should take, with only chance to play it."""
ROWS = 12
DUE_AT_ONCE = 3 + 2 * 5 + 3
"""Effects that can wait at once: three for a die's move, two for each Titan in its way, three for the space entered."""


def check(states: Any, masks: Any) -> None:
    """Assert everything that must hold in each of these races, at whatever decision they stand."""
    running = states.over == Status.RUNNING
    titans = states.titans
    racing = np.arange(titans.shape[1]) < states.titans_in_race[:, None]
    _check_question(states, masks, running)
    _check_board(states, titans, racing)
    _check_lives(titans, racing)
    _check_progress(titans, states, racing)
    _check_cards_and_dice(states, running)


def _check_question(states: Any, masks: Any, running: Any) -> None:
    """Whoever is asked has an answer, and the one asked owns the Titan that the question is about."""
    assert (masks.any(axis=1) == running).all(), "a mask is empty exactly where the race is over"
    assert ((states.ask == Ask.NOTHING) == ~running).all()
    assert ((states.seat >= 0) & (states.seat < states.seats)).all()
    asked = np.take_along_axis(states.titans.seat, states.asked[:, None].astype(int), 1)[:, 0]
    assert (asked == states.seat)[running].all()
    assert (states.due <= DUE_AT_ONCE).all()
    assert DUE_AT_ONCE <= MOST_DUE
    assert (states.due == 0)[~running].all()
    free = np.arange(MOST_DUE) >= states.due[:, None]
    assert (states.agenda[free] == 0).all(), "what has been carried out leaves no mark"
    assert (masks[:, END] <= states.die_done).all(), "no turn ends before its die is played"


def _check_board(states: Any, titans: Any, racing: Any) -> None:
    """One Titan to a space, and each where the board says; 15 traps in all.

    A Titan in the middle of a step is between two spaces: another may already stand where it comes from.
    """
    space = np.where(racing, titans.space, NOWHERE)
    assert (space[~racing] == NOWHERE).all()
    assert (space >= NOWHERE).all()
    assert (space < (states.circuits * SPACES)[:, None]).all()
    on_board = states.on % TRAP
    row, who = np.nonzero(space != NOWHERE)
    moving = titans.moving[row, who] == 1
    here = on_board[row, space[row, who]]
    assert (here == who + 1)[~moving].all()
    assert (here != EMPTY).all()
    assert (states.due[row[moving]] > 0)[states.over[row[moving]] == Status.RUNNING].all()
    missing = (space != NOWHERE).sum(axis=1) - (on_board != EMPTY).sum(axis=1)
    assert (missing == np.bincount(row[here != who + 1], minlength=len(states))).all()
    assert ((states.on >= TRAP).sum(axis=1) + states.supply == TRAPS).all()
    assert (states.supply >= 0).all()
    kinds = np.where(racing, titans.kind, np.arange(100, 100 + titans.shape[1]))
    assert (np.diff(np.sort(kinds, axis=1), axis=1) > 0).all(), "each Titan once"


def _check_lives(titans: Any, racing: Any) -> None:
    """Lives stay within the gauge; no life left and K.O. are the same thing."""
    life, top = titans.life[racing], titans.life_max[racing]
    assert ((life >= 0) & (life <= top)).all()
    assert (top == np.where(titans.kind[racing] == Titan.CHTOOLOO, 6, 4)).all()
    assert ((life == 0) == (titans.condition[racing] != Condition.FIT)).all()


def _check_progress(titans: Any, states: Any, racing: Any) -> None:
    """Progress is the sum of all moves: the rows between the entry and here, laps included.

    At the end of the race too; only the winner of a Grand Slam has left the board.
    """
    slam = np.broadcast_to((states.circuits > 1)[:, None], racing.shape)
    home = slam & (titans.lap > states.laps[:, None])
    assert (titans.progress[home] == 3 * ROWS).all()
    placed = racing & (titans.space != NOWHERE) & ~home
    slam = slam[placed]
    space, lap = titans.space[placed].astype(int), titans.lap[placed].astype(int)
    local = space % SPACES // 3
    assert (titans.progress[placed] == local + ROWS * (lap - 1)).all()
    assert (lap[slam] == space[slam] // SPACES + 1).all()
    waiting = (titans.space == NOWHERE) & (titans.progress == 0)
    assert (titans.lap[waiting] == 1).all()


def _check_cards_and_dice(states: Any, running: Any) -> None:
    """13 cards in all, hands of at most 2; the pool and the Titans' boards hold as many dice as there are Titans."""
    cards = states.cards
    assert cards.shape[1] == BONUS_CARDS
    held = (cards >= 0) & (cards < states.seats[:, None])
    assert ((cards == DECK) | (cards == DISCARD) | (cards == ASIDE) | held).all()
    for seat in range(int(states.seats.max())):
        assert ((cards == seat).sum(axis=1) <= HAND_LIMIT).all()
    assert not (states.die_done & states.extra_due).any(), "damage is to come only while the die action lasts"
    aiming = states.ask == Ask.AIM
    assert ((states.card != NO_CARD) == aiming)[running].all()
    assert ((states.target != NOBODY) == (states.ask == Ask.SHOVE))[running].all()
    dice = states.pool.sum(axis=1)
    assert (states.pool >= 0).all()
    assert (dice <= states.titans_in_race).all()
    begun = running & (states.before == 0)  # nobody takes a die while Titans are chosen
    assert (dice >= 1)[begun].all()
    faces = states.titans.face
    taken = ((faces >= 0) & (faces < len(FACES))).sum(axis=1)
    assert (dice + taken == states.titans_in_race)[begun].all()


def race_through(batch: Batch) -> None:
    """Play all rows of a batch to their end at random, checking every position on the way."""
    batch.start()
    check(batch.states, batch.masks)
    won = np.zeros(batch.num_games, bool)
    for _ in range(MOST_DECISIONS):
        if batch.over.all():
            break
        before = batch.states.decisions.copy()
        running = ~batch.over
        batch.step(np.where(running, batch.sample(), 0))
        assert (batch.states.decisions == before + running).all()
        check(batch.states[running].view(np.recarray), batch.masks[running])
        won |= batch.states.over == Status.TERMINATED
    assert batch.over.all(), "every race ends"
    _check_ends(batch.states)


def _check_ends(states: Any) -> None:
    """Without a turn limit every race is won: by one side, whose Titan has completed the last lap."""
    assert (states.over == Status.TERMINATED).all()
    racing = np.arange(states.titans.shape[1]) < states.titans_in_race[:, None]
    home = racing & (states.titans.lap > states.laps[:, None])
    assert (home.sum(axis=1) == 1).all()
    winner = states.titans.side[np.arange(len(states)), home.argmax(axis=1)]
    sides = np.arange(states.won.shape[1]) % states.sides[:, None]
    assert (states.won == (sides == winner[:, None]) * (np.arange(6) < states.seats[:, None])).all()


@pytest.mark.parametrize("preset", GAME.rules.presets)
def test_random_races_keep_the_rules(preset: str) -> None:
    """Random races of every variant, on every circuit, checked at each of their decisions."""
    batch = Batch(GAME, RACES, **{**GAME.rules.presets[preset], "turn_limit": None})
    batch.seed(0)
    race_through(batch)


@settings(deadline=None, max_examples=25 if COMPILED else 1)
@given(
    seed=st.integers(0, 2**63),
    titans=st.integers(2, 6),
    slam=st.booleans(),
    laps=st.integers(1, 3),
    deck=st.sets(st.sampled_from(CARDS)),
    terrain=st.lists(st.sampled_from(list(Terrain)[:-1]), min_size=33, max_size=33),
)
def test_any_board_can_be_raced_with_any_deck(
    seed: int, titans: int, slam: bool, laps: int, deck: set[str], terrain: list[Terrain]
) -> None:
    """Boards that nobody drew with care, crowded with terrain, are raced to the end; with a few cards, or none."""
    fresh = GAME.rules.configure(titans=titans, grand_slam=slam, laps=3 if slam else laps, deck=deck, turn_limit=None)
    fresh.circuit[:] = -2
    fresh.terrain[:] = np.tile([*[Terrain.PLAIN] * 3, *terrain], 3)
    batch = Batch(GAME, 8 if COMPILED else 1, templates=fresh)
    batch.seed(seed % 2**32)
    race_through(batch)
    assert (((batch.states.cards == ASIDE).sum(axis=1)) == len(CARDS) - len(deck)).all()


def test_equal_play_is_equal_bytes() -> None:
    """The same seed and the same decisions give the same record, byte by byte, in company and alone."""
    count = 16 if COMPILED else 2
    options = GAME.rules.presets["six_titans"]
    together = Batch(GAME, count, **options)
    together.seed(7)
    together.start()
    alone = [Batch(GAME, 1, **options) for _ in range(count)]
    for row, batch in enumerate(alone):
        batch.seed(7 + row)
        batch.start()
    for _ in range(200):
        actions = np.where(together.over, 0, together.sample())
        together.step(actions)
        for row, batch in enumerate(alone):
            batch.step(actions[row : row + 1])
    assert together.states.tobytes() == b"".join(batch.states.tobytes() for batch in alone)


def test_the_turn_limit_ends_a_race() -> None:
    """A race without a winner in time is truncated, and nobody has won."""
    batch = Batch(GAME, 64 if COMPILED else 2, titans=4, turn_limit=20)
    batch.seed(3)
    batch.start()
    batch.rollout(1_000, restart=False)
    assert (batch.states.over == Status.TRUNCATED).all()
    assert (batch.states.won == 0).all()
    assert (batch.states.turns == 21).all()
