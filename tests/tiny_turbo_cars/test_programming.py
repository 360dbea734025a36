"""Programming: ticks, tokens, the countdown of the last programmer, slides."""

from __future__ import annotations

import numpy as np
import pytest

from tests.tiny_turbo_cars.table import Table, ended, programming, race, turn
from titan_env.contract import Status, preset
from titan_env.engine.batch import Batch
from titan_env.games.tiny_turbo_cars import GAME
from titan_env.games.tiny_turbo_cars.rules.controller import CONTENTS
from titan_env.games.tiny_turbo_cars.rules.state import Event, Gain, Tile


def push(table: Table) -> str:
    """Any slide that is legal."""
    return next(text for text in table.legal() if text.startswith("push"))


def asked(table: Table, decisions: int) -> list[int]:
    """Who is asked at each of so many slides."""
    seats = []
    for _ in range(decisions):
        seats.append(int(table.state.seat))
        table.play(push(table))
    return seats


def tokens(table: Table) -> list[int]:
    return table.state.drivers["token"][: table.state.seats].tolist()


def test_all_are_asked_in_every_tick_and_the_lead_goes_round() -> None:
    assert asked(programming(), 12) == [0, 1, 2, 3, 1, 2, 3, 0, 2, 3, 0, 1]


def test_whoever_finishes_takes_the_happiest_token_at_once() -> None:
    table = programming(first=2).play("finish")
    assert tokens(table) == [0, 0, 1, 0]
    table.play("finish")
    assert tokens(table) == [0, 0, 1, 2]
    assert [event[1:3] for event in table.events(Event.DONE)] == [(2, 1), (3, 2)]


def test_the_last_programmer_has_ten_slides_and_then_the_last_token() -> None:
    table = programming(first=2).play("finish", "finish", "finish")
    assert table.events(Event.COUNTDOWN) == [(Event.COUNTDOWN, 1, 10, 0)]
    assert asked(table, 10) == [1] * 10
    assert tokens(table) == [3, 4, 1, 2]
    assert table.asked == ("drive", 2)
    assert table.events(Event.DONE)[-1] == (Event.DONE, 1, 4, 10)


def test_whoever_has_made_all_slides_is_stopped() -> None:
    table = programming(slides=2)
    assert asked(table, 8) == [0, 1, 2, 3, 1, 2, 3, 0]
    assert tokens(table) == [4, 1, 2, 3]


def test_the_last_programmer_may_finish_before_the_countdown_ends() -> None:
    table = programming(players=2).play("finish")
    assert asked(table, 3) == [1, 1, 1]
    assert tokens(table.play("finish")) == [1, 2]
    assert table.asked == ("drive", 0)


def test_the_limit_of_slides_ends_a_countdown_too() -> None:
    table = programming(players=2, slides=2).play("finish")
    assert asked(table, 2) == [1, 1]
    assert table.asked == ("drive", 0)


def test_each_car_gains_a_shield_for_each_car_before_it() -> None:
    table = turn("", on="C20", others=("D20", "C18", "C25"), last=True)
    table.state.drivers["token"][:4] = [2, 1, 3, 4]
    table.state.seat = 3
    table.batch.refresh()
    table.play("drive")
    assert table.state.drivers["shields"][:4].tolist() == [2, 1, 3, 0]
    gained = [(who, shields) for _, who, shields, cause in table.events(Event.GAINED) if cause == Gain.POSITION]
    assert gained == [(0, 2), (1, 1), (2, 3)]
    assert table.state.rounds == 2


def test_past_the_line_the_happier_token_decides_a_tie() -> None:
    state = ended(["C43", "D43", "C12", "D12"], [3, 2, 1, 4]).state
    assert state.won.tolist() == [0, 1, 0, 0, 0, 0]
    assert state.place.tolist() == [2, 1, 3, 4, 0, 0]
    assert state.over == Status.TERMINATED


def test_a_lying_car_further_on_beats_both() -> None:
    state = ended(["C43", "D43", "C44", "D12"], [3, 2, 1, 4], lying=2).state
    assert state.won.tolist() == [0, 0, 1, 0, 0, 0]
    assert state.place.tolist() == [3, 2, 1, 4, 0, 0]


def test_the_winner_is_told_with_the_rows_past_the_line() -> None:
    assert ended(["C43", "D12", "C44", "D11"], [1, 2, 3, 4]).events(Event.WON) == [(Event.WON, 2, 4, 0)]


def test_a_car_that_ends_behind_the_line_has_not_crossed_it() -> None:
    table = turn("blank blank forward_1 back_1", on="C40", others=("F1",), last=True)
    table.state.line = 40
    table.play("drive")
    assert table.events(Event.CROSSED) == [(Event.CROSSED, 0, 41, 0)]
    assert table.state.over == Status.RUNNING
    assert table.asked[0] == "program"


def test_shields_and_slip_token_go_back_before_the_next_turn() -> None:
    table = turn("forward_1", cells="C4 w", shields=2).play("drive")
    assert table.state.drivers[0].slipping
    table.play("shield:stop")
    assert (table.state.drivers[0].shields, table.state.drivers[0].slipping) == (0, 0)
    assert table.asked == ("drive", 1)


def test_cars_are_chosen_clockwise_and_places_in_reverse() -> None:
    table = race(first=1, players=3)
    order = []
    for text in ("car:dogtor", "car:turbobot", "car:piou_racer", "place:1", "place:6", "place:2"):
        order.append(table.asked)
        table.play(text)
    assert order == [("car", 1), ("car", 2), ("car", 0), ("place", 0), ("place", 2), ("place", 1)]
    assert [table.at(who) for who in range(3)] == ["A2", "C2", "F1"]


def test_a_car_or_place_is_taken_once() -> None:
    table = race(players=2).play("car:dogtor")
    assert "car:dogtor" not in table.legal()
    table.play("car:turbobot", "place:3")
    assert table.legal() == ["place:1", "place:2", "place:4", "place:5", "place:6"]


def controlled(line_pushes: bool) -> Table:
    """A controller in order, except that the hole is in row 2, column 2."""
    table = programming(line_pushes=line_pushes)
    tiles = [tile for tile in CONTENTS.tolist() if tile != Tile.HOLE]
    table.state.drivers["controller"][0] = [*tiles[:5], Tile.HOLE, *tiles[5:]]
    table.batch.refresh()
    return table


def test_a_slide_pushes_a_whole_line_where_that_is_played() -> None:
    table = controlled(line_pushes=True)
    before = table.state.drivers["controller"][0].tolist()
    assert "push:up3" not in table.legal()
    table.play("push:up2")
    after = table.state.drivers["controller"][0].tolist()
    assert (after[5], after[9], after[13]) == (before[9], before[13], Tile.HOLE)
    assert table.state.drivers[0].slides == 1


@pytest.mark.parametrize(("text", "tile_from"), [("push:up", 9), ("push:down", 1), ("push:left", 6), ("push:right", 4)])
def test_a_tile_beside_the_hole_moves_into_it(text: str, tile_from: int) -> None:
    table = controlled(line_pushes=False)
    before = table.state.drivers["controller"][0].tolist()
    assert table.legal() == ["push:up", "push:down", "push:left", "push:right", "finish"]
    table.play(text)
    after = table.state.drivers["controller"][0].tolist()
    assert (after[5], after[tile_from]) == (before[tile_from], Tile.HOLE)


@pytest.mark.parametrize("hole", range(16))
def test_a_push_and_its_opposite_leave_the_controller_as_it_was(hole: int) -> None:
    opposite = {"up": "down", "down": "up", "left": "right", "right": "left"}
    tiles = [tile for tile in CONTENTS.tolist() if tile != Tile.HOLE]
    controller = [*tiles[:hole], Tile.HOLE, *tiles[hole:]]
    table = programming(line_pushes=True)
    row, column = divmod(hole, 4)
    room = {"up": 3 - row, "down": row, "left": 3 - column, "right": column}
    for direction, tiles_beside in room.items():
        for count in (1, 2, 3):
            table.state.drivers["controller"][table.state.seat] = controller
            table.state.drivers["slides"] = 0
            table.batch.refresh()
            text = f"push:{direction}{count if count > 1 else ''}"
            assert (text in table.legal()) == (count <= tiles_beside)
            if count > tiles_beside:
                continue
            seat = int(table.state.seat)
            table.play(text)
            table.state.seat = seat
            table.batch.refresh()
            table.play(text.replace(direction, opposite[direction]))
            assert table.state.drivers["controller"][seat].tolist() == controller


def test_nobody_sees_the_controller_of_another_while_programming() -> None:
    table = programming()
    asked(table, 4)
    before = table.batch.observe(np.array([2]))[0].copy()
    for other in (0, 1, 3):
        table.state.drivers["controller"][other] = np.random.default_rng(other).permutation(CONTENTS)
        assert np.array_equal(table.batch.observe(np.array([2]))[0], before)


def test_the_round_limit_truncates() -> None:
    table = programming(players=2, round_limit=1).play("finish", "finish", "drive")
    while table.asked[0] != "nothing":
        table.play(table.legal()[-1])
    assert table.state.over == Status.TRUNCATED
    assert not table.batch.payoffs().any()
    assert not table.state.place.any()
    assert not table.state.drivers["shields"].any()


def test_a_controller_is_shuffled_when_its_seat_is_first_asked() -> None:
    table = programming()
    dealt = [table.state.drivers["controller"][:, 0].copy()]
    shuffles = [int(table.state.shuffles)]
    for _ in range(3):
        table.play("finish")
        dealt.append(table.state.drivers["controller"][:, 0].copy())
        shuffles.append(int(table.state.shuffles))
    assert [(first != -1).sum() for first in dealt] == [1, 2, 3, 4]
    assert shuffles == [1, 2, 3, 4]


def test_a_shuffle_lays_the_tiles_in_order_and_exchanges_places_from_the_last() -> None:
    table = race(cars=["dogtor", "turbobot"], players=2).play("place:1")
    answers = [3, 0, 12, 12, 5, 1, 9, 8, 2, 0, 4, 4, 1, 1, 0]
    preset(table.batch.luck[0], answers)
    table.play("place:2")
    expected = CONTENTS.tolist()
    for place, other in zip(range(15, 0, -1), answers, strict=True):
        expected[place], expected[other] = expected[other], expected[place]
    assert table.state.drivers["controller"][table.state.seat].tolist() == expected


@pytest.mark.thorough
def test_every_order_of_a_controller_is_as_likely() -> None:
    batch = Batch(GAME, 4000, players=2, cars=["dogtor", "turbobot"])
    batch.seed(0)
    batch.start()
    for place in ("place:1", "place:2"):
        batch.step(np.full(4000, GAME.rules.actions.read(place)))
    asked_first = batch.states["drivers"]["controller"][np.arange(4000), batch.states["seat"].astype(int)]
    for tile in Tile:
        shares = (asked_first == tile).mean(axis=0)
        assert shares == pytest.approx(np.full(16, (2 if tile == Tile.FORWARD_1 else 1) / 16), abs=0.035), tile


def test_a_new_round_takes_the_tokens_back_and_moves_the_lead_on() -> None:
    table = turn("", others=("F1", "E1"), last=True).play("drive")
    assert tokens(table) == [0, 0, 0]
    assert table.events(Event.ROUND) == [(Event.ROUND, 1, 2, 0)]
    assert table.asked == ("program", 1)
    assert (table.state.drivers["slides"] == 0).all()
