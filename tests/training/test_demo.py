"""The demo: what it prints and leaves, and that what it leaves plays like what it trained."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
import typer
from sb3_contrib import MaskablePPO
from typer.testing import CliRunner

from tests.training.models import thoughts
from titan_env import agents, registry
from titan_env.envs.shaping import Potential
from titan_env.training.demo import MADE, SHAPING, main

APP = typer.Typer()
APP.command()(main)


def test_the_demo_leaves_a_policy_whose_values_are_those_of_the_game_without_shaping(tmp_path: Path) -> None:
    done = CliRunner().invoke(APP, ["--minutes", "0.01", "--races", "4", "--out", str(tmp_path)])
    assert done.exit_code == 0, done.output
    assert "against" in done.stdout
    assert {path.name for path in tmp_path.iterdir()} - {".running"} == set(MADE.values())
    game, model = registry.load("titan_race"), MaskablePPO.load(tmp_path / "policy.zip")
    policy = agents.load(f"policy:{tmp_path / 'policy.onnx'}", game)
    observations = np.random.default_rng(0).random((50, game.fields.size), np.float32)
    masks = np.ones((50, len(game.actions)), np.int8)
    chances, values = policy.policy(observations, masks)  # type: ignore[attr-defined]
    expected, shaped = thoughts(model, observations, masks)
    assert chances == pytest.approx(expected, abs=5e-3)
    assert values == pytest.approx((shaped + Potential(game.fields, SHAPING)(observations)).clip(-1, 1), abs=1e-2)


@pytest.mark.parametrize(
    ("flag", "value"), [("--minutes", "-1"), ("--races", "0"), ("--seed", "-1"), ("--out", "file")]
)
def test_what_cannot_be_shown_is_refused_at_once(tmp_path: Path, flag: str, value: str) -> None:
    (tmp_path / "file").touch()
    done = CliRunner().invoke(APP, [flag, str(tmp_path / value) if flag == "--out" else value])
    assert done.exit_code == 2
    assert "Invalid value" in done.stderr or "is or lies in a file" in done.stderr
