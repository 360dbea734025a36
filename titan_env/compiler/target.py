"""The target of Numba that rules are compiled for: machine code for what Python calls, and nothing else.

Numba writes machine code for every function, with the code of all that it calls in it, though most are called by other
rules only. Here such a function stays a part: its own code as LLVM bitcode. A function that Python calls links the
parts that it needs, each once, and they are optimised and written together. Rules with declared arguments are linked
as declarations: their machine code is there once, and no further loop optimises and writes them again.

Machine code is for a level of processors, not for the one at hand, and serves on all of that level. What programs
compile with Numba themselves has Numba's own target, whose settings and code stay as they are.
"""

from __future__ import annotations

import functools
import hashlib
import os
import threading
from collections.abc import Callable, Iterable, Iterator
from typing import Any

import llvmlite.binding as llvm
import numba
from numba import types
from numba.core import errors, event, funcdesc, registry, sigutils
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler import Compiler
from numba.core.compiler_lock import global_compiler_lock, require_global_compiler_lock
from numba.core.cpu import CPUContext
from numba.core.environment import lookup_environment
from numba.core.externals import c_math_functions
from numba.core.runtime.nrt import rtsys
from numba.core.target_extension import CPU, dispatcher_registry, jit_registry, target_override, target_registry
from numba.core.typing.context import CallStack

from titan_env.compiler.forks import after_fork, free_while_forking
from titan_env.compiler.machine import LEVEL

NAME = "titan_env"
"""The name of the target."""

V3_FEATURES = (
    *("avx", "avx2", "bmi", "bmi2", "cx16", "f16c", "fma", "lzcnt", "movbe", "popcnt"),
    *("sahf", "sse3", "sse4.1", "sse4.2", "ssse3"),
)
"""The features of the level x86-64-v3, as LLVM names them: of processors by Intel since 2013 and by AMD since 2015."""

_ENVIRONMENT = "_ZN08NumbaEnv"
"""The first letters of variables that hold Python objects for a function."""
_ADDRESS, _THROUGH_OTHERS = "numba.dynamic.globals", ".numba.unresolved$"
"""The first letters of variables that hold an address, and a function that calls itself through others."""
_DIGITS = 24
"""The digits of a hash that tells functions apart in the names of their code."""
_HIDDEN = (llvm.Linkage.internal, llvm.Linkage.private)


@functools.cache
def kind_of_machine() -> tuple[str, str]:
    """Return the triple and the level of processors: machine code serves on all machines where they are equal.

    Raises ValueError for a level in the environment that this processor does not have.
    """
    triple = llvm.get_process_triple()
    if not triple.startswith("x86_64"):
        return triple, "generic"
    has = llvm.get_host_cpu_features()
    levels = ["x86-64-v3", "x86-64"] if all(has.get(feature) for feature in V3_FEATURES) else ["x86-64"]
    chosen = os.environ.get(LEVEL) or levels[0]
    if chosen not in levels:
        raise ValueError(f"expected {LEVEL} to be {' or '.join(levels)} on this processor, got {chosen!r}")
    return triple, chosen


class Library(JITCodeLibrary):  # type: ignore[misc]
    """The code of one function: a part for compiled callers, and machine code where Python calls it.

    `unique` is the path of the file that keeps the function, "" for others: the code of those is a piece of the part of
    each caller. What has a file is named by its sources and types, equally in every process.
    """

    def __init__(self, codegen: Any, name: str) -> None:
        super().__init__(codegen, name)
        self.unique = ""
        self.is_called_by_name = False
        self.is_bound = False
        """Whether the code is good for this process only: it holds an address, or calls itself through others."""
        self.is_complete = True
        """Whether all that the part calls is known to be there, too."""
        self.function_name = ""
        self.called: tuple[str, ...] = ()
        """The files of the functions that the machine code calls by name."""
        self._shared_module: Any = None
        self._own: Any = None
        self._part: Any = None
        self._needed: Callable[[], list[Library]] | None = None

    def _optimize_functions(self, ll_module: Any) -> None:
        """Simplify each function of a module by itself."""
        ll_module.data_layout = self._codegen._data_layout
        passes, builder = self._codegen._function_pass_manager()
        for function in ll_module.functions:
            if not function.is_declaration:
                passes.run(function, builder)

    def add_linking_library(self, library: Any) -> None:
        """Note that the code calls another library's, which needs no machine code for that."""
        self._linking_libraries.append(library)

    def restore(self, function_name: str, part: bytes, needed: Callable[[], list[Library]]) -> None:
        """Take the kept part of a function; `needed` returns the libraries that it calls."""
        self.function_name, self._part, self._needed = function_name, part, needed
        self.is_complete = False

    def restore_machine_code(self, code: bytes, names: Iterable[str], called: tuple[str, ...]) -> None:
        """Take kept machine code, which defines these names. What it calls by name must have machine code already."""
        self.enable_object_caching()
        self._set_compiled_object(code)
        self._finalize_final_module()
        self._codegen._engine._defined_symbols.update(names)
        self.called = called
        self._set_environments(names)

    def machine_code(self) -> tuple[bytes, list[str]]:
        """Return the machine code, and the names that it defines; nothing where Python does not call the function."""
        return (self._get_compiled_object(), self._names()) if self._finalized else (b"", [])

    def _names(self) -> list[str]:
        """Return the names that the machine code defines for others."""
        symbols = [*self._final_module.functions, *self._final_module.global_variables]
        return [each.name for each in symbols if not each.is_declaration and each.linkage not in _HIDDEN]

    def _set_environments(self, names: Iterable[str]) -> None:
        """Hand the Python objects of all functions in the machine code to it."""
        for name in names:
            if name.startswith(_ENVIRONMENT) and (environment := lookup_environment(name)) is not None:
                self._codegen.set_env(name, environment)

    def settle(self, fndesc: Any) -> None:
        """Take the name of the function, whose code is complete; write machine code if it is called from outside."""
        self.function_name = fndesc.llvm_func_name
        modules = [self.own(), *(_module(library) for library in self._reached() if not _file(library))]
        variables = [variable.name for module in modules for variable in module.global_variables]
        self.is_bound = any(name.startswith((_ADDRESS, _THROUGH_OTHERS)) for name in variables)
        self.unique = "" if self.is_bound else self.unique
        entries = {fndesc.llvm_cpython_wrapper_name, fndesc.llvm_cfunc_wrapper_name}
        is_entered = any(function.name in entries for function in self.own().functions)
        if is_entered or any(name.startswith(_THROUGH_OTHERS) for name in variables):
            self.finalize()

    def needed(self) -> list[Library]:
        """Return the libraries with a file of their own that the part calls."""
        return self._needed() if self._needed else [library for library in self._reached() if _file(library)]

    def own(self) -> Any:
        """Return the module of the function alone, for links into others."""
        if self._own is None:
            self._own = self._final_module.clone()
            for function in self._own.functions:
                if not function.is_declaration and function.linkage == llvm.Linkage.external:
                    function.linkage = "linkonce_odr"
        return self._own

    def part(self) -> Any:
        """Return the module that callers link: the function, with all that it calls which has no file of its own."""
        if isinstance(self._part, bytes):
            self._part = llvm.parse_bitcode(self._part)
        elif self._part is None:
            self._part = self.own().clone()
            for library in self._reached():
                if not _file(library):
                    self._part.link_in(_module(library), preserve=True)
            for function in self._part.functions:
                if not function.is_declaration and function.name != self.function_name:
                    function.linkage = "internal"
        return self._part

    def _reached(self) -> Iterator[Any]:
        """Yield the libraries that this one calls, directly or through those without a file, each once."""
        seen, waiting = {id(self), id(_runtime())}, list(self._linking_libraries)
        while waiting:
            library = waiting.pop(0)
            if id(library) not in seen:
                seen.add(id(library))
                yield library
                waiting += library._linking_libraries if isinstance(library, Library) and not library.unique else []

    def finalize(self) -> None:
        """Link all that the function needs, optimise it and write the machine code."""
        require_global_compiler_lock()
        self._raise_if_finalized()
        self.own()
        self.called = tuple(library.unique for library in self._link_into(self._final_module, by_name=True))
        self._optimize_final_module()
        self._final_module.verify()
        self._finalize_final_module()
        self._set_environments(self._names())

    def _link_into(self, module: Any, by_name: bool) -> list[Library]:
        """Link all that the function needs into a module; return what is called by name instead, if `by_name`."""
        called, seen = [], {id(self)}
        waiting = list(self._reached()) if self._needed is None else self.needed()
        while waiting:
            library = waiting.pop(0)
            if id(library) in seen:
                continue
            seen.add(id(library))
            self._reload_init.update(library._reload_init)
            if by_name and _file(library) and library.is_called_by_name:
                called.append(library)
            else:
                module.link_in(library.part() if _file(library) else _module(library), preserve=True)
                waiting += library.needed() if _file(library) else []
        if runtime := _runtime():
            module.link_in(runtime._get_module_for_linking(), preserve=True)
        return called

    def _get_module_for_linking(self) -> Any:
        """Return the function with all that it needs, for libraries of Numba's own target."""
        if self._shared_module is None:
            if not self.function_name:
                return super()._get_module_for_linking()
            self._shared_module = self.part().clone()
            self._link_into(self._shared_module, by_name=False)
        return self._shared_module

    def _ensure_finalized(self) -> None:
        """Write the machine code, unless it is there or nobody calls it from outside."""
        if not self.function_name:
            super()._ensure_finalized()


def _file(library: Any) -> str:
    """Return the file that keeps a library's function, "" if there is none."""
    return library.unique if isinstance(library, Library) else ""


def _module(library: Any) -> Any:
    """Return the module of a library without a file, for links into others."""
    return library.own() if isinstance(library, Library) else library._get_module_for_linking()


def _runtime() -> Any:
    """Return the library of Numba's counts of references; None while it is being made."""
    return rtsys.library if rtsys._init else None


class _Codegen(JITCPUCodegen):  # type: ignore[misc]
    """The writer of machine code for a level of processors."""

    _library_class = Library

    def _customize_tm_options(self, options: dict[str, Any]) -> None:
        """Set the options of LLVM's target machine."""
        super()._customize_tm_options(options)
        options["cpu"] = kind_of_machine()[1]

    def _customize_tm_features(self) -> str:
        """Return the features beyond those of the level: none."""
        return ""

    def magic_tuple(self) -> tuple[str, str]:
        """Return what machine code depends on beyond its sources, for keys."""
        return kind_of_machine()


class NotForPython:
    """Stands for the address of a function that only compiled code calls."""

    def __call__(self, *arguments: Any) -> Any:
        """Raise RuntimeError."""
        raise RuntimeError("expected a call from a compiled function, which is all that this one is compiled for")


class _Context(CPUContext):  # type: ignore[misc]
    """Numba's lowering for this target: functions stay parts unless something outside calls them."""

    def init(self) -> None:
        """Set up, as `CPUContext` does, with the own writer of machine code."""
        self.is32bit = numba.core.utils.MACHINE_BITS == 32
        self._internal_codegen = _Codegen("titan_env.exec")
        c_math_functions.install(self)

    def mangler(self, name: str, types: Any, *, abi_tags: Any = (), uid: Any = None) -> str:
        """Return the name of a function's code, by which others call it.

        A function with a file is named by its `uid`, a hash of its sources and types. Numba's name of a record type is
        a number that differs between processes, whose files may call each other's.
        """
        return funcdesc.default_mangler(name, () if isinstance(uid, str) else types, abi_tags=abi_tags, uid=uid)

    def get_executable(self, library: Any, fndesc: Any, env: Any) -> Any:
        """Return a function's entry from Python, for which machine code is written; without one, `NotForPython`."""
        if not library.function_name:
            library.settle(fndesc)
        if not library.codegen._engine.is_symbol_defined(fndesc.llvm_cpython_wrapper_name):
            return NotForPython()
        return super().get_executable(library, fndesc, env)

    def get_function(self, fn: Any, sig: Any, _firstcall: bool = True) -> Any:
        """Return the implementation of a function, which may be compiled for Numba's own target."""
        if isinstance(fn, types.Dispatcher) and fn.dispatcher.targetctx is not self:
            overload = fn.dispatcher.overloads[sig.args]
            if overload.entry_point not in self._defns:
                self.insert_user_function(overload.entry_point, overload.fndesc, [overload.library])
        return super().get_function(fn, sig, _firstcall)


class _Descriptor(registry.CPUTarget):  # type: ignore[misc]
    """The target's contexts, made at their first use."""

    @functools.cached_property
    def _toplevel_target_context(self) -> Any:
        """The context of lowering."""
        return _Context(self.typing_context, NAME)


class TargetDispatcher(registry.CPUDispatcher):  # type: ignore[misc]
    """A dispatcher that compiles for this target; by itself, of Numba's own functions that rules call."""

    targetdescr = _Descriptor(NAME)

    def compile(self, sig: Any) -> Any:
        """Compile for these arguments, or return an earlier compilation for them, without Numba's clocks around it.

        What Numba types anew while it lowers, such as methods of arrays in records, is compiled for this target too.
        """
        args, returned = sigutils.normalize_signature(sig)
        with global_compiler_lock, self._compiling_counter, target_override(NAME):
            if (known := self.overloads.get(tuple(args))) is not None:
                return known.entry_point
            overload = self._cache.load_overload(sig, self.targetctx)
            if overload is not None:
                self.targetctx.insert_user_function(overload.entry_point, overload.fndesc, [overload.library])
                self.add_overload(overload)
                return overload.entry_point
            with event.trigger_event("numba:compile", data={"dispatcher": self, "args": args}):
                try:
                    overload = self._compiler.compile(args, returned)
                except errors.ForceLiteralArg as error:
                    raise error.bind_fold_arguments(
                        lambda *given: self._compiler.fold_argument_types(*given)[1]
                    ) from None
                self.add_overload(overload)
            self._cache.save_overload(sig, overload)
            return overload.entry_point

    def add_overload(self, cres: Any) -> None:
        """Register an overload with compiled callers, and with Python if it has an entry."""
        if isinstance(cres.entry_point, NotForPython):
            self.overloads[tuple(cres.signature.args)] = cres
        else:
            super().add_overload(cres)


class _Target(CPU):  # type: ignore[misc]
    """The target's place among those of Numba: all that Numba knows for CPUs holds for it."""


target_registry[NAME] = _Target
dispatcher_registry[_Target] = TargetDispatcher
jit_registry[_Target] = functools.partial(numba.jit, _target=NAME, no_cpython_wrapper=True, no_cfunc_wrapper=True)


def _renew() -> None:
    """Forget what another thread was compiling when this process was forked, with the locks that it held."""
    global_compiler_lock._lock = threading.RLock()
    for descriptor in (TargetDispatcher.targetdescr, registry.cpu_target):
        descriptor.typing_context.callstack = CallStack()
        descriptor.target_context._codelib_stack.clear()


free_while_forking(llvm.ffi.lib._lock._lock)  # a call of LLVM that is cut in two leaves nothing of use
after_fork(_renew)


class NamedCompiler(Compiler):  # type: ignore[misc]
    """Numba's compiler for a function whose names are derived from `unique`, the path of its file."""

    def __init__(self, *parts: Any, unique: str = "") -> None:
        super().__init__(*parts)
        self.unique = unique

    def _compile_bytecode(self) -> Any:
        """Compile the function."""
        if self.unique:
            function = self.state.func_id
            function.unique_id = hashlib.sha256(self.unique.encode()).hexdigest()[:_DIGITS]
            function.unique_name = f"{function.func_qualname}${function.unique_id}"
            self.state.library = self.state.targetctx.codegen().create_library(function.func_qualname)
            self.state.library.enable_object_caching()
            self.state.library.unique = self.unique
        return super()._compile_bytecode()
