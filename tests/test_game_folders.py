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

pytestmark = pytest.mark.thorough

ROOT = Path(__file__).parents[1]
BUILT_IN = [path.name for path in sorted((ROOT / "titan_env" / "games").iterdir()) if (path / "__init__.py").exists()]
LEFT = "goofspiel"
"""A small game of the tests, with secrets, on which the tests of every game run in the copy."""
SUITE = [f"tests/{folder}" for folder in ("engine", "envs", "properties", "records")]


def without(game: str, folder: Path) -> Path:
    """Copy the code without a game and those that build on it to a folder: their folders and lines are deleted."""
    skip = shutil.ignore_patterns("*.pyc.*", "*.png")  # bytecode that is being written, and pictures
    for name in ("titan_env", "tests", "tools"):
        shutil.copytree(ROOT / name, folder / name, ignore=skip)
    for file in ("setup.cfg", "pyproject.toml", "README.md"):
        shutil.copy(ROOT / file, folder / file)
    listed = folder / "titan_env" / "registry.py"
    for removed in removed_with(game):
        shutil.rmtree(folder / "titan_env" / "games" / removed)
        text, lines = re.subn(rf'^    "{removed}": RegistryEntry\(.*\n', "", listed.read_text("utf-8"), flags=re.M)
        assert lines == 1, "one line of the registry names a game"
        listed.write_text(text, "utf-8")
    return folder


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
import importlib, os, pkgutil, sys, traceback
import gymnasium, matplotlib.pyplot, numba, pettingzoo, rich.console, stable_baselines3, torch, typer

def imported():
    import titan_env
    from titan_env import agents, registry
    for module in pkgutil.walk_packages(titan_env.__path__, "titan_env."):
        others = ("kernels", "rllib", "rllib_ppo", "textarena", "verifiers", "openenv", "mcp")
        if not module.name.endswith(("__main__", *others)):
            importlib.import_module(module.name)
    print(*registry.names(), *agents.shipped())
    for name in registry.names():
        print(*agents.names(registry.load(name)))

for folder in sys.argv[1:]:
    child = os.fork()
    if child == 0:
        os.chdir(folder)  # where Python now looks for modules first
        code = 1
        try:
            with open("told.txt", "w") as sys.stdout:
                imported()
            code = 0
        except BaseException:
            traceback.print_exc()
        os._exit(code)
    assert os.waitpid(child, 0)[1] == 0, folder
"""
"""A program that imports every module in copies of this package, and writes what games and agents are left there.

The libraries are imported once, for the processes of all copies.
"""


@pytest.fixture(scope="module")
def copies(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Path]:
    """Copies of the code without each of the games; every module of each copy was imported."""
    copies = {game: without(game, tmp_path_factory.mktemp(game)) for game in BUILT_IN}
    python_in(tmp_path_factory.mktemp("empty"), "-c", EVERY_MODULE, *map(str, copies.values()))
    return copies


@pytest.mark.parametrize("deleted", BUILT_IN)
def test_who_deletes_the_folder_and_its_line_has_removed_the_game(copies: dict[str, Path], deleted: str) -> None:
    left = (copies[deleted] / "told.txt").read_text("utf-8")
    assert [name for name in BUILT_IN if name not in left] == sorted(removed_with(deleted))


def test_the_tests_of_every_game_pass_without_a_game(copies: dict[str, Path]) -> None:
    command = ["-m", "pytest", "-p", "no:cacheprovider", "-p", "no:xdist", "-m", "not thorough", *SUITE, "-k", LEFT]
    assert "passed" in python_in(copies[BUILT_IN[0]], *command)
