"""Decisions that are tried on a copy, to know what others see of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import events_of, seeded
from titan_env.contract.luck import begin
from titan_env.games.titan_war.rules.decision import play_decision
from titan_env.games.titan_war.rules.definition import RULES
from titan_env.games.titan_war.rules.public_view import copy_of


def tried(state: Any, action: int) -> tuple[Any, list[list[int]]]:
    """Return the position after a decision, with any luck, and the events of the step."""
    after = copy_of(state)
    luck, log = seeded([0], RULES.luck).view(np.recarray)[0], np.zeros(1, RULES.log).view(np.recarray)[0]
    begin(luck)
    play_decision(after, action, luck, log)
    return after, events_of(log).tolist()
