"""Compilation of rules: the decorators, and the door through which Python calls compiled functions.

Rules are plain scalar functions. At its first call from Python a rule is found in the built code of this package
(`titan_env.compiler.libraries`) or else compiled by Numba, which is imported then (`titan_env.compiler.dispatchers`).
With ``NUMBA_DISABLE_JIT=1`` the same functions run as ordinary Python, for the debugger and for coverage.
"""

from __future__ import annotations

import functools
import importlib.util
import inspect
import os
import threading
from collections.abc import Callable, Collection, Hashable, Iterable, Mapping, Sequence
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

import numpy as np

from titan_env.compiler import cache, libraries
from titan_env.compiler.arguments import Row, dtype_text, kind_of, text_of
from titan_env.compiler.forks import free_while_forking
from titan_env.compiler.origins import Origin, file_of
from titan_env.extras import missing

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED = not int(os.environ.get("NUMBA_DISABLE_JIT") or 0)
"""False if the rules run as plain Python (``NUMBA_DISABLE_JIT=1``)."""

EXTRA = "author"
"""The extra that brings Numba."""

CALLED: dict[tuple[str, str], Any] = {}
"""The overloads that Python has called while `recording`, by the function's digest and the text of their arguments."""
_IMPORTING = threading.RLock()
"""Held while Numba is imported: no process forks meanwhile, whose child would wait for the import for ever."""
free_while_forking(_IMPORTING)
recording = False
"""Whether calls are noted in `CALLED`, for a library, and built libraries are not used."""


class CompiledRule:
    """A function that is compiled once for integers of all kinds, and for every other kind of arguments by itself.

    It is called from Python with numbers, records, arrays and tuples of these, and from other rules; both run without
    the interpreter lock. `origin` is None for a part of others, which is kept with them only.
    """

    def __init__(self, function: Callable[..., Any], origin: Origin | None, counts: bool = True) -> None:
        functools.update_wrapper(self, function)
        self.py_func: Any = function
        self.bound_rules: tuple[Any, ...] = ()
        self.parts: tuple[Any, ...] = ()
        """The function that has bound it to other rules, and that function's arguments."""
        self.declared: dict[tuple[str, ...], Sequence[Any]] = {}
        """Kinds of arguments that it takes, as text -> as `typed_rule` was given them; empty: any."""
        self._origin, self._counts = origin, counts
        self._arity = function.__code__.co_argcount
        self._dispatcher: Any = None
        self._built: Mapping[str, libraries.Symbol] | None = None
        self._found: dict[Hashable, Any] = {}
        self._latest: Callable[..., Any] = _of_no_kind
        self._run: Callable[..., Any] = self._begin

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """Call the compiled function."""
        if named:
            arguments = inspect.signature(self.py_func).bind(*arguments, **named).args
        if len(arguments) < self._arity:
            arguments += (self.py_func.__defaults__ or ())[len(arguments) - self._arity :]
        return self._run(*arguments)

    def __reduce__(self) -> str | tuple[Any, ...]:
        """Pickle a rule of a module by its name, a bound one by its parts, one defined in a function by that."""
        name: str = self.py_func.__qualname__
        return self.parts or ((rule, (self.py_func,)) if "<locals>" in name else name)

    @property
    def dispatcher(self) -> Any:
        """The dispatcher of Numba that compiles the function. Raises MissingExtra without Numba."""
        if self._dispatcher is None:
            if not _has_numba():
                raise missing(EXTRA, "numba")
            with _IMPORTING:
                from titan_env.compiler.dispatchers import Dispatcher, Kept
            made = Dispatcher(self.py_func, no_cfunc_wrapper=True, _nrt=self._counts)
            if self._origin is not None:
                made._cache = Kept(made, self._origin)
            for kinds in self.declared.values():
                made.declare(kinds)
            with _IMPORTING:
                self._dispatcher = self._dispatcher or made
        return self._dispatcher

    @property
    def _numba_type_(self) -> Any:
        """The type by which Numba knows it in the rules that call it."""
        return self.dispatcher._numba_type_

    @property
    def _symbols(self) -> Mapping[str, libraries.Symbol]:
        """The symbols of built code by their kinds of arguments."""
        if self._built is None:
            is_known = self._origin is not None and not recording and libraries.index().functions
            self._built = libraries.symbols_of(self._origin.digest) if self._origin is not None and is_known else {}
        return self._built

    def _begin(self, *arguments: Any) -> Any:
        """Choose at the first call from Python between built code and Numba."""
        self._run = self._by_kind if recording or self._symbols else self._other
        return self._run(*arguments)

    @property
    def _other(self) -> Callable[..., Any]:
        """The function where built code does not serve: Numba's, or without Numba a rule of this package in Python."""
        if _has_numba() or self.bound_rules or self._origin is None or not cache.is_of_this_package(self._origin.file):
            return self.dispatcher  # type: ignore[no-any-return]
        return np.errstate(over="ignore")(interpreted(self))  # random streams wrap around

    def _by_kind(self, *arguments: Any) -> Any:
        """Call what there is for the kinds of these arguments, which as a rule are those of the latest call."""
        result = self._latest(*arguments)
        return self._of_another_kind(arguments) if result is NotImplemented else result

    def _of_another_kind(self, arguments: Sequence[Any]) -> Any:
        """Call what there is for the kinds of these arguments, and expect the same kinds next."""
        if recording:
            self._record(tuple(map(kind_of, arguments)), arguments)
        found = self._found_for(arguments)
        if not isinstance(found, libraries.LibraryEntry):
            return found(*arguments)
        self._latest = found.call
        return found.call(*arguments)

    def _found_for(self, arguments: Sequence[Any]) -> Any:
        """Return what there is for the kinds of these arguments: an entry of built code, else what compiles them."""
        kinds = tuple(map(kind_of, arguments))
        found = self._found.get(kinds)
        if found is None:
            symbol = self._symbols.get(" ".join(map(text_of, kinds)))
            found = self._found[kinds] = libraries.LibraryEntry(symbol, kinds) if symbol else self._other
        if isinstance(found, libraries.LibraryEntry):
            found.expect(libraries.dtypes_of(kinds))  # dtypes that are equal may be other objects
        return found

    def _record(self, kinds: Sequence[Any], arguments: Sequence[Any]) -> None:
        """Note the overload for these arguments."""
        if self._origin is not None:
            key = (self._origin.digest, " ".join(map(text_of, kinds)))
            if key not in CALLED:
                CALLED[key] = self.dispatcher.called_with(arguments)

    def positional(self) -> Callable[..., Any]:
        """Return the function as it is called most quickly: with all arguments, by position."""
        if recording:
            return self
        return self._by_kind if self._symbols else self.dispatcher  # type: ignore[no-any-return]

    def prepare(self, arguments: Sequence[Any], free: int) -> Callable[..., Any]:
        """Return the function with all but the last `free` of these arguments given, as `prepare` below."""
        leading = arguments[: len(arguments) - free]
        if recording or not self._symbols:
            return functools.partial(self.positional(), *leading)
        found = self._found_for(arguments)
        if isinstance(found, libraries.LibraryEntry):
            return found.prepare(leading)
        return functools.partial(found, *leading)

    def declare(self, kinds: Sequence[Any]) -> None:
        """Take arguments of these kinds, and no others but those that are declared too."""
        self.declared[tuple(map(_text, kinds))] = kinds
        if self._dispatcher is not None:
            self._dispatcher.declare(kinds)


def _of_no_kind(*arguments: Any) -> Any:
    """Return NotImplemented, as an entry does for arguments of other kinds."""
    return NotImplemented


@functools.cache
def _has_numba() -> bool:
    """Return whether Numba is installed."""
    return importlib.util.find_spec("numba") is not None


def _kept(
    function: Callable[..., Any], file: Path, rules: Collection[Callable[..., Any]] = (), counts: bool = True
) -> CompiledRule:
    """Return a rule whose code is kept with the rules in `file`."""
    return CompiledRule(function, Origin(function, file, rules, counts), counts)


def rule(function: Function) -> Function:
    """Compile `function` at its first call, to run without the interpreter lock, and cache the result on disk."""
    return _kept(function, file_of(function)) if COMPILED else function  # type: ignore[return-value]


def inline_rule(function: Function) -> Function:
    """Compile a function as a part of the loops that call it: it is cached with each of them, not by itself."""
    return CompiledRule(function, None) if COMPILED else function  # type: ignore[return-value]


def positional(function: Function) -> Function:
    """Return a rule, specialized or not, as it is called most quickly: with all arguments, by position."""
    return function.positional() if isinstance(function, CompiledRule) else function  # type: ignore[return-value]


def prepare(function: Callable[..., Any], *arguments: Any, free: int = 0) -> Callable[..., Any]:
    """Return a call of a rule with these arguments, but for the last `free`, which it takes: they are examples.

    Arrays are looked at once: whoever puts others in their places prepares the call anew.
    """
    if isinstance(function, CompiledRule):
        return function.prepare(arguments, free)
    return functools.partial(function, *arguments[: len(arguments) - free])


def typed_rule(function: Function, *kinds: Iterable[Any]) -> Function:
    """Declare the argument types of a rule: it is compiled for these and no others.

    A dtype stands for one record of it, ``np.int8`` and its like for a scalar, `row(dtype)` for an array.
    """
    if isinstance(function, CompiledRule):
        for arguments in kinds:
            function.declare(tuple(arguments))
    return function


def _text(argument: Any) -> str:
    """Return the kind of an argument of `typed_rule` as text."""
    if isinstance(argument, Row):
        return text_of((argument.dtype, 1, "C", True))
    dtype = np.dtype(argument)
    return dtype_text(dtype) if dtype.names is not None else text_of(kind_of(dtype.type()))


def accepts(function: Callable[..., Any], *arguments: Any) -> bool:
    """Return whether `typed_rule` has declared `function` for these arguments; always True in plain Python."""
    return not COMPILED or tuple(map(_text, arguments)) in getattr(function, "declared", ())


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
    return Row(np.dtype(dtype))


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
            bound = CompiledRule(bound, None, counts)
            bound.parts = (specialize_part, (part, dict(functions), counts))
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
            bound = _kept(bound, file_of(next(iter(rules.values()))), tuple(rules.values()), counts)
            bound.parts = (specialize, (loop, dict(rules), counts))
        bound.bound_rules = tuple(rules.values())
        _BOUND[key] = bound
    return _BOUND[key]  # type: ignore[no-any-return]
