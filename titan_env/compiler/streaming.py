"""Streaming stores: rows of numbers written past the processor's cache, for arrays that it does not hold.

An ordinary store fetches the line of memory that it changes and drives another one out of the cache. A streaming one
(LLVM calls it non-temporal, x86 has ``movnt``) writes whole lines straight to memory, in half the traffic. So a row is
made in a buffer on the stack, which stays in the cache, and then streamed to its destination.
"""

from __future__ import annotations

from typing import Any

from titan_env.compiler.jit import rule


class _Instruction:
    """Stands in rules for a function of `titan_env.compiler.streaming_code`, which Numba imports to compile them."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __call__(self, *arguments: Any) -> Any:
        """Raise NotImplementedError: only compiled rules call it."""
        raise NotImplementedError(f"expected {self._name} to be called by compiled rules")

    @property
    def _numba_type_(self) -> Any:
        """The type by which Numba knows the function."""
        from titan_env.compiler import streaming_code
        from titan_env.compiler.target import TargetDispatcher

        context = TargetDispatcher.targetdescr.typing_context
        return context.resolve_value_type(getattr(streaming_code, self._name))


room_like, _stream, _fence = map(_Instruction, ("room_like", "copy_streaming", "fence_stores"))


@rule
def stream(source: Any, target: Any) -> None:
    """Copy a row to another of the same type and length past the cache; `fence` comes before other threads read it."""
    _stream(source, target)


@rule
def fence() -> None:
    """Wait until all that was streamed before is seen by other threads."""
    _fence()
