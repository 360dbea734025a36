"""References are measured too: their error widens the interval of each score, and of a difference by its size alone."""

from __future__ import annotations

import dataclasses

import numpy as np
import pytest
from numpy.typing import NDArray

from titan_env.contract import Game
from titan_env.evaluation.benchmark.panel import Panel, block_ratings, entrants_wins, rating_gradient
from titan_env.evaluation.benchmark.references import References, measured, references_of, widened
from titan_env.evaluation.benchmark.scores import Estimate, interquartile_mean
from titan_env.evaluation.benchmark.tasks import read_benchmark
from titan_env.evaluation.matches.match import Z95
from titan_env.evaluation.matches.plackett_luce import ELO

TIMES = 1000
PANEL, STRENGTHS = Panel(("random", "greedy", "expert"), ("planner",), "expert"), (-500.0, -150.0, 0.0, -300.0)
ENTRANTS = (-400.0, -250.0, -120.0, 0.0, 100.0)
"""Points of entrants."""


def winners(rating: float, lineups: NDArray[np.int64], luck: NDArray[np.float64]) -> NDArray[np.int64]:
    """Places that win simulated games, (blocks, games), of an entrant with this rating among the panel."""
    strengths = np.array([rating, *STRENGTHS]) / ELO
    places: NDArray[np.int64] = (strengths[lineups][:, None, :] + luck).argmax(axis=2)
    return places


def simulated(blocks: int, sides: int, rng: np.random.Generator) -> References:
    """References from simulated rows, which share the luck of each block."""
    lineups, luck = PANEL.lineups(sides, range(blocks)), rng.gumbel(size=(blocks, sides, sides))
    rows = {
        name: [" ".join(map(str, block)) for block in winners(points, lineups, luck)]
        for name, points in zip(PANEL.members, STRENGTHS, strict=True)
    }
    return References.of(measured(PANEL, sides, range(blocks), rows), PANEL, lineups)


@pytest.mark.thorough
@pytest.mark.parametrize(("sides", "blocks", "of_entrant"), [(2, 128, 512), (3, 96, 256)])
def test_intervals_cover_the_truth_with_the_error_of_all_references(sides: int, blocks: int, of_entrant: int) -> None:
    rng, held = np.random.default_rng(3), np.zeros((3, len(ENTRANTS)))
    truth = 100 * (np.array(ENTRANTS) - STRENGTHS[0]) / -STRENGTHS[0]
    lineups = PANEL.lineups(sides, range(10_000, 10_000 + of_entrant))
    for _ in range(TIMES):
        known, luck = simulated(blocks, sides, rng), rng.gumbel(size=(of_entrant, sides, sides))
        shares = [np.eye(sides)[winners(points, lineups, luck)] for points in ENTRANTS]
        scores = np.array([known.scores(entrants_wins(won, lineups), lineups) for won in shares])
        means, own = scores.mean(axis=1), scores.std(axis=1, ddof=1) / of_entrant**0.5
        of_scores = np.hypot(own, [known.score_error(mean) for mean in means])
        ahead = scores - scores[0]
        of_leads = np.hypot(
            ahead.std(axis=1, ddof=1) / of_entrant**0.5, [known.lead_error(mean, means[0]) for mean in means]
        )
        held[0] += np.abs(means - truth) <= Z95 * own
        held[1] += np.abs(means - truth) <= Z95 * of_scores
        held[2] += np.abs(ahead.mean(axis=1) - (truth - truth[0])) <= Z95 * of_leads
    blocks_alone, widened_scores, leads = held / TIMES
    assert (blocks_alone < 0.8).all()
    assert (widened_scores > 0.93).all(), widened_scores
    assert (widened_scores < 0.97).all(), widened_scores
    assert (leads[1:] > 0.93).all(), leads
    assert (leads[1:] < 0.97).all(), leads


def test_a_rating_moves_with_the_strengths_of_the_members_as_its_gradient_says() -> None:
    lineups, rng = PANEL.lineups(3, range(200)), np.random.default_rng(1)
    wins = entrants_wins(np.eye(3)[winners(-200, lineups, rng.gumbel(size=(200, 3, 3)))], lineups)
    rating = float(block_ratings(wins, lineups, STRENGTHS).mean())
    gradient = rating_gradient(rating, lineups, STRENGTHS)
    moved = [block_ratings(wins, lineups, np.array(STRENGTHS) + step).mean() - rating for step in np.eye(4)]
    assert gradient == pytest.approx(moved, abs=0.01)
    assert gradient.sum() == pytest.approx(1)


def test_equal_scores_differ_by_nothing_and_the_ends_of_the_scale_move_the_others() -> None:
    known = simulated(32, 3, np.random.default_rng(2))
    assert known.lead_error(60, 60) == 0
    assert known.lead_error(60, 20) > 0
    sure = dataclasses.replace(known, covariance=np.diag([0.0] * 4 + [9.0, 16.0]))
    points = known.hundred - known.random
    assert sure.score_error(100) == pytest.approx(100 * 4 / points)
    assert sure.score_error(0) == pytest.approx(100 * 3 / points)
    assert sure.points_error() == pytest.approx(5)


def test_tasks_that_an_interquartile_mean_leaves_out_widen_nothing() -> None:
    known, values, errors = Estimate(25.0, 24.0, 26.0), [0.0, 20.0, 30.0, 90.0], [0.0, 0.0, 0.0, 9.0]
    assert widened(known, values, errors, interquartile_mean) == known
    assert widened(known, values, errors).high > 26


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
    known = dataclasses.replace(simulated(32, 3, np.random.default_rng(2)), spread=30.0)
    rng, found = np.random.default_rng(5), []
    for ahead in (0.0, known.resolves(256), 2 * known.resolves(256)):
        leads = rng.normal(ahead, known.spread, (TIMES, 256))
        found.append((np.abs(leads.mean(axis=1)) > Z95 * leads.std(axis=1, ddof=1) / 16).mean())
    assert found == pytest.approx([0.05, 0.5, 0.975], abs=0.03)
