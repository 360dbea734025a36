"""Loads of kept code without any compilation: in its block a function that is not kept raises `NotKept`.

The block is that of a context, which threads and tasks that are begun in it take with them: a server that loads a game
refuses to compile it, and compiles meanwhile what a visitor's own agent needs.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_LOADS_ONLY: ContextVar[bool] = ContextVar("_LOADS_ONLY", default=False)


class NotKept(Exception):
    """The error for a function that would have to be compiled."""


@contextmanager
def loading_only() -> Iterator[None]:
    """Raise NotKept, while the block runs, where a function would have to be compiled."""
    before = _LOADS_ONLY.set(True)
    try:
        yield
    finally:
        _LOADS_ONLY.reset(before)


def expect_kept(name: str) -> None:
    """Raise NotKept in the block of `loading_only`: a function of this name is about to be compiled."""
    if _LOADS_ONLY.get():
        raise NotKept(f"expected {name} in the cache, found none")
