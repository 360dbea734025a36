"""Learning curves: read from the logs of real runs, named by what sets the runs apart."""

from __future__ import annotations

import shlex
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner

from titan_env.training import ppo
from titan_env.training.curves import Curve, main, names_of, read_curve

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


def test_a_curve_has_the_time_the_decisions_and_the_wins_of_each_evaluation(runs: list[Path]) -> None:
    curve = read_curve(runs[0], "random")
    assert curve.decisions[-1] >= 1000
    assert curve.minutes[-1] > 0
    assert all(0 <= share <= 1 for share in curve.wins)


def test_runs_that_nothing_sets_apart_are_numbered() -> None:
    same = Curve({"seed": 0}, [1.0], [10], [0.5])
    assert names_of([same, same]) == ["run 1", "run 2"]


def test_what_is_no_run_or_was_not_evaluated_is_refused(runs: list[Path], tmp_path: Path) -> None:
    for asked, complaint in (
        ([str(tmp_path)], "expected the folder of a run"),
        ([str(runs[0]), "--against", "greedy"], "found those against random"),
        ([str(runs[0]), "--against", "random", "--out", str(tmp_path)], "Error"),
    ):
        done = CliRunner().invoke(APP, asked)
        assert done.exit_code == 2
        assert complaint in done.stderr
