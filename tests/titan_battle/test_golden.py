"""What is frozen with the game's version: actions, observation, battles with a seed, positions that are reached."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from titan_env import Batch
from titan_env.contract import COMPILED
from titan_env.games.titan_battle import GAME
from titan_env.games.titan_battle.rules.actions import ACTIONS, END
from titan_env.games.titan_battle.rules.definition import PRESETS

GOLDEN = Path(__file__).parent / "golden"


def check_golden(name: str, text: str) -> None:
    """A text is as it was; ``TITAN_ENV_UPDATE_GOLDEN=1`` writes it anew."""
    if os.environ.get("TITAN_ENV_UPDATE_GOLDEN"):
        (GOLDEN / name).write_text(text, "utf-8")
    assert (GOLDEN / name).read_text("utf-8") == text, f"{name} has changed: is that a new version of the game?"


def test_the_159_actions_are_frozen_with_their_numbers() -> None:
    assert len(ACTIONS) == 159
    check_golden("actions.txt", "".join(f"{number} {text}\n" for number, text in enumerate(ACTIONS.texts)))


def test_the_observation_is_frozen_with_its_fields() -> None:
    lines = [f"{part.name} {part.shape} {part.low:g} {part.high:g} {part.scale}\n" for part in GAME.rules.fields.parts]
    check_golden("observation.txt", "".join(lines))


@pytest.mark.parametrize("preset", ["duel", "brush", "tower", "tundra", "big"])
def test_a_battle_with_this_seed_goes_as_it_always_has(preset: str) -> None:
    batch, rng = Batch(GAME, 1, events=True, **PRESETS[preset]), np.random.default_rng(7)
    batch.seed(7)
    batch.start()
    lines = [GAME.text.position_text(batch.states[0])]
    while not batch.over[0]:
        state, mask = batch.states[0], batch.masks[0].copy()
        mask[END] &= mask.sum() == 1  # else nobody would come on
        action = int(rng.choice(np.flatnonzero(mask)))
        lines.append(f"{state.seat} {ACTIONS.texts[action]}: {GAME.text.describe_action(state, action)}\n")
        batch.step(np.array([action]))
        lines += [f"    {GAME.text.describe_event(batch.states[0], event)}\n" for event in batch.last_events(0)]
    check_golden(f"{preset}.txt", "".join([*lines, GAME.text.position_text(batch.states[0])]))


@pytest.mark.thorough
def test_the_number_of_positions_reached_under_fixed_luck_is_frozen() -> None:
    table = Batch(GAME, 1, attacker=["minotaur", "gargoyle"], defender=["warbear"], land="brush", side="B")
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
