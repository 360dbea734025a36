"""Planners: what they find, what they may spend, and what they cost."""

from __future__ import annotations

from itertools import count
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from titan_env import agents, registry
from titan_env.agents import shipped
from titan_env.agents.flat import Flat
from titan_env.agents.planning import leaf_values
from titan_env.agents.policy import Policy
from titan_env.agents.rollout import better_half
from titan_env.engine.batch import Batch
from titan_env.evaluation.matches.duplicate import play_blocks
from titan_env.evaluation.matches.match import win_rates
from titan_env.play.agent_calls import ask_in_batch
from titan_env.play.tree_search import Tree
from titan_env.training.export_policy import save_policy
from titan_env.training.network import PolicyNetwork

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


@pytest.mark.parametrize("name", ["flat:64", "flat:64,by=random", "mcts:64"])
def test_a_planner_takes_the_win_that_is_there(name: str) -> None:
    batch = pig(goal=20, points=10, heap=10)
    action = ask_in_batch(agents.load(name, PIG), batch, np.array([0]), np.random.default_rng(0)).actions
    assert PIG.rules.actions.texts[action[0]] == "hold"


@pytest.mark.parametrize("name", ["flat:64", "flat:64,by=random", "mcts:64"])
def test_a_planner_rolls_while_nothing_is_at_risk(name: str) -> None:
    batch = pig(goal=20, points=10, heap=0)
    action = ask_in_batch(agents.load(name, PIG), batch, np.array([0]), np.random.default_rng(0)).actions
    assert PIG.rules.actions.texts[action[0]] == "roll"


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["flat:40", "flat:40,by=random", "mcts:40"])
def test_the_same_seed_gives_the_same_decisions_and_planning_beats_chance(name: str) -> None:
    players = {name: agents.load(name, PIG), "random": agents.load("random", PIG)}
    shares = win_rates(PIG, players, 60, 1)
    assert shares == win_rates(PIG, players, 60, 1)
    assert shares[name].interval[0] > 0.5


def test_a_second_of_thinking_is_a_budget_too(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = count(step=0.001)
    monkeypatch.setattr("titan_env.agents.planning.time.monotonic", lambda: next(ticks))
    batch = pig(goal=20, points=10, heap=10)
    for name in ("flat:seconds=0.02", "mcts:seconds=0.02"):
        assert ask_in_batch(agents.load(name, PIG), batch, np.array([0]), np.random.default_rng(0)).actions == [1]


def test_a_full_tree_keeps_the_priors_of_its_positions(monkeypatch: pytest.MonkeyPatch) -> None:
    game = registry.load("titan_race")
    batch = Batch(game, 1, titans=4)
    batch.seed(3)
    batch.start()
    monkeypatch.setattr("titan_env.agents.mcts.Tree", lambda actions, size: Tree(actions, 60))
    first: dict[int, np.ndarray] = {}

    def backup(self: Tree, *what: Any) -> None:
        for node in np.flatnonzero(self.visits[: self.size[0]] > 0).tolist():
            assert np.array_equal(first.setdefault(node, self.priors[node].copy()), self.priors[node])
        grow(self, *what)

    grow = Tree.backup
    monkeypatch.setattr(Tree, "backup", backup)
    ask_in_batch(agents.load("mcts:400,prior=ppo@titan_race-v3", game), batch, np.array([0]), np.random.default_rng(0))
    assert len(first) == 60


@pytest.mark.parametrize(("seed", "legal"), [(0, 1), (1, 2)], ids=["after a 1", "after a 2"])
def test_all_legal_actions_of_a_position_that_is_new_in_a_tree_have_the_same_prior(seed: int, legal: int) -> None:
    batch, tree = pig(goal=20, points=0, heap=0), Tree(len(PIG.rules.actions), 2)
    batch.seed(seed)
    tree.descend(batch, 1.0, play_on=False)
    assert batch.masks[0].sum() == legal
    assert tree.priors[1] == pytest.approx(1 / legal)


def test_a_tree_takes_no_more_memory_than_it_may_and_the_search_goes_on(monkeypatch: pytest.MonkeyPatch) -> None:
    actions = len(PIG.rules.actions)
    assert len(Tree(actions, 1_001).visits) == 1_001, "what fits is there"
    monkeypatch.setattr("titan_env.play.tree_search.MOST_BYTES", 10_000)
    full = Tree(actions, 1_000_001)
    assert sum(array.nbytes for array in full.nodes) - full.size.nbytes <= 10_000
    planner = agents.load("mcts:1000", PIG)
    decided = ask_in_batch(planner, pig(goal=20, points=10, heap=10), np.array([0]), np.random.default_rng(0))
    assert decided.actions == [1]
    opinion = decided.opinions[0]
    assert opinion is not None
    assert opinion.visits is not None
    assert opinion.visits.sum() == 1_000


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
    ask_in_batch(agents.load(f"flat:{simulations}", game), batch, np.array([0]), np.random.default_rng(0))
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
        ("flat:64,width=3", "expected parameters of flat among simulations, seconds, prior, depth, by, got width"),
        ("mcts:64,prior=greedy", "expected an agent|expected a game with weights|expected a trained policy as prior"),
        ("flat:64,by=mcts:8", "expected by to be an agent that does not plan, and no prior beside it, got by=mcts:8"),
        ("flat:64,depth=-1", "expected depth to be a number of decisions"),
        ("mcts:lots", "expected a number"),
        ("rollout:32", "expected the policy that plays on, as in rollout:32,prior="),
    ],
)
def test_an_impossible_budget_is_refused_before_anything_is_played(name: str, error: str) -> None:
    with pytest.raises(ValueError, match=error):
        agents.load(name, PIG)


PPO = "ppo@titan_race-v3"


@pytest.mark.parametrize("planner", ["rollout:64", "flat:64"])
def test_a_planner_with_a_prior_takes_what_leads_to_the_better_positions(planner: str, tmp_path: Path) -> None:
    prior = even_policy(tmp_path / "policy.onnx")
    agent = agents.load(f"{planner},prior={prior}", PIG)
    safe, risky = pig(goal=20, points=10, heap=10), pig(goal=20, points=10, heap=0)
    for batch, best in ((safe, "hold"), (risky, "roll")):
        action = ask_in_batch(agent, batch, np.array([0]), np.random.default_rng(0)).actions
        assert PIG.rules.actions.texts[action[0]] == best


def even_policy(path: Path) -> str:
    """A policy of Pig to which all actions and all positions look nearly alike."""
    torch.manual_seed(0)
    save_policy(path, PolicyNetwork(PIG.rules.fields.size, len(PIG.rules.actions), 8), PIG, {})
    return f"policy:{path}"


def test_a_rollout_decides_in_many_games_as_in_each_alone() -> None:
    game = registry.load("titan_race")
    players = [agents.load(f"rollout:4,prior={PPO}", game), agents.load(PPO, game)]
    together = play_blocks(game, players, range(3), titans=2)
    assert np.array_equal(together, np.concatenate([play_blocks(game, players, [seed], titans=2) for seed in range(3)]))


def test_the_better_half_stays_in_each_decision_and_two_at_least() -> None:
    decision = np.array([0, 0, 0, 0, 0, 2, 2])
    mean = np.array([0.1, 0.5, 0.3, 0.2, 0.4, 0.0, 1.0])
    assert better_half(np.arange(7), decision, mean).tolist() == [1, 2, 4, 5, 6]
    assert better_half(np.array([1, 2, 4, 5, 6]), decision, mean).tolist() == [1, 4, 5, 6]


def test_what_is_promised_to_all_seats_of_a_position_sums_to_zero() -> None:
    game = registry.load("titan_race")
    prior = Policy(game, shipped(game)[PPO])
    batch = Batch(game, 6, titans=3)
    batch.seed(0)
    batch.start()
    batch.rollout(60)
    batch.states["over"][0], batch.states["won"][0, 1] = 1, 1
    batch.states["out"][1, 2] = 1
    worth = leaf_values(batch, prior)
    assert worth.sum(axis=1) == pytest.approx(np.zeros(6), abs=1e-6)
    assert worth[0].tolist() == [-0.5, 1, -0.5, 0, 0, 0]
    assert worth[1, 2] == -0.5
    assert not worth[:, 3:].any()
    raw = prior.policy(batch.observe(np.full(6, 1, np.int8)), np.ones_like(batch.masks))[1]
    promised = [prior.policy(batch.observe(np.full(6, s, np.int8)), np.ones_like(batch.masks))[1] for s in range(3)]
    assert worth[2:, 1] == pytest.approx((raw - np.mean(promised, axis=0))[2:], abs=1e-6)


def test_a_rollout_spends_seconds_on_all_decisions_together(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    ticks = count(step=0.01)
    monkeypatch.setattr("titan_env.agents.rollout.time.monotonic", lambda: next(ticks))
    agent = agents.load(f"rollout:seconds=0.1,prior={even_policy(tmp_path / 'policy.onnx')}", PIG)
    batch = Batch(PIG, 3)
    batch.seed(0)
    batch.start()
    batch.states["heap"], batch.states["seat"] = 15, 0
    batch.states["points"][:, 0] = 5
    batch.refresh()
    assert ask_in_batch(agent, batch, np.arange(3), np.random.default_rng(0)).actions.tolist() == [1, 1, 1]
    assert 10 < next(ticks) / 0.01 < 50
