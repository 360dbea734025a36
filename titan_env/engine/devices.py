"""Devices that run the loops of a game over tensors of their own memory: the processor, or a GPU of NVIDIA.

Both run the same loops: the processor from the first row to the last, a GPU as kernels with a thread for each row.
Nothing here imports torch: a tensor is what has an address, a shape and a dtype.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple, Protocol

import numpy as np

from titan_env.compiler.device_arrays import DeviceArray, RowLayout, aligned, words_of
from titan_env.compiler.record_copies import records_in
from titan_env.contract import Game
from titan_env.engine.row_threads import parts_of, run_in_parts
from titan_env.engine.specialized_loops import Loops

Loop = Callable[..., Any]
"""A loop over rows: ``loop(first, last, rows, ...)``, whose arguments are arrays, numbers and tuples of these."""


class Column(NamedTuple):
    """An array of a game's batch on a device: a tensor, and the dtype of its items.

    Records are a uint8 tensor (N, bytes of a record).
    """

    tensor: Any
    dtype: np.dtype[Any]

    @property
    def shape(self) -> tuple[int, ...]:
        """The shape of the array."""
        return tuple(self.tensor.shape[:1] if self.dtype.names else self.tensor.shape)


def column(tensor: Any) -> Column:
    """Return a tensor of numbers or truth values as a column."""
    return Column(tensor, np.dtype(str(tensor.dtype).removeprefix("torch.")))


class Device(Protocol):
    """Runs the loops of one game over columns in its memory."""

    name: str
    """The name by which torch knows the memory."""

    def layout(self, dtype: np.dtype[Any]) -> np.dtype[Any]:
        """Return the dtype in which records of this dtype lie there."""
        ...

    def run(self, loop: Loop, rows: int, *arguments: Any) -> None:
        """Run a loop over all rows, or let it be run after all that was begun before."""
        ...


class HostDevice:
    """The processor, with the compiled loops of `Batch`, or with plain Python where rules are not compiled."""

    name = "cpu"

    def __init__(self, game: Game, threads: int = 1) -> None:
        self._loops, self._threads = Loops(game), threads

    def layout(self, dtype: np.dtype[Any]) -> np.dtype[Any]:
        """Return the dtype itself."""
        return dtype

    def run(self, loop: Loop, rows: int, *arguments: Any) -> None:
        """Run a loop over all rows, in as many parts as there are threads."""
        run_in_parts(self._loops[loop], rows, parts_of(rows, self._threads), *map(_on_host, arguments))


class Driver(Protocol):
    """Loads kernels and launches them."""

    def load(self, bound: Loop, arguments: tuple[Any, ...], layout: RowLayout | None) -> Any:
        """Return a handle of the kernel of a bound loop for such arguments, in a layout of rows."""
        ...

    def launch(self, kernel: Any, rows: int, words: list[int]) -> None:
        """Begin to run a kernel with a thread for each row."""
        ...


class KernelDevice:
    """A device that runs the loops as kernels; each is compiled when it is first run, for these kinds of arguments."""

    def __init__(self, game: Game, name: str, driver: Driver) -> None:
        self.name, self._driver, self._loops = name, driver, Loops(game)
        self._kernels: dict[Any, Any] = {}

    def layout(self, dtype: np.dtype[Any]) -> np.dtype[Any]:
        """Return the dtype with aligned fields."""
        return aligned(dtype)

    def run(self, loop: Loop, rows: int, *arguments: Any, layout: RowLayout | None = None) -> None:
        """Launch the kernel of a loop, one thread for each row, which lie in a layout or as the loop takes them."""
        self.run_bound(self._loops.bound(loop), rows, *arguments, layout=layout)

    def run_bound(self, bound: Loop, rows: int, *arguments: Any, layout: RowLayout | None = None) -> None:
        """Launch the kernel of a loop that is bound to its rules, as those of the game or an agent's."""
        given = tuple(map(_on_device, arguments))
        key = (bound, layout, *map(_kind, given))
        if key not in self._kernels:
            self._kernels[key] = self._driver.load(bound, given, layout)
        self._driver.launch(self._kernels[key], rows, words_of(given))


def _on_host(argument: Any) -> Any:
    """Return an argument of a loop with arrays in place of columns."""
    if isinstance(argument, Column):
        array = argument.tensor.numpy()
        return records_in(array, argument.dtype) if argument.dtype.names else array
    return _rebuilt(_on_host, argument)


def _on_device(argument: Any) -> Any:
    """Return an argument of a loop with device arrays in place of columns."""
    if isinstance(argument, Column):
        return DeviceArray(argument.tensor.data_ptr(), argument.dtype, argument.shape)
    return _rebuilt(_on_device, argument)


def _rebuilt(convert: Callable[[Any], Any], argument: Any) -> Any:
    """Return a tuple of converted parts, of the same class; a number as it is."""
    if not isinstance(argument, tuple):
        return argument
    parts = map(convert, argument)
    return type(argument)(*parts) if hasattr(argument, "_fields") else tuple(parts)


def _kind(argument: Any) -> Any:
    """Return what a kernel's code depends on of an argument."""
    if isinstance(argument, DeviceArray):
        return argument.dtype, len(argument.shape)
    return tuple(map(_kind, argument)) if isinstance(argument, tuple) else type(argument)
