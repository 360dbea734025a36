"""The page on these libraries is true: examples print what they say, commands are ones, and TRL learns a step."""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

from typer.testing import CliRunner
from verifiers.v1.cli.eval.main import main as vf_eval

from titan_env.__main__ import app

ROOT = Path(__file__).parents[2]
PAGE = ROOT / "docs" / "how-to" / "text_libraries.md"


def test_every_example_prints_what_it_says() -> None:
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted > 5
    assert results.failed == 0


def test_the_commands_take_the_arguments_that_the_page_gives_them(tmp_path: Path) -> None:
    text = PAGE.read_text("utf-8")
    (evaluation,) = re.findall(r"^vf-eval (.*)$", text, re.M)
    vf_eval([*shlex.split(evaluation), "--dry-run", "-o", str(tmp_path)])
    assert list(tmp_path.rglob("eval.json"))
    commands = re.findall(r"^python -m titan_env (.*)$", text, re.M)
    assert len(commands) == 2
    for command in commands:
        assert CliRunner().invoke(app, [*shlex.split(command), "--help"]).exit_code == 0


def test_grpo_of_trl_makes_one_step_with_a_tiny_random_model(tmp_path: Path) -> None:
    script = ROOT / "training" / "works_with" / "trl_grpo.py"
    result = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert result.returncode == 0, result.stderr[-3000:]
    step = next(line for line in result.stdout.splitlines() if line.startswith("{'step': 1, "))
    assert -1 <= float(re.findall(r"'reward': '?(-?[\d.]+)", step)[0]) <= 1
