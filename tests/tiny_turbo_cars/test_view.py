"""A seat observes what it may know, field by field; the fields are frozen with the version."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.tiny_turbo_cars.table import Table, programming, race, turn
from titan_env.engine.batch import Batch
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.rules.controller import CONTENTS
from titan_env.games.tiny_turbo_cars.rules.state import Tile
from titan_env.play.determinization import Determinizations

SIZES = {"rival": 108, "controller": 240, "programs": 360, "ask": 6, "car": 32, "lane": 24, "token": 16}


def seen(table: Table, seat: int = 0) -> dict[str, np.ndarray]:
    """What one seat observes, by the names of the fields."""
    return GAME.rules.fields.split(table.batch.observe(np.array([seat]))[0])


def test_there_are_1703_numbers_and_they_fit_a_byte() -> None:
    assert GAME.rules.fields.size == 1703
    assert GAME.rules.fields.dtype == np.int8
    for name, size in SIZES.items():
        place = GAME.rules.fields.slices[name]
        assert place.stop - place.start == size


def test_the_window_begins_two_rows_below_the_own_car() -> None:
    table = turn("", cells="A1 c, B2 b, C5 o, D6 w, E18 X, F4 S, A19 o", on="C3")
    fields = seen(table)
    for name, row, lane in (
        ("carpet", 0, 0),
        ("boost", 1, 1),
        ("obstacle", 4, 2),
        ("puddle", 5, 3),
        ("impassable", 17, 4),
        ("start", 3, 5),
    ):
        plane = np.zeros((18, 6))
        plane[row, lane] = 1
        np.testing.assert_array_equal(fields[f"track_{name}"], plane)


def test_below_row_1_all_is_impassable() -> None:
    fields = seen(turn("", on="C1"))
    assert fields["track_impassable"][:2].all()
    assert not fields["track_impassable"][2:].any()


@pytest.mark.parametrize("row", [40, 50, 59, 60, 61, 62, 63, 64, 70, 90, 99])
def test_past_the_last_board_the_floor_is_empty_and_past_the_line(row: int) -> None:
    table = turn("", cells="A60 o", on=f"C{row}")
    table.state.line = 51
    fields = seen(table)
    expected = np.zeros((18, 6))
    if 0 <= 60 - row + 2 < 18:
        expected[60 - row + 2, 0] = 1
    np.testing.assert_array_equal(fields["track_obstacle"], expected)
    past = np.arange(18) + row - 2 > 51
    np.testing.assert_array_equal(fields["track_past_line"], np.repeat(past[:, None], 6, axis=1))


def test_other_cars_stand_and_lie_in_the_window() -> None:
    table = turn("", on="C10", others=("D12", "D12", "E8"))
    table.state.drivers["lying"][2] = 1
    fields = seen(table)
    assert fields["rival"][4, 3] == pytest.approx(1 / 3)
    assert fields["rival_lying"][4, 3] == pytest.approx(1 / 3)
    assert fields["rival"][0, 4] == pytest.approx(1 / 3)
    assert fields["rival"].sum() == pytest.approx(2 / 3)
    far = seen(turn("", on="C10", others=("D7", "D26", "D25")))
    assert far["rival"].sum() == pytest.approx(1 / 3)


def test_the_seats_come_in_turn_order_the_own_first() -> None:
    table = turn("", on="C10", others=("D12", "E4", "F40"))
    for seat in range(4):
        fields = seen(table, seat)
        order = [(seat + place) % 4 for place in range(4)]
        drivers = table.state.drivers
        assert fields["car"].argmax(axis=1).tolist() == [drivers["car"][who] for who in order]
        assert fields["lane"].argmax(axis=1).tolist() == [drivers["lane"][who] for who in order]
        rows = np.array([int(drivers["row"][who]) for who in order])
        np.testing.assert_allclose(fields["lead"], np.clip((rows - rows[0]) / 24, -1, 1), rtol=1e-6)
        np.testing.assert_allclose(fields["to_line"], np.clip((71 - rows) / 60, 0, 1), rtol=1e-6)
        assert fields["first"].tolist() == [float(who == 0) for who in order]
        assert fields["token"].argmax(axis=1).tolist() == order
        assert fields["driving"].tolist() == [float(who == 0) for who in order]


def test_the_last_token_is_the_fourth_in_every_number_of_players() -> None:
    for others in (("F1",), ("F1", "E1"), ("F1", "E1", "D1")):
        tokens = seen(turn("", others=others))["token"]
        assert tokens[len(others)].tolist() == [0, 0, 0, 1]


def test_batteries_shields_and_how_a_car_is() -> None:
    table = turn("", batteries=1, shields=3, others=("F1",), charged=(2,))
    table.state.drivers["lying"][1], table.state.drivers["slipping"][0] = 1, 1
    fields = seen(table)
    np.testing.assert_allclose(fields["batteries"], [1 / 3, 2 / 3, 0, 0], rtol=1e-6)
    assert fields["shields"].tolist() == [0.75, 0, 0, 0]
    assert (fields["lying"].tolist(), fields["slipping"].tolist()) == ([0, 1, 0, 0], [1, 0, 0, 0])
    assert fields["seated"].tolist() == [1, 1, 0, 0]


def test_beyond_counts_rows_past_the_line() -> None:
    table = turn("", on="C60", others=("F99",))
    table.state.line = 51
    fields = seen(table)
    np.testing.assert_allclose(fields["beyond"], [9 / 24, 1, 0, 0], rtol=1e-6)
    assert fields["to_line"].tolist() == [0, 0, 0, 0]


def test_the_own_controller_is_seen_once_it_is_dealt() -> None:
    table = programming()
    own, other = seen(table, 0)["controller"], seen(table, 1)["controller"]
    assert own.sum() == 16
    assert own.argmax(axis=-1).ravel().tolist() == table.state.drivers["controller"][0].tolist()
    assert not other.any()


def test_programs_are_seen_from_the_end_of_programming_to_the_end_of_the_round() -> None:
    table = programming()
    assert not seen(table)["programs"].any()
    table.play("finish", "finish", "finish", "finish")
    for seat in range(4):
        programs = seen(table, seat)["programs"]
        for place in range(3):
            controller = table.state.drivers["controller"][(seat + 1 + place) % 4]
            assert programs[place].argmax(axis=-1).tolist() == controller[4:12].tolist()
    while table.asked[0] != "program":
        table.play(table.legal()[-1])
    assert not seen(table)["programs"].any()


def test_what_is_left_of_slides_and_countdown() -> None:
    table = programming(slides=20, countdown=4)
    assert seen(table)["slides_left"] == pytest.approx(20 / 30)
    for _ in range(4):
        table.play(next(text for text in table.legal() if text.startswith("push")))
    assert seen(table)["slides_left"] == pytest.approx(19 / 30)
    table.play("finish", "finish", "finish")
    last = int(table.state.seat)
    fields = seen(table, last)
    assert (fields["countdown"], fields["counting"], fields["slides_left"]) == pytest.approx((4 / 10, 1, 4 / 30))
    table.play(next(text for text in table.legal() if text.startswith("push")))
    assert seen(table, last)["countdown"] == pytest.approx(3 / 10)
    assert seen(table, last)["slides_left"] == pytest.approx(3 / 30)
    other = seen(table, (last + 1) % 4)
    assert (other["countdown"], other["counting"], other["slides_left"]) == (0, 1, 0)


def test_who_has_acted_in_this_tick() -> None:
    table = programming()
    table.play("finish")
    table.play(next(text for text in table.legal() if text.startswith("push")))
    assert seen(table)["acted"].tolist() == [1, 1, 0, 0]


@pytest.mark.parametrize("most", [1, 7, 12, 30, 100])
def test_slides_and_countdown_are_seen_as_they_are_whatever_the_options_say(most: int) -> None:
    table = programming(players=2, slides=most, countdown=most)
    assert round(float(seen(table)["slides_left"]) * 30, 3) == most
    table.play("finish")
    assert round(float(seen(table, int(table.state.seat))["countdown"]) * 10, 3) == most


@pytest.mark.parametrize("limit", [1, 7, 20, 100])
def test_the_rounds_that_are_left_are_seen_as_they_are(limit: int) -> None:
    table = turn("")
    table.state.round_limit = limit
    for rounds in range(1, limit + 1):
        table.state.rounds = rounds
        assert float(seen(table)["rounds_left"]) == pytest.approx((limit - rounds + 1) / 20)


def test_without_a_limit_the_rounds_that_are_left_are_more_than_any_limit() -> None:
    table = turn("")
    table.state.round_limit = 0
    assert seen(table)["rounds_left"] == 6


def test_before_the_draft_and_the_grid_little_is_seen() -> None:
    table = race(first=1, players=3)
    fields = seen(table)
    for name in ("car", "lane", "lead", "to_line", "beyond", "controller", "programs", "rival", "token"):
        assert not fields[name].any(), name
    assert not fields["track_impassable"][0].any(), "who is not placed looks from row 3"
    assert fields["ask"].tolist() == [1, 0, 0, 0, 0, 0]
    assert fields["first"].tolist() == [0, 1, 0, 0]
    table.play("car:dogtor", "car:turbobot", "car:piou_racer", "place:1")
    unplaced = seen(table, 1)
    assert unplaced["lane"].sum() == 1
    assert not unplaced["lead"].any()
    assert unplaced["rival"][1, 0] == pytest.approx(1 / 3)


@pytest.mark.thorough
def test_whole_numbers_and_fractions_tell_the_same() -> None:
    whole, fractions = (Batch(GAME, 32, whole=kind) for kind in (True, False))
    for batch in (whole, fractions):
        batch.seed(3)
        batch.start()
    for _ in range(120):
        np.testing.assert_allclose(GAME.rules.fields.to_float(whole.observations), fractions.observations, rtol=1e-6)
        actions = np.maximum(whole.sample(), 0)
        whole.step(actions)
        fractions.step(actions)


def test_imagined_controllers_hold_each_tile_in_each_place_as_often() -> None:
    table = programming()
    table.play("finish", "finish", "finish")
    worlds = Determinizations(GAME, table.batch.states, np.random.default_rng(0)).imagine(
        3000, np.random.default_rng(1)
    )
    own = int(table.state.seat)
    drivers = worlds.states["drivers"]["controller"]
    assert (drivers[:, own] == table.state.drivers["controller"][own]).all()
    for other in set(range(4)) - {own}:
        assert (np.sort(drivers[:, other], axis=1) == np.sort(CONTENTS)).all()
        for tile in (Tile.HOLE, Tile.TURBO, Tile.FORWARD_1):
            share = (drivers[:, other] == tile).mean(axis=0)
            assert share == pytest.approx(np.full(16, (2 if tile == Tile.FORWARD_1 else 1) / 16), abs=0.035)


def test_during_the_race_nothing_is_left_to_imagine() -> None:
    table = programming().play("finish", "finish", "finish", "finish")
    worlds = Determinizations(GAME, table.batch.states, np.random.default_rng(0)).imagine(3, np.random.default_rng(1))
    assert all(state.tobytes() == table.state.tobytes() for state in worlds.states)


# What is frozen with the version


GOLDEN = Path(__file__).parent / "golden"


def check_golden(name: str, text: str) -> None:
    """Compare with the file; ``TITAN_ENV_UPDATE_GOLDEN=1`` writes it anew."""
    path = GOLDEN / name
    if os.environ.get("TITAN_ENV_UPDATE_GOLDEN"):
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text


def test_the_actions_are_frozen() -> None:
    check_golden("actions.txt", "".join(f"{number} {text}\n" for number, text in enumerate(GAME.rules.actions.texts)))


def test_the_observation_is_frozen() -> None:
    lines = [f"{part.name} {part.shape} {part.low}..{part.high} / {part.scale}\n" for part in GAME.rules.fields.parts]
    check_golden("observation.txt", "".join(lines))


@pytest.mark.parametrize("preset", GAME.rules.presets)
def test_a_playthrough_is_frozen(preset: str) -> None:
    batch = Batch(GAME, 1, events=True, **GAME.rules.presets[preset])
    batch.seed(1)
    batch.start()
    lines = [f"# {preset}, seed 1\n\n", GAME.text.position_text(batch.states[0]), "\n"]
    rng = np.random.default_rng(1)
    while not batch.over[0] and len(lines) < 220:
        action = int(rng.choice(np.flatnonzero(batch.masks[0])))
        state = batch.states[0]
        lines.append(f"{state.seat} {GAME.rules.actions.texts[action]}: {GAME.text.describe_action(state, action)}\n")
        batch.step([action])
        lines += [f"    {GAME.text.describe_event(batch.states[0], event)}\n" for event in batch.last_events(0)]
    check_golden(f"{preset}.txt", "".join([*lines, "\n", GAME.text.position_text(batch.states[0])]))


def test_perft() -> None:
    """How many positions each number of decisions reaches under fixed luck, from a duel's first programming."""
    table = programming(players=2, slides=3, countdown=2)
    counts = []
    states: Any = table.batch.states.copy()
    for _ in range(8):
        counts.append(len(states))
        batch = Batch(GAME, len(states), templates=states)
        batch.states[:] = states
        batch.seed([9] * len(states))
        batch.refresh()
        row, action = np.nonzero(batch.masks)
        after = batch.select(row)
        after.seed([9] * len(row))
        after.step(action)
        states = np.unique(after.states).view(np.recarray)
    check_golden("perft.txt", " ".join(str(count) for count in counts) + "\n")
