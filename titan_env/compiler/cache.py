"""The disk cache of compiled rules, with checksums; without a usable cache rules are compiled at every start.

Each file holds the machine code of one function for one kind of arguments, behind a checksum; it is written whole or
not at all. Folders are named by a hash of the sources of the rules, so an edited rule, board or card never meets stale
code. A game's rules lie in a folder ``rules/`` with their data in ``data/`` next to it; the sources of a game in one
file are that file, the files of its folder that it imports, and the ``.toml`` and ``.txt`` files there.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import os
import re
import stat
import sys
import threading
import time
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

from titan_env.compiler.code_files import file_digest
from titan_env.compiler.forks import after_fork

ENDING = ".compiled"
_CHECKSUM = hashlib.sha256().digest_size

_PACKAGE = Path(__file__).parents[1]
_COMPILERS = ("arguments", "cache", "code_files", "dispatchers", "jit", "kept_code", "origins", "target")
_KEEPERS = [_PACKAGE / "compiler" / f"{name}.py" for name in _COMPILERS]
"""The files on which all compiled code depends."""

_NOWHERE = Path(os.devnull) / "titan_env"
"""The folder that stands for no folder at all."""
_FOLDER, _FILE = re.compile("[0-9a-f]{16}"), re.compile(rf".*-[0-9a-f]{{32}}{re.escape(ENDING)}(\.[0-9]+)?")
"""The names of the cache's folders, and of its files in them, complete or temporary."""
OTHER = "set TITAN_ENV_CACHE to a folder with room"
_PARSING = threading.Lock()
"""Held while sources are parsed: two threads that do so at a time can fail in Python 3.11 (CPython's issue 106905)."""
after_fork(_PARSING._at_fork_reinit)  # type: ignore[attr-defined]
_OWN = 0o755
"""The mode of folders that are made here: nobody else may write to them, whatever the user's mask says."""
_ADMINISTRATOR = 0
"""The user whose folders everybody trusts."""
_NOTICE = "unused"
"""The file that says in a folder that nobody used it for a month; using it removes the file."""
_MONTH, _DAY = 30 * 24 * 3600, 24 * 3600  # seconds


def root() -> Path:
    """Return the cache folder: ``TITAN_ENV_CACHE`` or the user's cache folder; `_NOWHERE` for a user without a home.

    An empty variable counts as not set, and ``~`` is the home.
    """
    try:
        if chosen := os.environ.get("TITAN_ENV_CACHE"):
            return Path(chosen).expanduser()
        base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    except RuntimeError:  # a user without a home, as in some containers
        return _NOWHERE
    return Path(base) / "titan_env"


@functools.cache
def folder_of(file: Path) -> Path:
    """Return the folder for code compiled from `file`, named by a hash of the sources' contents, not their places."""
    return root() / hashlib.sha256(f"{versions()} {sources_digest(file)}".encode()).hexdigest()[:16]


@functools.cache
def sources_digest(file: Path) -> str:
    """Return the hash of the contents, not of the places, of the sources that code of `file` is compiled from."""
    contents = sorted(map(file_digest, {*_KEEPERS, *_sources(file)}))
    return hashlib.sha256("".join(contents).encode()).hexdigest()


@functools.cache
def versions() -> str:
    """Return the versions of what compiles: builds of one Python, and later patches of it and NumPy, share code."""
    numpy = ".".join(version("numpy").split(".")[:2])
    return f"numba {version('numba')} numpy {numpy} python {sys.version_info.major}.{sys.version_info.minor}"


def is_of_this_package(file: Path) -> bool:
    """Return whether a file belongs to this package."""
    return file.is_relative_to(_PACKAGE)


def is_of_the_engine(file: Path) -> bool:
    """Return whether a file belongs to this package, but to none of its games."""
    return file.is_relative_to(_PACKAGE) and not file.is_relative_to(_PACKAGE / "games")


def _sources(file: Path) -> Iterable[Path]:
    """Return the source files of the rules in `file`, without those of the engine (see `code_digests`)."""
    if is_of_the_engine(file):
        return [file]
    if file.parent.name == "rules":
        return _rules_and_data(file.parents[1])
    texts = (path for path in file.parent.iterdir() if path.suffix in {".toml", ".txt"})
    return [*local_imports(file), *texts]


@functools.cache
def _rules_and_data(game: Path) -> list[Path]:
    """Return the files of a game's rules and data, looked up once in a process."""
    data = (path for path in (game / "data").rglob("*") if path.is_file())
    return [*(game / "rules").rglob("*.py"), *data]


def local_imports(file: Path) -> set[Path]:
    """Return this file and those in its folder that it imports, directly or indirectly."""
    found: set[Path] = set()
    waiting = [file]
    while waiting:
        path = waiting.pop()
        if path in found or not path.is_file():
            continue
        found.add(path)
        with _PARSING:
            tree = ast.parse(path.read_bytes())
        for node in ast.walk(tree):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            waiting += [file.parent / f"{name.rpartition('.')[2]}.py" for name in names]
    return found


@functools.cache
def notify(line: str) -> None:
    """Write a line to stderr, once in a process."""
    print(f"titan_env: {line}", file=sys.stderr, flush=True)


def load(path: Path) -> bytes | None:
    """Return the data in a file of the cache; None if it is missing, unreadable, damaged or in a refused folder."""
    if _is_refused(path.parent) or _is_refused(path.parents[1]):
        return None
    try:
        kept = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        notify(f"compiled rules in {path.parent} cannot be read ({error.strerror}): they are compiled anew")
        return None
    if not _is_whole(kept):
        say_damaged(path)
        return None
    _mark_used(path.parent)
    return kept[_CHECKSUM:]


def say_damaged(path: Path) -> None:
    """Write to stderr that a file of the cache is damaged."""
    notify(f"compiled rules in {path.parent} are damaged: they are compiled anew")


def save(path: Path, data: bytes) -> None:
    """Write data to a file of the cache; if that is impossible, write the reason to stderr."""
    if root() == _NOWHERE:
        return notify(
            "compiled rules cannot be kept, as the user has no home: every start compiles them anew; " + OTHER
        )
    half = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parents[1].mkdir(_OWN, parents=True, exist_ok=True)
        path.parent.mkdir(_OWN, exist_ok=True)
        if _is_refused(path.parent) or _is_refused(path.parents[1]):
            return
        half.write_bytes(hashlib.sha256(data).digest() + data)
        os.replace(half, path)
    except OSError as error:
        _forget(half)
        notify(f"compiled rules cannot be kept in {root()} ({error.strerror}): every start compiles them anew; {OTHER}")
    else:
        _remove_unused(root())


@functools.cache
def _is_refused(folder: Path) -> bool:
    """Return whether somebody else could have put code into a folder that is there, after a line to stderr."""
    if not hasattr(os, "getuid") or not folder.exists():
        return False
    found = folder.stat()
    if found.st_uid not in (_ADMINISTRATOR, os.getuid()):
        reason, remedy = "it belongs to another user", ""
    elif found.st_mode & (stat.S_IWGRP | stat.S_IWOTH):
        reason, remedy = "others may write to it", f"chmod go-w {folder}, or "
    else:
        return False
    notify(f"compiled rules in {folder} are not used, as {reason}: every start compiles them anew; {remedy}{OTHER}")
    return True


def _forget(half: Path) -> None:
    """Remove a temporary file, if possible."""
    try:
        half.unlink(missing_ok=True)
    except OSError:
        return


def _is_whole(kept: bytes) -> bool:
    """Return whether a file's content matches its checksum."""
    return hashlib.sha256(kept[_CHECKSUM:]).digest() == kept[:_CHECKSUM]


@functools.cache
def _mark_used(folder: Path) -> None:
    """Update a folder's time if it is older than a day, and take a notice away, once in a process."""
    try:
        (folder / _NOTICE).unlink(missing_ok=True)
        if time.time() - folder.stat().st_mtime > _DAY:
            os.utime(folder)
    except OSError:
        return


@functools.cache
def _remove_unused(root_folder: Path) -> None:
    """Put a notice into folders that no process has used for a month, and remove them a month later, if possible.

    Once in a process. Nothing is removed without notice: a copy of a cache, as in an image, may be old and wanted.
    """
    try:
        for folder in _folders(root_folder):
            if time.time() - folder.stat().st_mtime <= _MONTH:
                continue
            if (folder / _NOTICE).exists():
                _empty(folder)
            else:
                (folder / _NOTICE).touch()
    except OSError:
        return


def _folders(root_folder: Path) -> Iterator[Path]:
    """Yield the cache's folders below its root, without symbolic links."""
    if root_folder.is_dir():
        named = (path for path in root_folder.iterdir() if _FOLDER.fullmatch(path.name))
        yield from (path for path in named if path.is_dir() and not path.is_symlink())


def _files(folder: Path) -> list[Path]:
    """Return the cache's own files in one of its folders."""
    return [path for path in folder.iterdir() if _FILE.fullmatch(path.name) and path.is_file()]


def _empty(folder: Path) -> None:
    """Remove the cache's own files in a folder, and then the folder if it is empty."""
    for path in (*_files(folder), folder / _NOTICE):
        path.unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()


def _bytes_of(path: Path) -> bytes | None:
    """Return the bytes of a file; None for one that another process has just renamed or removed."""
    try:
        return path.read_bytes()
    except FileNotFoundError:
        return None


def contents() -> str:
    """Return a sentence about the cache: its folder, number of files, size and damaged files."""
    root_folder = root()
    if root_folder == _NOWHERE:
        return "nowhere, as the user has no home: " + OTHER
    found = ((path, _bytes_of(path)) for folder in _folders(root_folder) for path in _files(folder))
    files = {path: data for path, data in found if data is not None}
    size = sum(map(len, files.values())) / 1e6
    damaged = sum(path.suffix == ENDING and not _is_whole(data) for path, data in files.items())
    return f"{root_folder}: {len(files)} files of compiled rules, {size:.1f} MB, {damaged} damaged"


def clear() -> None:
    """Remove all files of the cache, and nothing else."""
    for folder in _folders(root()):
        _empty(folder)
