"""Compilation of rules with Numba, which is imported here, in `streaming` and in `titan_env.engine.xla` only.

Rules are plain scalar functions. `@rule` compiles them to machine code at their first call and stores the result on
disk (`titan_env.compiler.cache`). The private parts of Numba that this needs are listed, and tested one by one, in
`titan_env.compiler.numba_hooks`. With ``NUMBA_DISABLE_JIT=1`` the same functions run as ordinary Python, for the
debugger and for coverage.
"""

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.core import sigutils
from numba.core.caching import FunctionCache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.serialize import dumps
from numba.core.typing import make_concrete_template

from titan_env.compiler import cache
from titan_env.compiler.code_files import code_digests
from titan_env.compiler.kept_code import OVERLOADS, as_kept, forget, is_complete, restored
from titan_env.compiler.numba_start import import_without_linear_algebra
from titan_env.compiler.target import NamedCompiler, TargetDispatcher

import_without_linear_algebra()

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED = not numba.config.DISABLE_JIT
"""False if the rules run as plain Python (``NUMBA_DISABLE_JIT=1``)."""


class _Rule(TargetDispatcher):  # type: ignore[misc]
    """A Numba dispatcher that compiles a function once for integers of all kinds, and only what is needed.

    Numba compiles a function for each combination of int8, int64, enums and literal numbers that it is called with;
    here they are all int64. Numba also makes an entry from Python for each; here only functions that Python calls have
    one.
    """

    def __init__(self, *parts: Any, **named: Any) -> None:
        super().__init__(*parts, **named)
        self.declared: dict[tuple[Any, ...], Any] = {}  # arguments -> signature; empty: any arguments
        self._python_entries: set[tuple[Any, ...]] = set()  # arguments for which Python can call it
        self._for_python = False
        self._compiler.pipeline_class = self._compiler_of

    def _compiler_of(self, typingctx: Any, targetctx: Any, library: Any, args: Any, returned: Any, *more: Any) -> Any:
        """Return the compiler of one overload, with the file that keeps it."""
        compiler = NamedCompiler(typingctx, targetctx, library, args, returned, *more)
        if isinstance(self._cache, _Kept):
            path = self._cache.path(returned(*args) if returned else args)
            compiler.unique = "" if path in OVERLOADS else f"{path.parent.name}/{path.name}"
        return compiler

    def _compile_for_args(self, *arguments: Any, **named: Any) -> Any:
        """Compile for a call from Python."""
        with global_compiler_lock:
            self._for_python = True
            try:
                return super()._compile_for_args(*arguments, **named)
            finally:
                self._for_python = False

    def compile(self, sig: Any) -> Any:
        """Compile for these arguments, or return an earlier compilation for them.

        Raises TypeError for arguments that a declared rule does not take, and for a rule that names an unknown field.
        """
        given, returned = sigutils.normalize_signature(sig)
        arguments = tuple(map(widened, given))
        if self.declared and arguments not in self.declared:
            kinds = " or ".join(str(kind) for kind in self.declared)
            raise TypeError(f"expected {self.where} to be called with {kinds:.500}, got {arguments!s:.500}")
        wanted = self.declared.get(arguments) or (returned(*arguments) if returned else arguments)
        with self._python_entry(arguments):
            try:
                return super().compile(wanted)
            except KeyError as error:
                raise TypeError(
                    f"expected {self.where} and the rules it calls to name fields that are there, got {error}"
                ) from None

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return the call template for another compiled rule: only the overload of these very arguments.

        Numba would also weigh other overloads, and warn of a record that begins like theirs.
        """
        template, signature, arguments, named = super().get_call_template(args, kws)
        fitting = self.overloads.get(tuple(map(widened, arguments)))
        if fitting is not None and not is_complete(fitting.library):
            self._cache.forget(self.overloads.pop(tuple(fitting.signature.args)))
            return self.get_call_template(args, kws)
        if fitting is not None:
            template = make_concrete_template(template.__name__, template.key, [fitting.signature])
            self._offer(fitting)
        return template, signature, arguments, named

    def _offer(self, overload: Any) -> None:
        """Let a function of Numba's own target call an overload, if one is being compiled."""
        if cpu_target.typing_context.callstack._stack:
            outside = cpu_target.target_context
            if overload.entry_point not in outside._defns:
                outside.insert_user_function(overload.entry_point, overload.fndesc, [overload.library])

    @contextmanager
    def _python_entry(self, arguments: tuple[Any, ...]) -> Iterator[None]:
        """Set, while the block runs, whether the overload for these arguments is compiled with an entry from Python."""
        with global_compiler_lock:
            wanted, self._for_python = self._for_python or bool(self.declared), False
            if wanted and arguments not in self._python_entries:
                self.overloads.pop(arguments, None)
                self._python_entries.add(arguments)
            self.targetoptions["no_cpython_wrapper"] = arguments not in self._python_entries
            yield

    def add_overload(self, cres: Any) -> None:
        """Register an overload with compiled callers, and with Python if it has an entry."""
        cres.library.is_called_by_name = bool(self.declared)
        super().add_overload(cres)

    @property
    def where(self) -> str:
        """The function's name and place, for errors."""
        code = self.py_func.__code__
        return f"{code.co_name} ({Path(code.co_filename).name}, line {code.co_firstlineno})"


def widened(kind: Any) -> Any:
    """Return the type that a rule is compiled for in the place of this one: int64 for all integers but uint64."""
    kind = types.unliteral(kind)
    kind = kind.dtype if isinstance(kind, types.IntEnumMember) else kind
    is_small = isinstance(kind, types.Integer) and (kind.signed or kind.bitwidth < types.int64.bitwidth)
    return types.int64 if is_small else kind


class _Kept(FunctionCache):  # type: ignore[misc]
    """The cache of one function's overloads, in the folder of the rules in `file`: a file for each argument types.

    Numba's own cache has no checksums and would run damaged machine code.
    """

    def __init__(self, rule: _Rule, file: Path, rules: Collection[Callable[..., Any]] = ()) -> None:
        self._py_func = rule.py_func  # the name that Numba's own key reads
        self._options, self._codegen = rule.targetoptions, rule.targetctx.codegen()
        self._file, self._folder = file, cache.folder_of(file)
        self._rules = rules

    @property
    def cache_path(self) -> str:
        """The folder of the cached files."""
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the cached overload for these arguments; None, after a line to stderr, if it must be compiled."""
        overload = restored(self.path(sig), target_context)
        if overload is None and not cache.is_of_the_engine(self._file):
            cache.notify(f"compiling {self._told}; later starts are quick")
        return overload

    def save_overload(self, sig: Any, data: Any) -> None:
        """Write an overload to the cache; if it is bound to this process, write a line to stderr instead."""
        path = self.path(sig)
        if data.lifted or data.library.is_bound:
            where = f"{self._py_func.__qualname__} of {self._py_func.__module__}"
            cache.notify(f"{where} is bound to this process and cannot be kept: every start compiles it anew")
        elif data.library.unique:
            OVERLOADS[path] = data
            cache.save(path, dumps(as_kept(data)))

    def forget(self, overload: Any) -> None:
        """Remove the file of an overload whose callees' files are gone, so that it is compiled anew."""
        forget(overload.library, self._folder.parent)

    @functools.cached_property
    def _made_from(self) -> list[str]:
        """The hashes of the overload's sources and constants beyond those that the folder's name covers."""
        named = self._file.parent
        return code_digests(self._py_func, lambda file: cache.is_of_the_engine(file) or not file.is_relative_to(named))

    @property
    def _told(self) -> str:
        """The subject of the line about a compilation: a game's rules or an agent's module, with the time it takes."""
        own = _file(self._py_func)
        if own != self._file and not cache.is_of_the_engine(own):
            return f"{self._py_func.__module__}, which may take half a minute"
        title = self._file.stem
        if self._file.parent.name == "rules":
            title = self._file.parents[1].name
        elif title in ("__init__", "rules"):
            title = self._file.parent.name
        return f"the rules of {title}, which may take a minute"

    def path(self, sig: Any) -> Path:
        """Return the file of the overload for these arguments on this kind of machine."""
        options = sorted(self._options.items())
        name = [part for written in (self._py_func, *self._rules) for part in _identity(written)]
        parts = (name, self._made_from, options, self._index_key(sig, self._codegen))
        key = hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
        return self._folder / f"{self._py_func.__name__.strip('<>')}-{key}{cache.ENDING}"


def _file(function: Any) -> Path:
    """Return the file in which a function, compiled or not, is written; for a bound loop, that of its first rule."""
    for rule in getattr(function, "bound_rules", ()):
        return _file(rule)
    return Path(getattr(function, "py_func", function).__code__.co_filename)


def _identity(function: Any) -> list[tuple[str, str, int]]:
    """Return module, name and line of a function and of the rules bound in it."""
    plain = getattr(function, "py_func", function)
    own = (plain.__module__, plain.__code__.co_qualname, plain.__code__.co_firstlineno)
    return [own, *(part for rule in getattr(function, "bound_rules", ()) for part in _identity(rule))]


def _compiled(function: Callable[..., Any], counts: bool = True) -> _Rule:
    """Return the dispatcher of a function without a disk cache; `counts` is that of `specialize`."""
    options = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": counts}
    return _Rule(function, targetoptions=options)


def _kept(
    function: Callable[..., Any], file: Path, rules: Collection[Callable[..., Any]] = (), counts: bool = True
) -> Any:
    """Return the dispatcher of a function whose overloads are cached with the rules in `file`."""
    compiled = _compiled(function, counts)
    compiled._cache = _Kept(compiled, file, rules)
    return compiled


def rule(function: Function) -> Function:
    """Compile `function` at its first call, to run without the interpreter lock, and cache the result on disk."""
    return _kept(function, _file(function)) if COMPILED else function  # type: ignore[no-any-return]


def inline_rule(function: Function) -> Function:
    """Compile a function as a part of the loops that call it: it is cached with each of them, not by itself."""
    return _compiled(function) if COMPILED else function  # type: ignore[return-value]


def typed_rule(function: Function, *kinds: Iterable[Any]) -> Function:
    """Declare the argument types of a rule: it is compiled for these and no others.

    A dtype stands for one record of it, ``np.int8`` and its like for a scalar, `row(dtype)` for an array.
    """
    if COMPILED:
        for arguments in kinds:
            declared = tuple(map(_type, arguments))
            function.declared[declared] = types.void(*declared)  # type: ignore[attr-defined]
    return function


def _type(argument: Any) -> Any:
    """Return the Numba type of an argument of `typed_rule`."""
    return widened(argument if isinstance(argument, types.Type) else numba.from_dtype(np.dtype(argument)))


def accepts(function: Callable[..., Any], *arguments: Any) -> bool:
    """Return whether `typed_rule` has declared `function` for these arguments; always True in plain Python."""
    wanted = tuple(map(_type, arguments)) if COMPILED else ()
    return not COMPILED or wanted in getattr(function, "declared", ())


def interpreted(function: Function) -> Function:
    """Return a compiled rule as plain Python, with all rules that it calls: slow, but with checked array bounds."""
    return _interpreted(function, {}) if hasattr(function, "py_func") else function


def _interpreted(function: Any, modules: dict[int, Any]) -> Any:
    """Return the plain form of a rule in a copy of its module; `modules` holds one copy of each."""
    plain = function.py_func
    here = plain.__globals__
    if id(here) not in modules:
        modules[id(here)] = dict(here)
        compiled = {name: value for name, value in here.items() if hasattr(value, "py_func")}
        modules[id(here)] |= {name: _interpreted(value, modules) for name, value in compiled.items()}
    for name in plain.__code__.co_names:
        if isinstance(here.get(name), ModuleType):
            modules[id(here)][name] = _with_plain_rules(here[name], modules)
    return FunctionType(plain.__code__, modules[id(here)], plain.__name__, plain.__defaults__, plain.__closure__)


def _with_plain_rules(module: ModuleType, modules: dict[int, Any]) -> ModuleType:
    """Return a copy of a module that a rule names, with its rules as plain Python; without rules the module itself."""
    if id(module) not in modules:
        modules[id(module)] = module
        rules = {name: value for name, value in vars(module).items() if hasattr(value, "py_func")}
        if rules:
            modules[id(module)] = copy = ModuleType(module.__name__)
            copy.__dict__.update(vars(module))
            copy.__dict__.update({name: _interpreted(value, modules) for name, value in rules.items()})
    return modules[id(module)]  # type: ignore[no-any-return]


def row(dtype: Any) -> Any:
    """Return the type of a contiguous one-dimensional array argument of `typed_rule`."""
    return types.Array(numba.from_dtype(np.dtype(dtype)), 1, "C") if COMPILED else dtype


_BOUND: dict[tuple[Any, ...], Any] = {}


def specialize_part(part: Function, functions: Mapping[str, Callable[..., Any]], counts: bool = True) -> Function:
    """Return an `inline_rule` with its globals of the same names replaced by these functions.

    A function passed as an argument would make machine code that only this process can use; a bound one does not. The
    result is bound, like a rule, to the loop that calls it (see `specialize`, also for `counts`).
    """
    key = (part, counts, *functions.items())
    if key not in _BOUND:
        plain = getattr(part, "py_func", part)
        bound: Any = FunctionType(plain.__code__, {**plain.__globals__, **functions}, plain.__name__)
        if COMPILED:
            bound = _compiled(bound, counts)
        bound.bound_rules = tuple(filter(callable, functions.values()))
        _BOUND[key] = bound
    return _BOUND[key]  # type: ignore[no-any-return]


def specialize(loop: Function, rules: Mapping[str, Callable[..., Any]], counts: bool = True) -> Function:
    """Return a loop with its globals of the same names replaced by these rules, compiled at its first call.

    So a generic loop calls a game's rules as directly as one written for it, and is cached with them. `counts=False`
    leaves out Numba's reference counts, an atomic instruction for each array at every call of a rule: possible for
    loops that create no arrays, and for the rules they call.
    """
    key = (loop, counts, *rules.items())
    if key not in _BOUND:
        plain = getattr(loop, "py_func", loop)
        bound: Any = FunctionType(plain.__code__, {**plain.__globals__, **rules}, plain.__name__)
        if COMPILED:
            bound = _kept(bound, _file(next(iter(rules.values()))), rules.values(), counts)
        bound.bound_rules = tuple(rules.values())
        _BOUND[key] = bound
    return _BOUND[key]  # type: ignore[no-any-return]
