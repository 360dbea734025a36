"""A judge of afterstates learns from finished games, alike on any number of threads."""

from __future__ import annotations

from functools import partial
from pathlib import Path

import pytest

from tests.training import scripts
from titan_env import registry
from titan_env.agents.afterstate import read
from titan_env.training import train_afterstate

pytestmark = pytest.mark.thorough

GAME = "tiny_turbo_cars"
run = partial(scripts.run, train_afterstate.main)


@pytest.mark.compiled
def test_each_round_leaves_a_judge_the_same_on_any_number_of_threads(tmp_path: Path) -> None:
    varied = ("--vary", "players=2,3", "--vary", "length=1")
    short = ("--game", GAME, *varied, "--rounds", "2", "--games", "3", "--width", "8")
    judges = []
    for threads in ("1", "2"):
        out = tmp_path / threads
        code, output = run(*short, "--threads", threads, "--out", str(out))
        assert code == 0, output
        assert "round 2 of 2" in output
        judges.append(read(out / "judge.npz", registry.load(GAME)))
    (one, made), (other, _) = judges
    assert all((getattr(one, name) == getattr(other, name)).all() for name in vars(one))
    assert made["config"]["vary"] == {"players": [2, 3], "length": [1]}
    assert made["config"]["rounds"] == 2


@pytest.mark.compiled
def test_a_run_that_was_killed_goes_on_after_its_last_round_to_the_same_judge(tmp_path: Path) -> None:
    game, out = registry.load(GAME), ("--out", str(tmp_path))
    short = ("--game", GAME, "--vary", "players=2", "--vary", "length=1", "--rounds", "3", "--games", "3")
    code, output = run(*short, "--width", "8", *out)
    assert code == 0, output
    whole, made = read(tmp_path / "judge.npz", game)
    for lost in ("experience-003.npz", "judge-3.npz", "judge-2.npz", "judge.npz"):  # killed before the second judge
        (tmp_path / lost).unlink()
    code, output = run("--game", GAME, *out)
    assert (code, "pass --resume" in output) == (2, True), output
    code, output = run("--game", GAME, "--width", "16", "--resume", *out)
    assert (code, "expected width=8" in output) == (2, True), output
    code, output = run("--game", GAME, "--resume", *out)
    assert code == 0, output
    assert "round 2 of 3: was played before" in output
    assert "round 1" not in output
    again, remade = read(tmp_path / "judge.npz", game)
    assert all((getattr(again, name) == getattr(whole, name)).all() for name in vars(whole))
    assert remade["config"] == made["config"]
    (tmp_path / "experience-001.npz").write_bytes(b"PK")
    code, output = run("--game", GAME, "--resume", *out)
    assert code == 2
    assert "expected the games of a round in" in output


def test_nothing_is_written_over_and_a_game_without_a_page_is_refused(tmp_path: Path) -> None:
    (tmp_path / "judge.npz").write_text("mine")
    code, output = run("--game", GAME, "--out", str(tmp_path))
    assert (code, (tmp_path / "judge.npz").read_text()) == (2, "mine")
    assert "expected a new file" in output
    code, output = run("--game", "pig", "--out", str(tmp_path / "pig"))
    assert code == 2
    assert "expected a game that names an afterstate agent" in output
    code, output = run("--game", GAME, "--against", "2", "--out", str(tmp_path / "none"))
    assert code == 2
    assert "expected against up to 1" in output
    assert not (tmp_path / "none").exists()
