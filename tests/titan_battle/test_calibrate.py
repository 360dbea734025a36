"""Chances come true: a power and two weights, fitted to battles the network has not seen, and measured by tenths."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from titan_env import registry
from titan_env.games.titan_battle import chances
from titan_env.games.titan_battle.agents.legion_features import battles_of
from titan_env.games.titan_battle.value import calibrate, measures
from titan_env.games.titan_battle.value.battles import draw_battles
from titan_env.games.titan_battle.value.calibrated import CALIBRATION, Calibration, calibrated
from titan_env.games.titan_battle.value.chances import ENDS, foretell
from titan_env.games.titan_battle.value.chances import chances as fitted_chances

pytestmark = pytest.mark.thorough

DRAWN = 4000


@pytest.mark.parametrize("true", [Calibration(0.7, 1.4, 0.6), Calibration(), Calibration(1.3, 0.7, 1.4)])
def test_the_calibration_is_found_with_which_battles_end(true: Calibration) -> None:
    battles = battles_of(draw_battles(registry.load("titan_battle"), DRAWN, 5)[0]["battle"])
    fitted = foretell(battles)[:, : len(ENDS)]
    predicted = calibrated(fitted, true)
    assert predicted.sum(axis=1) == pytest.approx(np.ones(DRAWN))
    drawn = (np.random.default_rng(0).random((DRAWN, 1)) > predicted.cumsum(axis=1)).sum(axis=1)
    ends = np.array(ENDS)[np.minimum(drawn, len(ENDS) - 1)]
    found = calibrate.best_calibration(fitted, ends)
    assert found.power == pytest.approx(true.power, abs=0.08)
    assert found[1:] == pytest.approx(true[1:], rel=0.25)


def test_tenths_are_counted_of_the_battles_that_did_not_calibrate(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    calibrate.main(["--agent", "random", "--battles", "60", "--out", str(tmp_path / "chances.md")])
    output = capsys.readouterr().out
    assert output.strip() == (tmp_path / "chances.md").read_text("utf-8").strip()
    assert output.count("| foretold | battles |") == 2
    counted = [int(line.split("|")[2]) for line in output.splitlines() if line.startswith("|") and "% to" in line]
    assert sum(counted) == 60, "thirty battles, in both tables"


def test_the_calibration_is_that_of_the_measured_table_and_makes_the_sure_less_sure() -> None:
    table = (Path(__file__).parents[2] / "docs" / "measured" / "titan_battle" / "chances.md").read_text("utf-8")
    assert f"### {calibrate.title_of(CALIBRATION)}\n" in table
    battle = (["titan", "ogre"], ["ogre"], "plains", "B")
    predicted, fitted = chances(*battle), fitted_chances(*battle)
    assert sum(predicted[: len(ENDS)]) == pytest.approx(1)
    assert 0.5 < predicted.attacker < fitted.attacker
    assert predicted[len(ENDS) :] == fitted[len(ENDS) :]


def test_who_wins_is_counted_where_it_was_foretold() -> None:
    predicted = np.array([[0.05, 0.9, 0.05], [0.06, 0.9, 0.04], [0.97, 0.03, 0.0]])
    table = measures.calibration(np.array([ENDS[0], ENDS[1], ENDS[0]]), predicted, "battles")
    assert "| 0% to 10% | 2 | 5.5% | 50.0% |" in table
    assert "| 90% to 100% | 1 | 97.0% | 100.0% |" in table


@pytest.mark.parametrize(
    ("typed", "complaint"),
    [
        (["--battles", "1"], "--battles: expected at least 2, got 1"),
        (["--seed", "-1"], "--seed: expected at least 0, got -1"),
        (["--agent", "nobody"], "expected an agent among"),
    ],
)
def test_what_cannot_be_measured_is_refused(
    typed: list[str], complaint: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(SystemExit, match="2"):
        calibrate.main(typed)
    assert complaint in capsys.readouterr().err
