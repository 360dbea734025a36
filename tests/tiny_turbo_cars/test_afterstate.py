"""What the afterstate agent is told of a program: where the ghost of the own car ends, and who is where around it."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.tiny_turbo_cars.table import NOTHING, Table, turn
from titan_env.agents.afterstate import Array, ScoredActions, ValueNetwork, shapes
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.agents.afterstate import AFTERSTATE, SITUATION, decide
from titan_env.games.tiny_turbo_cars.rules.state import FIRST_COMMAND, Ask, Tile

pytestmark = pytest.mark.thorough


def programming(program: str, first_row: str = "hole", **around: Any) -> Table:
    """Seat 0 makes its program, 27 rows before the line; from the first row tiles may slide into it."""
    table = turn(program, **around)
    state = table.state
    state.line = 30
    state.ask, state.drivers["token"] = Ask.PROGRAM, 0
    controller = state.drivers["controller"][0]
    controller[:FIRST_COMMAND] = NOTHING[:FIRST_COMMAND]
    for place, word in enumerate(first_row.split()):
        controller[place] = Tile[word.upper()]
    table.batch.refresh()
    return table


def decided(table: Table, **direct: float) -> ScoredActions:
    """What an agent makes of it that goes by these direct weights alone."""
    parts = {name: np.zeros(shape, np.float32) for name, shape in shapes(GAME, 1).items()}
    parts["direct"] = np.array([direct.get(name, 0) for name in AFTERSTATE], np.float32)
    return decide(GAME.rules.fields.split(table.batch.observations), ValueNetwork(**parts))


def aimed(table: Table, **direct: float) -> dict[str, float]:
    """The afterstate that such an agent aims at, by name."""
    return dict(zip(AFTERSTATE, _as_list(decided(table, **direct).afterstates), strict=True))


def _as_list(numbers: Array) -> list[float]:
    """The numbers of one decision, to three decimals."""
    return [round(number, 3) for number in numbers[0].tolist()]


def chosen(table: Table, **direct: float) -> str:
    """What such an agent plays."""
    return GAME.rules.actions.texts[
        int(np.where(table.batch.masks, decided(table, **direct).scores, -np.inf)[0].argmax())
    ]


def test_the_afterstate_of_a_program_is_where_its_ghost_ends() -> None:
    features = aimed(programming("forward_2 forward_2 turbo", others=("D7", "F12")), slides=-1)
    there = {name: value for name, value in features.items() if value}
    assert there == {
        "rows_gained": 0.7,
        "to_line": 1.05,
        "to_line_soon": 1,
        "batteries": 1,
        "all_batteries": 1,
        "free_ahead": 1,
        "margin": -0.2,
        "cars_before": 0.333,
        "cars_near": 0.667,
        "inner_lane": 1,
        "at_once": 1,
    }


def test_what_stops_the_ghost_and_what_it_hits_is_told() -> None:
    features = aimed(programming("missile forward_1", cells="C5 o", others=("C9", "C12"), batteries=2), slides=-1)
    assert features["rows_gained"] == 0.2
    assert features["harm"] == 0.667
    assert (features["batteries"], features["one_battery"]) == (0.333, 1)
    assert features["shields"] == features["past_line"] == features["lying"] == 0


def test_the_agent_slides_for_what_its_judge_prefers_and_finishes_where_time_is_dear() -> None:
    table = programming("hole forward_1", "forward_2 battery minus plus", batteries=1)
    assert chosen(table, rows_gained=1) == "push:down"
    assert chosen(table, rows_gained=1, slides=-100) == "finish"
    assert aimed(table, rows_gained=1, slides=-0.001)["slides"] > 0
    assert aimed(table, batteries=1, slides=-0.001)["batteries"] == 0.667


def test_the_situation_tells_rivals_in_the_order_in_which_they_lie() -> None:
    table = programming("turbo", others=("B4", "E9", "D9"), charged=(1, 2, 3))
    table.state.drivers["token"][2] = 1
    table.batch.refresh()
    features = dict(zip(SITUATION, _as_list(decided(table).situations), strict=True))
    assert [features[f"rival_{number}_lead"] for number in (1, 2, 3)] == [0.6, 0.6, 0.1]
    assert [features[f"rival_{number}_batteries"] for number in (1, 2, 3)] == [0.667, 1, 0.333]
    assert [features[f"rival_{number}_done"] for number in (1, 2, 3)] == [1, 0, 0]
    assert (features["four_players"], features["rivals_done"], features["sonic_fish"]) == (1, 0.333, 1)


def test_only_programs_are_judged_by_the_network() -> None:
    table = turn("turbo")
    assert not decided(table).judged.any()
    assert decided(programming("turbo")).judged.all()
