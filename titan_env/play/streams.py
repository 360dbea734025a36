"""The generators that agents draw from: one for each seat of each game, many of them as one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.engine.batch import Batch
from titan_env.play.agent_calls import Decisions, ask_in_batch, needs_of
from titan_env.play.determinization import agent_rng
from titan_env.play.observation_history import EventHistory


class NotBatchable(Exception):
    """The error of `PerGameRNG` for a draw that it cannot make for many games at once."""


class PerGameRNG(np.random.Generator):
    """The generators of many games as one: row i of a draw comes from the i-th generator, independent of other rows.

    Only `random`, `gumbel` and `integers` of size (rows, columns) are supported; all else raises NotBatchable.
    """

    def __init__(self, streams: Sequence[np.random.Generator]) -> None:
        super().__init__(np.random.PCG64())  # never drawn from
        self._streams = streams
        self._before: list[Any] = []
        """The states before the first draw of another kind than numbers in [0, 1) of 64 bits; [] without one."""
        self._numbers = 0
        """The numbers in [0, 1) that were drawn of each stream until then, a step of it each."""

    def __getattribute__(self, name: str) -> Any:
        if name in ("random", "gumbel", "integers") or name.startswith("_"):
            return super().__getattribute__(name)
        raise NotBatchable(name)

    def random(self, size: Any = None, dtype: Any = np.float64, out: Any = None) -> Any:
        """Draw numbers in [0, 1): (rows, columns)."""
        columns = self._columns(size, out)
        if dtype is np.float64 and not self._before:
            self._numbers += columns
        else:
            self._keep()
        drawn = np.empty((len(self._streams), columns), dtype)
        for stream, row in zip(self._streams, drawn, strict=True):
            stream.random(dtype=dtype, out=row)  # half of the time that rows take to be stacked
        return drawn

    def gumbel(self, loc: Any = 0.0, scale: Any = 1.0, size: Any = None) -> Any:
        """Draw Gumbel noise: (rows, columns)."""
        columns = self._columns(size, None if np.ndim(loc) == np.ndim(scale) == 0 else loc)
        self._keep()
        return np.stack([stream.gumbel(loc, scale, columns) for stream in self._streams])

    def integers(
        self, low: Any, high: Any = None, size: Any = None, dtype: Any = np.int64, endpoint: Any = False
    ) -> Any:
        """Draw integers: (rows, columns)."""
        columns = self._columns(size, None if np.ndim(low) == np.ndim(high) == 0 else low)
        self._keep()
        return np.stack([stream.integers(low, high, columns, dtype, endpoint) for stream in self._streams])

    def _columns(self, size: Any, unlike: Any) -> Any:
        """Return the number of columns. Raises NotBatchable for another size, or an argument by element."""
        if np.shape(size) != (2,) or size[0] != len(self._streams) or unlike is not None:
            raise NotBatchable(f"a draw of size {size}")
        return size[1]

    def _keep(self) -> None:
        """Keep the states of the streams, which takes longer than a number of each, for `_rewind`."""
        if not self._before:
            self._before = [stream.bit_generator.state for stream in self._streams]

    def _rewind(self) -> None:
        """Take back all draws: an agent that cannot go on with them is asked again, one game after the other."""
        for number, stream in enumerate(self._streams):
            bits: Any = stream.bit_generator
            before = self._before[number] if self._before else bits.state
            bits.state = before
            bits.advance(-self._numbers)  # which would drop the half of a number that `before` has
            bits.state = before | {"state": bits.state["state"]}


class SeatStreams:
    """A generator for each seat of each game, made when it is first drawn from.

    Each is derived by a hash from the game's seed, its number in its block and the seat. So neither the dice of the
    game nor the generator of another seat can be computed from it.
    """

    def __init__(self, begun: Sequence[tuple[int, ...]]) -> None:
        self._begun = begun
        self._made: dict[tuple[int, int], np.random.Generator] = {}

    def of(self, row: int, seat: int) -> np.random.Generator:
        """Return the generator of a seat in the game of this row."""
        key = (int(row), int(seat))
        if key not in self._made:
            self._made[key] = agent_rng(*self._begun[key[0]], key[1])
        return self._made[key]

    def ask(
        self, agent: Any, batch: Batch, rows: NDArray[np.int64], histories: Sequence[EventHistory] | None = None
    ) -> Decisions:
        """Return an agent's decisions in these rows of a batch, each drawn from the generator of the seat to act.

        An agent that plans row by row, or draws in a way that `PerGameRNG` cannot, is called once for each row.
        """
        seats = batch.states["seat"][rows].tolist()
        each = [self.of(row, seat) for row, seat in zip(rows.tolist(), seats, strict=True)]
        if needs_of(agent).at_once:
            together = PerGameRNG(each)
            try:
                return ask_in_batch(agent, batch, rows, together, histories)
            except NotBatchable:
                together._rewind()
        decided = [ask_in_batch(agent, batch, rows[i : i + 1], rng, histories) for i, rng in enumerate(each)]
        actions = np.concatenate([one.actions for one in decided])
        return Decisions(actions, [one.thoughts[0] for one in decided], [one.opinions[0] for one in decided])
