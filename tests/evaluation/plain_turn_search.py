"""A second, plain search of a turn: no memory, no shortcut, chance listed by itself."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from titan_env.contract import Game, outcomes, preset
from titan_env.engine.batch import null_log
from titan_env.play.turn_solver import result_value, turn_of


def sequences(game: Game, state: Any, action: int, answers: tuple[int, ...] = ()) -> Iterator[tuple[float, Any]]:
    """Every sequence of answers of chance by itself, found by asking for one answer more until none is wanted."""
    luck = np.zeros(1, game.rules.luck).view(np.recarray)[0]
    after = np.array([state], game.rules.state).view(np.recarray)[0]
    preset(luck, answers)
    game.rules.step(after, action, luck, null_log(game)[0])
    asked = outcomes(luck)
    if len(asked) == len(answers):
        equal = asked[:, 1][asked[:, 1] > 0]
        yield float(luck.odds) / np.prod(equal, dtype=np.float64), after
        return
    for answer in range(abs(int(asked[len(answers), 1]))):
        yield from sequences(game, state, action, (*answers, answer))


def brute(game: Game, state: Any, seat: int, turn: int | None, depth: int = 0) -> float:
    """The best probability of winning in this turn, or ever (None), without a memory and without a shortcut."""
    if state.over or turn not in (None, turn_of(game, state)) or depth > 12:
        return result_value(state, seat) if state.over else 0.0
    mask = np.zeros(len(game.rules.actions), np.int8)
    game.rules.legal(state, mask)
    worths = [
        sum(odds * brute(game, after, seat, turn, depth + 1) for odds, after in sequences(game, state, action))
        for action in np.flatnonzero(mask).tolist()
    ]
    return max(worths) if state.seat == seat else min(worths)
