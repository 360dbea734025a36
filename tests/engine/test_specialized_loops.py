"""Large batches write observations past the processor's cache, and nobody can tell."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from titan_env.contract import COMPILED, Game
from titan_env.engine import specialized_loops
from titan_env.engine.batch import Batch
from titan_env.play.learner_batch import LearnerBatch
from titan_env.play.learner_loops import OpponentMode

pytestmark = pytest.mark.one_preset_per_seating

ROWS = 130  # enough for two threads


@pytest.fixture
def everything_streams(monkeypatch: pytest.MonkeyPatch) -> None:
    """Batches of any size count as large, and no observation as too long."""
    stream_everything(monkeypatch)


def stream_everything(monkeypatch: pytest.MonkeyPatch) -> None:
    """Stream what is smaller and longer than usual, too."""
    monkeypatch.setattr(specialized_loops, "STREAMED_FROM", 0)
    monkeypatch.setattr(specialized_loops, "LONGEST_STREAMED", 1 << 20)


def seen(batch: Batch) -> list[bytes]:
    """Play some decisions; return the bytes of what is observed after each of them, in four ways."""
    batch.seed(3)
    batch.start()
    shown = [batch.observations.tobytes()]
    for _ in range(25):
        batch.step(batch.sample())
        batch.start(batch.over)
        shown.append(batch.observations.tobytes())
    room = np.full_like(batch.observations, 7)
    batch.observe(np.zeros(batch.num_games, np.int8), room)
    batch.refresh(np.arange(batch.num_games) % 2 == 0)
    return [*shown, room.tobytes(), batch.observations.tobytes()]


def learned(batch: LearnerBatch) -> list[bytes]:
    """Play some decisions of learners; return the bytes of what they observe."""
    batch.seed(4)
    batch.start()
    shown = []
    for _ in range(10):
        batch.step(batch.sample())
        batch.start(batch.ended > 0)
        shown.append(batch.observations.tobytes())
    return shown


@pytest.mark.thorough
def test_large_batches_are_observed_to_the_byte(
    game: Game, options: dict[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    templates = game.rules.configure(**options)
    plain = seen(Batch(game, 3, **options)), learned(LearnerBatch(game, 3, templates, opponents=OpponentMode.NOBODY))
    stream_everything(monkeypatch)
    large = Batch(game, 3, **options)
    assert large.loops.streams == COMPILED
    assert (seen(large), learned(LearnerBatch(game, 3, templates, opponents=OpponentMode.NOBODY))) == plain


@pytest.mark.usefixtures("everything_streams")
def test_threads_stream_rows_of_their_own(game: Game, options: dict[str, Any]) -> None:
    assert seen(Batch(game, ROWS, threads=2, **options)) == seen(Batch(game, ROWS, **options))


def test_only_large_batches_of_short_vectors_in_fractions_are_streamed(game: Game) -> None:
    size = 4 * game.rules.fields.size
    few, many = Batch(game, 10), Batch(game, specialized_loops.STREAMED_FROM // size + 1)
    whole = Batch(game, many.num_games, whole=True) if game.rules.fields.whole else few
    streams = COMPILED and size <= specialized_loops.LONGEST_STREAMED
    assert (few.loops.streams, many.loops.streams, whole.loops.streams) == (False, streams, False)
