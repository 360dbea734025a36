"""A turn is told command by command, and the telling leads where the turn does."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.tiny_turbo_cars.table import Table, programming, turn
from titan_env.contract import COMPILED
from titan_env.contract.shapes import Box
from titan_env.engine.batch import Batch
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.picture.picture import picture
from titan_env.games.tiny_turbo_cars.picture.stages import animation_steps, current_command
from titan_env.games.tiny_turbo_cars.rules.boards import cell_name
from titan_env.games.tiny_turbo_cars.rules.state import Event

CHARLIE = "minus turbo plus jump right_2 battery back_1 left_2"


def told(table: Table) -> tuple[Any, list[list[int]], list[tuple[int, Any]]]:
    """The position before a turn, its events, and the stages in which it is told."""
    before = table.state.copy()
    table.play("drive")
    events = [list(event) for event in table.heard]
    return before, events, animation_steps(before, np.array(events), table.state)


def test_after_each_command_the_car_is_where_the_command_led_it() -> None:
    table = turn(CHARLIE, cells="C6 o, C7 X, C8 c")
    _, _, parts = told(table)
    cells = [cell_name(int(state.drivers[0].row), int(state.drivers[0].lane)) for _, state in parts]
    assert cells == ["C3", *table.after_each_command()[:-1]]


def test_the_command_that_is_told_is_framed() -> None:
    before, events, parts = told(turn(CHARLIE, cells="C6 o"))
    for command, (count, state) in enumerate(parts[1:]):
        assert current_command(state, events[:count]) == command
        shapes = picture(state, None, events[:count], before)
        framed = [shape for shape in shapes if isinstance(shape, Box) and shape.line == "alarm"]
        assert len(framed) == 1
    assert current_command(before, []) is None


def test_what_is_no_turn_is_told_at_once() -> None:
    table = programming()
    before = table.state.copy()
    table.play("finish")
    assert animation_steps(before, np.array([list(event) for event in table.heard[-1:]]), table.state) == []


def test_what_is_told_leads_where_the_turn_does() -> None:
    batch = Batch(GAME, 1, events=True, players=4, cars="random", length=1)
    turns = 0
    for seed in range(6 if COMPILED else 1):
        batch.seed(seed)
        batch.start()
        while not batch.over[0]:
            before = batch.states[0].copy()
            batch.step(batch.sample())
            events, after = batch.happened(0), batch.states[0]
            parts = animation_steps(before, events, after)
            turns += bool(parts)
            if parts and np.isin(events[parts[-1][0] :, 0], (Event.ROUND, Event.WON, Event.GAINED)).all():
                here, there = parts[-1][1].drivers, after.drivers
                for name in ("row", "lane", "batteries", "lying"):
                    assert (here[name] == there[name]).all(), name
    assert turns > (20 if COMPILED else 3)
