"""References are measured too: their error widens the interval of each score, and of a difference by its size alone."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest

from titan_env.contract import Game
from titan_env.evaluation.benchmark.references import References, references_of, widened
from titan_env.evaluation.benchmark.scores import Estimate, interquartile_mean, mean
from titan_env.evaluation.benchmark.tasks import read_benchmark
from titan_env.evaluation.matches.match import Z95

TIMES = 2000


def scale(random: float, hundred: float, random_error: float, hundred_error: float) -> References:
    """References of which the ends of the scale matter alone."""
    return References((), random, hundred, random_error, hundred_error, 0.0, 0.0)


@pytest.mark.parametrize("true", [0.1, 0.5, 0.9])
def test_intervals_cover_the_truth_only_with_the_error_of_the_references(true: float) -> None:
    rng, random, best, error, tasks = np.random.default_rng(3), 0.05, 0.6, 0.02, 4
    predicted = rng.normal((random, best, true), error, (TIMES, tasks, 3))
    held = {"blocks alone": 0, "widened": 0}
    for of_tasks in predicted:
        scores = [100 * (share - low) / (high - low) for low, high, share in of_tasks]
        own = Z95 * np.sqrt(sum((100 * error / (high - low)) ** 2 for low, high, _ in of_tasks)) / tasks
        alone = Estimate(mean(np.array(scores)), np.mean(scores) - own, np.mean(scores) + own)  # type: ignore[arg-type]
        known = [scale(low, high, error, error) for low, high, _ in of_tasks]
        wide = widened(alone, scores, [one.score_error for one in known])
        truth = 100 * (true - random) / (best - random)
        held["blocks alone"] += alone.low <= truth <= alone.high
        held["widened"] += wide.low <= truth <= wide.high
    assert 0.93 <= held["widened"] / TIMES <= 0.97
    assert held["blocks alone"] / TIMES < 0.9


def test_a_difference_moves_by_its_own_size_only() -> None:
    known = scale(0.1, 0.6, 0.01, 0.02)
    assert known.lead_error(0) == 0
    assert known.score_error(100) == pytest.approx(100 * 0.02 / 0.5)
    assert known.score_error(0) == pytest.approx(100 * 0.01 / 0.5)
    rng = np.random.default_rng(4)
    random, best = rng.normal(0.1, 0.01, 20_000), rng.normal(0.6, 0.02, 20_000)
    leads = 100 * (0.4 - 0.3) / (best - random)
    assert known.lead_error(20) == pytest.approx(leads.std(), rel=0.05)


def test_tasks_that_an_interquartile_mean_leaves_out_widen_nothing() -> None:
    known, sharp = Estimate(25.0, 24.0, 26.0), [lambda value: 0.0] * 3
    values = [0.0, 20.0, 30.0, 90.0]
    assert widened(known, values, [*sharp, lambda value: 9.0], interquartile_mean) == known
    assert widened(known, values, [*sharp, lambda value: 9.0]).high > 26


def test_references_of_another_panel_are_not_used(pig: Game) -> None:
    benchmark = read_benchmark(pig)
    task = benchmark.tasks[0]
    known = references_of(pig, benchmark, task)
    assert known.hundred == task.references["ratings"]["flat:4"]
    assert known.lead == pytest.approx(-29.1, abs=0.1), "flat:2, the best of the others"
    for measures in ({}, {**task.references, "panel": "0" * 12}):
        with pytest.raises(
            ValueError, match=r"expected references of pig, two with the panel .* measure them with --r"
        ):
            references_of(pig, benchmark, dataclasses.replace(task, references=measures))


def test_a_difference_is_resolved_that_its_interval_tells_from_none() -> None:
    known = dataclasses.replace(scale(0, 1, 0, 0), spread=30.0)
    rng, found = np.random.default_rng(5), []
    for ahead in (0.0, known.resolves(256), 2 * known.resolves(256)):
        leads = rng.normal(ahead, known.spread, (TIMES, 256))
        found.append((np.abs(leads.mean(axis=1)) > Z95 * leads.std(axis=1, ddof=1) / 16).mean())
    assert found == pytest.approx([0.05, 0.5, 0.975], abs=0.03)
