"""The fields that say where the own program leads, held against the rulebook's examples, which are driven."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.tiny_turbo_cars.table import programming, turn
from tests.tiny_turbo_cars.test_examples import EXAMPLES, PROGRAMS
from titan_env.engine.observation_view import ObservationView
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.agents.program_outcomes import FIELDS
from titan_env.games.tiny_turbo_cars.rules.actions import ACTIONS
from titan_env.games.tiny_turbo_cars.rules.state import Ask

pytestmark = pytest.mark.thorough

VIEW = ObservationView(GAME, fields=["outcome_*"], derived=["outcome"])
NOW = 0


def outcomes(table: Any, seat: int) -> dict[str, Any]:
    """The whole numbers of a seat's derived fields, each (13,)."""
    table.batch.refresh()
    seen = VIEW.layout.split(VIEW(table.batch.observe(np.array([seat]))[0]))
    return {part.name.removeprefix("outcome_"): np.rint(seen[part.name] * part.scale) for part in FIELDS}


@pytest.mark.parametrize(
    ("program", "there"),
    [(program, there) for program, _, _, there in EXAMPLES],
    ids=PROGRAMS,
)
def test_a_program_leads_where_the_field_said_it_would(program: str, there: dict[str, Any]) -> None:
    table = turn(program, **there)
    before = table.state.drivers[0].row, table.state.drivers[1:4].copy()
    asked = table.state.copy()
    table.state.ask, table.state.time_left = Ask.PROGRAM, bool(there.get("last")) * table.state.countdown
    if there.get("last"):
        table.state.drivers[0].token = 0  # it takes the last one when it is done
    predicted = outcomes(table, 0)
    table.batch.states[0] = asked
    table.batch.refresh()
    table.play("drive")
    own, others = table.state.drivers[0], table.state.drivers[1:4]
    assert predicted["row"][NOW] == np.clip(own.row - before[0], -24, 24)
    assert predicted["lane"][NOW] == own.lane
    assert predicted["batteries"][NOW] == own.batteries
    assert predicted["lying"][NOW] == own.lying
    harm = (before[1]["batteries"] - others["batteries"] + before[1]["shields"] - others["shields"]).sum()
    assert predicted["harm"][NOW] == max(harm, 0)


def test_after_a_slide_the_fields_say_now_what_they_said_of_that_slide() -> None:
    table = programming(players=3)
    rng = np.random.default_rng(3)
    slid = 0
    while table.asked[0] == "program" and slid < 12:
        seat = table.asked[1]
        predicted = outcomes(table, seat)
        slide = str(rng.choice([text for text in table.legal() if text.startswith("push:")]))
        table.play(slide)
        now = outcomes(table, seat)
        for name, numbers in predicted.items():
            assert now[name][NOW] == numbers[1 + ACTIONS.numbers[slide]], (name, slide)
        slid += 1
    assert slid == 12


def test_a_slide_that_cannot_be_made_leads_nowhere_else() -> None:
    table = programming(players=2)
    predicted = outcomes(table, table.asked[1])
    legal = {ACTIONS.numbers[text] for text in table.legal() if text.startswith("push:")}
    for number in set(range(12)) - legal:
        assert [predicted[name][1 + number] for name in predicted] == [predicted[name][NOW] for name in predicted]


def test_nothing_is_said_where_no_program_is_asked_for() -> None:
    table = turn("forward_1 turbo")
    assert all(not numbers.any() for numbers in outcomes(table, 0).values())
    assert len(FIELDS) == len(outcomes(table, 0))
