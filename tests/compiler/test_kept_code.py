"""A compiled function is kept without the code of others, which is found in their files, or compiled anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.compiler.programs import copy_program, run_python
from titan_env.compiler.cache import ENDING
from titan_env.contract import COMPILED

pytestmark = pytest.mark.skipif(not COMPILED, reason="nothing is compiled")

PRINTED = "23\n"


def run(folder: Path, name: str = "chain.py") -> str:
    """Run a program; return what it writes to stderr."""
    done = run_python(folder, folder / "cache", *name.split())
    assert done.stdout == PRINTED
    return done.stderr


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with the program, and with a cache that it has filled."""
    copy_program("chain.py", tmp_path)
    assert "compiling" in run(tmp_path)
    assert run(tmp_path) == ""
    return tmp_path


def remove(folder: Path, name: str) -> None:
    """Remove the files of a rule."""
    files = list(folder.rglob(f"{name}-*{ENDING}"))
    assert files
    for path in files:
        path.unlink()


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["inner", "middle"])
def test_machine_code_needs_no_files_of_what_is_linked_into_it(folder: Path, name: str) -> None:
    remove(folder, name)
    assert run(folder) == ""


@pytest.mark.thorough
@pytest.mark.parametrize("name", ["inner", "middle", "outer", "declared"])
def test_a_new_caller_is_right_whatever_file_of_those_that_it_needs_is_gone(folder: Path, name: str) -> None:
    remove(folder, name)
    remove(folder, "play")
    assert "compiling" in run(folder)
    assert run(folder) == ""


@pytest.mark.thorough
def test_machine_code_that_calls_a_rule_by_name_is_compiled_anew_without_it(folder: Path) -> None:
    remove(folder, "declared")
    assert "compiling" in run(folder)
    assert run(folder) == ""
