"""Everything of a battle has words: decisions, events, what is forbidden, what is on the table."""

from __future__ import annotations

import numpy as np
import pytest

from titan_env import Batch
from titan_env.contract import COMPILED
from titan_env.games.titan_battle import GAME
from titan_env.games.titan_battle.rules.actions import ACTIONS, END
from titan_env.games.titan_battle.rules.characters import CHARACTERS
from titan_env.games.titan_battle.rules.definition import PRESETS
from titan_env.games.titan_battle.rules.lands import LAND_NAMES
from titan_env.games.titan_battle.rules.state import Ask, Border, Hazard
from titan_env.games.titan_battle.words.drawn_map import LETTERS
from titan_env.games.titan_battle.words.translation import BORDERS, HAZARDS, LANDS
from titan_env.games.titan_battle.words.translation import CHARACTERS as NAMES

GAMES = 2 if COMPILED else 1


@pytest.mark.thorough
@pytest.mark.parametrize("preset", PRESETS)
def test_everything_is_said_told_and_refused_in_words(preset: str) -> None:
    rng = np.random.default_rng(7)
    asked = set()
    for seed in range(GAMES):
        batch = Batch(GAME, 1, events=True, **PRESETS[preset])
        batch.seed(seed)
        batch.start()
        while not batch.over[0]:
            state, mask = batch.states[0], batch.masks[0]
            asked.add(Ask(int(state.ask)))
            sentences = {GAME.text.describe_action(state, action) for action in np.flatnonzero(mask)}
            assert len(sentences) == mask.sum()
            assert all(sentence[0].isupper() for sentence in sentences)
            for action in range(int(state.decisions) % 3, len(ACTIONS), 3):
                assert (GAME.text.why_not(state, action) is None) == bool(mask[action])
            mask[END] &= mask.sum() == 1  # else nobody would come on
            batch.step(np.array([rng.choice(np.flatnonzero(mask))]))
            assert all(
                GAME.text.describe_event(batch.states[0], event)[0] not in " {" for event in batch.last_events(0)
            )
        assert GAME.text.why_not(batch.states[0], END) == "The battle is over."
        assert GAME.text.describe_position(batch.states[0], None)
        assert GAME.metadata.statistics is not None
        assert sorted(GAME.metadata.statistics(batch.states[0])["side"]) == ["attacker", "defender"]
    assert {Ask.MANEUVER, Ask.GO, Ask.STRIKE} <= asked


def test_a_number_that_is_no_action_is_refused() -> None:
    batch = Batch(GAME, 1)
    batch.seed(0)
    batch.start()
    with pytest.raises(ValueError, match="expected an action from 0 to 158, got 159"):
        GAME.text.why_not(batch.states[0], 159)


def test_the_names_that_can_be_translated_are_those_of_the_rules() -> None:
    assert NAMES == CHARACTERS
    assert LANDS == LAND_NAMES
    assert tuple(hazard.name.lower() for hazard in Hazard) == HAZARDS
    assert BORDERS[1:] == tuple(border.name.lower() for border in list(Border)[1:])


def test_each_character_is_drawn_with_two_letters_of_its_own() -> None:
    assert len(set(LETTERS)) == len(CHARACTERS)
    assert all(len(letters) == 2 for letters in LETTERS)


def test_what_can_be_pointed_at_has_a_note() -> None:
    notes = GAME.text.glossary()
    assert {f"character:{name}" for name in CHARACTERS} <= set(notes)
    assert notes["character:dragon"].text == "Power 9, skill 3, flies, rangestrikes, native of volcano, slope."
    assert notes["character:angel"].text == "Power 6, skill 4, lord, flies."
    assert notes["hazard:tree"].rule == "ways.landing_costs"
