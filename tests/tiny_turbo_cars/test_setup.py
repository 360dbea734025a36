"""Before the race: chance, the draft, and every option."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from tests.tiny_turbo_cars.table import BOARDS, Table
from titan_env.contract import outcomes, preset
from titan_env.engine.batch import Batch
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.rules.actions import CARS
from titan_env.games.tiny_turbo_cars.rules.boards import BOARD_NAMES
from titan_env.games.tiny_turbo_cars.rules.definition import PRESETS
from titan_env.games.tiny_turbo_cars.rules.state import NO_CAR


def begun(answers: list[int], **options: Any) -> Table:
    """A race whose chance before the first decision is known."""
    table = Table(GAME.rules.configure(**options))
    preset(table.batch.luck[0], answers)
    table.batch.start()
    return table


def boards(state: Any) -> list[str]:
    return [BOARD_NAMES[number] for number in state.board[: state.boards]]


def test_the_order_of_chance() -> None:
    table = begun([2, 1, 0, 0, 1, 1, 1, 0, 1, 7, 0, 5, 2], cars="random")
    asked = outcomes(table.batch.luck[0])
    assert asked[:, 1].tolist() == [4, 2, 4, 2, 3, 2, 2, 2, 2, 8, 7, 6, 5]
    assert boards(table.state) == ["porch", "living_room", "study", "corridor", "terrace"]
    assert table.state.first == 2
    assert table.state.drivers["car"].tolist() == [7, 0, 6, 3]
    assert table.asked == ("place", 1)


def test_the_long_race_uses_every_sheet_and_asks_chance_at_most_fifteen_times() -> None:
    table = begun([0, 0, 3, 1, 2, 0, 1, 1, 0, 0, 0, 0, 0, 0, 0], cars="random", length=4)
    assert len(outcomes(table.batch.luck[0])) == 15
    assert boards(table.state) == ["driveway", "bedroom", "library", "bathroom", "living_room", "garden"]
    assert table.state.line == 51


def test_boards_and_cars_that_are_named_need_no_chance() -> None:
    table = begun([1], cars=["dogtor", "turbobot"], boards=BOARDS)
    assert len(outcomes(table.batch.luck[0])) == 1
    assert boards(table.state) == BOARDS
    assert table.state.drivers["car"][:2].tolist() == [6, 7]
    assert table.asked == ("place", 0)


def test_in_a_draft_nobody_has_a_car_at_first() -> None:
    table = begun([3])
    assert (table.state.drivers["car"] == NO_CAR).all()
    assert table.asked == ("car", 3)
    assert table.legal() == [f"car:{car}" for car in CARS]


def test_a_sheet_is_used_at_most_once_and_every_side_is_as_likely() -> None:
    batch = Batch(GAME, 3000, length=3)
    batch.seed(0)
    batch.start()
    middles = batch.states["board"][:, 1:4] - 2
    sheets = np.sort(middles // 2, axis=1)
    assert (np.diff(sheets, axis=1) > 0).all()
    for number in range(8):
        assert (middles == number).any(axis=1).mean() == pytest.approx(3 / 8, abs=0.04)
    assert (batch.states["board"][:, 0] == 1).mean() == pytest.approx(0.5, abs=0.04)


def test_each_preset_can_be_played_and_the_tours_show_every_side() -> None:
    shown = {name for preset in PRESETS.values() for name in preset.get("boards", ())}
    assert shown == set(BOARD_NAMES)
    assert {GAME.rules.configure(**preset)[0].seats for preset in PRESETS.values()} == {2, 3, 4}


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"players": 1}, ValueError, "players: expected 2 to 4, got 1"),
        ({"players": 5}, ValueError, "players: expected 2 to 4, got 5"),
        ({"players": "4"}, TypeError, "players: expected a whole number"),
        ({"players": True}, TypeError, "players: expected a whole number"),
        ({"cars": "ferrari"}, ValueError, "cars: expected one of draft, random"),
        ({"cars": 3}, TypeError, "cars: expected one of draft, random"),
        ({"cars": ["dogtor", "ferrari"]}, ValueError, "cars: expected one of dame_liner.*'ferrari'"),
        ({"cars": ["dogtor", "dogtor"]}, ValueError, "cars: expected each car once"),
        ({"cars": ["dogtor"]}, ValueError, "cars: expected one for each of 1 players, 2 to 4, got 1"),
        ({"cars": ["dogtor", "turbobot"], "players": 3}, ValueError, "cars: expected one for each of 3 players"),
        ({"boards": "kitchen"}, ValueError, "boards: expected one of random"),
        ({"boards": ["driveway", "garden"]}, ValueError, "boards: expected a start, 1 to 4 middle boards"),
        ({"boards": ["driveway", "attic", "garden"]}, ValueError, "boards: expected one of driveway.*'attic'"),
        ({"boards": ["driveway", "garden", "garden"]}, ValueError, "kind middle as board 2, got 'garden'"),
        ({"boards": ["driveway", "study", "library", "garden"]}, ValueError, "at most one side of each sheet"),
        ({"boards": ["driveway", "study", "garden"], "length": 3}, ValueError, "length: expected 1"),
        ({"length": 5}, ValueError, "length: expected 1 to 4, got 5"),
        ({"slides": 0}, ValueError, "slides: expected 1 to 100, got 0"),
        ({"slides": 2.5}, TypeError, "slides: expected a whole number"),
        ({"countdown": 101}, ValueError, "countdown: expected 1 to 100"),
        ({"line_pushes": 1}, TypeError, "line_pushes: expected True or False"),
        ({"round_limit": 0}, ValueError, "round_limit: expected 1 to 100"),
        ({"nitro": True}, TypeError, "'nitro'"),
    ],
)
def test_options_that_cannot_be_raced_are_refused(
    options: dict[str, Any], error: type[Exception], message: str
) -> None:
    with pytest.raises(error, match=message):
        Batch(GAME, 1, **options)


def test_without_a_round_limit_a_race_goes_on_to_its_winner() -> None:
    batch = Batch(GAME, 4, players=2, round_limit=None)
    batch.seed(1)
    batch.start()
    batch.rollout(3000)
    assert (batch.states["over"] == 1).all()
