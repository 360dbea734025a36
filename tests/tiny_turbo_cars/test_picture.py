"""What a picture of a race shows: at every preset, wide and narrow, and what it must not show."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from tests.tiny_turbo_cars.table import Table, programming, race, turn
from titan_env.contract.shapes import Box, Label, Line, Shape, bounds
from titan_env.engine.batch import Batch
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.picture.last_move import program_path
from titan_env.games.tiny_turbo_cars.picture.picture import picture
from titan_env.games.tiny_turbo_cars.rules.state import Event


def offered(shapes: list[Shape]) -> set[str]:
    """The texts of the actions that a click somewhere offers."""
    return {GAME.rules.actions.texts[action] for shape in shapes for action in shape.actions}


def middle(shapes: list[Shape], key: str) -> tuple[float, float]:
    """Where a cell is drawn."""
    box = next(shape for shape in shapes if shape.key == key)
    assert isinstance(box, Box)
    return box.x + box.wide / 2, box.y + box.high / 2


@pytest.mark.parametrize("narrow", [False, True])
@pytest.mark.parametrize("preset", GAME.rules.presets)
def test_at_every_moment_each_action_is_offered_and_each_key_is_used_once(preset: str, narrow: bool) -> None:
    batch = Batch(GAME, 1, events=True, **GAME.rules.presets[preset])
    batch.seed(1)
    batch.start()
    for decision in range(60):
        if batch.over[0]:
            break
        before = batch.states[0].copy()
        batch.step(batch.sample())
        if decision % 6:
            continue
        shapes = picture(batch.states[0], None, batch.last_events(0), before, narrow)
        legal = {GAME.rules.actions.texts[action] for action in np.flatnonzero(batch.masks[0])}
        assert offered(shapes) == legal
        keys = Counter(shape.key for shape in shapes if shape.key)
        assert set(keys.values()) == {1}, keys.most_common(3)
        left, _, right, _ = bounds(shapes)
        assert right - left < (5.5 if narrow else 14)


def test_nothing_is_offered_to_a_seat_that_is_not_asked() -> None:
    table = race(players=3)
    assert offered(picture(table.state, 0)) == set(table.legal())
    assert not offered(picture(table.state, 1))


def test_the_track_is_driven_to_the_right_with_blue_above() -> None:
    shapes = picture(turn("").state)
    assert middle(shapes, "cell:4,2")[0] > middle(shapes, "cell:3,2")[0]
    assert middle(shapes, "cell:3,0")[1] > middle(shapes, "cell:3,5")[1]


def test_narrow_boards_lie_in_strips() -> None:
    shapes = picture(turn("").state, narrow=True)
    assert middle(shapes, "cell:11,0")[0] == middle(shapes, "cell:1,0")[0]
    assert middle(shapes, "cell:11,0")[1] < middle(shapes, "cell:10,5")[1]


def test_a_phone_shows_the_boards_from_that_of_the_last_car_on() -> None:
    keys = {shape.key for shape in picture(turn("", on="C25", others=("F33",)).state, narrow=True)}
    assert not {"cell:20,0", "cell:1,0"} & keys
    assert {"cell:21,0", "cell:50,5"} <= keys
    assert "cell:20,0" in {shape.key for shape in picture(turn("", on="C22", others=("F33",)).state, narrow=True)}


def test_a_phone_shows_the_controller_and_who_drives_above_the_boards() -> None:
    programs = picture(programming(players=2).state, 0, narrow=True)
    assert middle(programs, "tile:0:15")[1] > middle(programs, "cell:1,0")[1] > middle(programs, "seat:0")[1]
    drives = picture(turn("", on="C3", others=("F1",)).state, narrow=True)
    assert middle(drives, "seat:0")[1] > middle(drives, "cell:1,0")[1] > middle(drives, "seat:1")[1]


def test_an_arrow_key_slides_the_tile_where_it_points() -> None:
    table = programming(players=2)
    pressed = {shape.press: shape.actions for shape in shown(table, 0) if shape.press}
    legal = {text for text in table.legal() if text.startswith("push")}
    assert {key: (GAME.rules.actions.read(f"push:{key.removeprefix('Arrow').lower()}"),) for key in pressed} == pressed
    assert {f"push:{key.removeprefix('Arrow').lower()}" for key in pressed} == legal
    assert not [shape for shape in shown(table, 1) if shape.press]


def shown(table: Table, seat: int | None) -> list[Shape]:
    return picture(table.state, seat)


def test_another_controller_is_not_in_the_picture() -> None:
    table = programming(players=2)
    table.play(next(text for text in table.legal() if text.startswith("push")))
    hidden = {shape.key for shape in shown(table, 0)}
    assert not {key for key in hidden if key.startswith("tile:1:")}
    assert {f"tile:0:{place}" for place in range(16)} <= hidden
    before = shown(table, 0)
    table.state.drivers["controller"][1] = np.random.default_rng(0).permutation(table.state.drivers[1].controller)
    assert shown(table, 0) == before


def test_a_click_on_a_tile_slides_it() -> None:
    table = programming(players=2)
    for action in table.legal():
        if action.startswith("push"):
            number = GAME.rules.actions.read(action)
            tile = next(shape for shape in shown(table, 0) if shape.actions == (number,))
            assert tile.key.startswith("tile:0:")
            assert tile.title == GAME.text.describe_action(table.state, number)


def test_the_ghost_goes_where_the_car_does_when_nobody_is_in_its_way() -> None:
    table = turn("forward_2 right_1 plus jump", on="C10", others=("F40",))
    path = program_path(table.state, 0)
    before = table.state.tobytes()
    table.play("drive")
    moved = [event[2:] for event in table.events(Event.MOVED)]
    assert path == [(10, 2), *moved]
    assert before != table.state.tobytes()


def test_only_the_seat_that_programs_sees_its_ghost() -> None:
    table = programming(players=2)
    dashed = {
        seat: any(isinstance(shape, Line) and shape.dashed and len(shape.points) > 2 for shape in shown(table, seat))
        for seat in (0, 1)
    }
    assert dashed == {0: True, 1: False}


def test_what_has_just_happened_is_marked() -> None:
    table = turn("missile forward_2", cells="C5 o", others=("C9",))
    before: Any = table.state.copy()
    table.play("drive")
    events = [list(event) for event in table.history]
    shapes = picture(table.state, None, events, before)
    texts = [shape.text for shape in shapes if isinstance(shape, Label)]
    assert texts.count("-1") == 2
    assert any(isinstance(shape, Line) and shape.head for shape in shapes)


@pytest.mark.parametrize("narrow", [False, True])
def test_players_are_named_beside_their_cars_as_far_as_there_is_room(narrow: bool) -> None:
    table = programming(players=3)
    table.state.drivers["lying"][1] = 1
    names = ["expert", "greedy", "mcts:64,prior=an_agent_with_a_long_name"]
    labels = [shape for shape in picture(table.state, 0, (), None, narrow, names) if isinstance(shape, Label)]
    for name in ("player 1 · expert", "player 2", "player 3 · mcts:64"):
        at = next(i for i, label in enumerate(labels) if label.text.startswith(name))
        whose, status = labels[at : at + 2]
        assert (status.y, status.align) == (whose.y, "right")
        assert whose.reach[2] <= status.reach[0]


def test_before_cars_are_chosen_the_players_are_named_too() -> None:
    texts = [shape.text for shape in picture(race(players=2).state, names=["expert"]) if isinstance(shape, Label)]
    assert texts[texts.index("Player 1") + 1] == "expert"
    assert "Player 2" in texts
