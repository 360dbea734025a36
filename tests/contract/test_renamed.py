"""Old names of the contract answer until version 0.4, and say the new one."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.games import pig
from tests.games.pig import GAME as PIG
from titan_env import contract
from titan_env.contract import Game, Presentation, Rules
from titan_env.contract.renamed import FIELDS, FUNCTIONS, METHODS, PARTS
from titan_env.records.replay import ReplayStep, parts_of


@pytest.mark.parametrize("old", [*PARTS, *METHODS])
def test_a_part_of_a_game_answers_by_its_old_name(old: str) -> None:
    new = (PARTS | METHODS)[old]
    with pytest.warns(FutureWarning, match=rf"game\.{old} goes with version 0\.4: write game\.{new}$"):
        answered = getattr(PIG, old)
    expected = PIG
    for name in new.split("."):
        expected = getattr(expected, name)
    assert answered == expected


@pytest.mark.parametrize("old", FUNCTIONS)
def test_a_function_of_the_contract_answers_by_its_old_name(old: str) -> None:
    with pytest.warns(FutureWarning, match=rf"contract\.{old} goes with version 0\.4: write .*\.{FUNCTIONS[old]}$"):
        assert getattr(contract, old) is getattr(contract, FUNCTIONS[old])


@pytest.mark.parametrize("old", FIELDS)
def test_a_method_of_fields_answers_by_its_old_name(old: str) -> None:
    with pytest.warns(FutureWarning, match=rf"fields\.{old} goes with version 0\.4: write fields\.{FIELDS[old]}$"):
        assert getattr(PIG.rules.fields, old) == getattr(PIG.rules.fields, FIELDS[old])


def test_a_game_may_name_its_parts_as_before() -> None:
    parts = {
        "state": pig.STATE,
        "seats": (2, 6),
        "actions": pig.ACTIONS,
        "fields": pig.FIELDS,
        "say": pig.describe_action,
    }
    rules = {"setup": pig.set_up, "legal": pig.legal, "step": pig.play, "observe": pig.observe}
    with pytest.warns(FutureWarning, match=r"rules=Rules\(asks, state, .*; text=Text\(describe_action, \.\.\.\)"):
        old = Game(name="pig", asks=pig.Ask, **parts, **rules)
    assert old.rules.actions is pig.ACTIONS
    assert old.text.describe_action is pig.describe_action
    np.testing.assert_array_equal(old.rules.mask(old.rules.configure()[0]), PIG.rules.mask(PIG.rules.configure()[0]))


def test_a_game_may_work_the_positions_of_its_parts_out_as_before() -> None:
    def animation_steps(before: Any, events: Any, after: Any) -> list[tuple[int, Any]]:
        return [(1, before)]

    with pytest.warns(FutureWarning, match=r"Presentation\(animation_steps=\.\.\.\) goes .* write part_events"):
        presentation = Presentation(animation_steps=animation_steps)
    with pytest.warns(FutureWarning, match="animation_steps"):
        old = Game(name="pig", rules=PIG.rules, text=PIG.text, presentation=presentation)
    state = PIG.rules.configure()[0]
    moment = ReplayStep(PIG.rules.configure(), {"action": "hold", "chance": []}, np.zeros((2, 4), np.int32))
    assert parts_of(old, state, moment) == [(1, state)]
    assert parts_of(PIG, state, moment) == []


def test_what_was_never_a_part_of_a_game_is_refused() -> None:
    with pytest.raises(AttributeError, match=r"expected a part of a game \(rules, text, .*\), got 'heap'"):
        PIG.heap  # noqa: B018
    with pytest.raises(TypeError, match=r"expected Game\(name, rules, text, .*\), got 'heap'"):
        Game(name="pig", rules=PIG.rules, heap=3)
    with pytest.raises(TypeError, match=r"expected Game\(name='pig', rules=Rules\(\.\.\.\)\), got no rules"):
        Game(name="pig")
    with (
        pytest.warns(FutureWarning, match="write rules="),
        pytest.raises(TypeError, match=r"expected seats within rules=Rules\(\.\.\.\), got both"),
    ):
        Game(name="pig", rules=PIG.rules, seats=(2, 2))
    with pytest.raises(AttributeError, match="no attribute 'heap'"):
        contract.heap  # noqa: B018
    assert isinstance(PIG.rules, Rules)
