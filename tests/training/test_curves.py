"""Learning curves: read from the logs of real runs, one for all seeds, named by what sets them apart."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
import typer
from scipy import stats
from typer.testing import CliRunner

from titan_env.training import ppo
from titan_env.training.curves import RunLog, curve_of, curves_of, main, names_of, read_run

pytestmark = pytest.mark.thorough

APP, TRAIN = typer.Typer(), typer.Typer()
APP.command()(main)
TRAIN.command()(ppo.main)
SMALL = shlex.split("--game tests.games.pig:GAME --num-envs 16 --num-steps 8 --width 16 --minibatch-size 64")


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Two short runs that differ in one setting."""
    folders = []
    for epochs in ("1", "2"):
        out = tmp_path_factory.mktemp("runs") / epochs
        asked = ("--total-timesteps", "1000", "--scripted", "random", "--update-epochs", epochs, "--out", str(out))
        done = CliRunner().invoke(TRAIN, [*SMALL, *asked])
        assert done.exit_code == 0, done.output
        folders.append(out)
    return folders


def test_runs_are_set_side_by_side_in_a_table_and_a_picture(runs: list[Path], tmp_path: Path) -> None:
    picture = tmp_path / "curves.png"
    done = CliRunner().invoke(APP, [*map(str, runs), "--against", "random", "--out", str(picture)])
    assert done.exit_code == 0, done.output
    assert "epochs=1" in done.stdout
    assert "epochs=2" in done.stdout
    assert picture.read_bytes().startswith(b"\x89PNG")


def test_a_log_has_the_time_the_decisions_and_the_wins_of_each_evaluation(runs: list[Path]) -> None:
    log = read_run(runs[0], "random")
    assert (log.decisions[0], log.minutes[0]) == (0, 0), "before it learned"
    assert log.decisions[-1] >= 1000
    assert log.minutes[-1] > 0
    assert all(0 <= share <= 1 for share in log.wins)


def test_runs_that_differ_in_their_seed_alone_are_one_curve() -> None:
    logs = [RunLog({"seed": seed, "width": width}, [1.0], [10], [0.5]) for width in (16, 32) for seed in (1, 2, 3)]
    curves = curves_of(logs, "decisions")
    assert [len(curve.runs) for curve in curves] == [3, 3]
    assert names_of(curves) == ["width=16", "width=32"]
    assert names_of(curves[:1]) == ["all runs"]


def test_a_curve_is_the_mean_of_its_runs_with_an_interval_over_them() -> None:
    logs = [RunLog({"seed": seed}, [1.0], [10], [share]) for seed, share in enumerate((0.0, 0.5, 0.6, 0.7, 1.0))]
    (wins,) = curve_of(logs, "decisions").wins
    assert wins.value == pytest.approx(56)
    low, high = stats.t.interval(0.95, 4, 56, stats.sem([0, 50, 60, 70, 100]))
    assert high > 100
    assert (wins.low, wins.high) == pytest.approx((low, 100)), "no share is above all games"
    alone = curve_of(logs[1:2], "decisions").wins[0]
    assert (alone.low, alone.high) == (50, 50)


def test_a_curve_ends_where_the_first_of_its_runs_does_and_reads_the_others_between_their_evaluations() -> None:
    early = RunLog({"seed": 1}, [1.0, 2.0, 3.0, 4.0], [100, 200, 300, 400], [0.1, 0.2, 0.3, 0.4])
    late = RunLog({"seed": 2}, [1.5, 3.5], [150, 350], [0.3, 0.5])
    curve = curve_of([early, late], "decisions")
    assert curve.progress.tolist() == [150, 200, 300, 350]
    assert [wins.value for wins in curve.wins] == pytest.approx([22.5, 27.5, 37.5, 42.5])
    assert curve_of([early, late], "minutes").progress.tolist() == [1.5, 2.0, 3.0, 3.5]


def test_runs_without_a_common_stretch_are_no_curve() -> None:
    early, late = (RunLog({"seed": at}, [at], [at], [0.5]) for at in (1, 2))
    with pytest.raises(ValueError, match="a first evaluation at 2 and a last one at 1 decisions"):
        curve_of([early, late], "decisions")


def test_what_is_no_run_or_was_not_evaluated_is_refused(runs: list[Path], tmp_path: Path) -> None:
    for asked, complaint in (
        ([str(tmp_path)], "expected the folder of a run"),
        ([str(runs[0]), "--against", "greedy"], "found those against random"),
        ([str(runs[0]), "--against", "random", "--out", str(tmp_path)], "Error"),
        ([str(runs[0]), "--against", "random", "--over", "seconds"], "decisions"),
        ([str(runs[0]), f"{runs[0]}/", "--against", "random"], "expected each run once"),
    ):
        done = CliRunner().invoke(APP, asked)
        assert done.exit_code == 2
        assert complaint in done.stderr
