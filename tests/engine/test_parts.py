"""A long step is shown part by part: whether copies of the state are kept or not, the same game is played."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

import numpy as np
import pytest

from titan_env import registry
from titan_env.contract import COMPILED, Game, events_of, outcomes, seeded
from titan_env.engine.game_setup import GameSetup
from titan_env.engine.parts import Decision, part_numbers, parts, snapshots

DECISIONS = 40 if COMPILED else 10
HEARD = 24
"""How often the snapshots of a step are looked at one by one."""


class Step(NamedTuple):
    """One random decision, its events, and the state after it."""

    decision: Decision
    events: Any
    after: Any


def steps(game: Game, preset: str, most: int) -> Iterator[Step]:
    """Random decisions of one game after the other, played as ever."""
    rng, luck = np.random.default_rng(len(preset)), seeded([len(preset)], game.rules.luck)
    template = GameSetup.of(game, game.rules.presets[preset]).template
    states, log = template.copy(), np.zeros(1, game.rules.log).view(np.recarray)
    game.rules.setup(states[0], luck[0])
    for _ in range(most):
        if states[0].over:
            states[:] = template
            game.rules.setup(states[0], luck[0])
        before, action = states.copy()[0], int(rng.choice(np.flatnonzero(game.rules.mask(states[0]))))
        game.rules.step(states[0], action, luck[0], log[0])
        decision = Decision(before, action, outcomes(luck[0])[:, 0].tolist())
        yield Step(decision, events_of(log[0]), states.copy()[0])


def presets() -> list[tuple[str, str]]:
    """Each game with its presets."""
    return [(name, preset) for name in registry.names() for preset in list(registry.load(name).rules.presets)[:4]]


@pytest.mark.parametrize(("name", "preset"), presets())
def test_the_same_game_is_played_while_copies_are_kept(name: str, preset: str) -> None:
    """The state after a decision is the same byte for byte, and each event has the position in which it was logged."""
    game = registry.load(name)
    for step in steps(game, preset, DECISIONS):
        kept = step.decision.before.tobytes()
        after, positions = snapshots(game, step.decision)
        assert after[0].tobytes() == step.after.tobytes()
        assert step.decision.before.tobytes() == kept
        assert len(positions) == len(step.events)
        assert {int(position[0].decisions) for position in positions} <= {int(step.after.decisions)}


@pytest.mark.parametrize("name", registry.names())
def test_the_parts_of_a_step_are_some_of_its_snapshots(name: str) -> None:
    """Each part tells more than the one before, the step itself the rest; without a named event nothing is replayed."""
    game, steps_in_parts = registry.load(name), 0
    for step in steps(game, next(iter(game.rules.presets)), 15 * DECISIONS):
        found = parts(game, [step.decision], step.events)
        numbers = [number for number, _ in found]
        assert numbers == part_numbers(game, step.events) == sorted(set(numbers))
        assert all(0 < number < len(step.events) for number in numbers)
        if found and steps_in_parts < HEARD:
            steps_in_parts += 1
            _, positions = snapshots(game, step.decision)
            for number, state in found:
                assert state.tobytes() == positions[number].tobytes()
    assert bool(steps_in_parts) == bool(game.presentation.part_events)
