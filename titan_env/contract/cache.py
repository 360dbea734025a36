"""Where compiled rules are kept: what is damaged is never used, and what cannot be kept stops nobody.

Each file holds what is compiled from one function for one kind of arguments, behind a checksum; it appears whole or
not at all. The folders are named by a hash of what the rules are made from: an edited rule, board or card
never meets a stale compilation of another. A game's rules lie in a folder ``rules/`` with their data
in ``data/`` beside it; those of a game in one file are made from that file, what it imports from the
files beside it, and the texts there.
"""

from __future__ import annotations

import ast
import functools
import hashlib
import os
import re
import sys
import time
from collections.abc import Iterable, Iterator
from importlib.metadata import version
from pathlib import Path

ENDING = ".compiled"
_CHECKSUM = hashlib.sha256().digest_size

_PACKAGE = Path(__file__).parents[1]
_KEEPERS = [_PACKAGE / "contract" / name for name in ("cache.py", "code_files.py", "jit.py")]
"""The files that say how rules are compiled and kept."""

_NOWHERE = Path(os.devnull) / "titan_env"
"""Where nothing can be kept."""
_FOLDER, _FILE = re.compile("[0-9a-f]{16}"), re.compile(rf".*-[0-9a-f]{{32}}{re.escape(ENDING)}(\.[0-9]+)?")
"""The names of our folders, and of our files in them, whole or half written."""
_OTHER = "set TITAN_ENV_CACHE to a folder with room"
_MONTH, _DAY = 30 * 24 * 3600, 24 * 3600  # seconds


def root() -> Path:
    """Return the folder for compiled rules: ``TITAN_ENV_CACHE`` or the user's cache folder; `_NOWHERE` without a home.

    An empty variable is one that is not set, and ``~`` is the home.
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
    """The folder for what is compiled from `file`, named by what its rules are made from, not by where they lie."""
    digest = hashlib.sha256(f"{version('numba')} {version('numpy')} {sys.version}".encode())
    for content in sorted(hashlib.sha256(source.read_bytes()).digest() for source in {*_KEEPERS, *_sources(file)}):
        digest.update(content)
    return root() / digest.hexdigest()[:16]


def is_of_the_engine(file: Path) -> bool:
    """Whether a file belongs to this package and to none of its games."""
    return file.is_relative_to(_PACKAGE) and not file.is_relative_to(_PACKAGE / "games")


def _sources(file: Path) -> Iterable[Path]:
    """The files that the rules in `file` are made from, beside those of the engine (see `code_digests`)."""
    if is_of_the_engine(file):
        return [file]
    if file.parent.name == "rules":
        data = (path for path in (file.parents[1] / "data").rglob("*") if path.is_file())
        return [*file.parent.rglob("*.py"), *data]
    texts = (path for path in file.parent.iterdir() if path.suffix in {".toml", ".txt"})
    return [*beside(file), *texts]


def beside(file: Path) -> set[Path]:
    """This file and those in its folder that it imports, and so on."""
    found: set[Path] = set()
    waiting = [file]
    while waiting:
        path = waiting.pop()
        if path in found or not path.is_file():
            continue
        found.add(path)
        for node in ast.walk(ast.parse(path.read_bytes())):
            names = [alias.name for alias in node.names] if isinstance(node, ast.Import | ast.ImportFrom) else []
            names += [node.module] if isinstance(node, ast.ImportFrom) and node.module else []
            waiting += [file.parent / f"{name.rpartition('.')[2]}.py" for name in names]
    return found


@functools.cache
def say(line: str) -> None:
    """Tell whoever waits what is going on, once."""
    print(f"titan_env: {line}", file=sys.stderr, flush=True)


def load(path: Path) -> bytes | None:
    """What was kept there; None where there is nothing that can be used."""
    try:
        kept = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        say(f"compiled rules in {path.parent} cannot be read ({error.strerror}): they are compiled anew")
        return None
    if not _is_whole(kept):
        say_damaged(path)
        return None
    _mark_used(path.parent)
    return kept[_CHECKSUM:]


def say_damaged(path: Path) -> None:
    """Tell that something kept there cannot be used."""
    say(f"compiled rules in {path.parent} are damaged: they are compiled anew")


def save(path: Path, data: bytes) -> None:
    """Keep this there for later starts, if that is possible."""
    if root() == _NOWHERE:
        return say("compiled rules cannot be kept, as the user has no home: every start compiles them anew; " + _OTHER)
    half = path.with_name(f"{path.name}.{os.getpid()}")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        half.write_bytes(hashlib.sha256(data).digest() + data)
        os.replace(half, path)
    except OSError as error:
        _forget(half)
        say(f"compiled rules cannot be kept in {root()} ({error.strerror}): every start compiles them anew; {_OTHER}")
    else:
        _remove_unused(root())


def _forget(half: Path) -> None:
    """Remove what was left half written, if that is possible."""
    try:
        half.unlink(missing_ok=True)
    except OSError:
        return


def _is_whole(kept: bytes) -> bool:
    """Whether a file is as it was written."""
    return hashlib.sha256(kept[_CHECKSUM:]).digest() == kept[:_CHECKSUM]


@functools.cache
def _mark_used(folder: Path) -> None:
    """Note that a folder is used, by its time: once in a process, and once a day."""
    try:
        if time.time() - folder.stat().st_mtime > _DAY:
            os.utime(folder)
    except OSError:
        return


@functools.cache
def _remove_unused(place: Path) -> None:
    """Remove what no process has used for a month, that of other versions say: once in a process, if possible."""
    try:
        for folder in _folders(place):
            if time.time() - folder.stat().st_mtime > _MONTH:
                _empty(folder)
    except OSError:
        return


def _folders(place: Path) -> Iterator[Path]:
    """Yield the folders in `place` that are named like ours; links lead elsewhere."""
    if place.is_dir():
        named = (path for path in place.iterdir() if _FOLDER.fullmatch(path.name))
        yield from (path for path in named if path.is_dir() and not path.is_symlink())


def _files(folder: Path) -> list[Path]:
    """Return the files in one of the folders that are ours, whatever else lies beside them."""
    return [path for path in folder.iterdir() if _FILE.fullmatch(path.name) and path.is_file()]


def _empty(folder: Path) -> None:
    """Remove our files in a folder, and then the folder if nothing else is in it."""
    for path in _files(folder):
        path.unlink(missing_ok=True)
    if not any(folder.iterdir()):
        folder.rmdir()


def contents() -> str:
    """Return what is kept, in a sentence."""
    place = root()
    if place == _NOWHERE:
        return "nowhere, as the user has no home: " + _OTHER
    files = [path for folder in _folders(place) for path in _files(folder)]
    size = sum(path.stat().st_size for path in files) / 1e6
    damaged = sum(path.suffix == ENDING and not _is_whole(path.read_bytes()) for path in files)
    return f"{place}: {len(files)} files of compiled rules, {size:.1f} MB, {damaged} damaged"


def clear() -> None:
    """Remove what is kept, and nothing else; rules are compiled anew when they are needed."""
    for folder in _folders(root()):
        _empty(folder)
