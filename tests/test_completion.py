"""Shell completion of the console command ``titan_env``: what bash is offered for it, and for nothing else."""

from __future__ import annotations

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from titan_env import registry

ROOT = Path(__file__).parents[1]
COMMAND = f"""#!/bin/sh
'''exec' {shlex.quote(sys.executable)} "$0" "$@"
' '''
from titan_env.command import main
main()
"""
ASKED = """
source /dev/stdin <<< "$(titan_env --show-completion bash)"
COMP_WORDS=({words}); COMP_CWORD={place}
_titan_env_completion titan_env
printf '%s\\n' "${{COMPREPLY[@]}}"
"""

pytestmark = pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the console command, as pip writes it."""
    made = tmp_path_factory.mktemp("bin")
    (made / "titan_env").write_text(COMMAND, "utf-8")
    (made / "titan_env").chmod(0o755)
    return made


def bash(folder: Path, script: str) -> str:
    """What a script of bash prints with the command on its path."""
    env = {**os.environ, "PATH": f"{folder}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(ROOT)}
    # The command asks for the shell that it was started by: bash must not give its own place to it.
    kept = f"{script}\nexit $?"
    done = subprocess.run(["bash", "-c", kept], env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    return done.stdout


@pytest.mark.thorough
@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("wa", ["watch"]),
        ("watch --ag", ["--agents"]),
        ("watch titan", [name for name in registry.GAMES if name.startswith("titan")]),
        ("games tiny", ["tiny_turbo_cars"]),
    ],
)
def test_bash_is_offered_commands_options_and_games(folder: Path, typed: str, offered: list[str]) -> None:
    words = ["titan_env", *typed.split()]
    script = ASKED.format(words=" ".join(words), place=len(words) - 1)
    assert bash(folder, script).split() == offered


@pytest.mark.thorough
def test_completion_is_that_of_titan_env_and_leaves_python_alone(folder: Path) -> None:
    script = bash(folder, "titan_env --show-completion bash")
    (line,) = [line for line in script.splitlines() if line.startswith("complete ")]
    assert line.split()[-1] == "titan_env"
    module = [sys.executable, "-m", "titan_env", "--help"]
    result = subprocess.run(module, capture_output=True, text=True, check=True, cwd=ROOT, env=os.environ)
    assert "completion" not in result.stdout
