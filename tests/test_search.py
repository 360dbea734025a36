"""Planners: what they find, what they may spend, and what they cost."""

from __future__ import annotations

from itertools import count
from typing import Any

import numpy as np
import pytest

import agents
from agents.flat import Flat
from agents.match import win_shares
from titan_env import registry
from titan_env.batch import Batch
from titan_env.tree import Tree
from titan_env.worlds import decide

PIG = registry.load("pig")


def pig(goal: int, points: int, heap: int) -> Batch:
    """A game of Pig in which player_0 has so many safe points, and so many at risk."""
    batch = Batch(PIG, 1, goal=goal)
    batch.start()
    batch.states["seat"] = 0
    batch.states["points"][0, 0] = points
    batch.states["heap"] = heap
    batch.refresh()
    return batch


@pytest.mark.parametrize("name", ["flat:64", "mcts:64"])
def test_a_planner_takes_the_win_that_is_there(name: str) -> None:
    batch = pig(goal=20, points=10, heap=10)
    action = decide(agents.load(name, PIG), batch, np.array([0]), np.random.default_rng(0))
    assert PIG.actions.texts[action[0]] == "hold"


@pytest.mark.parametrize("name", ["flat:64", "mcts:64"])
def test_a_planner_rolls_while_nothing_is_at_risk(name: str) -> None:
    batch = pig(goal=20, points=10, heap=0)
    action = decide(agents.load(name, PIG), batch, np.array([0]), np.random.default_rng(0))
    assert PIG.actions.texts[action[0]] == "roll"


@pytest.mark.parametrize("name", ["flat:40", "mcts:40"])
def test_the_same_seed_gives_the_same_decisions_and_planning_beats_chance(name: str) -> None:
    players = {name: agents.load(name, PIG), "random": agents.load("random", PIG)}
    shares = win_shares(PIG, players, 60, 1)
    assert shares == win_shares(PIG, players, 60, 1)
    assert shares[name].interval[0] > 0.5


def test_a_second_of_thinking_is_a_budget_too(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count(step=0.001)
    monkeypatch.setattr("agents.planning.time.monotonic", lambda: next(ticks))
    batch = pig(goal=20, points=10, heap=10)
    for name in ("flat:seconds=0.02", "mcts:seconds=0.02"):
        assert decide(agents.load(name, PIG), batch, np.array([0]), np.random.default_rng(0)) == [1]


def test_a_full_tree_keeps_the_priors_of_its_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.load("titan_race")
    batch = Batch(game, 1, titans=4)
    batch.seed(3)
    batch.start()
    monkeypatch.setattr("agents.mcts.Tree", lambda actions, size: Tree(actions, 60))
    first: dict[int, np.ndarray] = {}

    def backup(self: Tree, *what: Any) -> None:
        for node in np.flatnonzero(self.visits[: self.size[0]] > 0).tolist():
            assert np.array_equal(first.setdefault(node, self.priors[node].copy()), self.priors[node])
        grow(self, *what)

    grow = Tree.backup
    monkeypatch.setattr(Tree, "backup", backup)
    decide(agents.load("mcts:400,prior=ppo@titan_race-v0", game), batch, np.array([0]), np.random.default_rng(0))
    assert len(first) == 60


@pytest.mark.parametrize("simulations", [1, 5, 40, 64, 256])
def test_flat_tries_every_action_and_spends_no_more_than_its_budget(
    simulations: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = registry.load("titan_race")
    batch = Batch(game, 1, titans=4)
    batch.seed(3)
    batch.start()
    while batch.masks.sum() < 6:
        batch.step(batch.sample())
    tried: list[tuple[int, int]] = []

    def worth(self: Flat, actions: np.ndarray, each: int, *_: object) -> np.ndarray:
        tried.append((len(actions), each))
        return np.arange(len(actions), dtype=np.float64)

    monkeypatch.setattr(Flat, "_worth", worth)
    decide(agents.load(f"flat:{simulations}", game), batch, np.array([0]), np.random.default_rng(0))
    legal = int(batch.masks.sum())
    assert tried[0][0] == legal
    assert simulations // 2 < sum(count * each for count, each in tried) <= max(simulations, legal)


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("mcts", "expected a budget as in mcts:256"),
        ("mcts:64,seconds=1", "one of both"),
        ("mcts:0", "expected 1 to 1000000 simulations, got 0"),
        ("flat:2.5", "got 2.5"),
        ("flat:seconds=-1", "expected more than 0 and at most 3600 seconds, got -1"),
        ("flat:64,width=3", "expected parameters of flat among simulations, seconds, prior, depth, got width"),
        ("mcts:64,prior=greedy", "expected an agent|expected a game with weights|expected a trained policy as prior"),
        ("flat:64,depth=-1", "expected depth to be a number of decisions"),
        ("mcts:lots", "expected a number"),
    ],
)
def test_an_impossible_budget_is_refused_before_anything_is_played(name: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        agents.load(name, PIG)
