"""The demo: what it prints and leaves, and that what it leaves plays like what it trained."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from titan_env import agents, registry
from titan_env.engine.game_setup import GameSetup
from titan_env.records.session import GameSession
from titan_env.training import demo, ppo
from titan_env.training.demo import MADE, main

pytestmark = pytest.mark.thorough

APP = typer.Typer()
APP.command()(main)


def short_race(setup: GameSetup, seed: int, *saved: Any) -> GameSession:
    """A race of two rounds: the animation of a whole one takes half a minute."""
    return GameSession(GameSetup.of(setup.game, {**setup.options, "turn_limit": 2}), seed, *saved)


def test_the_demo_leaves_a_policy_that_plays_and_pictures_of_how_it_learned(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(demo, "CONFIG", replace(demo.CONFIG, num_envs=16, num_steps=16, width=16, minibatch_size=128))
    monkeypatch.setattr(ppo, "wins", partial(ppo.wins, races=8))
    monkeypatch.setattr(demo, "GameSession", short_race)
    done = CliRunner().invoke(APP, ["--minutes", "0.01", "--races", "4", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    pairs = re.findall(r"│ (\w+) +│ (\w+) +│", done.stdout)
    assert pairs[:2] == [("trained", "untrained"), ("trained", "greedy")], "what was learned, beyond the beginning"
    assert ("untrained", "greedy") in pairs
    assert {path.name for path in tmp_path.iterdir()} - {".running"} == set(MADE.values())
    policy = agents.load(f"policy:{tmp_path / 'policy.onnx'}", registry.load("titan_race"))
    learned = policy.made["decisions"]  # type: ignore[attr-defined]
    assert learned > 0
    assert f"Learned from {learned:,} decisions" in done.stdout


@pytest.mark.parametrize(
    ("flag", "value"), [("--minutes", "-1"), ("--races", "0"), ("--seed", "-1"), ("--out", "file")]
)
def test_what_cannot_be_shown_is_refused_at_once(tmp_path: Path, flag: str, value: str) -> None:
    (tmp_path / "file").touch()
    done = CliRunner().invoke(APP, [flag, str(tmp_path / value) if flag == "--out" else value])
    assert done.exit_code == 2
    assert "Invalid value" in done.stderr or "is or lies in a file" in done.stderr
