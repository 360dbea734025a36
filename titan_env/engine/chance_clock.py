"""Streams of chance that begin anew at each value of a game's clock, as in blocks of games with the same dice."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import Game

_STRIDE = np.uint64(0xD1B54A32D192ED03)  # between the streams of one game's clock values; not a stream's own step


def stream_at(first: Any, clock: Any) -> Any:
    """Return the streams of games at a value of their clock, uint64 (N,), from their streams after the set-up.

    Two games with the same first stream have the same chance from the same clock value on, whatever came before.
    """
    return first + np.asarray(clock).astype(np.uint64) * _STRIDE


class ChanceClock:
    """The streams of chance of one game from its set-up on, each from one value of the game's clock to the next."""

    def __init__(self, game: Game, luck: Any) -> None:
        self._clock = game.rules.chance_clock
        self._first, self._known = luck["stream"].copy(), -1

    def start(self, states: Any, luck: Any) -> None:
        """Start the stream of a position's clock value (1,) in `luck` (1,), if it has not been started; call it before
        every decision.
        """
        now = int(states[self._clock][0])
        if now != self._known:
            luck["stream"], self._known = stream_at(self._first, now), now
