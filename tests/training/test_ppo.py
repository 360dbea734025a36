"""Runs of proximal policy optimisation (PPO) in Pig: they learn, imitate a teacher at first, and are reproducible."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch

from tests.training.small import HOLD, PIG, SMALL
from titan_env import agents
from titan_env.evaluation.matches.match import win_rates
from titan_env.training.network import network_agent
from titan_env.training.ppo import Trainer

pytestmark = pytest.mark.thorough


@pytest.fixture(autouse=True)
def _one_thread() -> None:
    """A network's sums depend on the number of threads."""
    torch.set_num_threads(1)


def test_a_hundred_thousand_decisions_of_self_play_beat_random_play(tmp_path: Path) -> None:
    trainer = Trainer(PIG, SMALL, tmp_path)
    while trainer.decisions < SMALL.total_timesteps:
        metrics = trainer.iterate()
    assert all(np.isfinite(value) for value in metrics.values())
    assert {"explained_variance", "clip_fraction", "learning_rate", "game_length"} <= metrics.keys()
    assert 0 < trainer.env_share < 1
    players = {"learner": network_agent(trainer.network, temperature=1.0), "random": agents.load("random", PIG)}
    lower_end, _upper_end = win_rates(PIG, players, 400, 2)["learner"].interval
    assert lower_end > 0.5


def test_the_same_seed_learns_the_same_weights(tmp_path: Path) -> None:
    first, second = Trainer(PIG, SMALL, tmp_path), Trainer(PIG, SMALL, tmp_path)
    for trainer in (first, second):
        for _ in range(3):
            trainer.iterate()
    assert torch.equal(first.network.policy.weight, second.network.policy.weight)


TEACHER = f"python:{Path(__file__).with_name('always_hold.py')}"


def test_a_teacher_is_imitated_with_a_weight_that_falls_to_0_when_its_lessons_are_over(tmp_path: Path) -> None:
    """`lessons` is the share of the run in which the teacher is imitated: here half of a million decisions."""
    config = replace(SMALL, teacher=TEACHER, lessons=0.5, scripted=(), total_timesteps=1_000_000)
    trainer = Trainer(PIG, config, tmp_path)
    assert trainer.lesson == 1
    for _ in range(10):
        trainer.iterate()
    assert trainer.lesson == pytest.approx(1 - trainer.done / 0.5)

    # Where there is a choice, the network nearly always holds, as the teacher does.
    seen, masks = trainer.rollout.observations.flatten(0, 1), trainer.rollout.masks.flatten(0, 1)
    with torch.no_grad():
        logits, _values = trainer.network(trainer.rollout.seen(seen).float(), masks)
    chances_to_hold = logits.softmax(1)[masks.all(1), HOLD]
    assert (chances_to_hold > 0.8).float().mean() > 0.9

    trainer.decisions = 500_000
    assert trainer.lesson == 0
    trainer.iterate()
    assert trainer.rollout.taught is None, "the teacher is not asked any more"
