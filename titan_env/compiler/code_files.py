"""The source files and constants that a function's machine code is made from.

Numba compiles called functions, and the values of the globals that a function names, into its machine code. A cache
with fewer files in its keys would return stale code.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterator
from enum import EnumMeta
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

import numpy as np


def code_digests(function: Callable[..., Any], counts: Callable[[Path], bool]) -> list[str]:
    """Return the hashes of all files that `function` is compiled from and `counts` accepts, and of its constants.

    The files are those of every function that it reaches through its globals, compiled or plain; the constants are the
    globals that functions in these files name: numbers, texts, tuples, enums, arrays and dtypes.
    """
    files: set[Path] = set()
    constants: set[str] = set()
    seen: set[int] = set()
    waiting: list[Any] = [getattr(function, "py_func", function)]
    while waiting:
        plain = waiting.pop()
        if id(plain) in seen:
            continue
        seen.add(id(plain))
        file = Path(plain.__code__.co_filename)
        is_counted = counts(file)
        if is_counted:
            files.add(file)
        for name, value in _globals(plain):
            called = getattr(value, "py_func", value)
            if isinstance(called, FunctionType):
                waiting.append(called)
            elif isinstance(value, ModuleType):
                files |= {place for place in _place(value) if counts(place)}
            elif is_counted and (constant := _constant(value)):
                constants.add(f"{plain.__module__}.{name} {constant}")
    return [*sorted(map(file_digest, files)), *sorted(constants)]


def _globals(function: FunctionType) -> Iterator[tuple[str, Any]]:
    """Yield the globals that a function names, in itself or in a function within it, with their values."""
    codes: list[CodeType] = [function.__code__]
    while codes:
        code = codes.pop()
        codes += [constant for constant in code.co_consts if isinstance(constant, CodeType)]
        yield from ((name, function.__globals__[name]) for name in code.co_names if name in function.__globals__)


def _place(module: ModuleType) -> list[Path]:
    """Return the file of a module; none for the libraries whose version is part of the cache folder's name."""
    known = module.__name__.partition(".")[0] in ("math", "numba", "numpy")
    return [] if known or not getattr(module, "__file__", None) else [Path(str(module.__file__))]


def _constant(value: Any) -> str:
    """Return a constant as text; "" for anything else."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype} {value.shape} {hashlib.sha256(value.tobytes()).hexdigest()}"
    if isinstance(value, EnumMeta):
        return repr(list(value.__members__.items()))
    return repr(value) if isinstance(value, int | float | str | tuple | np.generic | np.dtype) else ""


@functools.cache
def file_digest(file: Path) -> str:
    """Return the hash of a file's bytes, read once in a process."""
    return hashlib.sha256(file.read_bytes()).hexdigest()
