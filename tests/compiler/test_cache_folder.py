"""The folder of compiled rules: what is not ours stays, what nobody uses goes, and no home stops nobody."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.compiler.programs import ROOT, copy_program
from titan_env.compiler import cache

OURS = ("0123456789abcdef/twice-0123456789abcdef0123456789abcdef.compiled",)
HALF = "0123456789abcdef/twice-0123456789abcdef0123456789abcdef.compiled.77"
OTHERS = (
    "0123456789abcdef/results.csv",
    "0123456789abcdef/runs/twice-0123456789abcdef0123456789abcdef.compiled",
    "0123456789abcdef/mine.compiled",
    "0123456789abcdef/notes-0123456789abcdef0123456789abcdef.compiled.txt",
    "fedcba9876543210/model.pt",
    "0123456789abcdeg/twice-0123456789abcdef0123456789abcdef.compiled",
    "twice-0123456789abcdef0123456789abcdef.compiled",
    "mine/twice-0123456789abcdef0123456789abcdef.compiled",
)
"""Files that somebody may keep where compiled rules are kept."""


def put(place: Path, names: tuple[str, ...]) -> None:
    """Write files with these names, which hold their names."""
    for name in names:
        path = place / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name)


def files(place: Path) -> set[str]:
    """The names of all files in a folder."""
    return {str(path.relative_to(place)) for path in place.rglob("*") if path.is_file()}


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder for compiled rules that other things lie in."""
    for folder in ("kept", "kept/0123456789abcdef"):
        (tmp_path / folder).mkdir(0o755)
    put(tmp_path / "kept", (*OTHERS, *OURS, HALF))
    (tmp_path / "kept" / "00000000ffffffff").mkdir()
    put(tmp_path, OURS)
    (tmp_path / "kept" / "aaaaaaaaaaaaaaaa").symlink_to(tmp_path / Path(OURS[0]).parent)
    monkeypatch.setenv("TITAN_ENV_CACHE", str(tmp_path / "kept"))
    return tmp_path / "kept"


def test_only_our_own_files_are_removed_and_then_empty_folders(place: Path, tmp_path: Path) -> None:
    assert f"{place}: 2 files of compiled rules" in cache.contents()
    cache.clear()
    assert files(place) == set(OTHERS)
    assert not (place / "00000000ffffffff").exists()
    assert (tmp_path / OURS[0]).exists(), "what a link leads to is elsewhere"
    assert f"{place}: 0 files of compiled rules" in cache.contents()


def save_a_month_later(place: Path, name: str, *folders: str) -> None:
    """Let these folders have been unused for a month, and save a file in a new process."""
    long_ago = time.time() - 31 * 24 * 3600
    for folder in folders:
        os.utime(place / folder, (long_ago, long_ago))
    cache._remove_unused.cache_clear()
    cache.save(place / name, b"new")


def test_what_was_not_used_for_a_month_goes_with_a_month_of_notice(place: Path) -> None:
    old, used, new = (
        f"{digit * 16}/{name}-0123456789abcdef0123456789abcdef.compiled"
        for digit, name in (("1", "old"), ("2", "used"), ("3", "new"))
    )
    cache.save(place / used, b"twice")
    put(place, (old,))
    both = (old.partition("/")[0], used.partition("/")[0])
    save_a_month_later(place, new, *both)
    assert {old, used, new} <= files(place), "whoever copied an old cache wants it"
    cache._mark_used.cache_clear()
    assert cache.load(place / used) == b"twice"
    save_a_month_later(place, new, *both)
    assert {used, new} <= files(place)
    assert {old} & files(place) == set()
    assert set(OTHERS) <= files(place)


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners here")
@pytest.mark.parametrize("name", ["", "0123456789abcdef"])
@pytest.mark.parametrize("mode", [0o775, 0o757])
def test_a_folder_that_others_may_write_to_is_not_used(
    place: Path, name: str, mode: int, capsys: pytest.CaptureFixture[str]
) -> None:
    path = place / "0123456789abcdef" / "mine-0123456789abcdef0123456789abcdef.compiled"
    cache.save(path, b"mine")
    assert cache.load(path) == b"mine"
    (place / name).chmod(mode)
    for once in (cache._is_refused, cache.notify):
        once.cache_clear()
    assert cache.load(path) is None
    cache.save(path, b"theirs")
    assert f"chmod go-w {place / name}" in capsys.readouterr().err.strip()
    (place / name).chmod(0o755)
    cache._is_refused.cache_clear()
    assert cache.load(path) == b"mine"


@pytest.mark.skipif(not hasattr(os, "getuid"), reason="no owners here")
def test_a_folder_of_another_user_is_not_used(
    place: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    path = place / "0123456789abcdef" / "mine-0123456789abcdef0123456789abcdef.compiled"
    cache.save(path, b"theirs")
    monkeypatch.setattr(os, "getuid", lambda: place.stat().st_uid + 1)
    monkeypatch.setattr(cache, "_ADMINISTRATOR", place.stat().st_uid + 2)
    for once in (cache._is_refused, cache.notify):
        once.cache_clear()
    assert cache.load(path) is None
    (line,) = capsys.readouterr().err.splitlines()
    assert "it belongs to another user" in line
    cache._is_refused.cache_clear()


ROOTS = {
    "a folder": ({"TITAN_ENV_CACHE": "/scratch/mine"}, "/scratch/mine"),
    "empty": ({"TITAN_ENV_CACHE": ""}, "/home/me/.cache/titan_env"),
    "empty, with another cache folder": ({"TITAN_ENV_CACHE": "", "XDG_CACHE_HOME": "/caches"}, "/caches/titan_env"),
    "all empty": ({"TITAN_ENV_CACHE": "", "XDG_CACHE_HOME": ""}, "/home/me/.cache/titan_env"),
    "in the home": ({"TITAN_ENV_CACHE": "~/mine"}, "/home/me/mine"),
    "not set": ({}, "/home/me/.cache/titan_env"),
}


@pytest.mark.parametrize(("variables", "expected"), ROOTS.values(), ids=ROOTS)
def test_where_rules_are_kept(variables: dict[str, str], expected: str, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("TITAN_ENV_CACHE", "XDG_CACHE_HOME"):
        monkeypatch.delenv(name, raising=False)
    for name, value in {"HOME": "/home/me", **variables}.items():
        monkeypatch.setenv(name, value)
    assert cache.root() == Path(expected)


@pytest.mark.thorough
@pytest.mark.compiled
@pytest.mark.parametrize("variables", [{}, {"TITAN_ENV_CACHE": "~/mine"}, {"TITAN_ENV_CACHE": ""}], ids=str)
def test_a_user_without_a_home_compiles_in_memory_with_one_line(variables: dict[str, str], tmp_path: Path) -> None:
    kept = {name: value for name, value in os.environ.items() if name not in ("HOME", "TITAN_ENV_CACHE")}
    kept.pop("XDG_CACHE_HOME", None)
    environment = {**kept, **variables, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "without_a_home.py"]
    folder = copy_program("without_a_home.py", tmp_path)
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.splitlines()[0] == "8"
    assert done.stdout.splitlines()[1].startswith("nowhere, as the user has no home")
    warnings = [line for line in done.stderr.splitlines() if "cannot be kept" in line]
    assert ["no home" in line for line in warnings] == [True]
    assert files(tmp_path) == {"without_a_home.py"}
