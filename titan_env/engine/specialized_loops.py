"""The compiled loops of one game, and the choice of how they write observations."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.jit import positional, prepare
from titan_env.compiler.streaming import fence
from titan_env.contract import COMPILED, Game, specialize, specialize_part
from titan_env.engine.batch_loops import stream_observation, write_observation

STREAMED_FROM = 20_000_000
"""The bytes of float32 observations from which a batch writes them past the processor's cache.

Cores of today have 1 to 3 MB of their own and some 10 MB of the cache behind: what is larger has left both before it is
written again. Smaller arrays are quicker to write, and to read afterwards, in the cache, and so are whole numbers.
"""

LONGEST_STREAMED = 16_384
"""The bytes of one game's observation up to which it is streamed: what is longer leaves the nearest cache, 32 to 48 KB
together with the state and the rules' tables, before it is stored.
"""


class Loops(dict[Callable[..., Any], Callable[..., Any]]):
    """The loops of one game by their generic functions, specialized at the first access.

    Those over many rows write `observations` (N, F) past the cache if the array does not stay there.
    """

    def __init__(self, game: Game, observations: NDArray[Any] | None = None) -> None:
        rows = np.zeros(0, np.int8) if observations is None else observations
        fits = rows.dtype == np.float32 and rows.nbytes <= len(rows) * LONGEST_STREAMED
        self.streams = COMPILED and fits and rows.nbytes >= STREAMED_FROM
        rules = game.rules
        parts: dict[str, Any] = {"observe": rules.observe, "dtype": rules.fields.dtype}
        written = stream_observation if self.streams else write_observation
        self._rules = {**rules.functions, "observe_scaled": specialize_part(written, parts, counts=False)}

    def bound(self, loop: Callable[..., Any]) -> Callable[..., Any]:
        """Return a generic loop that calls the rules of this game, compiled at its first call."""
        return specialize(loop, self._rules, counts=False)

    def __missing__(self, loop: Callable[..., Any]) -> Callable[..., Any]:
        compiled = positional(self.bound(loop))
        self[loop] = _fenced(compiled) if self.streams else compiled
        return self[loop]

    def prepare(self, loop: Callable[..., Any], *arguments: Any, free: int = 0) -> Callable[..., Any]:
        """Return a call of a loop as `titan_env.compiler.jit.prepare` does."""
        if self.streams:
            return partial(self[loop], *arguments[: len(arguments) - free])
        return prepare(self.bound(loop), *arguments, free=free)


def _fenced(loop: Callable[..., Any]) -> Callable[..., Any]:
    """Return a loop that ends when other threads see all that it has streamed."""

    def run(*arguments: Any) -> Any:
        result = loop(*arguments)
        fence()
        return result

    return run
