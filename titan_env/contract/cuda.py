"""The rules of a game for a GPU, compiled where there is none: the groundwork, and no more.

    pip install 'numba-cuda[cu12]'

A rule is compiled for CUDA with all that it calls. Three things differ there from what the processor runs: a rule is
open to all kinds of arguments, whatever `pointer` declares; every field of a record lies where the GPU can read it,
with gaps before some (`aligned`); and members of enums are plain numbers, which can be places in arrays. What rules
may not do there: make arrays, or hand one out. Nobody plays on a GPU yet.
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

from titan_env.contract.game import Game
from titan_env.contract.jit import row, widened

HOPPER = (9, 0)
"""What is compiled for: GPUs of compute capability 9.0, sm_90."""

rule: Any = None


def _kernel_of_two(states: Any, others: Any) -> None:
    """Set up a game with its luck, or write its mask."""
    game = cuda.grid(1)
    if game < len(states):
        rule(states[game], others[game])


def _kernel_of_three(states: Any, seats: Any, vectors: Any) -> None:
    """Write what a seat of a game may know."""
    game = cuda.grid(1)
    if game < len(states):
        rule(states[game], seats[game], vectors[game])


def _kernel_of_four(states: Any, actions: Any, luck: Any, logs: Any) -> None:
    """Play one decision of a game."""
    game = cuda.grid(1)
    if game < len(states):
        rule(states[game], actions[game], luck[game], logs[game])


def ptx(game: Game) -> dict[str, str]:
    """The four rules of a game by name, each as the PTX of a kernel in which every thread plays one of many games."""
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
    """The same fields in the same order, each of them at a multiple of its size."""
    if dtype.subdtype is not None:
        item, shape = dtype.subdtype
        return np.dtype((aligned(item), shape))
    if dtype.names is None:
        return dtype
    return np.dtype([(name, aligned(dtype[name])) for name in dtype.names], align=True)


class _Ported(dispatcher.CUDADispatcher):  # type: ignore[misc]
    """A rule that kernels call: compiled once for whole numbers of all kinds, like `titan_env.contract.rule`."""

    def compile_device(self, args: Any, return_type: Any = None) -> Any:
        """Compile for these arguments, or find what has been compiled for them."""
        return super().compile_device(tuple(map(widened, args)), return_type)


def _ported(value: Any, known: dict[int, Any]) -> Any:
    """What stands for something that a rule names, another rule above all, on the GPU; each rule once, in `known`."""
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
    """A table that rules read, in numbers as small as they go: a kernel has 64 KiB for all of them."""
    kinds: list[Any] = [np.int8, np.int16, np.int32] if values.dtype == np.int64 and values.size else []
    small = (kind for kind in kinds if np.iinfo(kind).min <= values.min() and values.max() <= np.iinfo(kind).max)
    return values.astype(next(small, aligned(values.dtype)))


@contextmanager
def _as_if_there_were_one() -> Iterator[None]:
    """Where Numba asks which GPU is there, it is one of those that are compiled for."""
    asks = dispatcher.get_current_device
    dispatcher.get_current_device = lambda: SimpleNamespace(compute_capability=HOPPER)
    try:
        with warnings.catch_warnings():
            # A game's own log that nobody listens to is a constant; nothing is written to it, but it could be.
            warnings.filterwarnings("ignore", "(?s).*points to constant memory")
            yield
    finally:
        dispatcher.get_current_device = asks
