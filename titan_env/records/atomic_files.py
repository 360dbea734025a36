"""Files appear whole or not at all, nothing is written over without a word, and one process at a time writes them."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

from titan_env.compiler.forks import after_fork
from titan_env.extras import extra

SCRATCH = ".writing-"
"""The beginning of the names of folders in which files are written before they appear."""

_HELD: dict[Path, Any] = {}
"""The locks that this process keeps to its end, by their files."""

# A forked process leaves them to the one that it was forked from; `filelock` closes its copies of the files.
after_fork(_HELD.clear)


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
    """Write a file or a folder so that whoever stops this, or a full disk, leaves the old one or the new one.

    `make` gets a path of the same name in a new folder beside it, and writes there.
    """
    make_folder(path.parent)
    scratch = Path(tempfile.mkdtemp(prefix=SCRATCH, dir=path.parent))
    try:
        made = scratch / path.name
        make(made)
        for written in (made, *made.rglob("*")):
            _flush(written)
        os.replace(made, path)
        _flush(path.parent)
    finally:
        shutil.rmtree(scratch, ignore_errors=True)


def _flush(path: Path) -> None:
    """Wait until the disk has a file, or the names in a folder where the system can tell."""
    if path.is_dir() and os.name == "nt":
        return
    file = os.open(path, os.O_RDONLY if path.is_dir() else os.O_RDWR)
    try:
        os.fsync(file)
    finally:
        os.close(file)


def write_atomically(path: Path, text: str) -> None:
    """Write a text so that whoever stops this finds the old one, or the new one."""
    replace_atomically(path, lambda made: made.write_text(text, "utf-8"))


def lock_folder(folder: Path) -> None:
    """Keep a folder, which is made if need be, for this process until it ends, however it does.

    Raises ValueError where another process works in it.
    """
    make_folder(folder)
    _lock(folder / ".running", f"expected a folder of its own, but another process works in {folder}; choose another")


def lock_file(path: Path) -> None:
    """Keep a file that is to be written for this process until it ends. Raises ValueError where another has it."""
    make_folder(path.parent)
    _lock(
        path.with_name(f".{path.name}.lock"),
        f"expected a file of its own, but another process writes {path}; wait for it, or choose another",
    )


def _lock(path: Path, taken: str) -> None:
    """Lock a file until this process ends. Raises ValueError with the message `taken` where another has locked it."""
    with extra("cli"):
        from filelock import FileLock, Timeout
    path = path.resolve()
    if path in _HELD:
        return
    lock = FileLock(path)
    try:
        lock.acquire(blocking=False)
    except Timeout:
        raise ValueError(taken) from None
    _HELD[path] = lock
