"""`new` writes a game's folder that plays, is tested and checked as it stands."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from titan_env import agents, registry
from titan_env.__main__ import app
from titan_env.evaluation.matches.match import win_rates

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[2]


def new(*arguments: str) -> tuple[int, str]:
    """Return exit code and output of the command."""
    done = CliRunner().invoke(app, ["new", *arguments], env={"COLUMNS": "200"})
    return done.exit_code, done.output


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of a new game that is called `snail_race`."""
    made = tmp_path_factory.mktemp("new")
    code, output = new("snail_race", "--folder", str(made))
    assert code == 0, output
    return made / "snail_race"


def run(folder: Path, *arguments: str) -> str:
    """Return what Python prints in that folder."""
    around = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "120"}
    done = subprocess.run([sys.executable, "-m", *arguments], cwd=folder, env=around, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_nothing_of_the_template_s_name_is_left(folder: Path) -> None:
    files = [path for path in folder.rglob("*") if path.is_file()]
    assert len(files) == 8
    assert [path for path in files if "my_game" in str(path) or "My Game" in path.read_text("utf-8")] == []


def test_its_own_tests_pass_check_game_among_them(folder: Path) -> None:
    assert "10 passed" in run(folder, "pytest", "-p", "no:cacheprovider")


def test_it_is_written_as_the_linter_wants_it(folder: Path) -> None:
    run(folder, "ruff", "check", "--isolated", "--no-cache", "--line-length", "120", "--select", "E,F,W,B", ".")
    run(folder, "ruff", "format", "--isolated", "--no-cache", "--line-length", "120", "--check", ".")


def test_its_agent_wins_more_than_its_share(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(folder)
    game = registry.load("snail_race:GAME")
    players = {name: agents.load(name, game) for name in ("bold", "random")}
    assert win_rates(game, players, games=400, seed=0)["bold"].rate > 0.6


@pytest.mark.parametrize(
    ("name", "error"),
    [
        ("Snail", "expected a name of small letters, digits and underscores"),
        ("class", "expected a name of small letters, digits and underscores"),
        ("titan_race", "expected a name that no game and no module has, got 'titan_race'"),
        ("json", "expected a name that no game and no module has, got 'json'"),
    ],
)
def test_a_name_that_cannot_be_one_is_refused_and_nothing_is_written(tmp_path: Path, name: str, error: str) -> None:
    code, output = new(name, "--folder", str(tmp_path))
    assert (code, error in output) == (2, True), output
    assert list(tmp_path.iterdir()) == []


def test_a_folder_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "worm_race").mkdir()
    code, output = new("worm_race", "--folder", str(tmp_path))
    assert (code, "expected a new file, found" in output) == (2, True), output
    assert list((tmp_path / "worm_race").iterdir()) == []
