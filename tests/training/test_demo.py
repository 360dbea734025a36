"""The demo: what it prints and leaves, and that what it leaves plays like what it trained."""

from __future__ import annotations

import os
import re
import signal
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import typer
from rich.progress import Progress
from typer.testing import CliRunner

from titan_env import agents, registry
from titan_env.cli.console import Stop
from titan_env.engine.game_setup import GameSetup
from titan_env.records.session import GameSession
from titan_env.training import demo, ppo
from titan_env.training.demo import MADE, main, train
from titan_env.training.network import wins
from titan_env.training.ppo import Trainer

pytestmark = pytest.mark.thorough

APP = typer.Typer()
APP.command()(main)


def short_race(setup: GameSetup, seed: int, *saved: Any) -> GameSession:
    """A race of two rounds: the animation of a whole one takes half a minute."""
    return GameSession(GameSetup.of(setup.game, {**setup.options, "turn_limit": 2}), seed, *saved)


@pytest.fixture(autouse=True)
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rollouts of 256 decisions, few races, short races."""
    monkeypatch.setattr(demo, "CONFIG", replace(demo.CONFIG, num_envs=16, num_steps=16, width=16, minibatch_size=128))
    monkeypatch.setattr(ppo, "wins", partial(wins, games=8))
    monkeypatch.setattr(demo, "GameSession", short_race)


def test_the_demo_leaves_a_policy_that_plays_and_pictures_of_how_it_learned_when_it_is_stopped_by_its_limit_too(
    tmp_path: Path,
) -> None:
    asked = ["--decisions", "1000000", "--minutes", "0.01", "--races", "4", "--out", str(tmp_path)]
    done = CliRunner().invoke(APP, asked)
    assert done.exit_code == 0, done.output
    output = " ".join(done.stdout.split())
    assert "Learning from nothing: 1,000,000 decisions of self-play, in 0.01 minutes at most." in output
    assert "It was stopped by the limit of 0.01 minutes" in output
    pairs = re.findall(r"│ (\w+) +│ (\w+) +│", done.stdout)
    assert pairs[:2] == [("trained", "untrained"), ("trained", "greedy")], "what was learned, beyond the beginning"
    assert ("untrained", "greedy") in pairs
    assert {path.name for path in tmp_path.iterdir()} - {".running"} == set(MADE.values())
    policy = agents.load(f"policy:{tmp_path / 'policy.onnx'}", registry.load("titan_race"))
    learned = policy.made["decisions"]  # type: ignore[attr-defined]
    assert 256 <= learned < 1_000_000
    assert f"Learned from {learned:,} decisions in" in output


@pytest.mark.parametrize(("decisions", "minutes", "last"), [(600, 60, 768), (600, 0, 256)])
def test_training_takes_its_decisions_in_whole_rollouts_or_ends_after_the_one_in_which_the_time_is_up(
    tmp_path: Path, decisions: int, minutes: float, last: int
) -> None:
    """The curve begins with the untrained network and ends with the trained one, and nobody advises either."""
    trainer = Trainer(registry.load("titan_race"), replace(demo.CONFIG, total_timesteps=decisions), tmp_path)
    evaluations = train(trainer, minutes, Progress(), Stop())
    assert [evaluations[0].decisions, evaluations[-1].decisions] == [0, last]
    assert trainer.network.adviser is None


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM], ids=["interrupt", "terminate"])
def test_a_stopped_demo_leaves_the_agent_so_far(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, number: signal.Signals
) -> None:
    iterate = Trainer.iterate
    monkeypatch.setattr(Trainer, "iterate", lambda trainer: (os.kill(os.getpid(), number), iterate(trainer)))
    done = CliRunner().invoke(APP, ["--out", str(tmp_path)])
    assert done.exit_code == 128 + number, done.output
    policy = agents.load(f"policy:{tmp_path / 'policy.onnx'}", registry.load("titan_race"))
    assert policy.made["decisions"] == 256  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("flag", "value"),
    [("--decisions", "0"), ("--minutes", "-1"), ("--races", "0"), ("--seed", "-1"), ("--out", "file")],
)
def test_what_cannot_be_shown_is_refused_at_once(tmp_path: Path, flag: str, value: str) -> None:
    (tmp_path / "file").touch()
    done = CliRunner().invoke(APP, [flag, str(tmp_path / value) if flag == "--out" else value])
    assert done.exit_code == 2
    assert "Invalid value" in done.stderr or "is or lies in a file" in done.stderr
