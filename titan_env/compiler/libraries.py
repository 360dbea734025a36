"""Shared libraries of compiled functions that come with the package, called without Numba.

A folder for a platform and a level of processors holds a library for each game, and an index: a checksum and a line of
JSON with a hash of the sources of the interface, the libraries' checksums and, by the digest of what it is made from
and by its kinds of arguments, each function's library, entry and kind of result. Other sources find nothing here, and a
library that is not the one that was built is refused whole. An extension module (``entry.c``) calls the entries.
"""

from __future__ import annotations

import ctypes
import functools
import hashlib
import importlib
import importlib.machinery
import importlib.util
import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple, TypeAlias

from titan_env.compiler.arguments import leaves_of
from titan_env.compiler.cache import notify
from titan_env.compiler.code_files import file_digest
from titan_env.compiler.machine import folder_name, levels

FOLDER = Path(__file__).parents[1] / "built"
"""The folder in the package, which no repository holds: `cache --build` fills it, and a wheel carries it."""

INDEX = "index.json"
ENDING = ".so"
ENTRY = "entry"
"""The name of the extension module that calls entries."""
_INTERFACE = ("arguments.py", "entry.c", "libraries.py", "library_build.py", "runtime.c")
_DAMAGED = "is damaged and not used; install the package again"


class Symbol(NamedTuple):
    """A compiled function: its library, the name of its entry there, and the kind of its result."""

    library: str
    entry: str
    result: str
    """A letter of `titan_env.compiler.arguments` for each number, in brackets for a tuple, "" for None."""


Functions: TypeAlias = Mapping[str, Mapping[str, Symbol]]
"""Digest of a function -> text of its kinds of arguments -> its symbol."""


class Index(NamedTuple):
    """The content of an index."""

    folder: Path
    checksums: Mapping[str, str]
    functions: Functions


_NOTHING = Index(FOLDER, {}, {})


def write_index(folder: Path, functions: Functions) -> None:
    """Write the index of a folder of libraries."""
    checksums = {path.stem: _checksum(path.read_bytes()) for path in sorted(folder.glob(f"*{ENDING}"))}
    text = json.dumps([_interface(), checksums, functions], separators=(",", ":"))
    (folder / INDEX).write_text(f"{_checksum(text.encode())}\n{text}\n", "utf-8")


@functools.cache
def index() -> Index:
    """Return the index for the best level of processors that there is one for; an empty one if there is none."""
    for level in levels():
        folder = FOLDER / folder_name(level)
        if (folder / INDEX).is_file():
            return _read(folder)
    return _NOTHING


def _read(folder: Path) -> Index:
    """Return the index of a folder; an empty one, after a line to stderr, if it is damaged."""
    checksum, _, text = (folder / INDEX).read_bytes().partition(b"\n")
    if _checksum(text.rstrip()).encode() != checksum:
        notify(f"built code in {folder} {_DAMAGED}")
        return _NOTHING
    interface, checksums, functions = json.loads(text)
    return Index(folder, checksums, functions) if interface == _interface() else _NOTHING


def _interface() -> str:
    """Return the hash of the sources that say how entries are called."""
    return _checksum("".join(file_digest(Path(__file__).with_name(name)) for name in _INTERFACE).encode())


def _checksum(data: bytes) -> str:
    """Return the checksum of a file's content."""
    return hashlib.sha256(data).hexdigest()


@functools.cache
def _is_whole(path: Path) -> bool:
    """Return whether a file is the one that was built; write a line to stderr if it is not."""
    try:
        if _checksum(path.read_bytes()) == index().checksums.get(path.stem):
            return True
        notify(f"built code in {path} {_DAMAGED}")
    except OSError as error:
        notify(f"built code in {path} cannot be read ({error.strerror})")
    return False


@functools.cache
def _library(name: str) -> Any:
    """Return a loaded library; None if it is missing or damaged: then it is never run."""
    path = index().folder / f"{name}{ENDING}"
    return ctypes.CDLL(str(path)) if _is_whole(path) else None


def symbols_of(digest: str) -> dict[str, Symbol]:
    """Return the symbols of the function with this digest by its kinds of arguments; none for an unknown one."""
    symbols = {kinds: Symbol(*symbol) for kinds, symbol in index().functions.get(digest, {}).items()}
    there = _entry_module() is not None
    return {kinds: symbol for kinds, symbol in symbols.items() if there and _library(symbol.library) is not None}


@functools.cache
def _entry_module() -> Any:
    """Return the extension module that calls entries; None, after a line to stderr, if it is missing or damaged."""
    path = index().folder / f"{ENTRY}{ENDING}"
    if not _is_whole(path):
        return None
    loader = importlib.machinery.ExtensionFileLoader(ENTRY, str(path))  # whatever the platform's ending for modules
    spec = importlib.util.spec_from_file_location(ENTRY, path, loader=loader)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


class LibraryEntry:
    """A compiled function in a library, for arguments of some kinds; `call` returns NotImplemented for others."""

    def __init__(self, symbol: Symbol, kinds: Sequence[Any]) -> None:
        address = ctypes.cast(_library(symbol.library)[symbol.entry], ctypes.c_void_p).value
        leaves = list(leaves_of(kinds))
        module, _, member = symbol.result.rpartition(":")
        letters = "i" if module else symbol.result
        dtypes = tuple(dtype for _, dtype in leaves)
        self._entry = _entry_module().Entry(address, symbol.entry, "".join(text for text, _ in leaves), dtypes, letters)
        self._members = getattr(importlib.import_module(module), member) if module else None
        self.expect: Callable[[tuple[Any, ...]], None] = self._entry.expect
        self.call: Callable[..., Any] = self._finished(self._entry)

    def prepare(self, leading: Sequence[Any]) -> Callable[..., Any]:
        """Return a call with these leading arguments, whose arrays are looked at once and held."""
        return self._finished(self._entry.prepare(*leading))

    def _finished(self, call: Callable[..., Any]) -> Callable[..., Any]:
        """Return a call that returns members of an enum where the function does."""
        return call if self._members is None else _as_member(call, self._members)


def _as_member(entry: Callable[..., Any], members: Any) -> Callable[..., Any]:
    """Return an entry that returns members of an enum."""

    def call(*arguments: Any) -> Any:
        number = entry(*arguments)
        return number if number is NotImplemented else members(number)

    return call


def dtypes_of(kinds: Sequence[Any]) -> tuple[Any, ...]:
    """Return the dtypes of the leaves of these kinds, as `LibraryEntry.expect` takes them."""
    return tuple(dtype for _, dtype in leaves_of(kinds))
