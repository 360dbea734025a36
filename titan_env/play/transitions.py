"""Transitions of every seat in self-play: from a seat's decision to the same seat's next one."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.contract import MOST_SEATS


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
    """

    def __init__(self, num_steps: int, num_envs: int) -> None:
        shape = (num_steps, num_envs)
        self.next = np.full(shape, -1, np.int64)
        self.rewards = np.zeros(shape)
        self.ended = np.zeros(shape, np.bool_)
        self.truncated = np.zeros(shape, np.bool_)
        self.taken = np.zeros(shape, np.bool_)
        self.steps = 0
        self._latest = np.full((num_envs, MOST_SEATS), -1, np.int64)
        self._rows = np.arange(num_envs)

    @property
    def waiting(self) -> NDArray[np.bool_]:
        """Bool (T, N): decisions whose next one or end is not known yet."""
        waiting: NDArray[np.bool_] = self.taken & (self.next < 0) & ~self.ended
        return waiting

    def add(
        self,
        seats: NDArray[Any],
        rewards: NDArray[Any],
        terminations: NDArray[np.bool_],
        truncations: NDArray[np.bool_],
        taken: NDArray[np.bool_] | None = None,
        settled: NDArray[Any] | None = None,
    ) -> None:
        """Add one step: the seats (N,) that acted in it, and the results that it returned.

        `rewards` (N, MOST_SEATS) are ``infos["rewards"]``. `taken` (N,) selects the decisions to learn from:
        ``infos["decided"]`` leaves out the rows that were reset; against other agents, only the learner's own.
        `settled` (N, MOST_SEATS) is ``infos["settled"]``: the seats whose game has ended, in a game that some leave
        before the others. Raises ValueError for arrays of another shape, or more steps than the rollout has.
        """
        if self.steps == len(self.next):
            raise ValueError(f"expected at most {len(self.next)} steps; begin the next rollout with clear()")
        taken = np.ones(len(self._rows), np.bool_) if taken is None else taken
        flags = {"seats": seats, "terminations": terminations, "truncations": truncations, "taken": taken}
        for name, array in flags.items():
            if np.shape(array) != self._rows.shape:
                raise ValueError(f"expected {name} of shape {self._rows.shape}, got {np.shape(array)}")
        if np.shape(rewards) != self._latest.shape:
            raise ValueError(f'expected infos["rewards"] of shape {self._latest.shape}, got {np.shape(rewards)}')
        rows = self._rows[taken]
        acting = seats[rows]
        before = self._latest[rows, acting]
        linked = before >= 0
        self.next[before[linked], rows[linked]] = self.steps
        self._latest[rows, acting] = self.steps
        self.taken[self.steps] = taken
        over = (terminations | truncations)[:, None]
        done = np.broadcast_to(over, self._latest.shape) if settled is None else over | (np.asarray(settled) != 0)
        if done.any():
            row, seat = np.nonzero(done & (self._latest >= 0))
            step = self._latest[row, seat]
            self.rewards[step, row] = rewards[row, seat]
            self.ended[step, row] = True
            self.truncated[step, row] = truncations[row]
            self._latest[done] = -1
        self.steps += 1

    def clear(self) -> None:
        """Begin the next rollout; incomplete decisions are dropped."""
        self.next[:] = -1
        self.rewards[:] = 0
        self.ended[:] = self.truncated[:] = self.taken[:] = False
        self._latest[:] = -1
        self.steps = 0
