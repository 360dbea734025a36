"""Compilation of the CPU's loops as kernels for GPUs of NVIDIA, with numba-cuda (extra ``cuda``); no GPU is needed.

A loop over rows, ``loop(first, last, rows, ...)``, becomes a kernel in which each thread runs it for one row. Four
things differ from the CPU: every field of a record is aligned, with gaps before some (`aligned`); enum members are
integers; tables are kept in the GPU's main memory, as its constant memory ends at 64 KB; and rules may not make arrays.
Sums and products are not fused, so that fractions are rounded as on the CPU.
"""

from __future__ import annotations

import contextlib
import re
import warnings
from collections.abc import Callable, Iterator
from enum import IntEnum
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numba
import numpy as np
from numba import cuda, types
from numba.core.errors import NumbaError
from numba.cuda import compiler, dispatcher
from numba.cuda.cudadrv import nvvm
from numba.cuda.extending import overload_attribute

from titan_env.compiler import toolkit
from titan_env.compiler.device_arrays import DeviceArray, RowLayout, aligned
from titan_env.compiler.dispatchers import widened
from titan_env.compiler.layout_kernels import kernel_of

BASELINE = (9, 0)
"""The compute capability that is compiled for where no GPU says its own: sm_90."""

_CONSTANT, _GLOBAL = "addrspace(4)", "addrspace(1)"  # memory of 64 KB, and the GPU's own
_EXACT = {"opt": 3, "fma": False, "prec_div": True, "prec_sqrt": True, "ftz": False}
"""Options of NVVM: fractions are rounded as on the CPU."""

_OF_LIBDEVICE = "__nv_"
"""The beginning of the names of NVIDIA's functions such as exp, in the library that NVVM links."""

_LOCATION = re.compile(r'(?:File "|at )([^\s"]+\.py)"?,? \(?(?:line )?(\d+)')
"""Places in Numba's errors."""

loop: Any = None


def run_row(*arguments: Any) -> None:
    """Run the loop for the row of this thread; the first argument has a row for each."""
    row = cuda.grid(1)
    if row < len(arguments[0]):
        loop(row, row + 1, *arguments)


class KernelSource:
    """A loop as the modules of NVVM IR that are the GPU compiler's input, and the name of the kernel in them."""

    def __init__(
        self,
        bound: Callable[..., Any],
        arguments: tuple[Any, ...],
        ported: dict[Any, Any],
        layout: RowLayout | None = None,
    ) -> None:
        name = bound.__name__
        run, parts = (run_row, {}) if layout is None else kernel_of(layout, arguments)
        made = {key: _of_device(part) if callable(part) else part for key, part in parts.items()}
        try:
            here = {**run.__globals__, **made, "loop": port(bound, ported)}
            kernel = FunctionType(run.__code__, here, name)
            star = types.StarArgTuple.from_types(tuple(map(kind_of, arguments)))
            with _without_gpu():
                library, _ = compiler._compile_pyfunc_with_fixup(
                    kernel, types.void(star), device=False, cc=BASELINE, opt=True, abi="numba"
                )
        except NumbaError as error:
            raise NotImplementedError(
                f"expected rules that compile for a GPU, got in {name}: {_reason_of(error)}"
            ) from None
        self.entry = name
        """The kernel's name in the modules, in the PTX and in the machine code."""
        renamed = (text.replace(library._entry_name, name) for text in library.llvm_strs)
        self.modules: list[str] = [text.replace(_CONSTANT, _GLOBAL) for text in renamed]
        """The modules of NVVM IR."""

    def ptx(self, capability: tuple[int, int] = BASELINE) -> str:
        """Return the PTX for GPUs of a compute capability."""
        unit = nvvm.CompilationUnit({"arch": f"compute_{capability[0]}{capability[1]}", **_EXACT})
        for text in self.modules:
            unit.add_module(nvvm.llvm_replace(text).encode())
        unit.verify()
        if any(_OF_LIBDEVICE in text for text in self.modules):
            unit.lazy_add_module(toolkit.libdevice())
        written: bytes = unit.compile()
        return written.decode().strip("\x00").strip()


def kind_of(argument: Any) -> Any:
    """Return the type of a kernel's argument: an array on the GPU, a number, or a tuple of these."""
    if isinstance(argument, DeviceArray):
        return types.Array(numba.from_dtype(argument.dtype), len(argument.shape), "C")
    if isinstance(argument, tuple):
        kinds = tuple(map(kind_of, argument))
        return types.NamedTuple(kinds, type(argument)) if hasattr(argument, "_fields") else types.Tuple(kinds)
    return types.float64 if isinstance(argument, float) else types.int64


@overload_attribute(types.Integer, "value", target="cuda")
def _value_of(number: Any) -> Any:
    """Return the value of an enum's member, which is an integer here."""

    def read(number: Any) -> Any:
        return number

    return read


class _Ported(dispatcher.CUDADispatcher):  # type: ignore[misc]
    """A rule that kernels call: compiled once for integers of all kinds, as on the CPU."""

    def compile_device(self, args: Any, return_type: Any = None) -> Any:
        """Compile for these arguments, or return an earlier compilation for them."""
        args = tuple(map(widened, args))
        if args not in self.overloads:
            made = compiler.compile_cuda(self.py_func, return_type, args, nvvm_options={"opt": 3}, cc=BASELINE)
            self.overloads[args] = made
            made.target_context.insert_user_function(made.entry_point, made.fndesc, [made.library])
        return self.overloads[args]

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Return the call template for another rule: only the overload of these very arguments."""
        template, signature, args, kws = super().get_call_template(args, kws)
        fitting = self.overloads[tuple(map(widened, args))]
        return (
            dispatcher.typing.make_concrete_template(template.__name__, template.key, [fitting.signature]),
            signature,
            args,
            kws,
        )


def port(value: Any, known: dict[Any, Any]) -> Any:
    """Return the GPU form of a global that a rule names, other rules included; `known` keeps one form of each rule."""
    if isinstance(value, IntEnum):
        return int(value)
    if isinstance(value, type) and issubclass(value, IntEnum):
        return _module(value.__name__, {member.name: int(member) for member in value})
    if type(value) is tuple:
        return tuple(port(part, known) for part in value)
    if isinstance(value, np.ndarray):
        return _as_smallest_integers(value)
    if isinstance(value, ModuleType) and any(hasattr(part, "py_func") for part in vars(value).values()):
        return _module(value.__name__, {name: port(part, known) for name, part in vars(value).items()})
    if not hasattr(value, "py_func"):
        return value
    if value not in known:
        plain = value.py_func
        here = dict(plain.__globals__)
        copy = FunctionType(plain.__code__, here, plain.__name__, plain.__defaults__, plain.__closure__)
        known[value] = _of_device(copy)
        for name in here.keys() & set(plain.__code__.co_names):
            here[name] = port(here[name], known)
    return known[value]


def _of_device(function: Callable[..., Any]) -> _Ported:
    """Return a function as one that kernels call."""
    return _Ported(function, {"device": True, "opt": True})


def _module(name: str, content: dict[str, Any]) -> ModuleType:
    """Return a module with this content."""
    made = ModuleType(name)
    made.__dict__.update(content)
    return made


def _as_smallest_integers(values: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Return a table in the smallest integer dtype that holds it."""
    if values.dtype != np.int64 or not values.size:
        return values.astype(aligned(values.dtype))
    kinds: tuple[Any, ...] = (np.int8, np.int16, np.int32, np.int64)
    return values.astype(next(kind for kind in kinds if _holds(kind, values)))


def _holds(kind: Any, values: np.ndarray[Any, Any]) -> bool:
    """Return whether an integer dtype holds these values."""
    return bool(np.iinfo(kind).min <= values.min() and values.max() <= np.iinfo(kind).max)


@contextlib.contextmanager
def _without_gpu() -> Iterator[None]:
    """Let Numba compile, while the block runs, without a GPU to ask for its kind.

    Nor does it warn that a rule may write to a table: none does, but Numba cannot know.
    """
    asks = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=BASELINE)
    try:
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "(?s).*points to constant memory")
            yield
    finally:
        dispatcher.get_current_device = asks


def _reason_of(error: NumbaError) -> str:
    """Return the reason in Numba's error, and the last place outside of Numba that it names, in one line."""
    text = str(error)
    reasons = [line.strip() for line in text.splitlines() if line.strip()]
    locations = [location for location in _LOCATION.findall(text) if "numba" not in location[0]]
    where = f" ({locations[-1][0]}, line {locations[-1][1]})" if locations else ""
    return f"{' '.join(reasons)[:200]}{where}"
