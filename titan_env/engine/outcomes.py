"""What an action may lead to: every sequence of answers of chance, listed."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import Game, outcomes, preset, specialize
from titan_env.engine.batch import Records, plain, refuse_illegal, silence
from titan_env.engine.loops import outcome_rows

_AT_ONCE = 256
"""Sequences of chance answers that are played beside each other."""


def chance(game: Game, state: Any, action: int, most: int = 100_000) -> list[tuple[float, Any]]:
    """Every position that a legal action can lead to, with its probability: (probability, state) pairs.

    `state` is one record of ``game.rules.state`` and stays as it is. Positions that are the same whatever
    the order of the dice are listed once. To a planner, hand positions that it has imagined.
    Raises IllegalAction for an action that the rules forbid, ValueError when more than `most` sequences of answers
    would have to be looked at.
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
        listed = list_rows(plain(before), action, plain(luck), plain(silence(game)), plain(after), odds)
        outcomes(luck[0])  # complains of a step that asks too much
        goes_on, tried = bool(luck[0].given), tried + listed
        data = after.tobytes()
        for number in range(listed):
            position = data[number * size : (number + 1) * size]
            found[position] = found.get(position, 0.0) + float(odds[number])
    records = np.frombuffer(b"".join(found), game.rules.state).view(np.recarray).copy()
    return list(zip(found.values(), records, strict=True))
