"""Many games side by side: what a row does depends on nothing but its options and its seed."""

from __future__ import annotations

import copy
import os
import pickle
import signal
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.policies import forbidden, has_chance
from titan_env import registry
from titan_env.contract import MOST_SEATS, Game
from titan_env.engine.batch import Batch
from titan_env.engine.illegal_actions import IllegalAction
from titan_env.play.determinization import batch_of

pytestmark = pytest.mark.one_preset_per_seating

ROWS = 130  # enough for two threads


def begun(game: Game, rows: int, seed: int = 0, **options: Any) -> Batch:
    """A batch at its first decisions."""
    batch = Batch(game, rows, **options)
    batch.seed(seed)
    batch.start()
    return batch


def what_is_seen(batch: Batch, rows: Any = slice(None)) -> list[NDArray[Any]]:
    """Copies of everything that rows are and show."""
    parts = (batch.states, batch.luck["stream"], batch.masks, batch.observations, batch.payoffs())
    return [part[rows].copy() for part in parts]


def assert_equal(ours: list[NDArray[Any]], theirs: list[NDArray[Any]]) -> None:
    """Both have seen the same."""
    for mine, other in zip(ours, theirs, strict=True):
        assert mine.tobytes() == other.tobytes()


@pytest.mark.thorough
def test_threads_and_neighbours_change_nothing(game: Game, options: dict[str, Any]) -> None:
    many = begun(game, ROWS, 40, **options)
    threaded = begun(game, ROWS, 40, threads=2, **options)
    alone = begun(game, 1, 40 + 70, **options)
    for _ in range(120):
        actions = many.sample()
        np.testing.assert_array_equal(threaded.sample(), actions)
        np.testing.assert_array_equal(alone.sample(), actions[70:71])
        for batch in (many, threaded):
            batch.step(actions)
        alone.step(actions[70:71])
    assert_equal(what_is_seen(threaded), what_is_seen(many))
    assert_equal(what_is_seen(alone), what_is_seen(many, slice(70, 71)))


@pytest.mark.compiled
def test_batches_of_a_game_share_their_dtypes_which_numba_would_compare_at_every_call(game: Game) -> None:
    one, other = Batch(game, 1), Batch(game, 2, events=True)
    for mine, theirs in zip(one._plain, other._plain, strict=True):
        assert mine.dtype is theirs.dtype


def test_playing_out_is_stepping_with_random_actions(game: Game, options: dict[str, Any]) -> None:
    stepped, played, threaded = (begun(game, ROWS, 9, threads=n, **options) for n in (1, 1, 2))
    ended = np.zeros(ROWS, np.int64)
    for _ in range(150):
        over = stepped.over
        stepped.step(stepped.sample())
        stepped.start(over)
        ended += stepped.over & ~over
    np.testing.assert_array_equal(played.rollout(150, restart=True), ended)
    np.testing.assert_array_equal(threaded.rollout(150, restart=True), ended)
    assert_equal(what_is_seen(played), what_is_seen(stepped))
    assert_equal(what_is_seen(threaded), what_is_seen(stepped))


def test_rows_that_are_not_chosen_or_over_stay_as_they_are(game: Game) -> None:
    batch = begun(game, 8, 3)
    chosen = np.arange(8) % 2 == 0
    before = batch.snapshot()
    batch.step(np.where(chosen, batch.sample(), -5), chosen)
    assert (batch.states[chosen] != before.states[chosen]).all()
    assert batch.states[~chosen].tobytes() == before.states[~chosen].tobytes()
    batch.rollout(30_000, restart=False)
    assert batch.over.all()
    assert (batch.sample() == -1).all()
    finished = what_is_seen(batch)
    batch.step(np.zeros(8, np.int64))
    assert_equal(what_is_seen(batch), finished)
    batch.start(chosen)
    np.testing.assert_array_equal(batch.over, ~chosen)
    assert batch.masks[chosen].any(axis=1).all()


def test_the_first_illegal_row_is_named_before_any_row_has_changed(game: Game) -> None:
    batch = begun(game, 8, 3)
    before = what_is_seen(batch)
    actions = batch.sample()
    actions[5:] = forbidden(batch.masks[5])
    with pytest.raises(IllegalAction, match="in row 5"):
        batch.step(actions)
    assert_equal(what_is_seen(batch), before)


@pytest.mark.parametrize(
    ("actions", "error", "words"),
    [
        (np.zeros(3, np.int64), ValueError, "one action for each of 2 games, got shape"),
        (np.zeros(2), TypeError, "integer action numbers, got float64"),
        ("ab", TypeError, "integer action numbers"),
        (np.ones(2, np.bool_), TypeError, "integer action numbers, got bool"),
    ],
)
def test_what_is_no_row_of_actions_is_refused(game: Game, actions: Any, error: type[Exception], words: str) -> None:
    with pytest.raises(error, match=words):
        begun(game, 2).step(actions)


def test_what_cannot_be_a_batch_is_refused(game: Game) -> None:
    with pytest.raises(ValueError, match="expected num_games to be a number from 1 to 2147483647, got 0"):
        Batch(game, 0)
    with pytest.raises(ValueError, match="expected threads to be a number from 1 to 9223372036854775807, got True"):
        Batch(game, 1, threads=True)
    with pytest.raises(ValueError, match="expected 3 seeds, one for each game, got 2"):
        Batch(game, 3).seed([1, 2])
    with pytest.raises(ValueError, match="expected 1 or 3 templates"):
        Batch(game, 3, templates=game.rules.configure().repeat(2).view(np.recarray))
    with pytest.raises(ValueError, match="expected rows as a bool array"):
        begun(game, 2).start(np.array([0]))  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="expected a seat at the table"):
        begun(game, 2).observe(np.array([0, MOST_SEATS]))


def test_rows_may_differ_in_their_options(game: Game) -> None:
    presets = list(game.rules.presets.values())
    templates = np.concatenate([game.rules.configure(**options) for options in presets]).view(np.recarray)
    mixed = Batch(game, len(presets), templates=templates)
    mixed.seed(5)
    mixed.start()
    mixed.rollout(100, restart=True)
    for row, options in enumerate(presets):
        alone = begun(game, 1, 5 + row, **options)
        alone.rollout(100, restart=True)
        assert_equal(what_is_seen(alone), what_is_seen(mixed, slice(row, row + 1)))


def test_one_template_serves_all_rows_until_some_are_to_begin_otherwise(game: Game) -> None:
    first, second = list(game.rules.presets.values())[:2]
    batch = begun(game, 3, **first)
    batch.set_templates(game.rules.configure(**first), np.array([1]))
    assert len(batch.templates) == 1, "the same options for some rows"
    moment = batch.snapshot()
    batch.set_templates(game.rules.configure(**second), np.array([2]))
    assert [row.tobytes() for row in batch.templates] == [
        game.rules.configure(**options).tobytes() for options in (first, first, second)
    ]
    batch.seed(9)
    batch.start()
    batch.rollout(100, restart=True)
    for row, options in enumerate((first, first, second)):
        alone = begun(game, 1, 9 + row, **options)
        alone.rollout(100, restart=True)
        assert_equal(what_is_seen(alone), what_is_seen(batch, slice(row, row + 1)))
    assert len(batch.select([2, 0]).templates) == 2
    batch.restore(moment)
    assert len({row.tobytes() for row in batch.templates}) == 1


def test_snapshots_copies_and_pickles_go_on_as_the_original_does(game: Game) -> None:
    batch = begun(game, 4, 8)
    batch.rollout(37, restart=True)
    moment = batch.snapshot()
    others = [copy.deepcopy(batch), pickle.loads(pickle.dumps(batch)), batch.select(np.arange(4))]
    before = what_is_seen(batch)
    batch.rollout(50, restart=True)
    for other in others:
        assert_equal(what_is_seen(other), before)
        assert other.game is game
        other.rollout(50, restart=True)
        assert_equal(what_is_seen(other), what_is_seen(batch))
    batch.restore(moment)
    assert_equal(what_is_seen(batch), before)
    batch.rollout(50, restart=True)
    assert_equal(what_is_seen(batch), what_is_seen(others[0]))
    batch.templates["seats"] += 1
    batch.restore(moment)
    assert_equal(batch.templates, moment.templates)
    with pytest.raises(ValueError, match="expected a snapshot of 4 games, got one of 1"):
        batch.restore(begun(game, 1).snapshot())


def test_rows_are_selected_by_index_or_by_mask(game: Game) -> None:
    batch = begun(game, 4, 8)
    by_mask, by_index = batch.select(np.array([True, False, False, True])), batch.select([0, 3])
    assert_equal(what_is_seen(by_mask), what_is_seen(by_index))
    assert_equal(what_is_seen(by_mask), what_is_seen(batch, [0, 3]))
    with pytest.raises(ValueError, match="expected rows to copy, got none"):
        batch.select([])


def test_selected_rows_keep_events_if_the_batch_does() -> None:
    batch = Batch(registry.load("pig"), 2, events=True)
    batch.start()
    chosen = batch.select([1, 1, 0])
    chosen.step(chosen.sample())
    assert all(len(chosen.last_events(row)) for row in range(3))
    with pytest.raises(ValueError, match="expected a batch that keeps events; make it with events=True"):
        Batch(registry.load("pig"), 1).last_events(0)


def test_positions_are_played_on_but_never_begin_anew(game: Game) -> None:
    batch = begun(game, 4, 8)
    imagined = batch_of(game, batch.states, np.random.default_rng(0))
    before = what_is_seen(imagined)
    for positions in (imagined, imagined.select([0, 1, 2, 3])):
        for begin_anew in (positions.start, lambda positions=positions: positions.rollout(9, restart=True)):
            with pytest.raises(ValueError, match="got one of positions, which have no beginning"):
                begin_anew()
    assert_equal(what_is_seen(imagined), before)
    imagined.rollout(30_000)
    assert imagined.over.all()


def test_a_planner_continues_copies_with_other_luck(game: Game) -> None:
    batch = begun(game, 2, 8)
    batch.rollout(20, restart=True)
    before = what_is_seen(batch)
    worlds = batch.select(np.zeros(32, np.int64))
    assert (worlds.observations == batch.observations[0]).all()
    worlds.seed(100)
    worlds.rollout(40, restart=True)
    assert len(np.unique(worlds.observations, axis=0)) > 1 or not has_chance(game)
    assert_equal(what_is_seen(batch), before)


def test_events_are_the_same_whether_or_not_anybody_listens(game: Game) -> None:
    deaf, listening = begun(game, 3, 6), begun(game, 3, 6, events=True)
    heard = 0
    for _ in range(60):
        actions = deaf.sample()
        deaf.step(actions)
        listening.sample()
        listening.step(actions)
        heard += sum(len(listening.last_events(row)) for row in range(3))
    assert heard or len(game.rules.events) == 1
    assert_equal(what_is_seen(deaf), what_is_seen(listening))


def test_random_actions_are_each_as_likely(game: Game) -> None:
    batch = Batch(game, 1)
    masks = np.zeros((1, len(game.rules.actions)), np.int8)
    legal = np.unique(np.linspace(0, len(game.rules.actions) - 1, 5, dtype=np.int64))
    masks[:, legal] = 1
    batch.seed(1)
    drawn = np.array([batch.sample(masks)[0] for _ in range(4000)])
    numbers, counts = np.unique(drawn, return_counts=True)
    np.testing.assert_array_equal(numbers, legal)
    expected = 4000 / len(legal)
    assert (abs(counts - expected) < 5 * np.sqrt(expected)).all()


def test_equal_seeds_give_equal_games_and_other_seeds_others(game: Game, options: dict[str, Any]) -> None:
    same, other = begun(game, 2, 4, **options), begun(game, 2, 4, **options)
    different = begun(game, 2, 400, **options)
    for batch in (same, other, different):
        batch.rollout(60, restart=True)
    assert_equal(what_is_seen(same), what_is_seen(other))
    assert same.states.tobytes() != different.states.tobytes() or not has_chance(game)


@pytest.mark.parametrize(
    "use",
    [
        lambda batch: batch.step(np.zeros(2, int)),
        lambda batch: batch.rollout(1),
        lambda batch: batch.rollout(1, restart=True),
    ],
    ids=["step", "rollout", "rollout with restarts"],
)
def test_nothing_is_played_before_the_games_have_begun(game: Game, use: Callable[[Batch], Any]) -> None:
    with pytest.raises(ValueError, match=r"begun|reset\(\)"):
        use(Batch(game, 2))


@pytest.mark.parametrize("seed", [-1, 1.5, "a", True, [0, None, 1]])
def test_what_is_no_seed_is_refused(game: Game, seed: Any) -> None:
    with pytest.raises(ValueError, match=r"expected .* seed"):
        Batch(game, 2).seed(seed)


def test_games_cannot_be_seeded_in_part(game: Game) -> None:
    with pytest.raises(ValueError, match="expected a seed for each game, got None"):
        Batch(game, 2).seed([1, None])  # type: ignore[list-item]


def test_a_rollout_of_any_length_ends_at_ctrl_c() -> None:
    batch = Batch(registry.load("pig"), 4)
    batch.start()
    batch.rollout(10, restart=True)
    before = signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.2)
    try:
        with pytest.raises(KeyboardInterrupt):
            batch.rollout(10**12, restart=True)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


EVERY_LOOP = """
from tests.games.frontier import GAME
from titan_env.engine.batch import Batch
from titan_env.play.learner_batch import LearnerBatch
from titan_env.play.outcomes import chance_outcomes

batch = Batch(GAME, 3)
batch.seed(0)
batch.start()
for _ in range(6):
    batch.step(batch.sample())
chance_outcomes(GAME, batch.states[0], int(batch.sample()[0]))
batch.rollout(10, restart=True)
batch.payoffs()
learners = LearnerBatch(GAME, 3, batch.templates)
learners.seed(0)
learners.start()
for _ in range(3):
    learners.step(learners.sample())
"""


def test_loops_stay_within_their_arrays() -> None:
    """Compiled code reads and writes beside an array without notice; plain Python raises IndexError."""
    environment = os.environ | {"NUMBA_DISABLE_JIT": "1", "PYTHONPATH": "."}
    run = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", EVERY_LOOP], env=environment, capture_output=True, text=True, check=False
    )
    assert run.returncode == 0, run.stderr
