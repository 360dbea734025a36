"""Prompts in every language: whole rules within the bound that is told, and no English words but those of notation."""

from __future__ import annotations

import random
import re
from pathlib import Path

import pytest

from titan_env import registry
from titan_env.agents.chat import prompts
from titan_env.agents.chat.rules_text import rules_text
from titan_env.contract.translation import use_language
from titan_env.envs.text import GameTextEnv
from titan_env.envs.text_parts import Question

MOST_LETTERS = {"en": 22_500, "fr": 26_500, "es": 24_500}
"""The letters that hold the rules of every game, as the documentation tells them."""
WORD = re.compile(r"[^\W\d_]{3,}")
TRANSLATED = [name for name in registry.GAMES if Path(registry.load(name).metadata.folder, "languages").is_dir()]
"""The games that speak other languages."""
SAME_IN_ALL = {"player", "iii"}
"""Words that are no language's: the name of a seat, and a number."""


@pytest.mark.parametrize("spoken", MOST_LETTERS)
@pytest.mark.parametrize("name", registry.GAMES)
def test_the_letters_that_are_told_hold_all_rules_in_every_language(name: str, spoken: str) -> None:
    with use_language(spoken):
        whole, some = rules_text(registry.load(name)), rules_text(registry.load(name), MOST_LETTERS[spoken])
    assert whole.left_out == ()
    assert some == whole


def words_of(env: GameTextEnv, question: Question) -> set[str]:
    """The words of a prompt without its notation: neither the texts of actions nor the position of records."""
    prompt, world = env.prompt(), env.games._rows[0].world
    assert prompt is not None
    text = prompt[-1]["content"].replace(env.games.game.position_text_for(world, question.seat), "")  # type: ignore[index]
    lines = (line.partition(" - ") for line in text.splitlines())
    meanings = (meaning if action in question.legal else action + meaning for action, _, meaning in lines)
    return set(WORD.findall("\n".join(meanings).lower()))


@pytest.mark.thorough
@pytest.mark.parametrize("spoken", ["fr", "es"])
@pytest.mark.parametrize("name", TRANSLATED)
def test_no_word_of_a_prompt_is_english_unless_the_rules_have_it_too(name: str, spoken: str) -> None:
    english, other = GameTextEnv(name), GameTextEnv(name, language=spoken)
    for env in (english, other):
        env.reset(seed=1)
    known = SAME_IN_ALL | set(WORD.findall(other.games.system_prompt.lower()))
    rng, decisions = random.Random(1), 0
    while english.seat >= 0 and decisions < 60:
        asked, also = english.question(), other.question()
        assert asked is not None
        assert also is not None
        assert words_of(english, asked) & words_of(other, also) <= known
        answer = "ACTION: " + rng.choice(list(asked.legal))
        english.step(answer)
        other.step(answer)
        decisions += 1
    assert decisions


def test_an_own_decision_is_told_in_the_language_of_the_prompt() -> None:
    env = GameTextEnv("titan_race", titans=2)
    env.reset(seed=1)
    world, mask = env.games._rows[0].world, env.games.batch.masks[0]
    with use_language("fr"):
        text = prompts.user_prompt(env.games.game, world, mask, [f"You (player_{env.seat}): hop", "Ah"])
    assert f"Vous (player_{env.seat}) : hop\nAh\n" in text
