"""Positions as text, both ways, and what may be played on from."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tiny_turbo_cars.table import Table, programming, race, turn
from tests.tiny_turbo_cars.test_boards import drawing
from titan_env.engine.batch import Batch
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.rules.state import Ask, Event, Tile

POSITION = """
boards: driveway kitchen garden
ask: drive
seat: 0
seat 0: dogtor C13 batteries=2 token=1 slides=4 acted=1
  | F1 F2 F1 B1
  | L1 .. R1 L2
  | R2 JU MI TU
  | BA ++ -- 00
seat 1: turbobot D1 batteries=3 token=2
  | F1 F2 F1 B1
  | L1 R1 .. L2
  | R2 JU MI TU
  | BA ++ -- 00
"""


def test_a_position_for_a_test_takes_few_lines() -> None:
    states = GAME.text.parse_position(POSITION)
    GAME.text.validate_position(states[0])
    table = Table(states)
    assert (table.asked, table.at(0), table.at(1)) == (("drive", 0), "C13", "D1")
    table.play("drive")
    assert table.events(Event.COMMAND)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("BA ++ -- 00", "BA ++ -- F1"), "the controller of Dogtor to hold the 15 tiles"),
        (("batteries=2", "batteries=4"), "Dogtor's batteries 0 to 3, got 4"),
        (("batteries=2", "batteries=0"), "Dogtor, which stands, to have a battery"),
        (("batteries=2", "batteries=3 lying=1"), "Dogtor, which lies, to have at most 2"),
        (("batteries=2", "batteries=2 shields=3"), "Dogtor's shields 0 to 2, got 3"),
        (("C13", "A13"), "Dogtor on a cell that is not impassable, got A13"),
        (("C13", "C25"), "Dogtor before the line, and not slipping, until its turn"),
        (("turbobot", "dogtor"), "every car once"),
        (("token=2", "token=1"), "the first tokens, each once"),
        (("token=1", "token=0"), "the first tokens, each once, got 2"),
        (("ask: drive", "ask: program"), "a controller, no token"),
        (("ask: drive", "ask: fly"), "a question that the seat can answer"),
        (("ask: drive", "ask: shield"), "a question that the seat can answer"),
        (("ask: drive", "ask: nothing"), "expected ask 1 to 6"),
        (("ask: drive", "ask: car"), "rounds 0"),
        (("ask: drive", "over: truncated"), "still running"),
        (("ask: drive", "ask: drive\ntime_left: 3"), "time_left 0"),
    ],
)
def test_a_position_that_cannot_be_is_refused(change: tuple[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GAME.text.validate_position(GAME.text.parse_position(POSITION.replace(*change, 1))[0])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (("boards: driveway kitchen garden", ""), "expected a line `boards:`"),
        (("kitchen", "attic"), "line 2: expected one of random, generated, own, driveway.*'attic'"),
        (("kitchen garden", "garden"), "line 2: expected 3 to 6 boards, got 2"),
        (("kitchen", "own"), "line 2: expected a drawing of the track"),
        (("dogtor C13", "ferrari C13"), "line 5: expected one of none, dame_liner.*'ferrari'"),
        (("C13", "Z13"), "line 5: expected a cell such as C7"),
        (("token=1", "speed=1"), "line 5: expected one of batteries.*'speed'"),
        (("token=1", "token=x"), "line 5: token: expected a number"),
        (("| F1 F2 F1 B1", "| F1 F2 F1"), "line 6: expected 4 of"),
        (("| F1 F2 F1 B1", "| F1 F2 F1 Q9"), "line 6: expected 4 of"),
        (("seat 1:", "seat 2:"), "line 10: expected the seats from 0.*'seat 2'"),
        (("seat: 0", "seat: 0\nseat: 1"), "line 5: expected one line of 'seat', got another"),
        (("ask: drive", "ask: sing"), "line 3: ask: expected one of nothing"),
        (("ask: drive", "hello"), "line 3: expected a row of the track"),
    ],
)
def test_a_damaged_text_is_refused_with_its_line(change: tuple[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        GAME.text.parse_position(POSITION.replace(*change, 1))


def test_a_drawing_must_agree_with_the_boards_and_the_seats() -> None:
    text = GAME.text.position_text(programming(players=2).state)
    with pytest.raises(ValueError, match="line 3: expected what is printed there on garden"):
        GAME.text.parse_position(text.replace("50  . ", "50  o ", 1))
    with pytest.raises(ValueError, match="expected Dl on C2, as the seats say"):
        GAME.text.parse_position(text.replace("SDl", "S", 1))
    with pytest.raises(ValueError, match="expected row 49, got row 48"):
        GAME.text.parse_position("\n".join(line for line in text.splitlines() if not line.startswith("49")))


def test_own_boards_are_drawn_and_read_back() -> None:
    table = race(boards=["driveway", drawing(r3="w X b c o ."), "terrace"], cars=["dogtor", "m1_lapin"])
    text = GAME.text.position_text(table.state)
    assert "boards: driveway own terrace" in text
    assert GAME.text.parse_position(text).tobytes() == table.batch.states.tobytes()
    GAME.text.validate_position(table.state)


def test_of_boards_of_ones_own_it_is_told_once_that_they_are_none_of_the_box() -> None:
    own = drawing(r3="w X b c o .")
    table = race(boards=["driveway", own, own, own, "terrace"], cars=["dogtor", "m1_lapin"])
    assert GAME.text.describe_position(table.state, None)[0].startswith("Track: Driveway, none of the box, Terrace.")


@pytest.mark.thorough
@pytest.mark.parametrize("preset", GAME.rules.presets)
def test_positions_of_a_game_read_back_to_the_same_bytes_and_pass_the_check(preset: str) -> None:
    batch = Batch(GAME, 1, **GAME.rules.presets[preset])
    batch.seed(4)
    batch.start()
    decisions = 0
    while not batch.over[0]:
        if decisions % 5 == 0 or batch.states[0].ask >= Ask.FLY:
            assert (
                GAME.text.parse_position(GAME.text.position_text(batch.states[0])).tobytes() == batch.states.tobytes()
            )
            GAME.text.validate_position(batch.states[0])
        batch.step(batch.sample())
        decisions += 1


# Who sees and hears what


def test_another_controller_is_face_down_while_programming() -> None:
    table = programming()
    for _ in range(4):
        table.play(next(text for text in table.legal() if text.startswith("push")))
    shown = GAME.text.position_text_for(table.state, 2)
    assert shown.count("| ?? ?? ?? ??") == 12
    table.play("finish", "finish", "finish", "finish")
    assert "??" not in GAME.text.position_text_for(table.state, 2)


def test_others_hear_that_a_slide_was_made_but_not_which() -> None:
    table = programming()
    push = GAME.rules.actions.read(next(text for text in table.legal() if text.startswith("push")))
    sentence = GAME.text.describe_action(table.state, push)
    assert GAME.text.describe_action_for(table.state, push, 0) == sentence
    assert GAME.text.describe_action_for(table.state, push, 1) == "Dame Liner slides"
    finish = GAME.rules.actions.read("finish")
    assert GAME.text.describe_action_for(table.state, finish, 1) == GAME.text.describe_action(table.state, finish)


def test_a_slide_has_no_event() -> None:
    table = programming()
    table.history.clear()
    table.play(next(text for text in table.legal() if text.startswith("push")))
    assert not table.history


# Reasons


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("push:up2", "Whole lines are not pushed in this game."),
        ("drive", "The controller is being programmed: a slide, or finish."),
    ],
)
def test_why_not_while_programming(text: str, reason: str) -> None:
    table = programming()
    assert GAME.text.why_not(table.state, GAME.rules.actions.read(text)) == reason


def test_why_not_at_the_border_of_the_controller() -> None:
    table = programming(line_pushes=True)
    tiles = [int(tile) for tile in table.state.drivers[0].controller if tile != Tile.HOLE]
    table.state.drivers["controller"][0] = [*tiles, Tile.HOLE]
    reasons = {
        text: GAME.text.why_not(table.state, GAME.rules.actions.read(text)) for text in ("push:up", "push:left3")
    }
    assert reasons == {
        "push:up": "No tile lies below the hole.",
        "push:left3": "No 3 tiles lie to the right of the hole.",
    }


def test_why_not_before_and_in_the_race() -> None:
    table = race(players=2).play("car:dogtor")
    assert GAME.text.why_not(table.state, GAME.rules.actions.read("car:dogtor")) == "Somebody drives Dogtor."
    table.play("car:turbobot", "place:3")
    assert GAME.text.why_not(table.state, GAME.rules.actions.read("place:3")) == "Somebody stands on place 3."
    flying = turn("", car="piou_racer", on="A5").play("drive")
    assert GAME.text.why_not(flying.state, GAME.rules.actions.read("fly:left")) == (
        "There is no empty cell to the left of Piou Racer."
    )


# By hand


def test_a_car_is_put_elsewhere_and_a_battery_turned() -> None:
    table = programming(players=2)
    GAME.presentation.edit_position(table.state, "car:0", "cell:7,3")
    assert table.at(0) == "D7"
    GAME.presentation.edit_position(table.state, "battery:0:2", "battery:0:2")
    assert table.state.drivers[0].batteries == 2
    GAME.presentation.edit_position(table.state, "battery:0:0", "battery:0:0")
    GAME.presentation.edit_position(table.state, "battery:0:0", "battery:0:0")
    assert (table.state.drivers[0].batteries, table.state.drivers[0].lying) == (0, 1)
    GAME.text.validate_position(table.state)


@pytest.mark.parametrize(
    ("what", "where", "message"),
    [
        ("car:0", "", "expected a car and a cell"),
        ("car:9", "cell:3,3", "expected a car and a cell"),
        ("car:0", "cell:99,3", "expected a cell of the track"),
        ("car:0", "cell:23,0", "expected a cell that is not impassable, got A23"),
        ("battery:0:7", "", "expected the battery of a car"),
        ("moon", "", "expected a car and a cell"),
    ],
)
def test_what_cannot_be_put_there_is_refused(what: str, where: str, message: str) -> None:
    table = programming(players=2)
    before = table.state.tobytes()
    with pytest.raises(ValueError, match=message):
        GAME.presentation.edit_position(table.state, what, where)
    assert table.state.tobytes() == before


def test_what_a_finished_race_is_counted_by() -> None:
    batch = Batch(GAME, 1, players=3)
    batch.seed(2)
    batch.start()
    batch.rollout(2000)
    assert GAME.metadata.statistics is not None
    traits = GAME.metadata.statistics(batch.states[0])
    assert sorted(traits["token"]) == ["I", "II", "X"]
    assert len(set(traits["car"])) == 3
    assert traits["rows past the line"] > 0
    assert np.isfinite(traits["rounds"])
