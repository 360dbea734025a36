"""A rollout of PPO stores the learner's own decisions with their rewards, values and advantages, seat by seat.

Arrays are (steps, games): in each step every game takes one decision, of whichever seat is to act in it.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.games import game_with
from tests.training.small import PIG, SMALL
from titan_env import agents, registry
from titan_env.contract import MOST_SEATS, Fields, rule
from titan_env.engine.illegal_actions import IllegalAction
from titan_env.training.ppo import Trainer
from titan_env.training.ppo_config import Config
from titan_env.training.ppo_rollout import RolloutBuffer

pytestmark = pytest.mark.thorough

# Rewards and advantages


def test_advantages_follow_each_seats_own_decisions(tmp_path: Path) -> None:
    """In two games the seats 0, 1, 0, 1 decide; V are the values of these decisions, gamma = lambda = 1/2.

    Generalised advantage estimation: a decision's advantage is its surprise, plus gamma * lambda = 1/4 of the advantage
    of the same seat's next decision. Its surprise is its reward + gamma * V(the same seat's next decision) - its own V.
    """
    config = Config(game="pig", num_envs=2, num_steps=4, gamma=0.5, gae_lambda=0.5, others=0.0, scripted=())
    rollout = Trainer(PIG, config, tmp_path).rollout
    payoffs_at_end = np.zeros((2, MOST_SEATS))
    payoffs_at_end[:, :2] = 1, -1
    nobody, everybody = np.zeros(2, np.bool_), np.array([0, 0])
    for seat in (0, 1, 0):
        rollout.links.add(everybody + seat, np.zeros((2, MOST_SEATS)), terminations=nobody, truncations=nobody)
    first_game_ends = np.array([True, False])
    rollout.links.add(everybody + 1, payoffs_at_end, terminations=first_game_ends, truncations=nobody)
    rollout.values[:] = torch.tensor([[0.1], [0.2], [0.3], [0.4]])

    # The first game has ended: seat 0 has won 1, seat 1 has lost 1.
    ended = rollout.advantages(config.gae_lambda)[:, 0].tolist()
    last_of_0, last_of_1 = 1 - 0.3, -1 - 0.4
    first_of_0, first_of_1 = 0.5 * 0.3 - 0.1 + last_of_0 / 4, 0.5 * 0.4 - 0.2 + last_of_1 / 4
    assert ended == pytest.approx([first_of_0, first_of_1, last_of_0, last_of_1])

    # The second one goes on: its seats' last decisions wait, and what a seat sees now stands for what will follow.
    assert rollout.links.waiting[:, 1].tolist() == [False, False, True, True]
    rollout.outlooks[2:, 1] = torch.tensor([0.6, 0.8])
    running = rollout.advantages(config.gae_lambda)[:, 1].tolist()
    last_of_0, last_of_1 = 0.5 * 0.6 - 0.3, 0.5 * 0.8 - 0.4
    first_of_0, first_of_1 = 0.5 * 0.3 - 0.1 + last_of_0 / 4, 0.5 * 0.4 - 0.2 + last_of_1 / 4
    assert running == pytest.approx([first_of_0, first_of_1, last_of_0, last_of_1])


def test_a_decision_that_waits_is_worth_what_its_seat_sees_when_the_rollout_ends(tmp_path: Path) -> None:
    trainer = Trainer(PIG, replace(SMALL, vary={"players": [2, 3]}, num_steps=5), tmp_path)
    rollout = trainer.rollout
    rollout.play(trainer.network)
    waiting = rollout.links.waiting.nonzero()
    assert len(waiting) > 128
    for step, row in waiting[::20]:
        seat = rollout.seats[step, row].clamp(max=rollout.batch.field("seats") - 1)
        seen = rollout.batch.observe(seat)[row, None]
        with torch.no_grad():
            _logits, value = trainer.network(seen, torch.ones((1, 2), dtype=torch.bool))
        assert float(rollout.outlooks[step, row]) == pytest.approx(float(value), abs=0.02)
    assert not rollout.outlooks[~rollout.links.waiting].any()


def test_a_seat_that_leaves_early_is_paid_once_while_the_others_play_on(tmp_path: Path) -> None:
    """Three players: seat 1 acts and is out, seat 0 acts twice and wins. Who leaves a game of three loses 1/2."""
    config = Config(game="pig", num_envs=2, num_steps=3, others=0.0, scripted=(), vary={"players": [3]})
    rollout = Trainer(PIG, config, tmp_path).rollout
    both_games = torch.ones(2, dtype=torch.bool)
    rollout.seats[:] = torch.tensor([[1], [0], [0]])
    rollout.batch.field("out")[0, 1] = 1
    rollout._settle(0, taken=both_games)
    rollout._settle(1, taken=both_games)
    assert rollout.links.rewards[0].tolist() == [-0.5, 0], "in the first game alone"
    assert rollout.links.ended[0].tolist() == [True, False]
    position = rollout.batch.snapshot()
    position.states["over"][0], position.states["won"][0, 0], position.states["decisions"][0] = 1, 1, 7
    rollout.batch.restore(position)
    rollout._settle(2, taken=both_games)
    assert rollout.links.rewards[:, 0].tolist() == [-0.5, 0, 1]
    assert rollout.mean_length() == 7, "in decisions"


# Who decides


def test_others_take_whole_sides_of_a_table_and_leave_one_to_the_learner(tmp_path: Path) -> None:
    """In Frontier one seat attacks, the others are the second side."""
    frontier = registry.load("frontier")
    config = Config(game="frontier", num_envs=300, num_steps=2, others=1.0, scripted=("random",))
    rollout = Trainer(frontier, config, tmp_path).rollout
    rollout.scripted = [agents.load("random", frontier)]
    rollout.reseat(np.ones(300, np.bool_))
    for state, players in zip(rollout.batch.snapshot().states, rollout.players, strict=True):
        by_side: dict[int, set[int]] = {}
        for seat in range(state["seats"]):
            by_side.setdefault(frontier.rules.side(state, seat), set()).add(int(players[seat]))
        assert all(len(players) == 1 for players in by_side.values())
        assert {0} in by_side.values(), "0 is the learner"
    assert rollout.players.any(axis=1).mean() > 0.4, "the share of games with others"


@pytest.mark.parametrize("action", [-1, 2])
def test_an_agent_at_the_tables_that_breaks_the_rules_is_an_error(tmp_path: Path, action: int) -> None:
    config = Config(game="pig", num_envs=8, num_steps=4, others=1.0, scripted=())
    trainer = Trainer(PIG, config, tmp_path)
    trainer.rollout.scripted = [lambda observations, masks, rng: np.full(len(observations), action)]
    trainer.rollout.reseat(np.ones(8, np.bool_))
    with pytest.raises(IllegalAction, match=f"got {action}"):
        trainer.rollout.play(trainer.network)


def test_answers_to_delegated_questions_are_never_learned_from(tmp_path: Path) -> None:
    """In Titan Race the question DIE is delegated to "greedy"; all others are the network's."""
    race = registry.load("titan_race")
    config = replace(SMALL, game="titan_race", vary={"titans": [2]}, scripted=(), delegate={"die": "greedy"})
    trainer = Trainer(race, config, tmp_path)
    trainer.begin()
    asked = asks_of(trainer.rollout, trainer.network)
    is_delegated = asked == race.rules.asks.DIE
    assert is_delegated.any()
    assert (~is_delegated).any()
    assert (trainer.rollout.links.taken.numpy() == ~is_delegated).all()


def asks_of(rollout: RolloutBuffer, network: Any) -> np.ndarray[Any, Any]:
    """Play a rollout and return what was asked before each decision, (steps, games)."""
    asked, step = [], rollout.batch.step

    def noting(actions: Any) -> None:
        asked.append(rollout.batch.field("ask").numpy().copy())
        step(actions)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(rollout.batch, "step", noting)
        rollout.play(network)
    return np.array(asked)


# Observations


@rule
def observe_in_points(state: Any, seat: int, vector: Any) -> None:
    """Show the heap and the goal in points, not as shares."""
    vector[:] = 0
    vector[0] = state.heap
    vector[1] = state.goal


def test_whole_numbers_are_stored_as_they_are_and_shown_to_the_network_as_fractions(tmp_path: Path) -> None:
    """In hundredths the goal of 20 points is a stored 20, and 0.2 for the network."""
    hundredths = tuple(replace(field, scale=100) for field in PIG.rules.fields.parts)
    game = game_with(PIG, fields=Fields(hundredths, whole=True), observe=observe_in_points)
    trainer = Trainer(game, SMALL, tmp_path)
    trainer.rollout.play(trainer.network)
    stored = trainer.rollout.observations
    assert stored.dtype == torch.int8
    assert set(stored[:, :, 1].ravel().tolist()) == {20}
    assert trainer.rollout.seen(stored)[:, :, 1].float().numpy() == pytest.approx(0.2, rel=0.01)
