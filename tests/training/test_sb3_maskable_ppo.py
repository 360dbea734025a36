"""The Stable-Baselines3 script: its pool of past selves, its checkpoints, what it refuses."""

from __future__ import annotations

import base64
import json
import os
import pickle
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace
from typing import Any
from zipfile import ZipFile

import numpy as np
import pytest
import torch
import typer
from sb3_contrib import MaskablePPO
from typer.testing import CliRunner

from tests.training.models import thoughts
from titan_env import agents, registry
from titan_env.contract import Game
from titan_env.engine.batch import Batch
from titan_env.envs.sb3 import GameVecEnv
from titan_env.records.sealed import write_sealed
from titan_env.training.sb3_maskable_ppo import Fractions, Keeper, main
from titan_env.training.sb3_opponents import Pool
from titan_env.training.sb3_state import read_state

pytestmark = pytest.mark.thorough

PIG = registry.load("pig")
SMALL = ["--game", "pig", "--num-envs", "16", "--num-steps", "16", "--snapshot-every", "4096", "--scripted", "random"]


def run(*arguments: str, small: list[str] = SMALL) -> tuple[int, str]:
    """Exit code and error of the script."""
    app = typer.Typer()
    app.command()(main)
    done = CliRunner().invoke(app, [*small, *arguments])
    return done.exit_code, " ".join(done.stderr.split())


def test_a_killed_run_goes_on_with_its_model_its_pool_and_its_counters(tmp_path: Path) -> None:
    out = tmp_path / "run"
    start = "from titan_env import registry; registry.register('pig', 'tests.games.pig:GAME')"
    line = f"{start}; import sys, typer, titan_env.training.sb3_maskable_ppo as script; typer.run(script.main)"
    arguments = [*SMALL, "--total-timesteps", "10000000", "--checkpoint-every", "0.3", "--out", str(out)]
    with subprocess.Popen([sys.executable, "-c", line, *arguments], stdout=subprocess.DEVNULL) as running:
        deadline = time.monotonic() + 300
        while not has_learned(out) and time.monotonic() < deadline and running.poll() is None:
            time.sleep(0.05)
        running.send_signal(signal.SIGKILL)
    killed = MaskablePPO.load(out / "checkpoint.zip")
    before = killed.num_timesteps
    assert before >= 4096
    assert killed._n_updates == killed.n_epochs * before / (16 * 16), "what counts has been learned from"
    stored = json.loads((out / "config.json").read_text())
    assert stored["versions"]["torch"]
    kept = {path.name for path in (out / "pool").glob("*.pt")}
    assert stored["config"]["learning_rate"] == 1e-3
    stored["config"]["total_timesteps"] = 10
    (out / "config.json").write_text(json.dumps(stored))
    assert run("--out", str(out), "--resume", "--total-timesteps", str(before + 5000), small=[]) == (0, "")
    assert MaskablePPO.load(out / "checkpoint.zip").num_timesteps >= before + 5000
    assert kept < {path.name for path in (out / "pool").glob("*.pt")}, "the old selves, and a new one"
    assert [folder.name for folder in out.glob("log*")] == ["log_1"]
    assert run("--out", str(out))[1].startswith("Error: expected a new folder")
    (out / "checkpoint.zip").write_bytes((out / "checkpoint.zip").read_bytes()[:500])
    code, output = run("--out", str(out), "--resume")
    assert code == 2
    assert "which is damaged" in output


@pytest.mark.parametrize("how", ["killed", "stopped"])
def test_a_run_that_was_resumed_is_the_run_without_a_stop(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str
) -> None:
    settings = ("--snapshot-every", "512", "--total-timesteps", "2048", "--checkpoint-every", "0")
    assert run(*settings, "--out", str(tmp_path / "whole")) == (0, "")
    go_on = Keeper._on_step

    def interrupted(keeper: Keeper) -> bool:
        if keeper.num_timesteps >= 1100:  # in the midst of a rollout
            if how == "killed":
                raise RuntimeError(how)
            keeper._stop.asked = signal.SIGTERM
        return go_on(keeper)

    with monkeypatch.context() as patch:
        patch.setattr(Keeper, "_on_step", interrupted)
        assert run(*settings, "--out", str(tmp_path / "parts"))[0] != 0
    torch.rand(3)  # another process draws other numbers
    np.random.random(3)
    assert run("--out", str(tmp_path / "parts"), "--resume", small=[]) == (0, "")
    whole, parts = (MaskablePPO.load(tmp_path / name / "checkpoint.zip") for name in ("whole", "parts"))
    assert whole.num_timesteps == parts.num_timesteps == 2048
    weights = parts.policy.state_dict()
    assert all(torch.equal(weights[name], tensor) for name, tensor in whole.policy.state_dict().items())
    states = [games_of(tmp_path / name / "checkpoint.zip") for name in ("whole", "parts")]
    assert states[0] == states[1]


def games_of(checkpoint: Path) -> list[bytes]:
    """The records of the games in progress of a checkpoint."""
    with ZipFile(checkpoint) as archive:
        state = read_state(archive)["run"]
    return [part.numpy().tobytes() for part in state["games"]["records"].values()]


def test_what_was_learned_plays_as_a_policy_like_its_model_and_its_pool_must_be_whole(tmp_path: Path) -> None:
    out = tmp_path / "run"
    assert run("--total-timesteps", "6000", "--out", str(out)) == (0, "")
    policy, model = agents.load(f"policy:{out / 'policy.onnx'}", PIG), MaskablePPO.load(out / "checkpoint.zip")
    assert policy.made["config"]["layers"] == [128, 128]  # type: ignore[attr-defined]
    rng = np.random.default_rng(0)
    observations, masks = rng.random((50, PIG.rules.fields.size), np.float32), np.array([[1, 1], [1, 0]] * 25, np.int8)
    chances, values = policy.policy(observations, masks)  # type: ignore[attr-defined]
    expected, worth = thoughts(model, observations, masks)
    assert chances == pytest.approx(expected, abs=5e-3)
    assert values == pytest.approx(worth.clip(-1, 1), abs=5e-3)
    longer = ("--out", str(out), "--resume", "--total-timesteps", "7000")
    damaged = sorted((out / "pool").glob("*.pt"))[0]
    damaged.write_text("damaged")
    code, output = run(*longer)
    assert (code, output.startswith(f"Error: expected a past self in {damaged}, which is damaged")) == (2, True), output
    assert output.endswith("delete it to go on without")
    shutil.rmtree(out / "pool")
    assert "expected past selves in" in run(*longer)[1]


def test_a_run_that_was_killed_before_it_learned_anything_can_be_started_again_or_resumed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run"
    for moment, held in (("Run.write", False), ("Keeper", True)):
        with monkeypatch.context() as patch:
            patch.setattr(f"titan_env.training.sb3_maskable_ppo.{moment}", killed)
            run("--total-timesteps", "300", "--out", str(out))
        assert (out / "config.json").exists() == held
    assert run("--out", str(out), "--resume", small=[]) == (0, "")


@pytest.mark.parametrize("seats", [1, 2, 3, 5])
def test_the_newest_self_any_self_and_scripted_agents_all_take_every_other_seat(
    seats: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in range(5):
        (tmp_path / f"{name}.pt").touch()
    monkeypatch.setattr(Pool, "_past_self", lambda self, model, path: path.stem)
    pool = Pool(tmp_path, ["expert", "greedy"], seed=0)  # type: ignore[list-item]
    invited = np.array([pool.seat(SimpleNamespace(num_timesteps=9), seats) for _ in range(300)])  # type: ignore[arg-type]
    for seat in range(seats):
        counts = dict(zip(*np.unique(invited[:, seat], return_counts=True), strict=True))
        assert set(counts) == {"0", "1", "2", "3", "4", "expert", "greedy"}
        assert counts["4"] == pytest.approx(120, abs=40)
        assert counts["expert"] + counts["greedy"] == pytest.approx(100, abs=35)
    alone = Pool(tmp_path, [], seed=0)
    assert {alone.seat(SimpleNamespace(num_timesteps=9), 1)[0] for _ in range(100)} == set("01234")  # type: ignore[arg-type]


def has_learned(out: Path) -> bool:
    """Whether there is a checkpoint later than the second snapshot."""
    saved, snapshots = out / "checkpoint.zip", sorted((out / "pool").glob("*.pt"))
    return saved.exists() and len(snapshots) > 1 and saved.stat().st_mtime_ns > snapshots[1].stat().st_mtime_ns


def killed(*_: object) -> None:
    """End the run where it stands."""
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (("--scripted", "clever"), "expected an agent among"),
        (("--option", "goal=1000"), "goal"),
        (("--resume",), "expected a run with a checkpoint"),
        (("--game", "chess"), "expected the name of a game"),
    ],
)
def test_what_cannot_be_trained_is_refused_before_any_work(
    tmp_path: Path, arguments: tuple[str, ...], complaint: str
) -> None:
    code, output = run(*arguments, "--out", str(tmp_path / "run"))
    assert code == 2
    assert complaint in output
    assert not (tmp_path / "run").exists()


class Bomb:
    """What runs a command when it is unpickled."""

    def __init__(self, command: str) -> None:
        self.command = command

    def __reduce__(self) -> tuple[Any, ...]:
        return os.system, (self.command,)


def test_nothing_in_a_checkpoint_is_unpickled(tmp_path: Path) -> None:
    out, mark = tmp_path / "run", tmp_path / "pwned"
    assert run("--total-timesteps", "1000", "--out", str(out))[0] == 0
    with ZipFile(out / "checkpoint.zip") as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    entries = json.loads(parts["data"])
    bomb = base64.b64encode(pickle.dumps(Bomb(f"touch {mark}"))).decode()
    entries["lr_schedule"] = {":type:": "function", ":serialized:": bomb}
    parts["data"] = json.dumps(entries).encode()
    with ZipFile(out / "checkpoint.zip", "w") as archive:
        for name, part in parts.items():
            archive.writestr(name, part)
    write_sealed(out / "checkpoint.zip", (out / "checkpoint.zip").read_bytes())
    assert run("--resume", "--total-timesteps", "2000", "--out", str(out))[0] == 0
    assert not mark.exists()


def test_whole_numbers_are_made_the_fractions_that_agents_see(game: Game) -> None:
    fields = game.rules.fields
    if not fields.whole:
        pytest.skip("a game that observes in fractions")
    batch = Batch(game, 32, whole=True)
    batch.seed(0)
    batch.start()
    batch.rollout(20)
    layer = Fractions(GameVecEnv(game, 1, whole=True).observation_space, fields.divisors)
    made = layer(torch.from_numpy(batch.observations).float()).numpy()
    np.testing.assert_array_equal(made, fields.to_float(batch.observations))
