"""The private parts of Numba that the compiler and `xla` build on: one table, tested name by name.

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
    "numba.core.dispatcher:_FunctionCompiler.compile": Hook(
        ("self", "args", "return_type"), "It compiles an overload."
    ),
    "numba.core.dispatcher:_DispatcherBase.get_call_template": Hook(
        ("self", "args", "kws"), "It chooses the overload that another compiled rule calls."
    ),
    "numba.core.dispatcher:_DispatcherBase.add_overload": Hook(
        ("self", "cres"), "It registers an overload with Python, unless it has no entry from there."
    ),
    "numba.core.compiler:CompilerBase._compile_bytecode": Hook(
        ("self",), "It compiles a function that has its names by then."
    ),
    "numba.core.caching:FunctionCache.load_overload": Hook(
        ("self", "sig", "target_context"), "It reads an overload from the cache."
    ),
    "numba.core.caching:FunctionCache.save_overload": Hook(
        ("self", "sig", "data"), "It writes an overload to the cache."
    ),
    "numba.core.caching:Cache._index_key": Hook(
        ("self", "sig", "codegen"), "Its result, types, kind of machine and the code's hash, is a part of each key."
    ),
    "numba.core.cpu:CPUContext.init": Hook(("self",), "It makes the writer of machine code."),
    "numba.core.cpu:CPUContext.get_executable": Hook(
        ("self", "library", "fndesc", "env"), "It makes a function's entry from Python."
    ),
    "numba.core.base:BaseContext.mangler": Hook(
        ("self", "name", "types", "abi_tags", "uid"), "It names a function's code, by which others call it."
    ),
    "numba.core.base:BaseContext.get_function": Hook(
        ("self", "fn", "sig", "_firstcall"), "It finds the code of a function that another one calls."
    ),
    "numba.core.base:BaseContext.insert_user_function": Hook(
        ("self", "func", "fndesc", "libs"), "It lets others find a function's code."
    ),
    "numba.core.codegen:CPUCodegen.magic_tuple": Hook(("self",), "It names the kind of machine in a key."),
    "numba.core.codegen:JITCPUCodegen._customize_tm_options": Hook(
        ("self", "options"), "It sets the processor that code is for."
    ),
    "numba.core.codegen:JITCPUCodegen._customize_tm_features": Hook(("self",), "It sets the features of it."),
    "numba.core.codegen:CPUCodegen._function_pass_manager": Hook(
        ("self", "**kwargs"), "It simplifies functions one by one."
    ),
    "numba.core.codegen:CPUCodeLibrary._optimize_functions": Hook(
        ("self", "ll_module"), "It does so for a module that is added to a library."
    ),
    "numba.core.codegen:CPUCodeLibrary.add_linking_library": Hook(
        ("self", "library"), "It notes a library whose code another one needs."
    ),
    "numba.core.codegen:CPUCodeLibrary.finalize": Hook(("self",), "It links, optimises and writes machine code."),
    "numba.core.codegen:CPUCodeLibrary._optimize_final_module": Hook(("self",), "It optimises a module."),
    "numba.core.codegen:CPUCodeLibrary._finalize_final_module": Hook(("self",), "It writes the machine code."),
    "numba.core.codegen:CPUCodeLibrary._get_module_for_linking": Hook(
        ("self",), "It returns a function's code for callers of Numba's own target."
    ),
    "numba.core.codegen:CodeLibrary._ensure_finalized": Hook(("self",), "It asks for machine code."),
    "numba.core.codegen:CodeLibrary._get_compiled_object": Hook(("self",), "It returns the machine code."),
    "numba.core.codegen:CodeLibrary._set_compiled_object": Hook(("self", "value"), "It takes kept machine code."),
    "numba.core.codegen:JITCPUCodegen.set_env": Hook(
        ("self", "env_name", "env"), "It hands Python objects to machine code."
    ),
    "numba.core.codegen:JITCodeLibrary.get_pointer_to_function": Hook(
        ("self", "name"), "Its result is the address of a C function, which XLA calls."
    ),
    "numba.core.runtime.nrt:rtsys.initialize": Hook(
        ("ctx",), "It names to LLVM the functions of Numba that kept machine code calls."
    ),
    "numba.core.environment:lookup_environment": Hook(("env_name",), "It finds such objects by their name."),
    "numba.np.arrayobj:populate_array": Hook(
        ("array", "data", "shape", "strides", "itemsize", "meminfo", "parent"), "It makes an array of given memory."
    ),
    "numba.np.arraymath:_check_blas": Hook((), "It imports SciPy's linear algebra, to know whether it is there."),
    "numba.core.serialize:dumps": Hook(("obj",), "It pickles such parts."),
}
"""Module and name -> the hook."""
