"""Arrays that environments return, overwritten by a careless caller."""

from __future__ import annotations

from typing import Any

import numpy as np


def overwrite(returned: Any) -> None:
    """Write 1 into every array of what an environment returned, wherever that can be written to."""
    if isinstance(returned, dict):
        overwrite(tuple(returned.values()))
    elif isinstance(returned, (tuple, list)):
        for part in returned:
            overwrite(part)
    elif isinstance(returned, np.ndarray) and returned.dtype != object and returned.flags.writeable:
        returned[...] = 1


def assert_same_games(one: Any, other: Any) -> None:
    """Compare the games of two `LearnerBatch`: their states, their legal actions, and who learns."""
    assert one.states.tobytes() == other.states.tobytes()
    assert one.masks.tobytes() == other.masks.tobytes()
    assert one.learners.tobytes() == other.learners.tobytes()
