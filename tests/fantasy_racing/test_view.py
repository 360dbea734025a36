"""What a seat may know, seen from its racer; and what is frozen with the game's version."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.fantasy_racing.table import Table, rolled
from titan_env import Batch
from titan_env.contract import COMPILED
from titan_env.games.fantasy_racing import GAME
from titan_env.games.fantasy_racing.rules.actions import ACTIONS
from titan_env.games.fantasy_racing.rules.definition import PRESETS

GOLDEN = Path(__file__).parent / "golden"


def check_golden(name: str, text: str) -> None:
    """A text is as it was; ``TITAN_ENV_UPDATE_GOLDEN=1`` writes it anew."""
    if os.environ.get("TITAN_ENV_UPDATE_GOLDEN"):
        (GOLDEN / name).write_text(text, "utf-8")
    assert (GOLDEN / name).read_text("utf-8") == text, f"{name} has changed: is that a new version of the game?"


def seen(table: Table, seat: int = 0) -> dict[str, Any]:
    """What a seat sees, by the names of the fields."""
    batch = Batch(GAME, 1, templates=table.states)
    batch.states[:] = table.states
    return GAME.rules.fields.split(batch.observe(np.array([seat], np.int8))[0])


def test_the_board_is_seen_around_the_own_racer() -> None:
    fields = seen(Table("human:\nelf:\n", A1="Hu", B1="El", G18="^", D12="$", E1="?'", A2=".x0", A3=".x1"))
    assert np.argwhere(fields["board_rock"]).tolist() == [[5, 2]]  # one row behind, one to the left
    assert np.argwhere(fields["board_coin"]).tolist() == [[17, 6]]  # eleven ahead, three to the right
    assert np.argwhere(fields["board_gone"]).tolist() == [[6, 0]]
    assert np.argwhere(fields["board_own_trap"]).tolist() == [[7, 3]]
    assert np.argwhere(fields["board_trap"]).tolist() == [[8, 3]]
    assert np.argwhere(fields["board_opponent"]).tolist() == [[6, 4]]
    assert fields["board_opponent"].max() == np.float32(1 / 3)


def test_equal_situations_look_equal_wherever_they_arise() -> None:
    here = seen(Table("human:\nelf:\n", C5="Hu", D6="El", B4="=", C9="O"))
    there = seen(Table("human:\nelf:\n", G17="Hu", A18="El", F16="=", G3="O"))
    for name in here:
        if name != "to_line":
            assert np.array_equal(here[name], there[name]), name


def test_dice_and_what_comes_of_them_are_seen() -> None:
    fields = seen(Table("elf: clover=1\n" + rolled(2, 6, 4), D4="El"))
    assert fields["dice"].tolist() == pytest.approx([2 / 6, 1, 4 / 6])
    assert fields["opposite"].tolist() == pytest.approx([5 / 6, 1 / 6, 3 / 6])
    table = Table("human: clover=1\nelf:\n" + rolled(1, 2), D4="Hu", D5="El").play("die:1", rolls=[20])
    fields = seen(table)
    assert fields["d100"].tolist() == pytest.approx([20 / 100, 81 / 100])
    assert not fields["dice"].any()
    assert fields["outcome"].tolist() == [[1, 0, 0], [0, 0, 1]]
    table = Table("goblin: spear=1\nhuman: clover=1\n", D12="Go", D8="Hu").play("use:spear", rolls=[2])
    fields = seen(table, 1)
    assert fields["landing"].tolist() == pytest.approx(np.array([[-3 / 5, -1], [-1 / 5, 1]]))
    assert fields["flags"][5] == 1


def test_points_are_seen_relative_to_the_own_ones() -> None:
    fields = seen(Table("human: points=30\nelf: points=50 laps=1 highest=3\n", D4="Hu", E6="El"))
    assert fields["racer_points"][:2].tolist() == pytest.approx([30 / 120, 20 / 120])
    assert fields["racer_owes"][1] == pytest.approx(2 / 3)
    assert fields["racer_rank"][:2].tolist() == pytest.approx([1 / 5, 0])
    assert fields["racer_rows"][1] == pytest.approx(2 / 18)


@pytest.mark.parametrize("points", [-240, -121, -120, 0, 120, 121, 240])
def test_points_beyond_120_are_seen_in_a_number_of_their_own(points: int) -> None:
    fields = seen(Table(f"human: points={points}\nelf:\n", D4="Hu", E6="El"))
    both = np.stack([fields["racer_points"], fields["racer_more_points"]]) * 120
    assert both.sum(axis=0)[:2].tolist() == pytest.approx([points, -points])
    assert abs(both).max() <= 120.001


@pytest.mark.thorough
def test_both_kinds_of_observation_are_the_same_numbers() -> None:
    fractions, whole = Batch(GAME, 20), Batch(GAME, 20, whole=True)
    for batch in (fractions, whole):
        batch.seed(1)
        batch.start()
        batch.rollout(90)
    assert whole.observations.dtype == np.int8
    assert np.array_equal(GAME.rules.fields.to_float(whole.observations), fractions.observations)


def test_observations_stay_within_their_bounds() -> None:
    batch = Batch(GAME, 60 if COMPILED else 2, whole=True, rounds=15)
    batch.seed(3)
    batch.start()
    low, high = GAME.rules.fields.bounds(whole=True)
    for _ in range(60 if COMPILED else 5):
        batch.rollout(11)
        assert (batch.observations >= low).all()
        assert (batch.observations <= high).all()


def test_rolls_to_come_can_not_be_seen() -> None:
    batches = [Batch(GAME, 50) for _ in range(2)]
    for batch in batches:
        batch.seed(3)
        batch.start()
    batches[1].luck["stream"] += np.uint64(12345)
    batches[1].refresh()
    assert np.array_equal(batches[0].observations, batches[1].observations)


# Frozen


def test_the_162_actions_are_frozen_with_their_numbers() -> None:
    assert len(ACTIONS) == 162
    check_golden("actions.txt", "".join(f"{number} {text}\n" for number, text in enumerate(ACTIONS.texts)))


def test_the_observation_is_frozen_with_its_fields() -> None:
    assert (GAME.rules.fields.size, len(GAME.rules.fields.parts)) == (2182, 50)
    lines = [f"{part.name} {part.shape} {part.low:g} {part.high:g} {part.scale}\n" for part in GAME.rules.fields.parts]
    check_golden("observation.txt", "".join(lines))


@pytest.mark.parametrize("preset", ["duel", "choose", "humans", "gauntlet", "wizards_folly"])
def test_a_race_with_this_seed_goes_as_it_always_has(preset: str) -> None:
    batch = Batch(GAME, 1, events=True, **PRESETS[preset])
    batch.seed(7)
    batch.start()
    lines = [GAME.text.position_text(batch.states[0])]
    while batch.states["over"][0] == 0:
        action = batch.sample()
        state = batch.states[0]
        lines.append(f"{state.seat} {ACTIONS.texts[action[0]]}: {GAME.text.describe_action(state, int(action[0]))}\n")
        batch.step(action)
        lines += [f"    {GAME.text.describe_event(batch.states[0], event)}\n" for event in batch.last_events(0)]
    check_golden(f"{preset}.txt", "".join([*lines, GAME.text.position_text(batch.states[0])]))


@pytest.mark.thorough
def test_the_number_of_positions_reached_under_fixed_luck_is_frozen() -> None:
    table = Batch(GAME, 1, characters=["human", "thief"], circuit="gauntlet")
    table.seed(1)
    table.start()
    reached, counts = [table.snapshot()], []
    for _ in range(7 if COMPILED else 4):
        after = {}
        for snapshot in reached:
            table.restore(snapshot)
            for action in np.flatnonzero(table.masks[0]):
                table.restore(snapshot)
                table.step([int(action)])
                after[table.states.tobytes()] = table.snapshot()
        reached = list(after.values())
        counts.append(len(reached))
    if COMPILED:
        check_golden("perft.txt", " ".join(str(count) for count in counts) + "\n")
