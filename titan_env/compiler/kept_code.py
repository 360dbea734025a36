"""Compiled functions as they are kept in files: the part for compiled callers, and machine code if Python calls them.

What a function needs of others is not in its file but named there, by the paths of their files in the cache.
"""

from __future__ import annotations

import pickle
from collections.abc import Iterable
from pathlib import Path
from typing import Any, NamedTuple

from numba.core.compiler import CompileResult
from numba.core.environment import lookup_environment
from numba.core.runtime.nrt import rtsys

from titan_env.compiler import built_code, cache
from titan_env.compiler.target import Library

OVERLOADS: dict[Path, Any] = {}
"""The functions of this process by the files that keep them, or would keep them if the cache could be written.

None stands for one whose file lacks what it needs of others.
"""


class _Kept(NamedTuple):
    """The content of a file."""

    part: bytes
    needed: tuple[str, ...]
    """The files of the functions that the part calls, by their paths in the cache."""
    code: bytes
    """The machine code; empty if Python does not call the function."""
    names: list[str]
    called: tuple[str, ...]
    """The files of the functions that the machine code calls by name."""
    is_called_by_name: bool
    fndesc: Any
    signature: Any
    environment: Any
    environments: list[Any]
    """The Python objects of all functions in the part or the machine code."""
    reload_init: Any
    """Numba's functions that load what the code needs of other libraries."""


def as_kept(overload: Any) -> _Kept:
    """Return what is kept of a compiled function."""
    library, fndesc = overload.library, overload.fndesc
    fndesc.typemap = fndesc.calltypes = None  # as Numba leaves them out: they may not be picklable
    code, names = library.machine_code()
    known = {variable.name for variable in library.part().global_variables}
    environments = filter(None, map(lookup_environment, sorted(known | set(names))))
    return _Kept(
        library.part().as_bitcode(),
        tuple(each.unique for each in library.needed()),
        code,
        names,
        library.called,
        library.is_called_by_name,
        fndesc,
        overload.signature,
        overload.environment,
        [each for each in environments if each.can_cache()],
        overload.reload_init,
    )


def restored(path: Path, target_context: Any) -> Any:
    """Return the function that a file keeps; None if the file, or one that its machine code needs, is not there."""
    if path not in OVERLOADS:
        data = built_code.load(path) or cache.load(path)
        if data is None:
            return None
        try:
            overload = _rebuilt(path, pickle.loads(data), target_context)
        except Exception:  # any error: an older layout may lack anything
            cache.say_damaged(path)
            return None
        if overload is None:
            return None
        OVERLOADS[path] = overload
    return OVERLOADS[path]


def used() -> list[Path]:
    """Return the files of the functions that this process has loaded or compiled."""
    return [path for path, overload in OVERLOADS.items() if overload is not None]


def with_needed(paths: Iterable[Path]) -> dict[Path, tuple[bytes, bool]]:
    """Return the data of these files of the cache and of all that they need, and whether they hold machine code.

    Raises FileNotFoundError for a file that is not in the cache.
    """
    found: dict[Path, tuple[bytes, bool]] = {}
    waiting = list(paths)
    while waiting:
        path = waiting.pop()
        if path in found:
            continue
        data = cache.load(path)
        if data is None:
            raise FileNotFoundError(f"expected {path} in the cache, found none; {cache.OTHER}")
        kept = pickle.loads(data)
        found[path] = data, bool(kept.code)
        waiting += [cache.root() / name for name in (*kept.called, *kept.needed)]
    return found


def is_complete(library: Library) -> bool:
    """Return whether all that a function needs of others is there, so that callers can link it."""
    if not library.is_complete:
        try:
            library.is_complete = all(map(is_complete, library.needed()))
        except FileNotFoundError:
            return False
    return library.is_complete


def forget(library: Library, root: Path) -> None:
    """Remove the file of a function that is not complete; this process keeps it no more."""
    path = root / library.unique
    OVERLOADS[path] = None
    path.unlink(missing_ok=True)


def _rebuilt(path: Path, kept: _Kept, target_context: Any) -> Any:
    """Return the function of a file's content; None if one that its machine code calls is not there."""
    rtsys.initialize(target_context)  # all that machine code needs of Numba; a compilation reads in the rest
    for function in kept.reload_init:
        function()
    root = path.parents[1]
    if None in [restored(root / file, target_context) for file in kept.called]:
        return None

    def needed() -> list[Library]:
        found = [restored(root / file, target_context) for file in kept.needed]
        if None in found:
            raise FileNotFoundError(kept.needed[found.index(None)])
        return [overload.library for overload in found]

    library = target_context.codegen().create_library(kept.fndesc.qualname)
    library.unique, library.is_called_by_name = f"{path.parent.name}/{path.name}", kept.is_called_by_name
    library.restore(kept.fndesc.llvm_func_name, kept.part, needed)
    if kept.code:
        library.restore_machine_code(kept.code, kept.names, kept.called)
    return CompileResult(
        target_context=target_context,
        typing_context=target_context.typing_context,
        library=library,
        environment=kept.environment,
        entry_point=target_context.get_executable(library, kept.fndesc, kept.environment),
        fndesc=kept.fndesc,
        type_annotation="",
        signature=kept.signature,
        objectmode=False,
        lifted=(),
        typing_error=None,
        call_helper=None,
        metadata=None,
        reload_init=kept.reload_init,
        referenced_envs=kept.environments,
    )
