"""How rules are compiled. The only file that names Numba, beside `titan_env.contract.cuda`.

Rules are plain scalar functions. `@rule` compiles them to machine code when they are first called and keeps the
result on disk (`titan_env.contract.cache`). With ``NUMBA_DISABLE_JIT=1`` the same functions run as ordinary
Python, for the debugger and for coverage.
"""

from __future__ import annotations

import functools
import hashlib
import pickle
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, TypeVar

import numba
import numpy as np
from numba import types
from numba.core import sigutils
from numba.core.caching import FunctionCache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import CPUDispatcher
from numba.core.serialize import dumps
from numba.core.typing import make_concrete_template

from titan_env.contract import cache
from titan_env.contract.code_files import code_digests

Function = TypeVar("Function", bound=Callable[..., Any])

COMPILED = not numba.config.DISABLE_JIT
"""False when the rules run as plain Python (``NUMBA_DISABLE_JIT=1``)."""


class _Rule(CPUDispatcher):  # type: ignore[misc]
    """A function that is compiled when it is called: once for whole numbers of all kinds, and no more than needed.

    Numba compiles a function for each combination of int8, int64, enums and literal numbers that it is called with;
    here they are all int64. It also makes a way in from Python for each; here only those have one that Python calls.
    """

    def __init__(self, *parts: Any, **named: Any) -> None:
        super().__init__(*parts, **named)
        self.declared: dict[tuple[Any, ...], Any] = {}  # where there are some: arguments -> the whole signature
        self._python_entries: set[tuple[Any, ...]] = set()  # arguments for which Python can call it
        self._for_python = False

    def _compile_for_args(self, *arguments: Any, **named: Any) -> Any:
        """Compile for a call from Python."""
        with global_compiler_lock:
            self._for_python = True
            try:
                return super()._compile_for_args(*arguments, **named)
            finally:
                self._for_python = False

    def compile(self, sig: Any) -> Any:
        """Compile for these arguments, or find what has been compiled for them."""
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
        """What a rule that calls this one may call: what was compiled for these very arguments.

        Numba would also weigh what was compiled for others, and warns of a record that begins like theirs.
        """
        template, signature, arguments, named = super().get_call_template(args, kws)
        fitting = self.overloads.get(tuple(map(widened, arguments)))
        if fitting is not None:
            template = make_concrete_template(template.__name__, template.key, [fitting.signature])
        return template, signature, arguments, named

    @contextmanager
    def _python_entry(self, arguments: tuple[Any, ...]) -> Iterator[None]:
        """While it is compiled for these arguments: with a way in from Python, if anybody there needs it."""
        with global_compiler_lock:
            wanted, self._for_python = self._for_python or bool(self.declared), False
            if wanted and arguments not in self._python_entries:
                self.overloads.pop(arguments, None)
                self._python_entries.add(arguments)
            self.targetoptions["no_cpython_wrapper"] = arguments not in self._python_entries
            yield

    def add_overload(self, cres: Any) -> None:
        """Let compiled functions, and Python if there is a way in, call what has been compiled."""
        arguments = tuple(cres.signature.args)
        if arguments in self._python_entries:
            super().add_overload(cres)
        else:
            self.overloads[arguments] = cres

    @property
    def where(self) -> str:
        """Its name and place, for errors."""
        code = self.py_func.__code__
        return f"{code.co_name} ({Path(code.co_filename).name}, line {code.co_firstlineno})"


def widened(kind: Any) -> Any:
    """The kind of argument that a rule is compiled for: int64 for all whole numbers but uint64."""
    kind = types.unliteral(kind)
    kind = kind.dtype if isinstance(kind, types.IntEnumMember) else kind
    is_small = isinstance(kind, types.Integer) and (kind.signed or kind.bitwidth < types.int64.bitwidth)
    return types.int64 if is_small else kind


class _Kept(FunctionCache):  # type: ignore[misc]
    """What was compiled from one function, in the folder of the rules in `file`: a file for each kind of arguments.

    Numba's own cache hands damaged machine code on to the machine.
    """

    def __init__(self, rule: _Rule, file: Path, rules: Iterable[Callable[..., Any]] = ()) -> None:
        function = rule.py_func
        self._py_func = function  # what Numba's part of the key is made from
        self._options = rule.targetoptions
        self._file, self._folder = file, cache.folder_of(file)
        self._name = [part for written in (function, *rules) for part in _identity(written)]

    @property
    def cache_path(self) -> str:
        """Where it is kept."""
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """What was compiled for these arguments; None, and a word to whoever waits, where it has to be compiled."""
        target_context.refresh()
        path = self._path(sig, target_context.codegen())
        data = cache.load(path)
        if data is not None:
            try:
                return CompileResult._rebuild(target_context, *pickle.loads(data))
            except Exception:  # whatever an older layout lacks
                cache.say_damaged(path)
        if not cache.is_of_the_engine(self._file):
            cache.say(f"compiling {self._told}; later starts are quick")
        return None

    def save_overload(self, sig: Any, data: Any) -> None:
        """Keep what has just been compiled; tell where it is bound to this process, which alone can use it."""
        if data.lifted or data.library.has_dynamic_globals:
            where = f"{self._py_func.__qualname__} of {self._py_func.__module__}"
            cache.say(f"{where} is bound to this process and cannot be kept: every start compiles it anew")
        else:
            cache.save(self._path(sig, data.codegen), dumps(data._reduce()))

    @functools.cached_property
    def _made_from(self) -> list[str]:
        """What its machine code is made from beside the files that name the folder it is kept in."""
        named = self._file.parent
        return code_digests(self._py_func, lambda file: cache.is_of_the_engine(file) or not file.is_relative_to(named))

    @property
    def _told(self) -> str:
        """Say what is compiled and how long that takes: rules with their loops, or one search of an agent."""
        own = _file(self._py_func)
        if own != self._file and not cache.is_of_the_engine(own):
            return f"{self._py_func.__module__}, which may take half a minute"
        title = self._file.stem
        if self._file.parent.name == "rules":
            title = self._file.parents[1].name
        elif title == "__init__":
            title = self._file.parent.name
        return f"the rules of {title}, which may take a minute"

    def _path(self, sig: Any, codegen: Any) -> Path:
        """The file for these arguments on this machine."""
        options = sorted(self._options.items())
        parts = (self._name, self._made_from, options, self._index_key(sig, codegen))
        key = hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
        return self._folder / f"{self._py_func.__name__.strip('<>')}-{key}{cache.ENDING}"


def _file(function: Any) -> Path:
    """Return the file in which a function, compiled or not, was written; that of its first rule where it is bound."""
    for rule in getattr(function, "bound_rules", ()):
        return _file(rule)
    return Path(getattr(function, "py_func", function).__code__.co_filename)


def _identity(function: Any) -> list[tuple[str, str, int]]:
    """Return module, name and line of a function and of the rules that are bound in it."""
    plain = getattr(function, "py_func", function)
    own = (plain.__module__, plain.__code__.co_qualname, plain.__code__.co_firstlineno)
    return [own, *(part for rule in getattr(function, "bound_rules", ()) for part in _identity(rule))]


def _compiled(function: Callable[..., Any], counts: bool = True) -> _Rule:
    """A function that is compiled when it is called; `specialize` says what `counts` is."""
    options = {"nopython": True, "nogil": True, "error_model": "numpy", "no_cfunc_wrapper": True, "_nrt": counts}
    return _Rule(function, targetoptions=options)


def _kept(
    function: Callable[..., Any], file: Path, rules: Iterable[Callable[..., Any]] = (), counts: bool = True
) -> Any:
    """A function that is compiled when it is called, and kept with the rules in `file`."""
    compiled = _compiled(function, counts)
    compiled._cache = _Kept(compiled, file, rules)
    return compiled


def rule(function: Function) -> Function:
    """Compile `function`, when it is called, without the interpreter lock and keep the result on disk."""
    return _kept(function, _file(function)) if COMPILED else function  # type: ignore[no-any-return]


def inline_rule(function: Function) -> Function:
    """Compile a function as a part of the loops that call it: it is kept with each of them, never by itself."""
    return _compiled(function) if COMPILED else function  # type: ignore[return-value]


def typed_rule(function: Function, *kinds: Iterable[Any]) -> Function:
    """Declare a rule for these kinds of arguments: it is compiled for them, when it is called, and for no others.

    In a kind a dtype stands for one record of it; ``np.int8`` and its like for a scalar; `row(dtype)` for an array.
    """
    if COMPILED:
        for arguments in kinds:
            declared = tuple(map(_type, arguments))
            function.declared[declared] = types.void(*declared)  # type: ignore[attr-defined]
    return function


def pointer(function: Function, *arguments: np.dtype[Any] | type) -> Function:
    """Declare a rule for these arguments, as games did before they handed plain functions to `Game`."""
    warnings.warn(
        "pointer(...) and observer(...) go with version 0.4: write Game(step=step), which compiles its rules, and "
        "leave to it what begins and ends a step (begin(luck), log.count, state.decisions, state.ask at the end)",
        FutureWarning,
        stacklevel=2,
    )
    function.frames_itself = True  # type: ignore[attr-defined]
    return typed_rule(function, arguments)


def _type(argument: Any) -> Any:
    """Return the type of an argument of `typed_rule`."""
    return widened(argument if isinstance(argument, types.Type) else numba.from_dtype(np.dtype(argument)))


def accepts(function: Callable[..., Any], *arguments: Any) -> bool:
    """Whether `typed_rule` has declared `function` for these arguments; plain Python takes anything."""
    wanted = tuple(map(_type, arguments)) if COMPILED else ()
    return not COMPILED or wanted in getattr(function, "declared", ())


def interpreted(function: Function) -> Function:
    """A compiled rule as plain Python, with all that it calls: slow, and it never reaches past an array's end."""
    return _interpreted(function, {}) if hasattr(function, "py_func") else function


def _interpreted(function: Any, modules: dict[int, Any]) -> Any:
    """The plain form of a rule in a copy of its module, of which there is one each in `modules`."""
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
    """A copy of a module that a rule names, with its rules as plain Python; without rules it is itself."""
    if id(module) not in modules:
        modules[id(module)] = module
        rules = {name: value for name, value in vars(module).items() if hasattr(value, "py_func")}
        if rules:
            modules[id(module)] = copy = ModuleType(module.__name__)
            copy.__dict__.update(vars(module))
            copy.__dict__.update({name: _interpreted(value, modules) for name, value in rules.items()})
    return modules[id(module)]  # type: ignore[no-any-return]


def row(dtype: Any) -> Any:
    """The type of a contiguous one-dimensional array argument of `typed_rule`."""
    return types.Array(numba.from_dtype(np.dtype(dtype)), 1, "C") if COMPILED else dtype


_BOUND: dict[tuple[Any, ...], Any] = {}


def specialize_part(part: Function, functions: Mapping[str, Callable[..., Any]]) -> Function:
    """Return a `inline_rule` part of loops with these functions in the place of its globals of the same names.

    A function that is handed on as an argument makes machine code that only this process can use; one that is bound
    does not. What is returned is bound, like a rule, to the loop that calls it (see `specialize`).
    """
    key = (part, *functions.items())
    if key not in _BOUND:
        plain = getattr(part, "py_func", part)
        bound: Any = FunctionType(plain.__code__, {**plain.__globals__, **functions}, plain.__name__)
        if COMPILED:
            bound = _compiled(bound)
        bound.bound_rules = tuple(functions.values())
        _BOUND[key] = bound
    return _BOUND[key]  # type: ignore[no-any-return]


def specialize(loop: Function, rules: Mapping[str, Callable[..., Any]], counts: bool = True) -> Function:
    """The loop with these rules in the place of its globals of the same names, compiled when it is called.

    So a generic loop calls the rules of a game as directly as if it had been written for it, and is
    kept on disk with them. `counts`: Numba counts who holds each array, at every call of one rule by another, with an
    instruction that waits for all other cores; a loop that makes no arrays does without, and so do the rules it calls.
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
