"""Scores are 0 and 100 at the ends of the scale, and their intervals cover."""

from __future__ import annotations

import numpy as np
import pytest

from titan_env.evaluation.benchmark.scores import (
    estimate,
    estimate_method,
    estimate_over_runs,
    interquartile_mean,
    interquartile_over_runs,
    normalise,
    student,
)


def test_the_ends_of_the_scale_score_0_and_100() -> None:
    scores = normalise(np.array([-700, 0, -350, 70]), -700, 0)
    assert scores == pytest.approx([0, 100, 50, 110])


def test_the_interquartile_mean_leaves_out_the_lowest_and_the_highest_quarter_of_tasks() -> None:
    assert interquartile_mean(np.array([-900.0, 10.0, 20.0, 5000.0])) == pytest.approx(15)


def test_an_interval_covers_the_truth_as_often_as_it_says() -> None:
    rng = np.random.default_rng(5)
    held = 0
    for _ in range(60):
        samples = [rng.normal(true, 20, 80) for true in (10, 40, 100)]
        known = estimate(samples)
        held += known.low <= 50 <= known.high
    assert held >= 51  # 95 % of 60 less three standard errors


@pytest.mark.parametrize(("of_run", "of_task"), [(0.0, 2.0), (1.0, 1.5), (2.0, 0.7)])
def test_an_interval_over_five_runs_covers_the_truth_whatever_their_tasks_share(of_run: float, of_task: float) -> None:
    rng, held = np.random.default_rng(7), 0
    true = np.array([80.0, 90.0, 100.0, 110.0])
    for _ in range(2000):
        tasks = true + rng.normal(0, of_run, (5, 1)) + rng.normal(0, of_task, (5, 4))
        known = estimate_method([[np.array([task]) for task in run] for run in tasks])
        held += known.low <= 95 <= known.high
    assert 0.93 <= held / 2000 <= 0.97  # drawn anew in each task by itself they cover 62 to 90 %


@pytest.mark.parametrize("spreads", [(3.0,), (2.0,) * 5, (5.0, 1.0, 1.0, 1.0, 1.0)])
def test_a_mean_over_games_with_five_runs_each_covers_the_truth(spreads: tuple[float, ...]) -> None:
    rng, held = np.random.default_rng(9), 0
    for _ in range(2000):
        known = estimate_over_runs([rng.normal(50 + 10 * game, spread, 5) for game, spread in enumerate(spreads)])
        held += known.low <= 50 + 5 * (len(spreads) - 1) <= known.high
    assert 0.93 <= held / 2000 <= 0.97


@pytest.mark.thorough
@pytest.mark.parametrize(("apart", "spreads"), [(3, (3.0,) * 5), (20, (3.0,) * 5), (10, (1.0, 6.0, 1.0, 2.0, 1.0))])
def test_an_interquartile_mean_over_games_with_five_runs_each_covers_the_truth(
    apart: int, spreads: tuple[float, ...]
) -> None:
    rng, held = np.random.default_rng(3), 0
    games = list(enumerate(spreads))
    every_run = np.concatenate([rng.normal(10 + apart * game, spread, 50_000) for game, spread in games])
    true = float(interquartile_mean(every_run))
    for _ in range(400):
        known = interquartile_over_runs([rng.normal(10 + apart * game, spread, 5) for game, spread in games])
        held += known.low <= true <= known.high
    assert held / 400 >= 0.93  # percentiles of the same bootstrap hold the truth in 85 to 90 %


def test_the_best_and_the_worst_quarter_of_all_runs_of_all_games_do_not_count() -> None:
    known = interquartile_over_runs([np.array([0.0, 40, 50, 60]), np.array([40.0, 50, 60, 100])])
    assert known.value == 50
    assert 0 < known.low < 50 < known.high < 100


def test_a_single_run_has_no_interval_over_runs() -> None:
    with pytest.raises(ValueError, match="expected two or more runs in each sample, got one"):
        interquartile_over_runs([np.array([1.0]), np.array([1.0, 2.0])])


def test_a_lead_of_runs_covers_the_truth_with_the_luck_of_the_blocks_that_they_share() -> None:
    rng, held = np.random.default_rng(8), 0
    for _ in range(2000):
        runs = 3.0 + rng.normal(0, 1.0, 5) + rng.normal(0, 1.5)
        known = student(runs, 1.5)
        held += known.low <= 3 <= known.high
    assert 0.93 <= held / 2000 <= 0.99


def test_a_single_run_has_the_interval_of_its_blocks() -> None:
    tasks = [np.random.default_rng(1).normal(0, 1, 30), np.random.default_rng(2).normal(5, 1, 30)]
    assert estimate_method([tasks]) == estimate(tasks)


def test_tasks_are_drawn_anew_each_by_itself() -> None:
    known = estimate([np.zeros(50), np.full(50, 100.0)])
    assert (known.value, known.low, known.high) == (50, 50, 50)  # tasks differ, no block of one does


def test_the_same_results_have_the_same_interval() -> None:
    samples = [np.random.default_rng(1).normal(0, 1, 30)]
    assert estimate(samples) == estimate(samples)
