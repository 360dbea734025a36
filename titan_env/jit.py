"""How rules are compiled. The only file that names Numba.

Rules are plain scalar functions. `@rule` compiles them to machine code and keeps the result on
disk, in a folder named by a hash of every file and data file that the rules come from: an edited
rule, board or card never meets a stale compilation of another. With ``NUMBA_DISABLE_JIT=1`` the
same functions run as ordinary Python, for the debugger and for coverage.
"""

from __future__ import annotations

import functools
import hashlib
import os
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED = not numba.config.DISABLE_JIT
"""False when the rules run as plain Python (``NUMBA_DISABLE_JIT=1``)."""

_PACKAGE = Path(__file__).parent
_SECONDS = 30  # that compiling a whole game takes, roughly
_ENGINE = ("jit.py", "luck.py", "contract.py", "loops.py")
_WORDS = {"words.py", "reasons.py", "notation.py", "position.py", "audience.py", "edit.py"}
_WORDS |= {"picture.py", "tabletop.py", "pieces.py", "arrows.py"}
"""Files of a game that its rules never import, so that an edited sentence compiles nothing anew."""


def _cache_root() -> Path:
    """The folder for compiled rules: ``TITAN_ENV_CACHE`` or the user's cache folder."""
    if "TITAN_ENV_CACHE" in os.environ:
        return Path(os.environ["TITAN_ENV_CACHE"])
    base = os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache"
    return Path(base) / "titan_env"


@functools.cache
def cache_folder(folder: Path) -> Path:
    """Name the cache folder of the rules in `folder` by what they are made from."""
    digest = hashlib.sha256(f"{numba.__version__} {np.__version__} {sys.version}".encode())
    sources = [(name, _PACKAGE / name) for name in _ENGINE]
    if folder != _PACKAGE:
        found = sorted(p for p in folder.rglob("*") if p.suffix in {".py", ".toml", ".txt"} and p.name not in _WORDS)
        sources += [(p.relative_to(folder).as_posix(), p) for p in found]
    for name, source in sources:
        digest.update(name.encode() + b"\0" + source.read_bytes())
    return _cache_root() / digest.hexdigest()[:16]


@contextmanager
def _compiling_into(folder: Path) -> Iterator[None]:
    """Direct Numba's disk cache to `folder` for the functions declared inside the block."""
    before = numba.config.CACHE_DIR
    numba.config.CACHE_DIR = str(folder)
    try:
        yield
    finally:
        numba.config.CACHE_DIR = before


@functools.cache
def _announce(folder: Path) -> None:
    """Say what takes so long, before the rules in `folder` are compiled for the first time."""
    if folder != _PACKAGE and not cache_folder(folder).exists():
        said = f"titan_env: compiling the rules of {folder.name} once, about {_SECONDS} seconds; later starts are quick"
        print(said, file=sys.stderr, flush=True)


def rule(function: Function) -> Function:
    """Compile `function` without the interpreter lock and keep the result on disk."""
    if not COMPILED:
        return function
    _announce(Path(function.__code__.co_filename).parent)
    with _compiling_into(cache_folder(Path(function.__code__.co_filename).parent)):
        return numba.njit(cache=True, nogil=True, error_model="numpy")(function)  # type: ignore[no-any-return]


def shared(function: Function) -> Function:
    """Compile a function that games call with enums of their own; it is kept with each of them, never by itself.

    A file of its own would name the modules of those enums, and reading it would import other games.
    """
    return numba.njit(nogil=True, error_model="numpy")(function) if COMPILED else function  # type: ignore[no-any-return]


def pointer(function: Function, *arguments: np.dtype[Any] | type, result: type | None = None) -> Function:
    """Compile `function` for these argument types, as a value that generic loops can be handed.

    A dtype stands for one record of it; ``np.int8`` and its like for a scalar; ``memoryview`` of
    a dtype is spelled `row(dtype)`. Loops that receive such a value are found in the disk cache,
    which loops that receive an ordinary compiled function are not.
    """
    if not COMPILED:
        return function
    returned = types.void if result is None else numba.from_dtype(np.dtype(result))
    signature = returned(*(a if isinstance(a, types.Type) else numba.from_dtype(np.dtype(a)) for a in arguments))
    function.compile(signature)  # type: ignore[attr-defined]
    function.disable_compile()  # type: ignore[attr-defined]
    return function


def row(dtype: Any) -> Any:
    """The type of a contiguous one-dimensional array argument of `pointer`."""
    return types.Array(numba.from_dtype(np.dtype(dtype)), 1, "C") if COMPILED else dtype


_BOUND: dict[tuple[Any, ...], Any] = {}


def bind(loop: Function, rules: Mapping[str, Callable[..., Any]]) -> Function:
    """The loop with these rules in the place of its globals of the same names, compiled when it is called.

    So a generic loop calls the rules of a game as directly as if it had been written for it, and is
    kept on disk with them.
    """
    key = (loop, *rules.values())
    if key not in _BOUND:
        plain = getattr(loop, "py_func", loop)
        bound = FunctionType(plain.__code__, {**plain.__globals__, **rules}, plain.__name__)
        if COMPILED:
            home = Path(next(iter(rules.values())).__code__.co_filename).parent
            with _compiling_into(cache_folder(home)):
                bound = numba.njit(cache=True, nogil=True, error_model="numpy")(bound)
        _BOUND[key] = bound
    return _BOUND[key]  # type: ignore[no-any-return]
