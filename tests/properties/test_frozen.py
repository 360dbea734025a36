"""What the rules tell of random games, number by number: also what no sentence, no picture and no agent reads."""

from __future__ import annotations

import itertools
import os
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from titan_env.contract import Game
from titan_env.engine.batch import Batch

GOLDEN = Path(__file__).parents[1] / "golden"
GAMES, DECISIONS = 32, 400

pytestmark = pytest.mark.compiled


def check_golden(name: str, text: str) -> None:
    """Compare with the file; ``TITAN_ENV_UPDATE_GOLDEN=1`` writes it anew."""
    path = GOLDEN / name
    if os.environ.get("TITAN_ENV_UPDATE_GOLDEN"):
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text, f"{name} has changed: is that a new version of the game?"


def decisions(game: Game, **options: Any) -> Iterator[tuple[Batch, list[int]]]:
    """Random games of every preset after each decision, and the rows that it was taken in."""
    for preset in game.rules.presets.values():
        batch = Batch(game, GAMES, **options, **preset)
        batch.seed(1)
        batch.start()
        for _ in range(DECISIONS):
            running = np.flatnonzero(~batch.over).tolist()
            if not running:
                break
            batch.step(batch.sample())
            yield batch, running


def spans(numbers: np.ndarray) -> list[str]:
    """The lowest and the highest number of each column."""
    return [f"{low:g}..{high:g}" for low, high in zip(numbers.min(axis=0), numbers.max(axis=0), strict=True)]


def test_events_are_frozen_with_all_their_numbers(game: Game) -> None:
    """Each kind with how often it happened, and from where to where its seat and its two other numbers go."""
    heard = [np.zeros((0, 4), np.int32)]
    heard += [batch.last_events(row) for batch, rows in decisions(game, events=True) for row in rows]
    events = np.concatenate(heard)
    lines = [f"{len(events)} events, checksum {zlib.crc32(np.ascontiguousarray(events, '<i4').tobytes()):08x}\n"]
    for kind in np.unique(events[:, 0]).tolist():
        numbers = events[events[:, 0] == kind, 1:]
        lines.append(f"{game.rules.events(kind).name} {len(numbers)}: {' '.join(spans(numbers))}\n")
    check_golden(f"events/{game.name}.txt", "".join(lines))


def test_observations_are_frozen_field_by_field(game: Game) -> None:
    """Each field with its lowest and highest number and a checksum of all that the seats in turn have seen of it."""
    fields = game.rules.fields
    sums = dict.fromkeys(fields.slices, 0)
    bounds = np.stack([np.full(fields.size, np.inf), np.full(fields.size, -np.inf)])
    observed = (batch.observations.copy() for batch, _ in decisions(game, whole=fields.whole))
    while some := list(itertools.islice(observed, DECISIONS)):  # many at a time: the checksum is that of all in turn
        seen = np.concatenate(some)
        bounds = np.stack([np.minimum(bounds[0], seen.min(axis=0)), np.maximum(bounds[1], seen.max(axis=0))])
        for name, place in fields.slices.items():
            sums[name] = zlib.crc32(seen[:, place].tobytes(), sums[name])
    lines = [
        f"{name} {bounds[0, place].min():g}..{bounds[1, place].max():g} {sums[name]:08x}\n"
        for name, place in fields.slices.items()
    ]
    check_golden(f"observations/{game.name}.txt", "".join(lines))
