"""The private parts of Numba that `jit`, `streaming`, `xla` and `numba_start` build on: one table, tested name by name.

A Numba release that drops or changes one of them fails in the test of that name, before anything else goes wrong.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Hook(NamedTuple):
    """A private function or method of Numba."""

    parameters: tuple[str, ...]
    """The names of its parameters, ``*`` and ``**`` included."""
    purpose: str
    """One sentence: the use that is made of it."""


HOOKS: Mapping[str, Hook] = {
    "numba.core.dispatcher:Dispatcher._compile_for_args": Hook(
        ("self", "*args", "**kws"), "It is called when Python calls a rule for which there is no overload yet."
    ),
    "numba.core.dispatcher:Dispatcher.compile": Hook(
        ("self", "sig"), "It compiles an overload, or loads it from the cache."
    ),
    "numba.core.dispatcher:_DispatcherBase.get_call_template": Hook(
        ("self", "args", "kws"), "It chooses the overload that another compiled rule calls."
    ),
    "numba.core.dispatcher:_DispatcherBase.add_overload": Hook(
        ("self", "cres"), "It registers an overload with Python, unless it has no entry from there."
    ),
    "numba.core.caching:FunctionCache.load_overload": Hook(
        ("self", "sig", "target_context"), "It reads an overload from the cache."
    ),
    "numba.core.caching:FunctionCache.save_overload": Hook(
        ("self", "sig", "data"), "It writes an overload to the cache."
    ),
    "numba.core.caching:Cache._index_key": Hook(
        ("self", "sig", "codegen"), "Its result, the types, the processor and the code's hash, is a part of each key."
    ),
    "numba.core.compiler:CompileResult._reduce": Hook(("self",), "It returns an overload as picklable parts."),
    "numba.core.compiler:CompileResult._rebuild": Hook(
        (
            *("target_context", "libdata", "fndesc", "env", "signature", "objectmode", "lifted", "typeann"),
            *("reload_init", "referenced_envs"),
        ),
        "It makes an overload from such parts.",
    ),
    "numba.core.codegen:JITCodeLibrary.get_pointer_to_function": Hook(
        ("self", "name"), "Its result is the address of a C function, which XLA calls."
    ),
    "numba.np.arrayobj:populate_array": Hook(
        ("array", "data", "shape", "strides", "itemsize", "meminfo", "parent"), "It makes an array of given memory."
    ),
    "numba.np.arraymath:_check_blas": Hook((), "It imports SciPy's linear algebra, to know whether it is there."),
    "numba.core.serialize:dumps": Hook(("obj",), "It pickles such parts."),
}
"""Module and name -> the hook."""
