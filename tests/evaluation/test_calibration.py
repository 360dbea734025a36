"""Whether a value keeps what it promises."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import numpy as np
import pytest

from tests.training import scripts
from titan_env.evaluation.reports import calibration
from titan_env.evaluation.reports.calibration import BINS, Promises, bins, by_fifth, explained

pytestmark = pytest.mark.thorough

POLICY = "ppo@titan_race-v3"


run = partial(scripts.run, calibration.main)


def test_a_value_that_knows_explains_more_than_one_that_exaggerates() -> None:
    rng = np.random.default_rng(0)
    value = rng.uniform(-0.8, 0.8, 20_000)
    kept = np.where(rng.random(len(value)) < (1 + value) / 2, 1.0, -1.0)
    for promised, happened, count in bins(value, kept):
        assert abs(promised - happened) < 0.1
        assert count == len(value) // BINS
    assert 0.15 < explained(value, kept) < 0.3
    assert explained(1.8 * value, kept) < explained(value, kept)


def test_what_is_foretold_is_told_for_each_fifth_of_the_games() -> None:
    rng = np.random.default_rng(0)
    kept = rng.choice([-1.0, 1.0], 10_000)
    passed = np.arange(10_000) / 10_000
    known = kept * (passed >= 0.8)  # nothing is known before the last fifth, and everything in it
    shares = by_fifth(Promises(known, known, kept, np.zeros(10_000), passed))
    assert np.round(shares, 2).tolist() == [0, 0, 0, 0, 1]


def test_a_policy_is_told_what_it_promised_and_kept(tmp_path: Path) -> None:
    picture = tmp_path / "calibration.png"
    code, output = run(POLICY, "-o", "titans=2", "--games", "4", "--out", str(picture))
    assert code == 0, output
    assert output.count("of the variance") == 2
    assert "In each fifth of the games it explains" in output
    assert "All seats together are promised" in output
    assert picture.stat().st_size > 1000


def test_what_is_no_policy_is_refused() -> None:
    assert run("greedy") == (2, "Error: expected a trained policy, got greedy")
