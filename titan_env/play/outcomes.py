"""The distribution of the positions after an action: every sequence of chance answers, enumerated."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.record_copies import as_arrays
from titan_env.contract import Game, outcomes, specialize
from titan_env.engine.batch import Records, null_log
from titan_env.engine.batch_loops import outcome_rows
from titan_env.engine.chance_outcomes import likelihood, set_next
from titan_env.engine.illegal_actions import refuse_illegal

_AT_ONCE = 256
"""Sequences of chance answers that are played in one batch."""


class OutcomeLister:
    """Lists the outcomes of actions of one game, again and again; its buffers are made once."""

    def __init__(self, game: Game) -> None:
        self._dtype = game.rules.state
        self._before = as_arrays(np.zeros(1, self._dtype).view(np.recarray))
        self._after = as_arrays(np.empty(_AT_ONCE, self._dtype).view(np.recarray))
        self._luck = as_arrays(np.zeros(1, game.rules.luck).view(np.recarray))
        self._log, self._odds = as_arrays(null_log(game)), np.zeros(_AT_ONCE)
        self._list_rows = specialize(outcome_rows, {"step": game.rules.step}, counts=False)

    def list(self, state: bytes, action: int, most: int) -> tuple[NDArray[np.float64], Records]:
        """Return the probabilities (N,) and positions (N,) after a legal action from a state, given as its bytes.

        Raises ValueError if there are more than `most` sequences of chance answers.
        """
        found: dict[bytes, float] = {}
        self._before.view(np.uint8)[:] = np.frombuffer(state, np.uint8)
        self._luck.view(np.uint8)[:] = 0
        capacity = self._luck["answers"].shape[1]
        self._luck["given"] = capacity
        tried, size, goes_on = 0, self._dtype.itemsize, True
        while goes_on:
            if tried == most:
                raise ValueError(f"expected at most {most} sequences of chance answers; raise `most` for this action")
            after = self._after[: most - tried]
            listed = self._list_rows(self._before, action, self._luck, self._log, after, self._odds)
            if self._luck["asked"][0] > capacity:
                outcomes(self._luck[0])  # raises OverflowError for a step that asks too much
            goes_on, tried = bool(self._luck["given"][0]), tried + listed
            data, odds = after[:listed].tobytes(), self._odds[:listed].tolist()
            for number in range(listed):
                position = data[number * size : (number + 1) * size]
                found[position] = found.get(position, 0.0) + odds[number]
        records = np.frombuffer(bytearray().join(found), self._dtype).view(np.recarray)
        return np.fromiter(found.values(), np.float64, len(found)), records


def first_positions(game: Game, template: Any, most: int = 10_000) -> tuple[list[float], Records]:
    """Return the probabilities (N,) of the positions (N,) in which games begin that are configured as `template` (1,).

    Equal positions are listed once. Raises ValueError if there are more than `most` sequences of chance answers.
    """
    found: dict[bytes, float] = {}
    luck: Any = np.zeros(1, game.rules.luck).view(np.recarray)
    luck["given"], tried, goes_on = luck["answers"].shape[1], 0, True
    while goes_on:
        if tried == most:
            raise ValueError(f"expected at most {most:,} sequences of chance answers before a game begins")
        tried += 1
        state = template.copy()
        game.rules.setup(state[0], luck[0])
        outcomes(luck[0])
        found[state.tobytes()] = found.get(state.tobytes(), 0.0) + likelihood(luck[0])
        set_next(luck[0])
        goes_on = bool(luck[0].given)
    return list(found.values()), np.frombuffer(bytearray().join(found), game.rules.state).view(np.recarray)


def chance_outcomes(game: Game, state: Any, action: int, most: int = 100_000) -> list[tuple[float, Any]]:
    """Return the positions that a legal action can lead to with their probabilities: (probability, state) pairs.

    `state` is one record of ``game.rules.state`` and is not changed. Equal positions are listed once, with their
    probabilities added. For a planner call it on imagined positions, not on the true one. Raises IllegalAction for an
    illegal action, ValueError if there are more than `most` sequences of chance answers.
    """
    refuse_illegal(game, state, action)
    odds, states = OutcomeLister(game).list(state.tobytes(), action, most)
    return list(zip(odds.tolist(), states, strict=True))
