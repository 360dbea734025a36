"""The folder of a run: what a kill leaves there, what goes on, and what is told to the person."""

from __future__ import annotations

import json
import os
import re
import signal
import sys
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import pytest
import typer
from typer.testing import CliRunner

from titan_env import registry
from titan_env.cli.console import check_table, user_errors
from titan_env.cli.options import Bounds, check_bounds
from titan_env.engine.game_setup import GameSetup
from titan_env.extras import MissingExtra
from titan_env.records.atomic_files import make_folder, replace_atomically
from titan_env.training import run_folder
from titan_env.training.run_folder import Run

PIG = registry.load("pig")
COMPARED = {
    "ppo": "test_a_run_that_was_stopped_is_the_run_that_was_not",
    "sb3_maskable_ppo": "test_a_run_that_was_resumed_is_the_run_without_a_stop",
    "train_afterstate": "test_a_run_that_was_killed_goes_on_after_its_last_round_to_the_same_judge",
    "tune_weights": "test_a_run_that_was_stopped_comes_out_as_one_that_was_not",
    "retrain": "test_the_commands_of_a_policy_make_it_again_bit_for_bit_and_go_on_where_they_were_stopped",
}
"""The scripts that go on after a stop, and the test in which the same seed gives the same weights as without one."""
OTHER_GAMES = {"rllib_ppo"}
"""A script whose library keeps no games in progress: its page says that a run that goes on plays other games."""


def test_every_script_that_goes_on_after_a_stop_is_compared_with_a_run_without_one() -> None:
    folder, own = Path(run_folder.__file__).parent, Path(__file__).parent
    goes_on = re.compile(r"\bresume\b|a run that was\s+stopped goes on")
    helpers = {"run_folder", "ppo_config", "data_parallel"}
    scripts = {path.stem for path in folder.glob("*.py") if goes_on.search(path.read_text("utf-8"))} - helpers
    assert scripts == COMPARED.keys() | OTHER_GAMES
    for script, test in COMPARED.items():
        assert any(f"def {test}(" in path.read_text("utf-8") for path in own.glob(f"test_{script}*.py"))


@dataclass(frozen=True)
class Config:
    """The config of a small run."""

    game: str = "pig"
    total_timesteps: int = 100
    num_envs: Annotated[int, Bounds(2)] = 4
    scripted: tuple[str, ...] = ("random",)

    def __post_init__(self) -> None:
        """At least two games."""
        check_bounds(self)


def held(folder: Path, config: Config) -> Run:
    """A folder that holds a run."""
    run = Run(folder, "checkpoint.pt")
    replace_atomically(folder / "checkpoint.pt", lambda path: path.write_text("weights"))
    run.write(config, PIG)
    return run


@pytest.mark.parametrize("left", [[], ["checkpoint.pt"], ["config.json"], [".writing-a"]])
def test_what_a_kill_leaves_is_either_nothing_or_a_run(tmp_path: Path, left: Collection[str]) -> None:
    for name in left:
        (tmp_path / name).write_text("half")
    run = Run(tmp_path, "checkpoint.pt")
    assert run.settle(Config(), set(), resume=False) == Config()
    with pytest.raises(ValueError, match="start without --resume"):
        run.settle(Config(), set(), resume=True)


def test_a_run_that_could_not_save_its_policy_is_not_begun(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "onnx", None)
    with pytest.raises(MissingExtra, match="expected onnx, which the extra training brings; pip install"):
        Run(tmp_path, "checkpoint.pt").settle(Config(), set(), resume=False)


def test_a_run_goes_on_as_it_was_and_as_long_as_asked(tmp_path: Path) -> None:
    run = held(tmp_path, Config(num_envs=8))
    assert run.settle(Config(), set(), resume=True) == Config(num_envs=8)
    assert run.settle(Config(total_timesteps=500), {"total_timesteps", "out"}, resume=True) == Config(
        num_envs=8, total_timesteps=500
    )
    assert run.settle(Config(total_timesteps=50), {"total_timesteps"}, resume=True) == Config(
        num_envs=8, total_timesteps=50
    )
    with pytest.raises(ValueError, match=r"expected a new folder, but .* holds a run; pass --resume"):
        run.settle(Config(), set(), resume=False)
    with pytest.raises(ValueError, match=r"expected num_envs=8 as in .*, got others; leave them out"):
        run.settle(Config(), {"num_envs"}, resume=True)


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"num_envs": -3}, "expected num_envs from 2 on, got -3"),
        ({"num_envs": None}, "damaged: TypeError"),
        ({"speed": 3}, "unexpected keyword argument 'speed'"),
    ],
)
def test_a_damaged_config_is_named(tmp_path: Path, change: dict[str, object], complaint: str) -> None:
    run = held(tmp_path, Config())
    stored = json.loads((tmp_path / "config.json").read_text())
    stored["config"].update(change)
    (tmp_path / "config.json").write_text(json.dumps(stored))
    with pytest.raises(ValueError, match=f"which is damaged.*{complaint}|{complaint}"):
        run.settle(Config(), set(), resume=True)
    del stored["config"]["scripted"]
    (tmp_path / "config.json").write_text(json.dumps(stored))
    with pytest.raises(ValueError, match="which is damaged: ValueError: it lacks scripted"):
        run.settle(Config(), set(), resume=True)


def test_a_file_that_is_half_written_does_not_take_the_place_of_the_one_before(tmp_path: Path) -> None:
    def fail(path: Path) -> None:
        path.write_text("half")
        raise RuntimeError("killed")

    replace_atomically(tmp_path / "a" / "file", lambda path: path.write_text("whole"))
    with pytest.raises(RuntimeError, match="killed"):
        replace_atomically(tmp_path / "a" / "file", fail)
    assert (tmp_path / "a" / "file").read_text() == "whole"


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_a_signal_lets_the_run_save_and_says_how_it_goes_on(
    tmp_path: Path, number: int, capsys: pytest.CaptureFixture[str]
) -> None:
    run = held(tmp_path, Config())
    saved = []

    def train(signals: int) -> None:
        with run.going() as stop:
            for _ in range(signals):
                os.kill(os.getpid(), number)
            saved.append(stop.asked)

    with pytest.raises(typer.Exit) as ended:
        train(1)
    assert saved == [number]
    assert ended.value.exit_code == 128 + number
    assert f"with --resume --out {tmp_path}" in capsys.readouterr().err
    with pytest.raises(KeyboardInterrupt):
        train(2)
    train(0)
    with pytest.raises(ZeroDivisionError), run.going():
        print(1 / 0)
    assert capsys.readouterr().err.count("--resume") == 2, "after the second signal and the error, not after the end"


def test_a_mistake_of_the_person_is_one_line_and_one_of_the_program_a_traceback(tmp_path: Path) -> None:
    (tmp_path / "file").touch()

    @user_errors()
    def main(what: str) -> None:
        if what == "folder":
            make_folder(tmp_path / "file")
        elif what == "option":
            GameSetup.of(PIG, {"goals": 3})
        elif what == "table":
            check_table("pig", ["random"], [{"goal": 20}, {"goal": "much"}])
        raise TypeError(what)

    app = typer.Typer()
    app.command()(main)
    for what, complaint in {
        "folder": f"Error: expected a folder, but {tmp_path / 'file'} is or lies in a file",
        "option": "Error: expected an option of Pig, got 'goals'",
        "table": "Error: expected goal to be a whole number, got 'much'",
    }.items():
        done = CliRunner().invoke(app, [what])
        assert done.exit_code == 2
        assert done.stderr.startswith(complaint)
    assert isinstance(CliRunner().invoke(app, ["bug"]).exception, TypeError)
