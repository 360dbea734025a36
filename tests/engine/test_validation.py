"""What anybody may type or upload never reaches the rules unless it is fit to be played on."""

from __future__ import annotations

import random
import re
from typing import Any

import numpy as np
import pytest

from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.engine.validation import parse_checked_position
from titan_env.play.determinization import batch_of


def positions(game: Game, options: dict[str, Any], seed: int) -> list[str]:
    """Texts of positions of random games."""
    batch = Batch(game, 6, **options)
    batch.seed(seed)
    batch.start()
    texts = [game.text.position_text(state) for state in batch.states]
    for _ in range(2):
        batch.rollout(20, restart=False)
        texts += [game.text.position_text(state) for state in batch.states]
    return texts


def garbled(text: str, rng: random.Random) -> str:
    """A text with some of its numbers, words or letters changed."""
    words = re.split(r"(\W)", text)
    for _ in range(rng.randint(1, 3)):
        place = rng.randrange(len(words))
        other = rng.choice([rng.choice(words), str(rng.choice([-2, -1, 0, 1, 2, 6, 7, 35, 99, 127]))])
        words[place] = other if words[place].strip() else words[place]
    return "".join(words)


def test_whatever_passes_the_check_can_be_played_to_the_end(game: Game, options: dict[str, Any]) -> None:
    rng, passed = random.Random(5), []
    for text in positions(game, options, seed=4):
        for _ in range(2):
            try:
                passed.append(parse_checked_position(game, garbled(text, rng)))
            except ValueError:
                continue
    assert passed
    batch = batch_of(game, np.concatenate(passed).view(np.recarray), np.random.default_rng(1))
    for _ in range(400):
        assert (batch.masks.any(axis=1) | batch.over).all()
        batch.rollout(1, restart=False)


def test_a_position_that_is_no_text_is_refused(game: Game) -> None:
    with pytest.raises(ValueError, match="expected the text of a position"):
        parse_checked_position(game, 5)
