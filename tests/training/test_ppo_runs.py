"""Runs of `titan_env.training.ppo`: refused, killed, stopped, resumed, started from other weights."""

from __future__ import annotations

import json
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import torch
import typer
from typer.testing import CliRunner

from tests.training import scripts
from tests.training.small import PIG, SMALL
from titan_env import agents, registry
from titan_env.engine.schema import SchemaMismatch
from titan_env.training.checkpoints import load_sealed, read_weights
from titan_env.training.ppo import Trainer, main
from titan_env.training.ppo_config import Config
from titan_env.training.run_folder import Run

pytestmark = pytest.mark.thorough

SMALL_OPTIONS = ["--game", "pig", "--num-envs", "64", "--num-steps", "16", "--width", "16", "--scripted", "random"]


def script(*arguments: str) -> list[str]:
    """The command line of the script, which knows the game of the tests too."""
    start = "from titan_env import registry; registry.register('pig', 'tests.games.pig:GAME')"
    run = "import sys, typer, titan_env.training.ppo as ppo; sys.argv[0] = 'ppo'; typer.run(ppo.main)"
    return [sys.executable, "-c", f"{start}; {run}", *SMALL_OPTIONS, *arguments]


def run_here(*arguments: str) -> None:
    """Run the script to its end in this process."""
    code, output = scripts.run(main, *SMALL_OPTIONS, *arguments)
    assert code == 0, output


def test_others_sit_at_the_tables_of_a_run_that_goes_on(tmp_path: Path) -> None:
    trainer = Trainer(PIG, SMALL, tmp_path)
    trainer.iterate()
    trainer.save()
    later = Trainer(PIG, SMALL, tmp_path)
    assert not later.rollout.players.any()
    later.resume()
    assert (later.rollout.players == trainer.rollout.players).all()
    assert later.rollout.players.any(axis=1).mean() > SMALL.others / 3


def test_a_run_that_was_stopped_is_the_run_that_was_not(tmp_path: Path) -> None:
    config = replace(SMALL, snapshot_every=8_000, past_selves=2, ent_coef=0.03, others=0.5)
    whole, parts = tmp_path / "whole", tmp_path / "parts"
    trainer = Trainer(PIG, config, whole)
    trainer.begin()
    for _ in range(6):
        trainer.iterate()
    stopped = Trainer(PIG, config, parts)
    stopped.begin()
    for _ in range(3):
        stopped.iterate()
    stopped.save()
    torch.rand(3)  # another process draws other numbers
    later = Trainer(PIG, config, parts)
    later.resume()
    for _ in range(3):
        later.iterate()
    weights = later.network.state_dict()
    assert all(torch.equal(weights[name], tensor) for name, tensor in trainer.network.state_dict().items())
    assert torch.equal(later.rollout.batch.states.tensor, trainer.rollout.batch.states.tensor)
    assert (later.decisions, len(later.pool)) == (trainer.decisions, len(trainer.pool))


@pytest.mark.parametrize("name", ["checkpoint.pt", "policy.onnx"])
def test_one_changed_bit_of_weights_is_refused_as_a_start_and_to_go_on_from(tmp_path: Path, name: str) -> None:
    trainer = Trainer(PIG, SMALL, tmp_path)
    trainer.begin()
    whole = (tmp_path / name).read_bytes()
    for byte in np.linspace(0, len(whole) - 1, 40).astype(int):
        changed = bytearray(whole)
        changed[byte] ^= 4
        (tmp_path / name).write_bytes(changed)
        with pytest.raises(ValueError, match=r"expected a file of weights in .*, which is damaged.*start from another"):
            read_weights(tmp_path / name, PIG, SMALL.width)
        if name == "checkpoint.pt":
            with pytest.raises(ValueError, match=r"expected a checkpoint of this run .*start anew with another --out"):
                trainer.resume()
    (tmp_path / name).write_bytes(whole)
    assert read_weights(tmp_path / name, PIG, SMALL.width)


def test_past_selves_at_the_tables_never_become_fewer_and_every_seat_is_played_by_somebody(tmp_path: Path) -> None:
    trainer = Trainer(PIG, replace(SMALL, past_selves=3, snapshot_every=1, others=1.0), tmp_path)
    for met in range(1, 9):
        trainer.iterate()
        assert trainer.rollout.number_of_others == len(SMALL.scripted) + min(met, 3)
        assert trainer.rollout.players.max() <= trainer.rollout.number_of_others


def test_a_killed_run_goes_on_from_its_checkpoint(tmp_path: Path) -> None:
    out = tmp_path / "run"
    arguments = ("--total-timesteps", "100000000", "--checkpoint-every", "0.2", "--out", str(out))
    signalled(script(*arguments), out, signal.SIGKILL)
    before = load_sealed(out / "checkpoint.pt")["counters"][0]
    assert before > 0
    stored = json.loads((out / "config.json").read_text())
    assert stored["config"]["num_envs"] == 64
    assert stored["versions"]["numpy"] == np.__version__
    stored["config"]["total_timesteps"] = 10
    (out / "config.json").write_text(json.dumps(stored))
    run_here("--out", str(out), "--resume", "--total-timesteps", str(before + 2000))
    assert load_sealed(out / "checkpoint.pt")["counters"][0] >= before + 2000
    policy = agents.load(f"policy:{out / 'policy.onnx'}", PIG)
    assert policy.made["config"]["total_timesteps"] == before + 2000  # type: ignore[attr-defined]


def test_a_run_may_be_given_minutes_and_goes_on_when_given_more(tmp_path: Path) -> None:
    arguments = ("--total-timesteps", "100000000", "--minutes", "0.01", "--out", str(tmp_path / "run"))
    run_here(*arguments)
    policy = agents.load(f"policy:{tmp_path / 'run' / 'policy.onnx'}", PIG)
    taken = policy.made["decisions_taken"]  # type: ignore[attr-defined]
    assert 0 < taken < 100_000_000
    learned = load_sealed(tmp_path / "run" / "checkpoint.pt")["counters"][1]  # in seconds
    run_here(*arguments, "--resume", "--minutes", str(learned / 60 + 0.0001))
    policy = agents.load(f"policy:{tmp_path / 'run' / 'policy.onnx'}", PIG)
    assert policy.made["decisions_taken"] > taken  # type: ignore[attr-defined]


def signalled(command: list[str], out: Path, what: signal.Signals) -> tuple[int, str]:
    """Send a run a signal once it has learned something: how it ended, and what it said."""
    with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT) as running:
        deadline = time.monotonic() + 300
        while not has_learned(out) and time.monotonic() < deadline and running.poll() is None:
            time.sleep(0.05)
        running.send_signal(what)
        output = running.communicate()[0].decode()
    return running.returncode, output


def has_learned(out: Path) -> bool:
    """Whether there is a checkpoint later than the first, which comes before the config."""
    saved, config = out / "checkpoint.pt", out / "config.json"
    return config.exists() and saved.stat().st_mtime_ns > config.stat().st_mtime_ns


def test_a_run_that_is_killed_before_it_has_learned_anything_goes_on_or_begins_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    app, small = typer.Typer(), [*SMALL_OPTIONS, "--total-timesteps", "2000", "--out", str(tmp_path)]
    app.command()(main)
    for moment in (
        "titan_env.training.ppo.Trainer.save",
        "titan_env.training.ppo.Run.write",
        "titan_env.training.ppo.train",
    ):
        with monkeypatch.context() as patch:
            patch.setattr(moment, killed)
            assert CliRunner().invoke(app, small).exit_code == 130
        assert (tmp_path / "config.json").exists() == (moment == "titan_env.training.ppo.train")
    assert CliRunner().invoke(app, ["--resume", "--out", str(tmp_path)]).exit_code == 0
    assert (tmp_path / "policy.onnx").exists()


def killed(*_: object) -> None:
    """End the run where it stands."""
    raise KeyboardInterrupt


@pytest.mark.parametrize(
    ("prepare", "arguments", "complaint"),
    [
        ("", ("--game", "chess"), "expected the name of a game, got 'chess'"),
        ("", ("--scripted", "clever"), "expected an agent among"),
        ("", ("--vary", "goal=2000"), "goal"),
        ("", ("--vary", "goal"), "such as name=value,value, got 'goal'"),
        ("", ("--vary", "goals=2"), "expected an option of Pig, got 'goals'"),
        ("", ("-o", "goals=2"), "expected an option of Pig, got 'goals'; did you mean goal?"),
        ("", ("--option", "goal=2000"), "goal"),
        ("", ("-o", "goal=20", "--vary", "goal=10,20"), "expected goal with --vary or with --option, got both"),
        ("", ("--seed", "-1"), "expected seed from 0 on, got -1"),
        ("", ("--processes", "0"), "expected processes from 1 on, got 0"),
        ("", ("--processes", "3"), "expected num_envs to be a multiple of processes, got 64 games for 3"),
        ("", ("--others", "1.5"), "expected others up to 1, got 1.5"),
        ("", ("--reward", "luck"), "expected reward to be one of win, rank, score"),
        ("", ("--teacher", "clever"), "expected an agent among"),
        ("", ("--adviser", "random"), "expected no adviser: Pig names no agents of its own, got 'random'"),
        (
            "",
            ("--game", "titan_race", "--adviser", "exprt"),
            "expected an adviser among greedy, expert, got 'exprt'",
        ),
        ("", ("--teacher", "mcts:8"), "expected a teacher that answers at once, got 'mcts:8', which plans"),
        ("", ("--lessons", "2"), "expected lessons up to 1, got 2"),
        ("", ("--start", "nowhere.onnx"), "expected a file of weights, found no nowhere.onnx"),
        ("", ("--resume",), "expected a run with a checkpoint to resume"),
        ("run", (), "expected a new folder"),
        ("run", ("--resume",), "expected a checkpoint of this run in"),
        ("run", ("--resume", "--vary", "goal=10", "--seed", "5"), "expected seed=0, vary={} as in"),
        ("run", ("--resume", "-o", "goal=10"), "expected vary={} as in"),
        ("observation", ("--resume",), "it was changed"),
        ("file", (), "is or lies in a file"),
    ],
)
def test_what_cannot_be_trained_is_refused_before_any_work(
    tmp_path: Path, prepare: str, arguments: tuple[str, ...], complaint: str
) -> None:
    out = tmp_path / "run"
    if prepare == "file":
        out.touch()
    elif prepare:
        config = Config(game="pig", num_envs=64, num_steps=16, width=16, scripted=("random",))
        Run(out, "checkpoint.pt").write(config, PIG)
        (out / "checkpoint.pt").write_text("damaged")
        if prepare == "observation":
            (out / "config.json").write_text((out / "config.json").read_text().replace("heap", "pile"))
    app = typer.Typer()
    app.command()(main)
    done = CliRunner().invoke(app, [*SMALL_OPTIONS, *arguments, "--out", str(out)])
    assert done.exit_code == 2
    assert complaint in " ".join(done.stderr.split())
    assert not list(out.glob("events*"))


WITHOUT_GPU = not torch.cuda.is_available()


@pytest.mark.parametrize(
    "device", ["tpu", "cpu:0", pytest.param("cuda", marks=pytest.mark.skipif(not WITHOUT_GPU, reason="has a GPU"))]
)
def test_a_device_that_torch_does_not_have_here_is_refused_before_anything_is_written(
    tmp_path: Path, device: str
) -> None:
    code, output = scripts.run(main, *SMALL_OPTIONS, "--device", device, "--out", str(tmp_path / "run"))
    assert code == 2
    assert output.startswith("Error: expected a device that torch has here, cpu")
    assert output.endswith(f", got {device!r}")
    assert not (tmp_path / "run").exists()


@pytest.mark.skipif(WITHOUT_GPU, reason="has no GPU")
def test_a_run_on_a_gpu_goes_on_on_the_cpu(tmp_path: Path) -> None:
    arguments = ("--teacher", "random", "--out", str(tmp_path))
    run_here(*arguments, "--device", "cuda", "--total-timesteps", "2000")
    policy = agents.load(f"policy:{tmp_path / 'policy.onnx'}", PIG)
    assert policy.made["device"] == "cuda"  # type: ignore[attr-defined]
    run_here(*arguments, "--resume", "--total-timesteps", "4000")
    policy = agents.load(f"policy:{tmp_path / 'policy.onnx'}", PIG)
    assert policy.made["decisions_taken"] >= 4000  # type: ignore[attr-defined]
    assert "device" not in policy.made  # type: ignore[attr-defined]


def test_a_run_starts_from_a_policy_or_a_checkpoint_of_the_same_shape(tmp_path: Path) -> None:
    first = Trainer(PIG, SMALL, tmp_path / "first")
    first.iterate()
    first.begin()
    for name in ("policy.onnx", "checkpoint.pt"):
        later = Trainer(PIG, replace(SMALL, start=str(tmp_path / "first" / name)), tmp_path / name)
        later.begin()
        for weights, kept in zip(first.network.parameters(), later.network.parameters(), strict=True):
            assert kept.detach().numpy() == pytest.approx(weights.detach().numpy(), abs=1e-3)
    start = str(tmp_path / "first" / "policy.onnx")
    with pytest.raises(ValueError, match=r"and width 32 in .*, got width 16; pass --width"):
        Trainer(PIG, replace(SMALL, width=32, start=start), tmp_path).begin()
    with pytest.raises(SchemaMismatch):
        Trainer(registry.load("titan_race"), replace(SMALL, start=start), tmp_path).begin()


def test_a_run_that_is_stopped_leaves_a_policy_and_may_go_on_shorter(tmp_path: Path) -> None:
    often = ("--evaluate-every", "0.1", "--checkpoint-every", "0.2")
    arguments = ("--total-timesteps", "100000000", *often, "--out", str(tmp_path))
    code, output = signalled(script(*arguments), tmp_path, signal.SIGINT)
    assert code == 130, output
    policy = agents.load(f"policy:{tmp_path / 'policy.onnx'}", PIG)
    taken = policy.made["decisions_taken"]  # type: ignore[attr-defined]
    assert taken > 0
    run_here("--out", str(tmp_path), "--resume", "--total-timesteps", "10")
    policy = agents.load(f"policy:{tmp_path / 'policy.onnx'}", PIG)
    assert policy.made["decisions_taken"] == taken  # type: ignore[attr-defined]
    assert policy.made["config"]["total_timesteps"] == 10  # type: ignore[attr-defined]
