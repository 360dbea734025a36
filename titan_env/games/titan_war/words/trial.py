"""Decisions that are tried on a copy, to know what others see of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import events_of, log_dtype, luck_dtype, seeded
from titan_env.contract.luck import begin
from titan_env.games.titan_war.rules.decision import play_decision
from titan_env.games.titan_war.rules.state import STATE

MOST_ANSWERS = 16
"""The chance answers of one step that are listed: towers and the first angel, a roll, the dice of a strike."""
MOST_EVENTS = 512
"""An elimination can remove 35 legions in one step."""
LUCK, LOG = luck_dtype(MOST_ANSWERS), log_dtype(MOST_EVENTS)


def copy_of(state: Any) -> Any:
    """Return a copy of a position that can be changed."""
    return np.frombuffer(bytearray(state.tobytes()), STATE).view(np.recarray)[0]


def tried(state: Any, action: int) -> tuple[Any, list[list[int]]]:
    """Return the position after a decision, with any luck, and the events of the step."""
    after = copy_of(state)
    luck, log = seeded([0], LUCK).view(np.recarray)[0], np.zeros(1, LOG).view(np.recarray)[0]
    begin(luck)
    play_decision(after, action, luck, log)
    return after, events_of(log).tolist()
