"""What is legal: the mask of the seat that is asked, out of the `may_` functions of the rules."""

from __future__ import annotations

from typing import Any

import numpy as np

from titan_env.contract import rule
from titan_env.games.tiny_turbo_cars.rules import actions
from titan_env.games.tiny_turbo_cars.rules.abilities import NO_LANE, landing_lane
from titan_env.games.tiny_turbo_cars.rules.controller import ALL_PUSHES, hole_of, may_push
from titan_env.games.tiny_turbo_cars.rules.state import STARTING_PLACES, Ask
from titan_env.games.tiny_turbo_cars.rules.turn import may_choose, may_stand

CARS = len(actions.CARS)
_PUSH, _PUSHES = np.uint64(actions.PUSH), np.uint64(ALL_PUSHES)
"""Unsigned: none of them counts from the end, so that the processor copies all slides at once."""


@rule
def legal(state: Any, mask: Any) -> None:
    """Write the mask (33,) int8 of the seat that is asked: 1 for each legal action."""
    mask[:] = 0
    who = int(state.seat)
    if state.ask == Ask.PROGRAM:
        hole = hole_of(state.drivers[who])
        for push in range(_PUSHES):
            mask[_PUSH + push] = may_push(state, hole, push)
        mask[actions.FINISH] = 1
    elif state.ask == Ask.DRIVE:
        mask[actions.DRIVE] = 1
    elif state.ask == Ask.SHIELD:
        mask[actions.SPEND] = mask[actions.STOP] = 1
    elif state.ask == Ask.FLY:
        mask[actions.FLY_LEFT] = landing_lane(state, who, -1) != NO_LANE
        mask[actions.FLY_STAY] = 1
        mask[actions.FLY_RIGHT] = landing_lane(state, who, 1) != NO_LANE
    elif state.ask == Ask.CAR:
        for car in range(CARS):
            mask[actions.CAR + car] = may_choose(state, car)
    elif state.ask == Ask.PLACE:
        for place in range(STARTING_PLACES):
            mask[actions.PLACE + place] = may_stand(state, place)
