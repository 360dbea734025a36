"""What the rules tell of a step, number by number: also those that no sentence and no picture reads."""

from __future__ import annotations

import os
import zlib
from pathlib import Path

import numpy as np
import pytest

from titan_env.contract import COMPILED, Game
from titan_env.engine.batch import Batch

GOLDEN = Path(__file__).parents[1] / "golden" / "events"
GAMES, DECISIONS = 32, 400


def told(game: Game) -> np.ndarray:
    """All events (n, 4) of random games of every preset, in the order in which they happened."""
    heard = [np.zeros((0, 4), np.int32)]
    for options in game.rules.presets.values():
        batch = Batch(game, GAMES, events=True, **options)
        batch.seed(1)
        batch.start()
        for _ in range(DECISIONS):
            running = np.flatnonzero(~batch.over)
            if not running.size:
                break
            batch.step(batch.sample())
            heard += [batch.happened(row) for row in running.tolist()]
    return np.concatenate(heard)


@pytest.mark.skipif(not COMPILED, reason="as many games take minutes in plain Python")
def test_the_events_of_random_games_are_frozen_with_all_their_numbers(game: Game) -> None:
    """Each kind with how often it happened, and from where to where its seat and its two other numbers go."""
    events = told(game)
    lines = [f"{len(events)} events, checksum {zlib.crc32(np.ascontiguousarray(events, '<i4').tobytes()):08x}\n"]
    for kind in np.unique(events[:, 0]).tolist():
        numbers = events[events[:, 0] == kind, 1:]
        spans = [f"{low}..{high}" for low, high in zip(numbers.min(axis=0), numbers.max(axis=0), strict=True)]
        lines.append(f"{game.rules.events(kind).name} {len(numbers)}: {' '.join(spans)}\n")
    text, path = "".join(lines), GOLDEN / f"{game.name}.txt"
    if os.environ.get("TITAN_ENV_UPDATE_GOLDEN"):
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text, "TITAN_ENV_UPDATE_GOLDEN=1 writes it anew; is it a new version of the game?"
