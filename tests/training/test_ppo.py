"""The one-page PPO: what it learns from, and that it learns."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch

from tests.games import game_with
from tests.training.small import PIG, SMALL
from titan_env import agents, registry
from titan_env.contract import Fields, rule
from titan_env.evaluation.match import Proportion, win_rates
from titan_env.training.policies import network_agent, wins
from titan_env.training.ppo import Trainer
from titan_env.training.ppo_config import Config
from titan_env.training.ppo_update import Mean, inclusion_probability, learn, minibatches


def test_a_little_self_play_beats_chance(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    trainer = Trainer(PIG, SMALL, tmp_path)
    while trainer.decisions < SMALL.total_timesteps:
        logged = trainer.iterate()
    assert all(np.isfinite(value) for value in logged.values())
    assert {"explained_variance", "clip_fraction", "learning_rate", "game_length"} <= logged.keys()
    assert 0 < trainer.env_share < 1
    players = {"learner": network_agent(trainer.network, temperature=1.0), "random": agents.load("random", PIG)}
    assert win_rates(PIG, players, 400, 2)["learner"].interval[0] > 0.5


HOLDS = """
def make(game):
    return lambda observations, masks, rng: masks[:, game.rules.actions.numbers["hold"]].astype("int64")
"""


def test_what_the_teacher_would_do_is_learned_until_the_lessons_are_over(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    (tmp_path / "holds.py").write_text(HOLDS)
    taught = replace(
        SMALL, teacher=f"python:{tmp_path / 'holds.py'}", lessons=0.5, scripted=(), total_timesteps=1_000_000
    )
    trainer, hold = Trainer(PIG, taught, tmp_path), PIG.rules.actions.numbers["hold"]
    assert trainer.lesson == 1
    for _ in range(10):
        trainer.iterate()
    assert trainer.lesson == pytest.approx(1 - trainer.done / 0.5)
    asked, masks = trainer.rollout.observations.flatten(0, 1), trainer.rollout.masks.flatten(0, 1)
    with torch.no_grad():
        logits, _ = trainer.network(trainer.rollout.seen(asked).float(), masks)
    assert (logits.softmax(1)[masks.all(1), hold] > 0.8).float().mean() > 0.9
    trainer.decisions = 500_000
    assert trainer.lesson == 0
    trainer.iterate()
    assert trainer.rollout.taught is None


def test_the_same_seed_learns_the_same(tmp_path: Path) -> None:
    torch.set_num_threads(1)
    weights = []
    for _ in range(2):
        trainer = Trainer(PIG, SMALL, tmp_path)
        for _ in range(3):
            trainer.iterate()
        weights.append(trainer.network.policy.weight.detach().clone())
    assert torch.equal(*weights)


def test_advantages_follow_the_chain_of_the_own_decisions(tmp_path: Path) -> None:
    config = Config(game="pig", num_envs=2, num_steps=4, gamma=0.5, gae_lambda=0.5, others=0.0, scripted=())
    rollout = Trainer(PIG, config, tmp_path).rollout
    seats = [0, 1, 0, 1]
    for step, seat in enumerate(seats):
        payoffs = np.zeros((2, 6))
        payoffs[:, :2] = (1, -1) if step == 3 else (0, 0)
        over = np.array([step == 3, False])
        rollout.links.add(np.array([seat, seat]), payoffs, over, np.zeros(2, np.bool_))
    rollout.values[:] = np.array([[0.1], [0.2], [0.3], [0.4]])
    ended = rollout.advantages(rollout.config.gae_lambda)[:, 0]
    latest_0, latest_1 = 1 - 0.3, -1 - 0.4
    assert ended == pytest.approx(
        [0.5 * 0.3 - 0.1 + 0.25 * latest_0, 0.5 * 0.4 - 0.2 + 0.25 * latest_1, latest_0, latest_1]
    )
    assert list(rollout.links.waiting[:, 1]) == [False, False, True, True]
    # What comes after the last decision of a rollout is not known yet: what its seat sees then stands for it.
    rollout.outlooks[2:, 1] = 0.6, 0.8
    waiting_0, waiting_1 = 0.5 * 0.6 - 0.3, 0.5 * 0.8 - 0.4
    running = rollout.advantages(rollout.config.gae_lambda)[:, 1]
    assert running == pytest.approx(
        [0.5 * 0.3 - 0.1 + 0.25 * waiting_0, 0.5 * 0.4 - 0.2 + 0.25 * waiting_1, waiting_0, waiting_1]
    )


def test_a_short_tail_is_learned_with_the_minibatch_before_it() -> None:
    sizes = {4097: [4097], 5120: [5120], 5121: [4096, 1025], 8193: [4096, 4097], 100: [100], 1: [], 0: []}
    for count, parts in sizes.items():
        assert [len(part) for part in minibatches(torch.arange(count), 4096)] == parts
    assert torch.equal(torch.cat(minibatches(torch.arange(9), 4)), torch.arange(9))


def test_weights_stay_finite_where_one_decision_is_left_over_and_others_are_refused(tmp_path: Path) -> None:
    trainer = Trainer(PIG, SMALL, tmp_path)
    trainer.rollout.play(trainer.network)
    usable = int(trainer.rollout.links.taken.sum())
    learn(trainer.network, trainer.optimiser, trainer.rollout, replace(SMALL, minibatch_size=usable - 1))
    assert all(weights.isfinite().all() for weights in trainer.network.parameters())
    trainer.rollout.values[:] = np.nan
    with pytest.raises(FloatingPointError, match="the checkpoint is from before"):
        learn(trainer.network, trainer.optimiser, trainer.rollout, SMALL)


def test_a_run_is_measured_at_the_tables_that_it_learns_at(monkeypatch: pytest.MonkeyPatch) -> None:
    played = []

    def win_rates(game: Any, pair: Any, races: int, seed: int, **options: Any) -> dict[str, Proportion]:
        played.append((options, races))
        return {"learner": Proportion(races, races)}

    monkeypatch.setattr("titan_env.training.policies.win_rates", win_rates)
    config = Config(game="pig", vary={"goal": [10, 20], "players": [2, 2, 4, 4]}, num_envs=64)
    assert wins(PIG, agents.load("random", PIG), "random", config.dealt(), seed=0).of == 400
    tables = [(10, 2), (10, 4), (20, 2), (20, 4)]
    assert played == [({"goal": goal, "players": players}, 100) for goal, players in tables]


def test_options_that_vary_are_dealt_in_every_combination() -> None:
    config = Config(vary={"titans": [2, 4], "circuit": ["a", "b"]}, num_envs=8)
    dealt = [tuple(options.values()) for options in config.dealt()]
    assert Counter(dealt) == {(titans, circuit): 2 for titans in (2, 4) for circuit in "ab"}
    weighed = Config(vary={"titans": [2, 4, 4]}, num_envs=6).dealt()
    assert [options["titans"] for options in weighed] == [2, 4, 4, 2, 4, 4]
    besides = Config(vary={"titans": [2, 4]}, also={"variant": ["2v2", "3v3"], "circuit": ["a"]}, num_envs=5).dealt()
    assert besides == [{"titans": 2}, {"titans": 4}, {"variant": "2v2"}, {"variant": "3v3"}, {"circuit": "a"}]
    assert Config(num_envs=2).dealt() == [{}, {}]
    with pytest.raises(ValueError, match="expected at least 4 games, one for each combination, got 3"):
        Config(vary={"titans": [2, 4], "circuit": ["a", "b"]}, num_envs=3).dealt()


def test_others_take_whole_sides_of_a_table(tmp_path: Path) -> None:
    frontier = registry.load("frontier")
    config = Config(game="frontier", num_envs=300, num_steps=2, others=1.0, scripted=("random",))
    trainer = Trainer(frontier, config, tmp_path)
    trainer.rollout.others = [agents.load("random", frontier)]
    trainer.rollout._reseat(np.ones(300, np.bool_))
    for state, players in zip(trainer.rollout.batch.states, trainer.rollout.players, strict=True):
        by_side: dict[int, set[int]] = {}
        for seat in range(state["seats"]):
            by_side.setdefault(frontier.rules.side(state, seat), set()).add(int(players[seat]))
        assert all(len(players) == 1 for players in by_side.values())
        assert {0} in by_side.values(), "somebody learns"
    assert trainer.rollout.players.any(axis=1).mean() > 0.4


def test_a_seat_that_is_out_is_paid_once_while_the_others_play_on(tmp_path: Path) -> None:
    config = Config(game="pig", num_envs=2, num_steps=3, others=0.0, scripted=(), vary={"players": [3]})
    rollout = Trainer(PIG, config, tmp_path).rollout
    everybody, states = np.ones(2, np.bool_), rollout.batch.states
    rollout.seats[:] = np.array([[1], [0], [0]])
    states["out"][0, 1] = 1
    rollout._settle(0, everybody)
    rollout._settle(1, everybody)
    assert list(rollout.links.rewards[0]) == [-0.5, 0]
    assert list(rollout.links.ended[0]) == [True, False]
    states["over"][0], states["won"][0, 0], states["decisions"][0] = 1, 1, 7
    rollout._settle(2, everybody)
    assert list(rollout.links.rewards[:, 0]) == [-0.5, 0, 1]
    assert rollout.lengths == [7]
    assert not rollout.paid.any()


def test_a_question_that_is_delegated_is_answered_by_its_agent_and_never_learned_from(tmp_path: Path) -> None:
    game = registry.load("titan_race")
    config = replace(SMALL, game="titan_race", vary={"titans": [2]}, scripted=(), delegate={"die": "greedy"})
    trainer = Trainer(game, config, tmp_path)
    trainer.begin()
    rollout = trainer.rollout
    asks = []
    step = rollout.batch.step
    rollout.batch.step = lambda actions: (asks.append(rollout.batch.states["ask"].copy()), step(actions))[1]
    rollout.play(trainer.network)
    delegated = np.array(asks) == game.rules.asks.DIE
    assert delegated.any()
    assert (rollout.links.taken == ~delegated).all()


def test_a_decision_that_waits_is_worth_what_its_seat_sees_at_the_end(tmp_path: Path) -> None:
    trainer = Trainer(PIG, replace(SMALL, vary={"players": [2, 3]}, num_steps=5), tmp_path)
    rollout = trainer.rollout
    rollout.play(trainer.network)
    waiting = np.argwhere(rollout.links.waiting)
    assert len(waiting) > 128
    for step, row in waiting[::20]:
        view = rollout.batch.observe(np.minimum(rollout.seats[step, row], rollout.batch.states["seats"] - 1))[row]
        with torch.no_grad():
            _, value = trainer.network(torch.from_numpy(view[None]), torch.ones((1, 2), dtype=torch.bool))
        assert rollout.outlooks[step, row] == pytest.approx(float(value), abs=0.02)
    assert not rollout.outlooks[~rollout.links.waiting].any()


@rule
def observe_whole(state: Any, seat: int, vector: Any) -> None:
    vector[:] = 0
    vector[0] = state.heap
    vector[1] = state.goal


def test_whole_numbers_are_kept_as_they_are_and_learned_from_as_fractions(tmp_path: Path) -> None:
    parts = tuple(replace(part, scale=100) for part in PIG.rules.fields.parts)
    fields = Fields(parts, whole=True)
    game = game_with(PIG, fields=fields, observe=observe_whole)
    trainer = Trainer(game, SMALL, tmp_path)
    trainer.rollout.play(trainer.network)
    kept = trainer.rollout.observations
    assert kept.dtype == torch.int8
    assert set(kept[:, :, 1].ravel().tolist()) == {20}
    assert trainer.rollout.seen(kept)[:, :, 1].float().numpy() == pytest.approx(0.2, rel=0.01)


def test_sure_decisions_are_learned_from_seldom_and_then_count_for_those_that_were_left_out() -> None:
    chances = np.log(np.array([1.0, 0.99, 0.95, 0.6, 0.01], np.float32))
    kept = inclusion_probability(chances, 0.25)
    assert kept == pytest.approx([0.25, 0.25, 0.5, 1, 1], abs=1e-5)
    assert inclusion_probability(chances, 1.0) == pytest.approx(1)
    rng, losses = np.random.default_rng(0), np.array([1.0, 2.0, 3.0, 4.0, 5.0], np.float32)
    many = np.tile(np.arange(5), 20_000)
    drawn = torch.from_numpy(many[rng.random(len(many)) < kept[many]])
    mean = Mean(torch.from_numpy(1 / kept)[drawn])
    assert float(mean(torch.from_numpy(losses)[drawn])) == pytest.approx(losses.mean(), abs=0.03)


def test_a_run_that_learns_seldom_from_sure_decisions_looks_at_fewer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    looked = []
    for sure in (1.0, 0.1):
        config = replace(SMALL, sure=sure, update_epochs=1, others=0.0, scripted=())
        trainer = Trainer(PIG, config, tmp_path)
        with torch.no_grad():
            trainer.network.policy.bias[0] = 8.0  # sure to go on, wherever it may
        trainer.rollout.play(trainer.network)
        sizes: list[int] = []
        forward = trainer.network.forward
        monkeypatch.setattr(
            trainer.network,
            "forward",
            lambda seen, masks, do=forward, to=sizes: to.append(len(seen)) or do(seen, masks),
        )
        learn(trainer.network, trainer.optimiser, trainer.rollout, config)
        looked.append(sum(sizes))
    assert looked[0] == SMALL.num_envs * SMALL.num_steps
    assert looked[1] < 0.2 * looked[0]
