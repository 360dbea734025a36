"""The distribution of the positions after an action: every sequence of chance answers, enumerated."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from titan_env.contract import Game, outcomes, preset, specialize
from titan_env.contract.record_copies import as_arrays
from titan_env.engine.batch import Records, null_log
from titan_env.engine.batch_loops import outcome_rows
from titan_env.engine.illegal_actions import refuse_illegal
from titan_env.moved import old_names

_AT_ONCE = 256
"""Sequences of chance answers that are played in one batch."""


def chance_outcomes(game: Game, state: Any, action: int, most: int = 100_000) -> list[tuple[float, Any]]:
    """Return the positions that a legal action can lead to with their probabilities: (probability, state) pairs.

    `state` is one record of ``game.rules.state`` and is not changed. Equal positions are listed once, with their
    probabilities added. For a planner call it on imagined positions, not on the true one. Raises IllegalAction for an
    illegal action, ValueError if there are more than `most` sequences of chance answers.
    """
    refuse_illegal(game, state, action)
    found: dict[bytes, float] = {}
    before = np.array([state], game.rules.state).view(np.recarray)
    luck: Records = np.zeros(1, game.rules.luck).view(np.recarray)
    preset(luck[0], [0] * len(luck[0].answers))
    list_rows = specialize(outcome_rows, {"step": game.rules.step}, counts=False)
    tried, size, goes_on = 0, game.rules.state.itemsize, True
    while goes_on:
        if tried == most:
            raise ValueError(f"expected at most {most} sequences of chance answers; raise `most` for this action")
        after: Records = np.empty(min(_AT_ONCE, most - tried), game.rules.state).view(np.recarray)
        odds = np.zeros(len(after))
        listed = list_rows(
            as_arrays(before), action, as_arrays(luck), as_arrays(null_log(game)), as_arrays(after), odds
        )
        outcomes(luck[0])  # raises OverflowError for a step that asks too much
        goes_on, tried = bool(luck[0].given), tried + listed
        data = after.tobytes()
        for number in range(listed):
            position = data[number * size : (number + 1) * size]
            found[position] = found.get(position, 0.0) + float(odds[number])
    records = np.frombuffer(b"".join(found), game.rules.state).view(np.recarray).copy()
    return list(zip(found.values(), records, strict=True))


if not TYPE_CHECKING:
    __getattr__ = old_names(__name__)
