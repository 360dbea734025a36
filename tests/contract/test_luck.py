"""Chance answers questions about dice, weights and cards as often as it should, up to the number it has room for.

Drawn shares may differ from the expected ones by five standard deviations; the seed is fixed.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb, sqrt
from typing import Any

import numpy as np
import pytest

from tests.games.too_much import ASK_CHANCE, TOO_MUCH
from titan_env.contract import (
    LUCK,
    Game,
    begin,
    draw,
    draw_successes,
    draw_weighted,
    luck_dtype,
    numbered_draw,
    outcomes,
    preset,
    seeded,
)
from titan_env.contract.luck import answered
from titan_env.engine.batch import Batch
from titan_env.engine.game_setup import GameSetup
from titan_env.play.outcomes import chance_outcomes
from titan_env.records.session import GameSession

DRAWS = 4000


def drawn(question: Callable[[Any], int]) -> list[int]:
    """Return the answers to the same question in 4000 steps."""
    luck, answers = seeded([5])[0], []
    for _ in range(DRAWS):
        begin(luck)
        answers.append(int(question(luck)))
    return answers


def binomial(successes: int, dice: int, chance: float) -> float:
    """Return how likely so many of these dice succeed, each with this chance."""
    return comb(dice, successes) * chance**successes * (1 - chance) ** (dice - successes)


@pytest.mark.parametrize(("dice", "good", "sides"), [(8, 2, 6), (1, 1, 6), (20, 3, 6), (5, 6, 6), (4, 0, 6), (0, 2, 6)])
def test_successes_of_dice_fall_as_often_as_the_binomial_says(dice: int, good: int, sides: int) -> None:
    answers = drawn(lambda luck: draw_successes(luck, dice, good, sides))
    assert set(answers) <= set(range(dice + 1))
    for successes in range(dice + 1):
        expected = DRAWS * binomial(successes, dice, good / sides)
        assert abs(answers.count(successes) - expected) <= 5 * sqrt(expected) + 1


def test_the_odds_of_successes_are_those_of_the_binomial() -> None:
    luck = np.zeros(1, LUCK).view(np.recarray)[0]
    for successes in range(9):
        preset(luck, [successes])
        begin(luck)
        assert draw_successes(luck, 8, 2, 6) == successes
        assert luck.odds == pytest.approx(binomial(successes, 8, 2 / 6))
        assert outcomes(luck).tolist() == [[successes, -9]], "one of nine answers, which are not equally likely"


def test_weighted_draws_fall_as_often_as_their_weights_say() -> None:
    weights = np.array([2, 0, 5, 3])
    answers = drawn(lambda luck: draw_weighted(luck, weights))
    assert answers.count(1) == 0, "its weight is 0"
    for place in (0, 2, 3):
        expected = DRAWS * weights[place] / 10
        assert abs(answers.count(place) - expected) <= 5 * sqrt(expected)


def test_a_record_of_chance_lists_as_many_answers_of_as_many_sides_as_it_has_room_for() -> None:
    luck = np.zeros(1, luck_dtype(200)).view(np.recarray)[0]
    begin(luck)
    for _ in range(200):
        draw(luck, 30_000)
    assert outcomes(luck).shape == (200, 2)
    assert (outcomes(luck)[:, 1] == 30_000).all()


@pytest.mark.parametrize(("most_sides", "number"), [(6, np.int8), (127, np.int8), (128, np.int16), (32_767, np.int16)])
def test_a_record_of_chance_is_as_small_as_its_questions_allow(most_sides: int, number: type[np.signedinteger]) -> None:
    luck = np.zeros(1, luck_dtype(3, most_sides)).view(np.recarray)[0]
    assert luck.answers.dtype == luck.sides.dtype == number
    draw(luck, most_sides)
    draw_weighted(luck, np.ones(min(most_sides, 100), np.int64))
    assert outcomes(luck)[:, 1].tolist() == [most_sides, -min(most_sides, 100)]


def test_a_question_of_more_sides_than_there_is_room_for_is_an_error() -> None:
    luck = np.zeros(1, luck_dtype(8, most_sides=127)).view(np.recarray)[0]
    answered(luck, np.int64(3), np.int64(128))
    with pytest.raises(OverflowError, match=r"of at most 127 sides; declare luck=luck_dtype\(more, most_sides=more\)"):
        outcomes(luck)


def test_a_step_that_asks_more_than_there_is_room_for_is_an_error_wherever_its_answers_are_read() -> None:
    too_small = "expected at most 64 answers of chance in one step, of at most 32,767 sides"
    with pytest.raises(OverflowError, match=too_small):
        GameSession(GameSetup.of(TOO_MUCH, {}), 0, None, ["random"] * 2).play(ASK_CHANCE)
    batch = Batch(TOO_MUCH, 1)
    batch.start()
    with pytest.raises(OverflowError, match=too_small):
        chance_outcomes(TOO_MUCH, batch.states[0], ASK_CHANCE)


@pytest.mark.thorough
def test_no_step_of_random_games_asks_chance_more_than_it_lists(game: Game) -> None:
    for options in ({}, *game.rules.presets.values()):
        batch = Batch(game, 64, whole=game.rules.fields.whole, **options)
        batch.seed(0)
        batch.start()
        for _ in range(60):
            assert (batch.luck["asked"] <= batch.luck["answers"].shape[1]).all(), options
            batch.step(batch.sample())


def test_draws_of_a_numbered_stream_are_always_the_same_and_evenly_spread() -> None:
    faces = np.array([numbered_draw(number, step, 6) for number in range(64) for step in range(64)])
    again = np.array([numbered_draw(number, step, 6) for number in range(64) for step in range(64)])
    assert (faces == again).all()
    counts = np.bincount(faces, minlength=6)
    assert abs(counts - len(faces) / 6).max() < 5 * sqrt(len(faces) * 5 / 36)
    pairs = faces.reshape(64, 64)
    assert abs((pairs[:, :-1] == pairs[:, 1:]).mean() - 1 / 6) < 5 * sqrt(5 / 36 / pairs[:, 1:].size)
    assert abs((pairs[:-1] == pairs[1:]).mean() - 1 / 6) < 5 * sqrt(5 / 36 / pairs[1:].size)
