"""A player observes what it may know; the names of decisions are frozen with the version."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.titan_race.table import Table, plain
from titan_env.engine.batch import Batch
from titan_env.games.titan_race import GAME
from titan_env.games.titan_race.rules.actions import ACTIONS
from titan_env.games.titan_race.rules.definition import PRESETS
from titan_env.games.titan_race.rules.state import CIRCUIT_NAMES, DECK

GOLDEN = Path(__file__).parent / "golden"


def check_golden(name: str, text: str) -> None:
    """Compare with the file; ``TITAN_ENV_UPDATE_GOLDEN=1`` writes it anew."""
    path = GOLDEN / name
    if os.environ.get("TITAN_ENV_UPDATE_GOLDEN"):
        path.parent.mkdir(exist_ok=True)
        path.write_text(text, "utf-8")
    assert path.read_text("utf-8") == text


def seen(batch: Batch, seat: int) -> Any:
    return batch.observe(np.full(batch.num_games, seat, np.int8))


# Hidden stays hidden


@pytest.mark.parametrize("preset", ["six_titans", "two_players", "grand_slam"])
def test_neither_other_hands_nor_the_deck_can_be_seen(preset: str) -> None:
    batch = Batch(GAME, 200, **PRESETS[preset])
    batch.seed(1)
    batch.start()
    batch.rollout(40, restart=False)
    before = seen(batch, 0)
    rng = np.random.default_rng(0)
    changed = 0
    for cards, lots in zip(batch.states["cards"], batch.states["lots"], strict=True):
        for lot in range(len(cards)):
            hidden = np.flatnonzero(((cards == DECK) | (cards > 0)) & (lots == lot))
            mixed = rng.permutation(cards[hidden])
            changed += (mixed != cards[hidden]).any()
            cards[hidden] = mixed
    assert changed > 50
    assert np.array_equal(seen(batch, 0), before)


def test_the_own_hand_can_be_seen_and_of_others_only_its_size() -> None:
    board = plain(A1="Gr", C1="Ra", E1="Sl")
    table = Table(board + "grinder:\nrassik:\nslaugg:\nhand 1: wings shield\ndiscard: thorns")
    batch = Batch(GAME, 1, templates=table.states)
    batch.states[:] = table.states
    for seat, cards in ((0, 0), (1, 2), (2, 0)):
        fields = GAME.rules.fields.split(seen(batch, seat)[0])
        assert fields["hand"].sum() == cards
        assert fields["titan_hand"][(1 - seat) % 3] == 1
        assert fields["discard_pile"].sum() == 1


def test_rolls_to_come_can_not_be_seen() -> None:
    batches = [Batch(GAME, 50, titans=4) for _ in range(2)]
    for batch in batches:
        batch.seed(3)
        batch.start()
    batches[1].luck["stream"] += np.uint64(12345)
    batches[1].refresh()
    assert np.array_equal(batches[0].observations, batches[1].observations)


# Seen from the own Titan


def test_equal_situations_look_equal_wherever_on_the_circuit_they_arise() -> None:
    here = Table(plain(A1="Gr", D2="~", C3="Ra", E5="x") + "grinder:\nrassik:")
    there = Table(plain(C5="Gr", F6="~", E7="Ra", A9="x") + "grinder:\nrassik:")
    views = []
    for table in (here, there):
        batch = Batch(GAME, 1, templates=table.states)
        batch.states[:] = table.states
        views.append(GAME.rules.fields.split(seen(batch, 0)[0]))
    for name in views[0]:
        if name.startswith("board_") or name in ("titan_lead", "titan_column", "titan_kind"):
            assert np.array_equal(views[0][name], views[1][name]), name


def test_the_window_begins_two_rows_behind_the_own_titan() -> None:
    table = Table(plain(C5="Gr", C3="*", D6="~", C7="x", B6="Ra") + "grinder:\nrassik:")
    batch = Batch(GAME, 1, templates=table.states)
    batch.states[:] = table.states
    fields = GAME.rules.fields.split(seen(batch, 0)[0])
    assert np.argwhere(fields["board_bonus"]).tolist() == [[0, 0]]  # straight behind
    assert np.argwhere(fields["board_lava"]).tolist() == [[3, 0]]  # before, to the right
    assert np.argwhere(fields["board_titan"]).tolist() == [[3, 2]]  # before, to the left
    assert np.argwhere(fields["board_trap"]).tolist() == [[4, 0]]  # straight before


# Frozen


def test_the_94_actions_are_frozen_with_their_numbers() -> None:
    assert len(ACTIONS) == 94
    check_golden("actions.txt", "".join(f"{number} {text}\n" for number, text in enumerate(ACTIONS.texts)))


def test_the_observation_is_frozen_with_its_fields() -> None:
    lines = [f"{part.name} {part.shape} {part.low:g} {part.high:g}\n" for part in GAME.rules.fields.parts]
    check_golden("observation.txt", "".join(lines))


@pytest.mark.parametrize("preset", ["six_titans", "two_players", "grand_slam", *CIRCUIT_NAMES])
def test_a_race_with_this_seed_goes_as_it_always_has(preset: str) -> None:
    batch = Batch(GAME, 1, **PRESETS[preset])
    batch.seed(7)
    batch.start()
    lines = [GAME.text.position_text(batch.states[0])]
    while batch.states["over"][0] == 0:
        action = batch.sample()
        sentence = GAME.text.describe_action(batch.states[0], int(action[0]))
        lines.append(f"{batch.states['seat'][0]} {ACTIONS.texts[action[0]]}: {sentence}\n")
        batch.step(action)
    check_golden(f"{preset}.txt", "".join([*lines, GAME.text.position_text(batch.states[0])]))


def test_the_number_of_positions_reached_under_fixed_luck_is_frozen() -> None:
    table = Batch(GAME, 1, titans=["rassik", "grinder"], circuit="kaldheira")
    table.seed(1)
    table.start()
    reached = [table.snapshot()]
    counts = []
    for _ in range(9):
        after = {}
        for snapshot in reached:
            table.restore(snapshot)
            for action in np.flatnonzero(table.masks[0]):
                table.restore(snapshot)
                table.step([int(action)])
                after[table.states.tobytes()] = table.snapshot()
        reached = list(after.values())
        counts.append(len(reached))
    check_golden("perft.txt", " ".join(str(count) for count in counts) + "\n")
