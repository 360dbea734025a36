"""Snapshots of batches: copies of all data on which the future of their games depends."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract.options import brief

if TYPE_CHECKING:
    from titan_env.engine.batch import Batch

Records = np.recarray[Any, Any]


@dataclass(frozen=True)
class Snapshot:
    """A copy of all data on which the future of a batch's rows depends."""

    states: Records
    luck: Records
    choices: Records
    templates: Records
    table: Mapping[str, Any] = field(default_factory=dict)
    """A `LearnerBatch`'s further attributes, by name."""
    variant: NDArray[np.int64] | None = None
    """The number of each row's options, int64 (N,), in a batch whose options vary."""


def check_snapshot(batch: Batch, snapshot: Snapshot) -> None:
    """Raise TypeError or ValueError unless a snapshot is of as many games of a batch's kind."""
    if not isinstance(snapshot, Snapshot):
        raise TypeError(f"expected a snapshot, as snapshot() makes it, got {brief(snapshot)}")
    if snapshot.states.dtype != batch.states.dtype:
        raise ValueError(f"expected a snapshot of {batch.game.metadata.title}, got one of another game")
    if len(snapshot.states) != batch.num_games:
        raise ValueError(f"expected a snapshot of {batch.num_games} games, got one of {len(snapshot.states)}")
    if (snapshot.variant is None) != (batch.varied is None):
        raise ValueError("expected a snapshot of a batch whose options vary where this one's do, got another")
