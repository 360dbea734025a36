"""Alone among others: an agent that helps its own copies wins nothing by it."""

from __future__ import annotations

import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.evaluation.test_evaluate import PIG, first, steady
from titan_env import agents, registry
from titan_env.engine.game_setup import GameSetup
from titan_env.evaluation.matches.blocks import Instances, load_instances
from titan_env.evaluation.matches.duplicate import Comparison, play_block_results
from titan_env.evaluation.matches.focal import copy_bonus, play_alone

pytestmark = pytest.mark.thorough

RACE = registry.load("titan_race")
FOUR = GameSetup.of(RACE, {"titans": 4})
EXPERT = agents.load("expert", RACE)
AT = RACE.rules.fields.slices
SEEDS = range(128)


def helping_opposite(observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
    """The expert, who takes the player opposite for an ally: under A B A B that is its own copy."""
    seen = observations.copy()
    seen[:, AT["titan_ally"].start + 2] = 1
    return EXPERT(seen, masks, rng)


class Remembering:
    """The expert, whose copies know each other by the memory of the process, in which they note their Titans.

    Which game a row belongs to it reads where no agent should: in the variables of the function that asks it.
    """

    def __init__(self) -> None:
        self.own: dict[Any, set[int]] = defaultdict(set)

    def __call__(self, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        frame = sys._getframe(1)
        while not {"rows", "batch"} <= set(frame.f_locals):
            assert frame.f_back is not None
            frame = frame.f_back
        asked, game = frame.f_locals["rows"], id(frame.f_locals["batch"].states)
        seen, allies = observations.copy(), observations[:, AT["titan_ally"]].copy()
        kinds = observations[:, AT["titan_kind"]].reshape(-1, 6, 6).argmax(axis=2)
        there = observations[:, AT["titan_in_race"]] > 0
        for i, row in enumerate(asked):
            own = self.own[game, int(row)]
            own |= set(kinds[i, observations[i, AT["titan_own"]] > 0].tolist())
            for place in range(1, 6):
                allies[i, place] = max(allies[i, place], there[i, place] and int(kinds[i, place]) in own)
        seen[:, AT["titan_ally"]] = allies
        return EXPERT(seen, masks, rng)


def test_an_expert_that_helps_its_copies_by_what_it_sees_gains_nothing_alone() -> None:
    alone = Comparison(play_alone(RACE, [helping_opposite, EXPERT], SEEDS, titans=4).shares, sides=4)
    assert alone.interval[1] < 0.3
    shared = Comparison(play_block_results(FOUR, [helping_opposite, EXPERT], SEEDS).shares)
    assert shared.interval[0] > 0.55, "the control is dead"


def test_copies_that_know_each_other_by_memory_gain_nothing_alone() -> None:
    alone = Comparison(play_alone(RACE, [Remembering(), EXPERT], SEEDS, titans=4).shares, sides=4)
    assert alone.interval[1] < 0.3
    shared = Comparison(play_block_results(FOUR, [Remembering(), EXPERT], SEEDS).shares)
    assert shared.interval[0] > 0.55, "the control is dead"


def test_the_copy_bonus_finds_both_of_them_out_and_no_honest_agent() -> None:
    for agent in (helping_opposite, Remembering()):
        bonus, half = copy_bonus(FOUR, [agent, EXPERT], range(64))
        assert bonus - half > 40
    bonus, half = copy_bonus(FOUR, [agents.load("greedy", RACE), EXPERT], range(64))
    assert abs(bonus) < half + 20


@pytest.mark.parametrize("options", [{"titans": 3}, {"titans": 2}, {"variant": "2v2v2"}])
def test_an_agent_alone_plays_every_side_once_in_a_block(options: dict[str, Any]) -> None:
    sides = GameSetup.of(RACE, options).sides
    blocks = play_alone(RACE, [EXPERT, EXPERT], range(4), **options)
    assert blocks.shares.shape == (4, sides, 2)
    assert blocks.shares.sum(axis=2) == pytest.approx(1)


def test_who_is_alone_is_the_first_agent_or_the_second() -> None:
    one = play_alone(RACE, load_instances(RACE, ["random", "expert"]), range(8), titans=4)
    other = play_alone(RACE, load_instances(RACE, ["expert", "random"]), range(8), alone=1, titans=4)
    assert np.array_equal(one.shares, other.shares)
    assert one.shares[:, :, 0].mean() < 0.1


def test_a_share_is_told_of_a_fair_one_and_as_a_share_of_two() -> None:
    wins = np.zeros((64, 4))
    wins[:, 0] = 1
    wins[::2, 1] = 1
    known = Comparison(np.stack([wins, 1 - wins], axis=2), sides=4)
    assert known.rate == 0.375
    assert known.of_two[0] == pytest.approx(1.8 / 2.8)  # odds of 3 to 5, and three opponents
    assert str(known).startswith("37.5% (")
    assert str(known).endswith(" of a fair 25 %")
    assert Comparison(np.stack([wins, 0 * wins], axis=2), sides=4).rate > known.rate, "nobody's wins are shared"


class Counting:
    """Remembers which seats of which games it was asked in."""

    def __init__(self, made: list[Counting]) -> None:
        self.seen: set[tuple[int, int]] = set()
        made.append(self)

    def __call__(self, observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        frame = sys._getframe(2)
        rows, states = frame.f_locals["rows"], frame.f_locals["batch"].states
        self.seen |= {(int(row), int(states["seat"][row])) for row in rows}
        return steady(observations, masks, rng)


def test_every_game_and_seat_has_an_instance_of_its_own() -> None:
    made: list[Counting] = []
    play_alone(RACE, Instances([lambda: Counting(made), lambda: first]), range(3), alone=1, titans=3, turn_limit=60)
    asked = [one.seen for one in made if one.seen]
    assert len(asked) == 3 * 2, "three games in a block, and two seats in each"
    for seen in asked:
        assert len({row % 3 for row, _ in seen}) == 1, "one game of each block"
        assert len(seen) == len({row for row, _ in seen}), "one seat of each game"


def test_a_file_of_ones_own_is_loaded_anew_for_every_seat_and_the_package_once(tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text("def make(game):\n    return lambda seen, masks, rng: masks.argmax(axis=1)\n")
    players = load_instances(PIG, [f"python:{tmp_path / 'mine.py'}", "random"])
    assert players.of(0, 0, 0) is not players.of(0, 1, 0)
    assert players.of(1, 0, 0) is players.of(1, 1, 0)


def test_the_generators_of_the_seats_of_a_game_are_strangers() -> None:
    drawn: dict[tuple[int, int], list[float]] = defaultdict(list)

    def listening(observations: np.ndarray, masks: np.ndarray, rng: np.random.Generator) -> np.ndarray:
        numbers = rng.random((len(masks), 1))
        frame = sys._getframe(2)
        for row, number in zip(frame.f_locals["rows"], numbers, strict=True):
            drawn[int(row), int(frame.f_locals["batch"].states["seat"][row])].append(float(number[0]))
        return steady(observations, masks, rng)

    play_block_results(GameSetup.of(PIG, {"limit": 60}), [listening, listening], range(2))
    every = [number for numbers in drawn.values() for number in numbers]
    assert len(drawn) == 8
    assert len(set(every)) == len(every)
