"""A turn is told command by command, and the telling leads where the turn does."""

from __future__ import annotations

from typing import Any

import numpy as np

from tests.tiny_turbo_cars.retold import retold
from tests.tiny_turbo_cars.table import Table, programming, turn
from titan_env.contract import COMPILED, outcomes
from titan_env.contract.shapes import Box
from titan_env.engine.batch import Batch
from titan_env.engine.parts import Decision, parts
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.picture.picture import current_command, picture
from titan_env.games.tiny_turbo_cars.rules.actions import ACTIONS
from titan_env.games.tiny_turbo_cars.rules.boards import cell_name
from titan_env.games.tiny_turbo_cars.words.presentation import part_events

CHARLIE = "minus turbo plus jump right_2 battery back_1 left_2"


def parts_of_turn(table: Table) -> tuple[Any, list[list[int]], list[tuple[int, Any]]]:
    """The position before a turn, its events, and the parts in which it is told."""
    before = table.state.copy()
    table.play("drive")
    events = [list(event) for event in table.history]
    answers = outcomes(table.batch.luck[0])[:, 0].tolist()
    return before, events, parts(GAME, [Decision(before, ACTIONS.read("drive"), answers)], np.array(events))


def test_after_each_command_the_car_is_where_the_command_led_it() -> None:
    table = turn(CHARLIE, cells="C6 o, C7 X, C8 c")
    _, _, found = parts_of_turn(table)
    cells = [cell_name(int(state.drivers[0].row), int(state.drivers[0].lane)) for _, state in found]
    assert cells == ["C3", *table.after_each_command()[:-1]]


def test_the_command_that_is_told_is_framed() -> None:
    before, events, found = parts_of_turn(turn(CHARLIE, cells="C6 o"))
    for command, (count, state) in enumerate(found[1:]):
        assert current_command(state, events[:count]) == command
        shapes = picture(state, None, events[:count], before)
        framed = [shape for shape in shapes if isinstance(shape, Box) and shape.line == "alarm"]
        assert len(framed) == 1
    assert current_command(before, []) is None


def test_what_is_no_turn_is_told_at_once() -> None:
    table = programming()
    table.play("finish")
    assert part_events(np.array([list(event) for event in table.history[-1:]])) == []


def test_the_parts_are_those_that_the_events_tell() -> None:
    """What events tell of cars, batteries and shields is what the rules did; the slip token goes back unsaid."""
    batch = Batch(GAME, 1, events=True, players=4, cars="random", length=1)
    turns = 0
    for seed in range(6 if COMPILED else 1):
        batch.seed(seed)
        batch.start()
        while not batch.over[0]:
            before, actions = batch.states[0].copy(), batch.sample()
            batch.step(actions)
            events, answers = batch.last_events(0), outcomes(batch.luck[0])[:, 0].tolist()
            found = parts(GAME, [Decision(before, int(actions[0]), answers)], events)
            expected = retold(before, events)
            assert [count for count, _ in found] == [count for count, _ in expected]
            turns += bool(found)
            for (_, here), (_, there) in zip(found, expected, strict=True):
                assert here.ask == there.ask
                for name in ("row", "lane", "batteries", "shields", "lying", "token", "controller"):
                    assert (here.drivers[name] == there.drivers[name]).all(), name
                assert not (here.drivers["slipping"] > there.drivers["slipping"]).any()
    assert turns > (20 if COMPILED else 3)
