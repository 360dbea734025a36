"""Code that came with the package is used where all that it is made from is equal; anything else compiles as ever."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.compiler.programs import ROOT, copy_program, run_python
from titan_env.compiler import built_code
from titan_env.compiler.built_code import CALLED, LINKED
from titan_env.compiler.cache import root
from titan_env.compiler.kept_code import with_needed
from titan_env.compiler.machine import LEVEL
from titan_env.compiler.target import kind_of_machine

pytestmark = pytest.mark.compiled

PLAY = "import runpy; runpy.run_path('chain.py', run_name='__main__')"
BUILD = f"""
{PLAY}
from titan_env.compiler import built_code, kept_code
built_code.write(kept_code.with_needed(kept_code.used()), {{}})
"""
TOLD = f"""
from numba.core import event
with event.install_recorder("numba:compile") as recorder:
    {PLAY}
print(*sorted({{one.data["dispatcher"].py_func.__name__ for _, one in recorder.buffer}}))
"""


@pytest.fixture(scope="module")
def original(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a program, and with a copy of the package into which the program's code is built."""
    folder = tmp_path_factory.mktemp("built")
    unused = shutil.ignore_patterns("games", "page", "built", "__pycache__")
    shutil.copytree(ROOT / "titan_env", folder / "titan_env", ignore=unused)
    copy_program("chain.py", folder)
    assert "compiling" in run_python(folder, folder / "cache", "-c", BUILD).stderr
    shutil.rmtree(folder / "cache")
    return folder


@pytest.fixture
def folder(original: Path, tmp_path: Path) -> Path:
    """A copy of that folder, without a cache."""
    shutil.copytree(original, tmp_path, dirs_exist_ok=True)
    return tmp_path


def run(folder: Path, program: str = PLAY) -> tuple[str, list[str]]:
    """Run a program with an empty cache; return what it prints, and the lines that it writes to stderr."""
    done = run_python(folder, folder / "cache", "-c", program)
    return done.stdout.strip(), done.stderr.splitlines()


def archives(folder: Path, ending: str) -> list[Path]:
    """The archives of built code with this ending, of which there is one at least."""
    found = list(folder.rglob(f"built/*/*{ending}"))
    assert found
    return found


@pytest.mark.thorough
def test_with_built_code_and_an_empty_cache_nothing_is_compiled_or_written(folder: Path) -> None:
    assert run(folder) == ("23", [])
    assert not (folder / "cache").exists()


@pytest.mark.thorough
def test_in_plain_python_built_code_is_not_used(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NUMBA_DISABLE_JIT", "1")
    for path in archives(folder, CALLED):
        path.write_bytes(b"")
    copy_program("mine.py", folder)
    assert run(folder, PLAY.replace("chain.py", "mine.py")) == ("8 9 13", [])


@pytest.mark.thorough
def test_a_new_caller_links_built_parts_instead_of_compiling_them(folder: Path) -> None:
    for path in archives(folder, CALLED):
        path.unlink()
    printed, output = run(folder, TOLD)
    assert printed.split() == ["23", "declared", "play"], "inner, middle and outer are there"
    assert ["compiling the rules of chain" in line for line in output] == [True]


def cut(data: bytes) -> bytes:
    """Return the first half."""
    return data[: len(data) // 2]


def change(data: bytes) -> bytes:
    """Return the data with another last byte."""
    return data[:-1] + bytes([data[-1] ^ 1])


@pytest.mark.thorough
@pytest.mark.parametrize("damage", [cut, change])
def test_damaged_code_is_told_in_one_line_and_never_run(folder: Path, damage: Callable[[bytes], bytes]) -> None:
    for path in (*archives(folder, CALLED), *archives(folder, LINKED)):
        path.write_bytes(damage(path.read_bytes()))
    printed, output = run(folder)
    assert printed == "23"
    assert ["is damaged" in line for line in output] == [True, False]
    assert "compiling the rules of chain" in output[1]


@pytest.mark.thorough
def test_code_of_other_sources_is_silently_left_unused(folder: Path) -> None:
    text = (folder / "chain.py").read_text("utf-8")
    (folder / "chain.py").write_text(text.replace("inner(number) * 2", "inner(number) * 3"), "utf-8")
    printed, output = run(folder)
    assert printed == "33"
    assert ["compiling the rules of chain" in line for line in output] == [True]


@pytest.mark.thorough
@pytest.mark.skipif(kind_of_machine()[1] != "x86-64-v3", reason="this processor has one level only")
def test_code_for_another_level_of_processors_is_silently_left_unused(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(LEVEL, "x86-64")
    printed, output = run(folder)
    assert printed == "23"
    assert ["compiling the rules of chain" in line for line in output] == [True]


def test_a_level_that_the_processor_does_not_have_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    if not kind_of_machine()[0].startswith("x86_64"):
        pytest.skip("levels are those of x86-64")
    monkeypatch.setenv(LEVEL, "x86-64-v9")
    with pytest.raises(ValueError, match=f"expected {LEVEL} to be x86-64.*, got 'x86-64-v9'"):
        kind_of_machine.__wrapped__()


def test_the_command_says_for_which_versions_there_is_built_code(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(built_code, "FOLDER", folder / "titan_env" / "built")
    assert "used where sources are equal" in built_code.contents()
    (versions,) = folder.rglob("built/*/versions.txt")
    versions.write_text("numba 0.1 numpy 2.0 python 3.11\n")
    assert "not used, as here is numba" in built_code.contents()
    built_code.remove()
    assert built_code.contents().endswith("no built code for this kind of machine")


def test_code_that_the_cache_has_lost_cannot_be_built() -> None:
    with pytest.raises(FileNotFoundError, match=r"expected .*lost.* in the cache, found none"):
        with_needed([root() / "0123456789abcdef" / "lost-0123456789abcdef0123456789abcdef.compiled"])
