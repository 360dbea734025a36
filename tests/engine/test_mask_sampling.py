"""Drawing from big masks: the same action for the same stream however the mask is read, and each as likely."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.games.frontier import GAME
from titan_env.contract import CHOICE
from titan_env.contract.luck import roll
from titan_env.engine.batch import Batch
from titan_env.engine.mask_sampling import sample_legal


def stream(seed: int) -> Any:
    """A stream of choices."""
    choice = np.zeros(1, CHOICE).view(np.recarray)[0]
    choice.stream = seed
    return choice


@pytest.mark.parametrize("actions", [1, 7, 8, 9, 16, 27, 159, 321, 365, 1000])
def test_the_drawn_number_counts_the_legal_actions_from_the_first(actions: int) -> None:
    rng = np.random.default_rng(actions)
    for seed in range(40):
        mask = (rng.random(actions) < rng.choice([0.01, 0.3, 1.0])).astype(np.int8)
        legal = np.flatnonzero(mask)
        drawn = int(sample_legal(mask, stream(seed)))
        assert drawn == (legal[int(roll(stream(seed), len(legal)))] if len(legal) else -1)


def test_few_legal_actions_among_hundreds_are_each_as_likely() -> None:
    batch = Batch(GAME, 4000)
    batch.seed(0)
    masks = np.zeros((4000, len(GAME.rules.actions)), np.int8)
    masks[:, (0, 100, 319, 320)] = 1
    numbers, counts = np.unique(batch.sample(masks), return_counts=True)
    assert numbers.tolist() == [0, 100, 319, 320]
    assert (abs(counts - 1000) < 5 * 1000**0.5).all()
