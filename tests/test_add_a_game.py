"""The how-to that builds a game is true: its file is put together, checked, played, recorded and trained."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parent.parent
PAGE = (ROOT / "docs" / "how-to" / "add_a_game.md").read_text("utf-8")
BUILT, USED = PAGE.split("## Check it")
SCRIPTS = re.findall(r"```python\n(.*?)```", USED, re.S)
COMMANDS = re.findall(r"^python (-m .*)$", USED, re.M)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the game of the page and nothing else."""
    made = tmp_path_factory.mktemp("outside")
    (made / "stairs.py").write_text("\n".join(re.findall(r"```python\n(.*?)```", BUILT, re.S)), "utf-8")
    return made


def run(folder: Path, *arguments: str) -> str:
    """What Python prints in that folder."""
    around = os.environ | {"PYTHONPATH": str(ROOT), "COLUMNS": "120"}
    done = subprocess.run(
        [sys.executable, *arguments], cwd=folder, env=around, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.mark.parametrize("script", SCRIPTS, ids=["check", "test a rule", "use"])
def test_its_scripts_run(folder: Path, script: str) -> None:
    run(folder, "-c", script)


def test_its_commands_run_one_after_the_other(folder: Path) -> None:
    pytest.importorskip("onnx")
    outputs = [run(folder, *command.split()) for command in COMMANDS]
    assert len(outputs) == 5
    assert "won after" in outputs[0]
    assert "bit for bit" in outputs[1]
    assert (folder / "stairs.html").stat().st_size > 1000
    assert (folder / "runs" / "stairs" / "policy.onnx").exists()


def test_the_game_is_small(folder: Path) -> None:
    assert len((folder / "stairs.py").read_text("utf-8").splitlines()) < 140
