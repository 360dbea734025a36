"""Checks that every game with generated circuits or boards passes."""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import pytest

from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup


def check_generated_option(game: Game, option: str, laid: str, numbered: Any = "generated:7", **options: Any) -> None:
    """Games with generated layouts differ, a number gives one layout, a range those of its numbers; others are refused.

    `laid` is the field of the state that holds the layout. Games are played to their end, so that none is stuck.
    """
    batch = _begun(game, {option: "generated", **options}, 64)
    assert len(np.unique(batch.states[laid], axis=0)) > 60
    rng = np.random.default_rng(3)
    while not batch.over.all():
        likes = rng.random(batch.masks.shape) * (batch.masks != 0)
        batch.step(likes.argmax(axis=1), ~batch.over)
    same = _begun(game, {option: "generated:7"}, 8)
    assert len(np.unique(same.states[laid], axis=0)) == 1
    levels = [_begun(game, {option: f"generated:{level}"}, 1).states[laid][0].tobytes() for level in range(7, 10)]
    drawn = {layout.tobytes() for layout in _begun(game, {option: "generated:7-9"}, 64).states[laid]}
    assert drawn == set(levels)
    assert len(drawn) == 3
    assert len(_begun(game, {option: numbered, **options}, 2).states) == 2
    ranges = ("generated:9-7", "generated:0-32000", "generated:1-", "generated:-", "generated:0-1-2")
    for wrong in ("generated:32000", "generated:-1", "generated:", "generated:x", *ranges):
        with pytest.raises(ValueError, match=re.escape(f"{option}: expected `generated`, or with a number from 0")):
            GameSetup.of(game, {option: wrong})


def _begun(game: Game, options: dict[str, Any], games: int) -> Batch:
    """Games that have begun."""
    batch = Batch(game, games, templates=GameSetup.of(game, options).template)
    batch.seed(11)
    batch.start()
    return batch
