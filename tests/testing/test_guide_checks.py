"""A guided first game that cannot be followed is found by `check_game`; those of all games can be, to their end."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from tests.games.pig import GAME
from tests.games.pig import Ask as PigAsk
from titan_env import agents
from titan_env.contract import Game
from titan_env.contract.presentation_values import CHOICES, GUIDE_STEPS, FirstGameData, GuideStep
from titan_env.contract.shapes import Circle, Shape
from titan_env.testing import BadGame
from titan_env.testing.guide_checks import PERSON_SEAT, check_first_game, check_pointed_at, follow


def picture(state: Any, seat: int | None) -> list[Shape]:
    """A pile of two coins."""
    return [Circle(number, 0, 1, "ink", key=f"coin:{number}") for number in range(2)]


STEP = GuideStep("Take your turn.", CHOICES, int(PigAsk.ROLL_OR_HOLD))
STEPS = (GuideStep("Reach 100 points.", "coin:*"), GuideStep("This is a coin.", "coin:1"), STEP, STEP, STEP)


def guided(steps: tuple[GuideStep, ...] = STEPS, **options: Any) -> Game:
    """Pig with a picture and a guided first game."""
    first = FirstGameData(options, 1, steps)
    return replace(GAME, presentation=replace(GAME.presentation, picture=picture, first_game=lambda: first))


def test_a_guide_that_can_be_followed_is_accepted() -> None:
    check_first_game(GAME)
    check_first_game(guided())


@pytest.mark.parametrize(
    ("wrong", "complaint"),
    [
        (guided(STEPS[1:]), "first_game to have at least 5 steps, got 4"),
        (guided((*STEPS[1:], GuideStep("One. Two.", CHOICES))), "to be one sentence, got 'One. Two.'"),
        (
            guided((*STEPS[1:], GuideStep("Now.", CHOICES, 99))),
            "questions of first_game to be of the game's asks, got 99",
        ),
        (guided((*STEPS[1:], GuideStep("Look.", "coin:7"))), "'coin:7' to be in the wide picture when its step comes"),
        (guided((*STEPS[1:], GuideStep("Look.", "die:*"))), "'die:*' to be in the wide picture when its step comes"),
        (guided(dice=3), "configure to take the options of first_game"),
    ],
    ids=["few", "two sentences", "question", "thing", "things", "options"],
)
def test_what_is_wrong_with_a_guide_is_told_in_a_sentence(wrong: Game, complaint: str) -> None:
    with pytest.raises(BadGame) as error:
        check_first_game(wrong)
    assert complaint in str(error.value)


def test_a_guide_of_the_package_is_followed_to_its_end_by_playing_what_its_steps_say(game: Game) -> None:
    if game.presentation.first_game is None:
        pytest.skip("a small game of the tests")
    first, agent = game.presentation.first_game(), agents.load(agents.default_agent(game), game)
    moments = list(follow(game, first, lambda session, _step: session.ask_agent(agent)))
    assert len(moments) == len(first.steps) >= GUIDE_STEPS
    for moment in moments:
        check_pointed_at(game, moment)
        assert moment.state.seat == PERSON_SEAT
        assert moment.step.question in (0, moment.state.ask)
    assert sum(moment.step.question > 0 for moment in moments) >= 2, "the first turn's kinds of decisions"
    check_first_game(game)
