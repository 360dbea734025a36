"""Files appear whole or not at all, nothing is written over without a word, and a folder has one process at work."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from titan_env.compiler.forks import after_fork
from titan_env.moved import old_names

try:
    import fcntl
except ModuleNotFoundError:  # no such locks on Windows
    fcntl = None  # type: ignore[assignment]

_HELD: dict[Path, int] = {}
"""Folders in which this process works to its end, each with the open file that says so."""


def _let_go() -> None:
    """Leave the folders of the process that this one was forked from to that process."""
    for file in _HELD.values():
        os.close(file)
    _HELD.clear()


after_fork(_let_go)


def make_folder(path: Path) -> None:
    """Make a folder where there is none. Raises ValueError where a file is in its way."""
    try:
        path.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):
        raise ValueError(f"expected a folder, but {path} is or lies in a file; choose another one") from None


def ensure_absent(path: Path) -> None:
    """Raise ValueError where there is something already."""
    if path.exists():
        raise ValueError(f"expected a new file, found {path}; choose another name, or delete it first")


def replace_atomically(path: Path, make: Callable[[Path], object]) -> None:
    """Make a file or a folder so that whoever stops this, or a full disk, leaves the old one, or the new one."""
    make_folder(path.parent)
    half = path.with_name(f"half-{path.name}")
    remove(half)
    try:
        make(half)
        os.replace(half, path)
    finally:
        remove(half)


def write_atomically(path: Path, text: str) -> None:
    """Write a text so that whoever stops this finds the old one, or the new one."""
    replace_atomically(path, lambda half: half.write_text(text, "utf-8"))


def remove(path: Path) -> None:
    """Remove a file or a folder, if there is one."""
    if path.is_dir():
        shutil.rmtree(path)
    else:
        path.unlink(missing_ok=True)


def lock_folder(folder: Path) -> None:
    """Keep a folder, which is made if need be, for this process until it ends, however it does.

    Raises ValueError where another process works in it.
    """
    make_folder(folder)
    if fcntl is None or folder.resolve() in _HELD:
        return
    file = os.open(folder / ".running", os.O_CREAT | os.O_WRONLY, 0o666)
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(file)
        raise ValueError(
            f"expected a folder of its own, but another process works in {folder}; choose another"
        ) from None
    _HELD[folder.resolve()] = file


if not TYPE_CHECKING:
    __getattr__ = old_names(__name__)
