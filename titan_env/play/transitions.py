"""Transitions of every seat in self-play: from a seat's decision to the same seat's next one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from titan_env.contract import MOST_SEATS
from titan_env.extras import extra


class Transitions:
    """Pairs each decision of a self-play rollout (T, N) with the same seat's next decision.

    Row ``t`` of a rollout holds one decision in each of N games, by the seat that was to act; the observation in row
    ``t + 1`` is mostly another seat's. The arrays for decision (t, i) are:

    - `next` (T, N): the step at which the same seat decides again; -1 if the game or the rollout ends before;
    - `rewards` (T, N): the seat's reward until then;
    - `ended` (T, N): True if its game has ended until then, for all or for that seat alone (terminated: nothing to
      bootstrap from);
    - `truncated` (T, N): True if that was by a limit.

    A decision with ``next == -1`` and not `ended` is still incomplete (`waiting`) when the rollout is full. Leave it
    out, which favours decisions that end the game a little, the more the shorter the rollout; or bootstrap from the
    value of its seat's observation at that point.

    With a `device` all arrays are tensors of torch there, as `GameTorchEnv` has them, and `add` does not wait for it.
    """

    def __init__(self, num_steps: int, num_envs: int, device: str | None = None) -> None:
        self._arrays, self._place = _arrays_on(device)
        # The last row takes the results of seats that wait for none.
        self._next = self._full((num_steps + 1, num_envs), -1, self._arrays.int64)
        self._rewards = self._full(self._next.shape, 0, self._arrays.float64)
        self._ended = self._full(self._next.shape, False, self._arrays.bool)
        self._truncated = self._full(self._next.shape, False, self._arrays.bool)
        self.next, self.rewards = self._next[:num_steps], self._rewards[:num_steps]
        self.ended, self.truncated = self._ended[:num_steps], self._truncated[:num_steps]
        self.taken = self._full(self.next.shape, False, self._arrays.bool)
        self.steps = 0
        self._latest = self._full((num_envs, MOST_SEATS), -1, self._arrays.int64)
        self._rows = self._arrays.arange(num_envs, **self._place)

    def _full(self, shape: Sequence[int], number: Any, dtype: Any) -> Any:
        """Return an array of equal numbers."""
        return self._arrays.full(tuple(shape), number, dtype=dtype, **self._place)

    def _array(self, numbers: Any, dtype: Any = None) -> Any:
        """Return numbers as an array."""
        return self._arrays.asarray(numbers, dtype=dtype, **self._place)

    @property
    def waiting(self) -> Any:
        """Bool (T, N): decisions whose next one or end is not known yet."""
        return self.taken & (self.next < 0) & ~self.ended

    def add(
        self,
        seats: Any,
        rewards: Any,
        terminations: Any,
        truncations: Any,
        taken: Any = None,
        settled: Any = None,
    ) -> None:
        """Add one step: the seats (N,) that acted in it, and the results that it returned.

        `rewards` (N, MOST_SEATS) are ``infos["rewards"]``. `taken` (N,) selects the decisions to learn from:
        ``infos["decided"]`` leaves out the rows that were reset; against other agents, only the learner's own.
        `settled` (N, MOST_SEATS) is ``infos["settled"]``: the seats whose game has ended, in a game that some leave
        before the others. Raises ValueError for arrays of another shape, or more steps than the rollout has.
        """
        if self.steps == len(self.next):
            raise ValueError(f"expected at most {len(self.next)} steps; begin the next rollout with clear()")
        seats, paid = self._array(seats, self._arrays.int64), self._array(rewards, self._arrays.float64)
        over, cut = self._array(terminations), self._array(truncations)
        taken = self._full(self._rows.shape, True, self._arrays.bool) if taken is None else self._array(taken)
        flags = {"seats": seats, "terminations": over, "truncations": cut, "taken": taken}
        for name, array in flags.items():
            if array.shape != self._rows.shape:
                raise ValueError(f"expected {name} of shape {tuple(self._rows.shape)}, got {tuple(array.shape)}")
        if paid.shape != self._latest.shape:
            expected = f'expected infos["rewards"] of shape {tuple(self._latest.shape)}'
            raise ValueError(f"{expected}, got {tuple(paid.shape)}")
        where, nowhere = self._arrays.where, len(self.next)
        before = self._latest[self._rows, seats]
        self._next[where(taken & (before >= 0), before, nowhere), self._rows] = self.steps
        self._latest[self._rows, seats] = where(taken, self.steps, before)
        self.taken[self.steps] = taken
        self.steps += 1
        done = self._arrays.broadcast_to((over | cut)[:, None], self._latest.shape)
        if settled is not None:
            done = done | (self._array(settled) != 0)
        last = where(done & (self._latest >= 0), self._latest, nowhere) * len(self._rows) + self._rows[:, None]
        self._rewards.reshape(-1)[last] = paid
        self._ended.reshape(-1)[last] = True
        self._truncated.reshape(-1)[last] = self._arrays.broadcast_to(cut[:, None], last.shape)
        self._latest[:] = where(done, -1, self._latest)

    def clear(self) -> None:
        """Begin the next rollout; incomplete decisions are dropped."""
        self._next[:] = -1
        self._rewards[:] = 0
        self._ended[:] = False
        self._truncated[:] = False
        self.taken[:] = False
        self._latest[:] = -1
        self.steps = 0


def _arrays_on(device: str | None) -> tuple[Any, dict[str, Any]]:
    """Return the library of arrays, NumPy or torch, and the keywords with which it makes them on a device."""
    if device is None:
        return np, {}
    with extra("training"):
        import torch
    return torch, {"device": device}
