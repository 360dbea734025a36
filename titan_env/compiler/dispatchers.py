"""Dispatchers of Numba that compile rules, imported when one is compiled (`titan_env.compiler.jit`).

Results are stored on disk (`titan_env.compiler.cache`). The private parts of Numba that this needs are listed, and
tested one by one, in `titan_env.compiler.numba_hooks`.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import numba
import numpy as np
from numba import types
from numba.core import event, sigutils
from numba.core.caching import FunctionCache
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.serialize import dumps
from numba.core.typing import make_concrete_template

from titan_env.compiler import cache, streaming_code  # the instructions are registered before anything is compiled
from titan_env.compiler.arguments import Row
from titan_env.compiler.kept_code import OVERLOADS, as_kept, forget, is_complete, restored
from titan_env.compiler.loading import expect_kept
from titan_env.compiler.numba_start import import_without_linear_algebra
from titan_env.compiler.origins import Origin, file_of
from titan_env.compiler.target import NamedCompiler, TargetDispatcher

import_without_linear_algebra()
assert streaming_code

OPTIONS = {"nopython": True, "nogil": True, "error_model": "numpy"}
"""Numba's options for all rules."""


class _Refusal(event.Listener):  # type: ignore[misc]
    """The listener to Numba's compilations, which it tells of before they begin."""

    def on_start(self, event: Any) -> None:
        """Raise NotKept where code is only to be loaded."""
        expect_kept(event.data["dispatcher"].py_func.__qualname__)

    def on_end(self, event: Any) -> None:
        """Do nothing at the end of a compilation."""


event.register("numba:compile", _Refusal())


class Dispatcher(TargetDispatcher):  # type: ignore[misc]
    """A Numba dispatcher that compiles a function once for integers of all kinds, and only what is needed.

    Numba compiles a function for each combination of int8, int64, enums and literal numbers that it is called with;
    here they are all int64. Numba also makes an entry from Python for each; here only functions that Python calls have
    one.
    """

    def __init__(self, function: Callable[..., Any], **options: Any) -> None:
        super().__init__(function, targetoptions={**OPTIONS, **options})
        self.declared: dict[tuple[Any, ...], Any] = {}  # arguments -> signature; empty: any arguments
        self._python_entries: set[tuple[Any, ...]] = set()  # arguments for which Python can call it
        self._for_python = False
        self._compiler.pipeline_class = self._compiler_of

    def _compiler_of(self, typingctx: Any, targetctx: Any, library: Any, args: Any, returned: Any, *more: Any) -> Any:
        """Return the compiler of one overload, with the file that keeps it."""
        compiler = NamedCompiler(typingctx, targetctx, library, args, returned, *more)
        if isinstance(self._cache, Kept):
            path = self._cache.path(returned(*args) if returned else args)
            compiler.unique = "" if path in OVERLOADS else f"{path.parent.name}/{path.name}"
        return compiler

    def declare(self, kinds: Sequence[Any]) -> None:
        """Compile for arguments of these kinds, as `titan_env.compiler.jit.typed_rule` takes them."""
        arguments = tuple(map(_type, kinds))
        self.declared[arguments] = types.void(*arguments)

    def called_with(self, arguments: Sequence[Any]) -> Any:
        """Return the overload for a call from Python with these arguments, compiled if it is not there yet."""
        kinds = tuple(map(self.typeof_pyval, arguments))
        with global_compiler_lock:
            self._for_python = True
            try:
                self.compile(kinds)
            finally:
                self._for_python = False
        return self.overloads[tuple(map(widened, kinds))]

    def _compile_for_args(self, *arguments: Any, **named: Any) -> Any:
        """Return the callable for a call from Python; compile it, unless that call has integers of other kinds.

        An enum's member or an int8 beside a record would be typed anew at each call, which takes half a millisecond.
        """
        plain = tuple(map(_plain, arguments))
        if any(map(operator.is_not, plain, arguments)):
            return lambda *_given, **_named: self(*plain, **named)
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


def _plain(argument: Any) -> Any:
    """Return an argument as the int that it is compiled for (see `widened`); anything else as it is."""
    is_plain = isinstance(argument, bool | np.uint64) or type(argument) is int
    return argument if is_plain or not isinstance(argument, int | np.integer) else int(argument)


def widened(kind: Any) -> Any:
    """Return the type that a rule is compiled for in the place of this one: int64 for all integers but uint64."""
    kind = types.unliteral(kind)
    kind = kind.dtype if isinstance(kind, types.IntEnumMember) else kind
    is_small = isinstance(kind, types.Integer) and (kind.signed or kind.bitwidth < types.int64.bitwidth)
    return types.int64 if is_small else kind


def subject_of(file: Path) -> str:
    """Return the name of the rules or of the agent in a file, for a line about compiling them."""
    wing, title = file.parent.name, file.stem
    if wing == "agents":
        return f"the agent {title} of {file.parents[1].name}"
    if wing == "rules":
        title = file.parents[1].name
    elif title in ("__init__", "rules"):
        title = wing
    return f"the rules of {title}"


class Kept(FunctionCache):  # type: ignore[misc]
    """The cache of one function's overloads, in the folder of the rules in `file`: a file for each argument types.

    Numba's own cache has no checksums and would run damaged machine code.
    """

    def __init__(self, dispatcher: Dispatcher, origin: Origin) -> None:
        self._py_func = dispatcher.py_func  # the name that Numba's own key reads
        self._options, self._codegen = dispatcher.targetoptions, dispatcher.targetctx.codegen()
        self._origin, self._file, self._folder = origin, origin.file, cache.folder_of(origin.file)

    @property
    def cache_path(self) -> str:
        """The folder of the cached files."""
        return str(self._folder)

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """Return the cached overload for these arguments; None, after a line to stderr, if it must be compiled."""
        overload = restored(self.path(sig), target_context)
        if overload is None and not cache.is_of_the_engine(self._file):
            cache.notify(f"compiling {self._subject}; later starts are quick")
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

    @property
    def _subject(self) -> str:
        """The subject of the line about a compilation: a game's rules or an agent's module, with the time it takes."""
        own = file_of(self._py_func)
        if own != self._file and not cache.is_of_the_engine(own):
            return f"{self._py_func.__module__}, which may take half a minute"
        return f"{subject_of(self._file)}, which may take a minute"

    def path(self, sig: Any) -> Path:
        """Return the file of the overload for these arguments on this kind of machine."""
        options = sorted(self._options.items())
        parts = (self._origin.name, self._origin.made_from, options, self._index_key(sig, self._codegen))
        key = hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
        return self._folder / f"{self._py_func.__name__.strip('<>')}-{key}{cache.ENDING}"


def _type(argument: Any) -> Any:
    """Return the Numba type of an argument of `titan_env.compiler.jit.typed_rule`."""
    if isinstance(argument, Row):
        return types.Array(numba.from_dtype(argument.dtype), 1, "C")
    return widened(numba.from_dtype(np.dtype(argument)))
