"""Streams of chance that begin anew at each value of a game's clock, as in blocks of games with the same dice."""

from __future__ import annotations

from typing import Any

import numpy as np

_STRIDE = np.uint64(0xD1B54A32D192ED03)  # between the streams of one game's clock values; not a stream's own step


def stream_at(first: Any, clock: Any) -> Any:
    """Return the streams of games at a value of their clock, uint64 (N,), from their streams after the set-up.

    Two games with the same first stream have the same chance from the same clock value on, whatever came before.
    """
    return first + np.asarray(clock).astype(np.uint64) * _STRIDE
