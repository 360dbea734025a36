"""Turns as the rulebook and its answers to questions describe them: a program leads a car over the cells of a track.

The car stands on C3 of an empty track; `cells` says what lies elsewhere. A cell is given after each
command of the program; the batteries are those after the last.
"""

from __future__ import annotations

from typing import Any

import pytest

from tests.tiny_turbo_cars.table import Table, turn
from titan_env.games.tiny_turbo_cars.rules.state import Event


def drive(program: str, **there: Any) -> Table:
    """The turn, driven."""
    return turn(program, **there).play("drive")


CHARLIE = "minus turbo plus jump right_2 battery back_1 left_2"
ROSE = "forward_1 left_1 right_1 back_1 missile blank forward_2 jump"
THREE_LYING = "forward_1 forward_2 jump turbo left_1 right_1"

# Program, the cell after each command, batteries after the last, and what else is there
EXAMPLES: list[tuple[str, str, int, dict[str, Any]]] = [
    (CHARLIE, "C3 C5 C5 C8 D9 D9 D8 B10", 3, {"cells": "C6 o, C7 X, C8 c"}),
    (ROSE, "C4 B5 C6 C5 C6 C6 C7 C7", 1, {"cells": "C7 o", "batteries": 1}),
    (
        "forward_2 jump forward_1",
        "C7 C7 C8",
        3,
        {"cells": "C7 o", "on": "C7", "batteries": 1, "lying": True},
    ),
    ("jump", "C5", 3, {"cells": "C4 X"}),
    ("jump", "C4", 2, {"cells": "C5 X"}),
    ("missile", "C4", 3, {"cells": "C5 X", "others": ("C6", "C20", "D6")}),
    ("turbo", "C5", 2, {"batteries": 2}),
    ("battery", "C3", 3, {"batteries": 2}),
    ("plus battery", "C3 C3", 3, {"batteries": 1}),
    ("plus missile", "C3 C5", 3, {"others": ("C9",)}),
    ("plus jump", "C3 C6", 3, {"cells": "C4 o, C5 X"}),
    ("plus back_1", "C5 C3", 3, {"on": "C5"}),
    ("minus missile", "C3 C3", 3, {"others": ("C9",)}),
    ("minus back_1", "C3 C3", 3, {}),
    ("minus plus forward_1", "C3 C3 C4", 3, {}),
    ("plus minus forward_1", "C3 C3 C4", 3, {}),
    ("minus jump", "C3 C4", 3, {"cells": "C4 w"}),
    ("back_1 forward_1", "C3 C4", 3, {"cells": "C3 S, C2 S"}),
    ("missile", "C4", 3, {"cells": "C4 S", "others": ("C4",), "charged": (2,)}),
    ("forward_2", "C4", 3, {"cells": "C3 c"}),
    ("left_2", "B4", 3, {"cells": "C3 c"}),
    ("jump", "C4", 3, {"cells": "C3 c"}),
    ("turbo", "C4", 3, {"cells": "C3 c"}),
    ("back_1", "C2", 3, {"cells": "C3 c"}),
    ("forward_2", "C4", 3, {"cells": "C3 g"}),
    ("plus forward_2", "C3 C5", 3, {"cells": "C3 c"}),
    ("minus forward_2", "C3 C3", 3, {"cells": "C3 c"}),
    ("forward_1", "C5", 3, {"cells": "C3 b"}),
    ("forward_2 forward_1", "C4 C5", 2, {"cells": "C4 o"}),
    ("forward_2", "C4", 2, {"cells": "C4 o", "others": ("C4",)}),
    ("right_2 left_1", "E5 F6", 3, {"cells": "D4 w", "car": "dogtor"}),
    ("right_1 left_1", "D4 E5", 3, {"cells": "C3 w", "car": "dogtor"}),
    ("left_2", "A3", 2, {"on": "A3"}),
    ("right_2", "D4", 2, {"cells": "E5 X"}),
    (THREE_LYING, "C3 C3 C3 C3 B4 C5", 3, {"cells": "C4 X", "batteries": 1}),
    ("plus forward_1", "C3 C6", 3, {"car": "dame_liner"}),
    ("back_1", "C1", 3, {"cells": "C3 c", "car": "brick_gang"}),
    ("turbo", "C5", 3, {"cells": "C3 c", "car": "brick_gang"}),
    ("back_1", "C1", 3, {"cells": "C3 g", "car": "brick_gang"}),
    ("forward_1 right_1", "C4 A6", 3, {"cells": "C3 w"}),
    ("forward_1", "C4", 3, {"cells": "C4 o", "car": "grim_levingo"}),
    ("forward_2", "C4", 2, {"cells": "C4 o", "car": "grim_levingo"}),
    ("missile", "C6", 3, {"on": "C5", "car": "m1_lapin", "others": ("C2", "F5", "C9")}),
    ("battery", "C3", 3, {"car": "dogtor", "batteries": 1}),
    ("battery", "C5", 3, {"car": "dogtor"}),
    ("turbo", "C5", 1, {"cells": "C5 o", "car": "turbobot"}),
    ("turbo", "C7", 1, {"car": "turbobot", "batteries": 1}),
    # Commands that meet
    ("forward_1", "C6", 3, {"cells": "C3 b", "car": "dame_liner"}),
    ("plus forward_1", "C3 C7", 3, {"cells": "C3 b"}),
    ("minus forward_1", "C3 C5", 3, {"cells": "C3 b"}),
    ("minus plus forward_1", "C3 C3 C7", 3, {"cells": "C3 b"}),
    ("plus battery", "C3 C3", 3, {"cells": "C3 b", "car": "dogtor", "batteries": 0, "lying": False}),
    ("plus battery", "C3 C8", 3, {"cells": "C3 b", "car": "dogtor"}),
    ("minus turbo", "C3 C8", 3, {"cells": "C3 b", "car": "turbobot"}),
    ("minus forward_1", "C3 C5", 2, {"cells": "C3 b, C5 o", "car": "grim_levingo"}),
    ("minus missile", "C3 C5", 3, {"cells": "C3 b", "car": "m1_lapin", "others": ("F3",), "charged": (2,)}),
    ("minus right_1", "C3 E5", 3, {"cells": "C3 b", "car": "piou_racer"}),
    ("plus plus forward_1", "C3 C3 C9", 3, {"cells": "C3 b", "car": "brick_gang"}),
    ("plus blank forward_1", "C3 C3 C5", 3, {"cells": "C3 b"}),
    ("plus forward_1", "C3 C10", 3, {"cells": "C3 b", "car": "dame_liner"}),
    ("minus forward_1", "C3 C7", 3, {"cells": "C3 b", "car": "dame_liner"}),
    ("plus blank forward_1", "C3 C3 C4", 3, {}),
    ("plus hole forward_1", "C3 C3 C4", 3, {}),
    ("jump", "C4", 2, {"cells": "C4 o, C5 X"}),
    ("jump left_1", "C4 D5", 2, {"cells": "C4 w, C5 X", "car": "dogtor"}),
    ("jump", "C3", 2, {"cells": "C4 X, C5 X"}),
    ("forward_1", "C3", 3, {"cells": "C3 S, C4 X"}),
    ("forward_2", "C4", 3, {"cells": "C3 S, C4 S", "others": ("C4",)}),
    ("blank", "C3", 2, {"cells": "C3 S", "last": True}),
    ("forward_1 forward_1 forward_1 forward_1", "C3 C3 C3 C4", 3, {"batteries": 1, "last": True}),
    (
        "forward_1 forward_1 forward_1 forward_1",
        "C3 C3 C3 C4",
        3,
        {"batteries": 1, "lying": True, "last": True},
    ),
    ("minus right_1 left_1", "C3 C3 D4", 3, {"cells": "C3 w", "car": "dogtor"}),
    ("right_1", "D4", 3, {"cells": "C3 w"}),
    ("right_1 minus left_1", "D4 D4 E5", 3, {"cells": "D4 w"}),
    ("turbo", "C4", 1, {"cells": "C4 o", "car": "turbobot", "batteries": 2, "shields": 1}),
    ("missile", "C6", 3, {"on": "C5", "car": "m1_lapin", "others": ("C5", "D6")}),
    ("missile", "C6", 3, {"on": "C5", "car": "m1_lapin", "others": ("D5",), "cells": "D5 S"}),
    ("battery", "C4", 3, {"cells": "C3 c", "car": "dogtor"}),
    ("minus battery", "C3 C4", 3, {"car": "dogtor"}),
    ("right_1", "C4", 3, {"cells": "B4 X, C3 X", "on": "B3"}),
    ("forward_2 jump", "C52 C54", 3, {"on": "C50"}),
    ("back_1", "C1", 2, {"on": "C1"}),
    ("plus back_1", "C3 C1", 3, {"cells": "C2 S"}),
    ("forward_1 jump", "C4 C6", 3, {"others": ("C3", "C5")}),
    ("missile forward_1", "C4 C5", 2, {"others": ("C4",), "charged": (1,)}),
    ("turbo", "C4", 3, {"cells": "C3 c", "car": "turbobot"}),
    ("minus plus forward_1", "C3 C3 C5", 3, {"car": "dame_liner"}),
    ("battery", "C3", 3, {"cells": "C3 b", "batteries": 1}),
    ("battery forward_1 blank", "C3 C3 C3", 3, {"batteries": 0, "lying": True}),
    ("minus jump", "C3 C3", 3, {"cells": "C4 X", "car": "grim_levingo"}),
]
PROGRAMS = [program.replace(" ", ",") for program, *_ in EXAMPLES]
"""The name of each example's test."""


@pytest.mark.parametrize(
    ("program", "cells", "batteries", "there"),
    EXAMPLES,
    ids=PROGRAMS,
)
def test_where_a_program_leads_and_what_it_costs(
    program: str, cells: str, batteries: int, there: dict[str, Any]
) -> None:
    table = drive(program, **there)
    expected = cells.split()
    assert table.after_each_command(begun=there.get("on", "C3")) == expected + expected[-1:] * (8 - len(expected))
    assert table.state.drivers[0].batteries == batteries
    others = there.get("others", ("F1",))
    if not table.events(Event.HIT):
        usual = list(there.get("charged", [3] * len(others)))
        assert table.state.drivers["batteries"][1 : 1 + len(others)].tolist() == usual, "others suffer nothing"


def test_a_car_whose_last_battery_is_gone_lies_down_and_ignores_the_next_command() -> None:
    table = drive(ROSE, cells="C7 o", batteries=1)
    assert table.state.drivers[0].lying
    assert [event[2] for event in table.events(Event.IGNORED)] == [7]


BRICK_GANG = "forward_2 right_2 missile left_2 jump plus right_1 forward_1"


def rose(cells: str, other: str) -> Table:
    """The long example: Rose drives last with Brick Gang and two shields, Charlie waits on E12."""
    there = {"car": "brick_gang", "shields": 2, "last": True, "others": ("E12", other)}
    return drive(BRICK_GANG, cells=f"C4 o, D5 w, F8 c, F10 c, {cells}", **there)


def test_a_program_of_eight_commands_ends_as_the_long_example_says() -> None:
    table = rose("C13 o", "C14")
    assert table.after_each_command() == ["C4", "E6", "E7", "F8", "F10", "F10", "C13", "C14"]
    assert [event[2] for event in table.events(Event.SHIELDED)] == [1, 0]
    assert table.events(Event.SLIPPING) == [(Event.SLIPPING, 0, 5, 3)]
    assert table.events(Event.HIT) == [(Event.HIT, 1, 0, 0)]
    assert table.state.drivers["batteries"][:3].tolist() == [0, 2, 3]
    assert table.state.drivers[0].lying
    assert [event[1:3] for event in table.events(Event.LOST)] == [(1, 2), (0, 2), (0, 1), (0, 0)]


def test_a_pile_of_books_that_is_impassable_turns_the_long_example_aside() -> None:
    table = rose("C13 X", "D13")
    assert table.after_each_command() == ["C4", "E6", "E7", "F8", "F10", "F10", "D12", "D13"]
    assert [event[1:3] for event in table.events(Event.LOST)] == [(1, 2), (0, 2), (0, 1), (0, 0)]
    assert table.state.drivers[0].lying


@pytest.mark.parametrize(
    ("program", "others", "cells", "car", "on", "left"),
    [
        ("missile", ("C6", "C20", "D6"), "C5 X", "sonic_fish", "C3", [2, 2, 3]),
        ("plus missile", ("C9",), "", "sonic_fish", "C3", [2]),
        ("minus missile", ("C9",), "", "sonic_fish", "C3", [2]),
        ("missile", ("C2", "F5", "C9"), "", "m1_lapin", "C5", [2, 2, 2]),
        ("missile", ("C5", "D6"), "", "m1_lapin", "C5", [3, 3]),
        ("missile", ("D5",), "D5 S", "m1_lapin", "C5", [3]),
    ],
)
def test_whom_a_missile_damages(
    program: str, others: tuple[str, ...], cells: str, car: str, on: str, left: list[int]
) -> None:
    table = drive(program, cells=cells, car=car, on=on, others=others)
    assert table.state.drivers["batteries"][1 : 1 + len(others)].tolist() == left


@pytest.mark.parametrize(
    ("others", "cells", "gained"),
    [
        (("C2", "F5", "C9"), "", 1),
        (("C5", "D6"), "", 0),
        (("D5",), "D5 S", 1),
    ],
)
def test_the_car_m1_lapin_gains_a_shield_for_touching_a_car(others: tuple[str, ...], cells: str, gained: int) -> None:
    table = drive("missile", car="m1_lapin", on="C5", others=others, cells=cells)
    assert table.state.drivers[0].shields == gained
    assert (table.asked == ("shield", 0)) == bool(gained)


@pytest.mark.parametrize(
    ("program", "cells", "car", "slips"),
    [
        ("minus jump", "C4 w", "sonic_fish", [(4, 2)]),
        ("right_2 left_1", "D4 w", "dogtor", [(4, 3)]),
        ("jump left_1", "C4 w, C5 X", "dogtor", [(4, 2)]),
        ("minus right_1 left_1", "C3 w", "dogtor", [(3, 2)]),
    ],
)
def test_where_the_slip_token_is_taken(program: str, cells: str, car: str, slips: list[tuple[int, int]]) -> None:
    table = drive(program, cells=cells, car=car)
    assert [event[2:] for event in table.events(Event.SLIPPING)] == slips


def test_piou_racer_flies_to_the_nearest_empty_cell() -> None:
    there = {"car": "piou_racer", "on": "B5", "cells": "C5 o, D5 X, E5 c"}
    blocked = drive("", others=("F5",), **there)
    assert blocked.asked == ("fly", 0)
    assert blocked.legal() == ["fly:left", "fly:stay"]
    assert blocked.play("fly:left").at() == "A5"
    free = drive("", others=("F6",), **there)
    assert free.legal() == ["fly:left", "fly:stay", "fly:right"]
    assert free.play("fly:right").at() == "F5"


def test_a_lying_piou_racer_is_not_asked_to_fly() -> None:
    assert drive("", car="piou_racer", on="B5").asked == ("fly", 0)
    bumps_at_last = "blank blank blank blank blank blank blank forward_1"
    assert drive(bumps_at_last, car="piou_racer", on="B5", cells="B6 o", batteries=1).asked == ("drive", 1)


def test_a_lying_car_is_touched_and_keeps_its_battery() -> None:
    table = turn("missile", others=("C9",), charged=(1,))
    table.state.drivers["lying"][1] = 1
    table.play("drive")
    assert table.events(Event.HIT) == [(Event.HIT, 1, 0, 0)]
    assert table.state.drivers[1].batteries == 1


def test_the_missile_lays_the_other_down() -> None:
    table = drive("missile forward_1", others=("C4",), charged=(1,))
    assert table.state.drivers[1].lying
    assert table.state.drivers[1].batteries == 0


def test_a_car_without_a_battery_stands_up_after_three_ignored_commands() -> None:
    table = drive("battery forward_1 blank", batteries=0, lying=True)
    assert len(table.events(Event.IGNORED)) == 3
    assert not table.state.drivers[0].lying


def test_shields_are_spent_one_by_one_at_the_end_of_the_turn() -> None:
    table = drive("", cells="C5 o, C6 c", shields=3)
    table.play("shield:spend")
    assert (table.at(), table.state.drivers[0].shields) == ("C5", 1)
    table.play("shield:spend")
    assert (table.at(), table.state.drivers[0].shields) == ("C7", 0)
    assert table.asked == ("drive", 1)


def test_grim_levingo_still_stops() -> None:
    table = drive("forward_1", cells="C4 o", car="grim_levingo")
    assert table.events(Event.BUMPED) == [(Event.BUMPED, 0, -1, 0)]
    assert not table.events(Event.LOST)


def test_back_on_the_starting_grid_is_ignored_altogether() -> None:
    assert drive("back_1", cells="C3 S, C2 S").events(Event.IGNORED) == [(Event.IGNORED, 0, 2, 0)]
