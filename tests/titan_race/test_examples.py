"""The printed examples of the rulebooks, each on its drawn board."""

from __future__ import annotations

import pytest

from tests.titan_race.table import Table, circuit, plain
from titan_env.games.titan_race.rules.circuits import space_name
from titan_env.games.titan_race.rules.state import Event


@pytest.mark.parametrize(
    ("start", "face", "move", "path"),
    [
        ("E11", "red", "S", ["E1"]),
        ("B10", "brown", "RRR", ["C11", "D12", "E1"]),
        ("B10", "brown", "LLL", ["A11", "F12", "E1"]),
        ("B10", "yellow", "SS", ["B12", "B2"]),
        ("F12", "blue", "RS", ["A1", "A3"]),  # the diagonal step of a blue die
    ],
)
def test_a_move_over_the_edge_goes_on_at_the_opposite_one_and_adds_a_lap(
    start: str, face: str, move: str, path: list[str]
) -> None:
    table = Table(plain(**{start: "Gr", "C7": "Ra"}) + "grinder:\nrassik:", dice=f"{face} {face}")
    table.play(f"draft:{face}", f"move:{move}")
    assert [space_name(event[2]) for event in table.events(Event.MOVED)] == path
    assert table.titan("grinder").lap == 2


def test_lava_costs_one_life_for_each_space_entered() -> None:
    table = Table(circuit("kaldheira", C3="Gr", A1="Ra") + "grinder: life=4\nrassik:", dice="brown brown")
    table.play("draft:brown", "move:RRR")
    assert [space_name(event[2]) for event in table.events(Event.MOVED)] == ["D4", "E5", "F6"]
    assert table.titan("grinder").life == 2


def test_pirates_take_a_card_at_the_first_attack_and_a_life_at_the_second() -> None:
    table = Table(
        circuit("dead_mans_lagoon", A7="Ch", A1="Ra") + "chtooloo: life=4\nrassik:\nhand 0: wings", dice="brown brown"
    )
    table.play("draft:brown", "move:RRR")
    assert table.asked == ("pirates", "chtooloo")
    assert table.legal() == ["discard:wings", "suffer"]
    table.play("discard:wings")
    assert table.at("chtooloo") == "D10"
    assert table.titan("chtooloo").life == 3
    assert table.hand(0) == []


def test_a_super_ramp_jumps_over_two_spaces_to_its_side() -> None:
    table = Table(circuit("moltenchest", A3="Sl", A1="Ra") + "slaugg:\nrassik:", dice="blue blue")
    table.play("draft:blue", "move:RS")
    assert [space_name(event[2]) for event in table.events(Event.MOVED)] == ["D6", "D8"]


def test_a_statue_blasts_the_six_adjacent_spaces_as_soon_as_it_is_entered() -> None:
    board = circuit("ban_kog", B4="Ra", D4="x", E5="x", C7="x", D8="x", E7="x", A1="Gr")
    table = Table(board + "rassik: life=4\ngrinder:\n", dice="green green")
    table.play("draft:green", "move:RR")
    assert table.at("rassik") == "D6"
    assert table.titan("rassik").life == 4
    assert table.traps() == []
    assert {space_name(event[2]) for event in table.events(Event.TRAP_DESTROYED)} == {"D4", "E5", "C7", "D8", "E7"}


def test_the_pentacle_sells_a_new_die_for_a_life_and_then_neither_ability_nor_card() -> None:
    board = circuit("anglieh", D4="Gr", A1="Ra")
    table = Table(board + "grinder: life=4\nrassik:\nhand 0: wings healing_potion", dice="red red")
    table.play("draft:red", "move:S", "trap:B")
    assert table.at("grinder") == "D6"
    table.play("reroll", rolls=[0])
    assert table.legal() == ["move:SS"]
    table.play("move:SS")
    assert (table.at("grinder"), table.titan("grinder").life) == ("D10", 3)
    assert table.legal() == ["reroll", "end"]
    table.play("end", rolls=[0, 0])
    assert table.asked == ("draft", "rassik")


def test_ice_carries_on_to_the_first_space_that_is_not_ice() -> None:
    table = Table(circuit("estenguard", D2="Cr", A1="Ra") + "craken:\nrassik:", dice="red red")
    table.play("draft:red", "move:S")
    assert [space_name(event[2]) for event in table.events(Event.MOVED)] == ["D4", "D6", "D8"]
