"""A small benchmark for tests: two tasks and a split of pig, with a panel that plays chance and planners."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner

from titan_env import registry
from titan_env.contract import Game
from titan_env.evaluation.benchmark import entrants
from titan_env.evaluation.benchmark.result_cards import FORMAT
from titan_env.records.sealed import read_json, write_json

TASKS = """
best = "constant:hold"

[panel]
known = ["random", "flat:4"]
held_out = ["flat:2"]
hundred = "flat:4"

[task.two]
options = { players = 2, goal = 30 }
seed = 100
blocks = 24

[task.three]
options = { players = 3, goal = 30 }
seed = 200
blocks = 24

[split.goals]
options = { players = 2 }
train = [{ goal = 20 }, { goal = 30 }]
test = [{ goal = 60 }]
seed = 300
blocks = 24
"""
REFERENCES = """
[two]
panel = "6f950e5aa160"
spread = 241.83
covariance = [
    "3899.7",
    "0.0 0.0",
    "1082.5 0.0 2323.2",
    "2053.9 0.0 1220.0 5394.2",
    "-301.4 0.0 -153.6 1128.6 2032.3",
]

[two.strengths]
random = -44.12
"flat:4" = 0.0
"flat:2" = 44.12

[two.ratings]
random = -121.66
"flat:4" = 29.33
"flat:2" = -14.64

[two.errors]
random = 64.27
"flat:4" = 56.98
"flat:2" = 49.01

[two.kept]
random = [
    "1 1",
    "1 1",
    "0 0",
    "0 0",
]
"flat:4" = [
    "0 0",
    "0 0",
    "0 0",
    "0 0",
]
"flat:2" = [
    "1 1",
    "1 0",
    "1 1",
    "0 0",
]

[three]
panel = "6f950e5aa160"
spread = 278.66
covariance = [
    "2659.2",
    "0.0 0.0",
    "701.6 0.0 1638.2",
    "2071.0 0.0 843.6 3365.9",
    "78.8 0.0 246.2 398.2 1304.3",
]

[three.strengths]
random = -129.08
"flat:4" = 0.0
"flat:2" = 53.06

[three.ratings]
random = -82.81
"flat:4" = 8.42
"flat:2" = -2.17

[three.errors]
random = 47.01
"flat:4" = 38.84
"flat:2" = 42.13

[three.kept]
random = [
    "1 1 1",
    "1 1 2",
    "2 1 1",
    "1 1 2",
]
"flat:4" = [
    "1 0 0",
    "1 2 1",
    "1 1 1",
    "0 1 1",
]
"flat:2" = [
    "1 1 1",
    "1 2 2",
    "2 1 1",
    "2 0 2",
]
"""
"""What `--references` measures of these tasks."""


def small_benchmark(folder: Path, monkeypatch: pytest.MonkeyPatch, tasks: str = TASKS) -> Game:
    """Return pig with these tasks in a folder, as the only game that has any."""
    pig = registry.load("pig")
    metadata = dataclasses.replace(pig.metadata, folder=str(folder))
    game = Game(name=pig.name, rules=pig.rules, text=pig.text, presentation=pig.presentation, metadata=metadata)
    (folder / "benchmark.toml").write_text(tasks, "utf-8")
    (folder / "benchmark_references.toml").write_text(REFERENCES, "utf-8")
    monkeypatch.setattr(entrants, "games_with_tasks", lambda: {"pig": game})
    monkeypatch.setattr(registry, "load", lambda name: game)
    return game


def run(command: Any, *given: str) -> tuple[int, str]:
    """Return the exit code of a command and what it printed."""
    app = typer.Typer()
    app.command()(command)
    result = CliRunner().invoke(app, list(given))
    if result.exception is not None and not isinstance(result.exception, SystemExit):
        raise result.exception
    return result.exit_code, result.output


def change(path: Path, changed: Any) -> None:
    """Change a card by hand, and seal it as if it had been so."""
    entries = read_json(path, FORMAT, "tasks")
    changed(entries)
    write_json(path, entries, FORMAT, "tasks")
