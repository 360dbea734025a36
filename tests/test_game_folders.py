"""A game is one folder and one line of the registry: without them it is gone, and nothing misses it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.test_layout import BUILDS_ON

ROOT = Path(__file__).parents[1]
BUILT_IN = [path.name for path in sorted((ROOT / "titan_env" / "games").iterdir()) if (path / "__init__.py").exists()]
LEFT = "bare or goofspiel"
"""Games of the tests, small ones, on which the contract suite runs in the copy."""


@pytest.fixture
def without(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    """Return a copy of the code without a game and those that build on it: folders and registry lines are deleted."""
    skip = shutil.ignore_patterns("__pycache__", "*.png")
    for folder in ("titan_env", "tests", "tools"):
        shutil.copytree(ROOT / folder, tmp_path / folder, ignore=skip)
    for file in ("setup.cfg", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / file, tmp_path / file)
    listed = tmp_path / "titan_env" / "registry.py"
    for game in removed_with(request.param):
        shutil.rmtree(tmp_path / "titan_env" / "games" / game)
        text, lines = re.subn(rf'^    "{game}": Entry\(.*\n', "", listed.read_text("utf-8"), flags=re.M)
        assert lines == 1, "one line of the registry names a game"
        listed.write_text(text, "utf-8")
    return tmp_path


def removed_with(game: str) -> list[str]:
    """Return a game and those that build on it."""
    return [game, *(other for other, base in BUILDS_ON if base == game)]


def python_in(folder: Path, *arguments: str) -> str:
    """Run Python in a copy of the repository and return what it prints. Raises AssertionError where it fails."""
    environment = {**os.environ, "PYTHONPATH": str(folder)}
    command = [sys.executable, *arguments]
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout


EVERY_MODULE = """
import importlib, pkgutil, titan_env
from titan_env import agents, registry
for module in pkgutil.walk_packages(titan_env.__path__, "titan_env."):
    if not module.name.endswith(("__main__", "rllib", "rllib_ppo", "cuda", "_v0")):
        importlib.import_module(module.name)
print(*registry.names(), *agents.shipped())
for name in registry.names():
    print(*agents.names(registry.load(name)))
"""


@pytest.mark.parametrize("without", BUILT_IN, indirect=True)
def test_who_deletes_the_folder_and_its_line_has_removed_the_game(
    without: Path, request: pytest.FixtureRequest
) -> None:
    removed = removed_with(request.node.callspec.params["without"])
    left = python_in(without, "-c", EVERY_MODULE)
    assert [name for name in BUILT_IN if name not in left] == sorted(removed)


@pytest.mark.parametrize("without", BUILT_IN[:1], indirect=True)
def test_the_contract_suite_passes_without_a_game(without: Path) -> None:
    suite = ["-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "tests/contract", "-k", LEFT]
    assert "passed" in python_in(without, *suite)
