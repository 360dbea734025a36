"""Compilation of a game's rules for GPUs, without a GPU; nothing plays on one yet.

    pip install 'numba-cuda[cu12]'

A rule is compiled for CUDA with all that it calls. Three things differ from the CPU: a rule accepts all kinds of
arguments, whatever `pointer` declares; every field of a record is aligned, with gaps before some (`aligned`); and enum
members are plain integers, usable as array indices. Rules for CUDA may not create or return arrays.
"""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from enum import IntEnum
from types import FunctionType, ModuleType, SimpleNamespace
from typing import Any

import numba
import numpy as np
from numba import cuda, types
from numba.cuda import dispatcher
from numpy.typing import NDArray

from titan_env.compiler.jit import row, widened
from titan_env.contract.game import Game

HOPPER = (9, 0)
"""The target of the compilation: GPUs of compute capability 9.0, sm_90."""

rule: Any = None


def _kernel_of_two(states: Any, others: Any) -> None:
    """Call a rule of two arguments, `setup` or `legal`, for one game of many."""
    game = cuda.grid(1)
    if game < len(states):
        rule(states[game], others[game])


def _kernel_of_three(states: Any, seats: Any, vectors: Any) -> None:
    """Call the rule `observe` for one game of many."""
    game = cuda.grid(1)
    if game < len(states):
        rule(states[game], seats[game], vectors[game])


def _kernel_of_four(states: Any, actions: Any, luck: Any, logs: Any) -> None:
    """Call the rule `step` for one game of many."""
    game = cuda.grid(1)
    if game < len(states):
        rule(states[game], actions[game], luck[game], logs[game])


def ptx(game: Game) -> dict[str, str]:
    """Return the PTX of the four rules by name, each as a kernel in which every thread plays one of many games."""
    states, luck, logs = (row(aligned(dtype)) for dtype in (game.rules.state, game.rules.luck, game.rules.log))
    masks, vectors = (
        types.Array(numba.from_dtype(np.dtype(kind)), 2, "C") for kind in (np.int8, game.rules.fields.dtype)
    )
    numbers = row(np.int64)
    kernels = {
        "setup": (_kernel_of_two, states, luck),
        "legal": (_kernel_of_two, states, masks),
        "step": (_kernel_of_four, states, numbers, luck, logs),
        "observe": (_kernel_of_three, states, numbers, vectors),
    }
    known: dict[int, Any] = {}
    texts = {}
    for name, (kernel, *arguments) in kernels.items():
        here = kernel.__globals__ | {"rule": _ported(game.rules.functions[name], known)}
        with _as_if_there_were_one():
            bound = FunctionType(kernel.__code__, here, f"{game.name}_{name}")
            texts[name], _ = cuda.compile_ptx(bound, types.void(*arguments), cc=HOPPER)
    return texts


def aligned(dtype: np.dtype[Any]) -> np.dtype[Any]:
    """Return the dtype with the same fields in the same order, each aligned to a multiple of its size."""
    if dtype.subdtype is not None:
        item, shape = dtype.subdtype
        return np.dtype((aligned(item), shape))
    if dtype.names is None:
        return dtype
    return np.dtype([(name, aligned(dtype[name])) for name in dtype.names], align=True)


class _Ported(dispatcher.CUDADispatcher):  # type: ignore[misc]
    """A rule that kernels call: compiled once for integers of all kinds, like `titan_env.contract.rule`."""

    def compile_device(self, args: Any, return_type: Any = None) -> Any:
        """Compile for these arguments, or return an earlier compilation for them."""
        return super().compile_device(tuple(map(widened, args)), return_type)


def _ported(value: Any, known: dict[int, Any]) -> Any:
    """Return the GPU form of a global that a rule names, other rules included; `known` caches one form a rule."""
    if isinstance(value, IntEnum):
        return int(value)
    if isinstance(value, type) and issubclass(value, IntEnum):
        numbers = ModuleType(value.__name__)
        numbers.__dict__.update({member.name: int(member) for member in value})
        return numbers
    if type(value) is tuple:
        return tuple(_ported(part, known) for part in value)
    if isinstance(value, np.ndarray):
        return _table(value)
    if not hasattr(value, "py_func"):
        return value
    if id(value) not in known:
        plain = value.py_func
        here = dict(plain.__globals__)
        copy = FunctionType(plain.__code__, here, plain.__name__, plain.__defaults__, plain.__closure__)
        known[id(value)] = _Ported(copy, {"device": True, "opt": True})
        for name in here.keys() & set(plain.__code__.co_names):
            here[name] = _ported(here[name], known)
    return known[id(value)]


def _table(values: NDArray[Any]) -> NDArray[Any]:
    """Return a table in the smallest integer dtype that holds it: a kernel has 64 KiB for all its constants."""
    kinds: list[Any] = [np.int8, np.int16, np.int32] if values.dtype == np.int64 and values.size else []
    small = (kind for kind in kinds if np.iinfo(kind).min <= values.min() and values.max() <= np.iinfo(kind).max)
    return values.astype(next(small, aligned(values.dtype)))


@contextmanager
def _as_if_there_were_one() -> Iterator[None]:
    """Make Numba see a GPU of the target's kind while the block runs."""
    asks = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=HOPPER)
    try:
        with warnings.catch_warnings():
            # A game's own silent log is a constant; rules never write to it, but Numba cannot know.
            warnings.filterwarnings("ignore", "(?s).*points to constant memory")
            yield
    finally:
        dispatcher.get_current_device = asks
