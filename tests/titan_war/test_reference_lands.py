"""The second implementation of the masterboard agrees with the vectors and with the printed examples."""

from __future__ import annotations

from collections import Counter

import pytest

from tests.titan_war.reference_lands import DATA, LANDS, normal_moves, tower_teleports


def written(start: int, roll: int, own: tuple[int, ...] = (), enemies: tuple[int, ...] = ()) -> set[str]:
    moves = normal_moves(start, roll, own, enemies)
    return {f"{land}{side}" for land, sides in moves.items() for side in sides}


def vectors() -> list[tuple[list[str], list[str]]]:
    """Words before and after the colon of each line."""
    lines = [line for line in (DATA / "moves.txt").read_text("utf-8").splitlines() if not line.startswith("#")]
    halves = [line.split(":") for line in lines if line]
    return [(before.split(), after.split()) for before, after in halves]


def test_a_move_ends_where_the_vectors_say() -> None:
    cases = Counter[str]()
    for (start, roll, *others), ends in vectors():
        own = tuple(int(word[1:]) for word in others if word[0] in "fg")
        enemies = tuple(int(word[1:]) for word in others if word[0] in "eg")
        if roll == "teleport":
            found = {str(land) for land in tower_teleports(int(start), [int(start)])}
        else:
            found = written(int(start), int(roll), own, enemies)
        assert found == set(ends), (start, roll, others)
        cases["teleport" if roll == "teleport" else "others" if others else "alone"] += 1
    assert cases == {"alone": 96 * 6, "others": 150, "teleport": 6}


def test_the_board_is_as_counted() -> None:
    terrains = Counter(land.terrain for land in LANDS.values())
    counts = {"brush": 18, "plains": 15, "marsh": 15, "jungle": 10, "desert": 7, "swamp": 7, "woods": 6}
    assert terrains == counts | {"hills": 6, "tower": 6, "mountains": 3, "tundra": 3}
    assert Counter(len(land.enter) for land in LANDS.values()) == {3: 72, 2: 24}
    assert sum(len(land.enter) for land in LANDS.values()) == 2 * 132


def test_every_sixth_has_the_same_signs() -> None:
    for block in range(1, 7):
        inner, outer = 7 * (block - 1), 100 + 7 * (block - 1)
        tower = {("A", inner + 3), ("A", (inner - 2) % 42 + 1), ("A", outer + 1)}
        assert set(LANDS[100 * block].signs) == tower
        ring = {("B", inner + 1), ("A", 1000 * (block % 6 + 1)), ("A", 1000 * ((block - 2) % 6 + 1))}
        assert set(LANDS[1000 * block].signs) == ring


def test_as_many_destinations_as_counted() -> None:
    counts = Counter(len(normal_moves(start, roll)) for start in LANDS for roll in range(1, 7))
    assert counts == {1: 252, 2: 174, 3: 150}
    two_sides = [s for s in LANDS for r in range(1, 7) if max(map(len, normal_moves(s, r).values())) > 1]
    assert two_sides == [1, 8, 15, 22, 29, 36]
    loops = [start for start in LANDS if start in normal_moves(start, 6)]
    assert loops == [3, 7, 10, 14, 17, 21, 24, 28, 31, 35, 38, 42]


@pytest.mark.parametrize(
    ("start", "roll", "enemies", "ends"),
    [
        (29, 1, (), {"30L", "5000B"}),
        (4, 2, (), {"102R"}),
        (100, 4, (3,), {"2L", "3R", "140R"}),
        (1, 3, (2000,), {"4L", "2000L", "5000R"}),
    ],
)
def test_moves_are_as_printed(start: int, roll: int, enemies: tuple[int, ...], ends: set[str]) -> None:
    found = written(start, roll, enemies=enemies)
    assert {end[:-1] for end in found} == {end[:-1] for end in ends}
    if enemies:
        assert found == ends


def test_a_land_where_an_own_legion_is_engaged_blocks() -> None:
    """It may be neither entered nor crossed."""
    assert written(1, 1, own=(2,), enemies=(2,)) == {"1000B"}
    assert 5 not in normal_moves(2, 3, own=(4,), enemies=(4,))


def test_own_legions_may_be_passed_and_block_the_end() -> None:
    assert 4 in normal_moves(1, 3, own=(2, 3))
    assert 3 not in normal_moves(1, 2, own=(3,))


def test_43_lands_are_within_six_steps_of_a_tower() -> None:
    near = tower_teleports(100, [100])
    others = {300, 400, 500, 200, 600} & near
    assert others == {200, 300, 400, 500, 600}
    assert len(near) == 43 + 3
