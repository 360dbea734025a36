"""Threads that run a compiled loop over parts of a batch's rows, without the interpreter lock."""

from __future__ import annotations

import functools
import itertools
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from titan_env.compiler.forks import after_fork

FEWEST_ROWS = 64
"""The number of rows from which a thread of their own pays."""


@functools.cache
def _pool(threads: int) -> ThreadPoolExecutor:
    """Return the pool of threads that loops run on without the interpreter lock."""
    return ThreadPoolExecutor(threads, thread_name_prefix="titan_env")


after_fork(_pool.cache_clear)


def parts_of(rows: int, threads: int) -> int:
    """Return the number of parts, one for each thread that pays, in which loops run over so many rows."""
    return max(1, min(threads, rows // FEWEST_ROWS))


def run_in_parts(loop: Callable[..., Any], rows: int, parts: int, *arguments: Any) -> list[Any]:
    """Run ``loop(first, last, ...)`` over all rows in contiguous parts; return the result of each part."""
    if parts == 1:
        return [loop(0, rows, *arguments)]
    ends = [rows * part // parts for part in range(parts + 1)]
    running = [_pool(parts).submit(loop, a, b, *arguments) for a, b in itertools.pairwise(ends)]
    return [part.result() for part in running]
