"""NVIDIA's driver, called by its C functions: kernels are loaded from the cache or compiled, and launched.

It has never run: no GPU was at hand. Tests launch the same kernels with the same arguments on the processor, and call
this module with a library of functions that writes down what it is given.
"""

from __future__ import annotations

import ctypes
import hashlib
import importlib.metadata
import sys
from collections.abc import Callable
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import numpy as np

from titan_env.compiler import cache, toolkit
from titan_env.compiler.arguments import dtype_text
from titan_env.compiler.code_files import file_digest
from titan_env.compiler.device_arrays import DeviceArray, RowLayout
from titan_env.compiler.jit import COMPILED
from titan_env.extras import needs

THREADS = 128
"""The threads of a block. Registers limit how many blocks a processor of the GPU holds, not this number."""

_SOURCES = [Path(__file__).with_name(f"{name}.py") for name in ("kernels", "layout_kernels", "toolkit")]
"""Files on which the code of kernels depends."""
_LIBRARY = "nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1"


class CudaDriver:
    """The driver of one GPU of a compute capability.

    `current` returns a context in which that GPU is the current one, and that gives the number of the stream to use.

    Raises MissingExtra without numba-cuda or NVIDIA's compilers, RuntimeError without NVIDIA's driver,
    NotImplementedError where rules run as plain Python.
    """

    def __init__(
        self, capability: tuple[int, int], current: Callable[[], AbstractContextManager[int]], library: Any = None
    ) -> None:
        if not COMPILED:
            raise NotImplementedError("expected compiled rules, which a GPU runs; unset NUMBA_DISABLE_JIT")
        needs(toolkit.EXTRA, "numba_cuda")
        toolkit.assembler()
        self._capability, self._current = capability, current
        self._library = _loaded() if library is None else library
        self._ported: dict[Any, Any] = {}

    def load(self, bound: Any, arguments: tuple[Any, ...], layout: RowLayout | None = None) -> int:
        """Return the address of a bound loop's kernel in the driver, from the cache or compiled."""
        path = self._path(bound, arguments, layout)
        code = cache.load(path)
        if code is None:
            cache.notify("compiling rules for the GPU, which takes a minute; later starts are quick")
            code = self._compiled(bound, arguments, layout)
            cache.save(path, code)
        module, function = ctypes.c_void_p(), ctypes.c_void_p()
        with self._current():
            self._call("cuModuleLoadData", ctypes.byref(module), ctypes.c_char_p(code))
            self._call("cuModuleGetFunction", ctypes.byref(function), module, ctypes.c_char_p(bound.__name__.encode()))
        return function.value or 0

    def launch(self, kernel: int, rows: int, words: list[int]) -> None:
        """Launch a kernel with a thread for each row on the current stream; returns before it has run."""
        values = np.array(words, np.int64)  # the driver copies them before it returns
        places = values.ctypes.data + values.itemsize * np.arange(len(values), dtype=np.int64)
        sizes = (-(-rows // THREADS), 1, 1, THREADS, 1, 1, 0)  # blocks, threads of each, bytes of shared memory
        handle, numbers = ctypes.c_void_p(kernel), map(ctypes.c_uint, sizes)
        with self._current() as stream:
            given = (ctypes.c_void_p(stream), ctypes.c_void_p(places.ctypes.data), ctypes.c_void_p())
            self._call("cuLaunchKernel", handle, *numbers, *given)

    def _compiled(self, bound: Any, arguments: tuple[Any, ...], layout: RowLayout | None) -> bytes:
        """Return the machine code of a kernel."""
        from titan_env.compiler.kernels import KernelSource

        ptx = KernelSource(bound, arguments, self._ported, layout).ptx(self._capability)
        return toolkit.assemble(ptx, self._capability).cubin

    def _path(self, bound: Any, arguments: tuple[Any, ...], layout: RowLayout | None) -> Any:
        """Return the file in the cache of a kernel: by its sources, arguments, compilers and kind of GPU."""
        tools = [importlib.metadata.version(name) for name in ("numba-cuda", "nvidia-cuda-nvcc")]
        digests = (bound._origin.digest, *map(file_digest, _SOURCES))
        parts = (*digests, *map(_text, arguments), layout, *tools, self._capability, cache.versions())
        key = hashlib.sha256(repr(parts).encode()).hexdigest()[:32]
        return cache.folder_of(bound._origin.file) / f"{bound.__name__}-{key}{cache.ENDING}"

    def _call(self, name: str, *arguments: Any) -> None:
        """Call a function of the driver. Raises RuntimeError with the driver's own words if it fails."""
        if number := getattr(self._library, name)(*arguments):
            words = ctypes.c_char_p()
            self._library.cuGetErrorString(number, ctypes.byref(words))
            reason = (words.value or b"unknown error").decode()
            raise RuntimeError(f"expected NVIDIA's driver to run {name}, got error {number}: {reason}")


def _loaded() -> Any:
    """Return NVIDIA's driver as a library of functions."""
    try:
        return ctypes.CDLL(_LIBRARY)
    except OSError:
        message = f"expected NVIDIA's driver ({_LIBRARY}) on this machine, found none; install it, or use device='cpu'"
        raise RuntimeError(message) from None


def _text(argument: Any) -> Any:
    """Return an argument's kind as a text that is equal in all processes."""
    if isinstance(argument, DeviceArray):
        return f"{len(argument.shape)} {dtype_text(argument.dtype)}"
    return tuple(map(_text, argument)) if isinstance(argument, tuple) else type(argument).__name__
