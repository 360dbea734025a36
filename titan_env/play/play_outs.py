"""Play-outs by chance in imagined worlds, in which a planner compares actions. They know no game.

The loop plays one position at a time, which stays in the processor's cache, and writes no observations.
`titan_env.contract.specialize` makes it a loop of one game.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from titan_env.compiler.record_copies import as_arrays, zero_records
from titan_env.contract import CHOICE, payoff, specialize
from titan_env.engine.batch import null_log
from titan_env.engine.mask_sampling import sample_legal
from titan_env.play.determinization import WorldRecords

legal: Any = None
step: Any = None


class Rooms(NamedTuple):
    """The arrays in which a position is played on, each with one row."""

    states: Any
    luck: Any
    choices: Any
    masks: Any
    log: Any


def play_out_rows(
    states: Any, luck: Any, choices: Any, actions: Any, seat: int, rooms: Rooms, worth: NDArray[np.float32]
) -> None:
    """Play each action in a copy of each world and on to the end by chance; write the payoffs (actions, worlds)."""
    state, chance, choice = rooms.states[0], rooms.luck[0], rooms.choices[0]
    mask, log = rooms.masks[0], rooms.log[0]
    for i in range(len(actions)):
        for world in range(len(states)):
            rooms.states[0] = states[world]
            rooms.luck[0] = luck[world]
            rooms.choices[0] = choices[world]
            step(state, actions[i], chance, log)
            legal(state, mask)
            while state.over == 0:
                step(state, sample_legal(mask, choice), chance, log)
                legal(state, mask)
            worth[i, world] = payoff(state, seat)


def play_out(worlds: WorldRecords, actions: NDArray[np.int64], seat: int) -> NDArray[np.float32]:
    """Return the payoff to `seat` of each action in each of the same worlds with the same luck: (actions, worlds)."""
    rules = worlds.game.rules
    state, luck, choice = (zero_records(dtype, 1) for dtype in (rules.state, rules.luck, CHOICE))
    rooms = Rooms(state, luck, choice, np.zeros((1, len(rules.actions)), np.int8), as_arrays(null_log(worlds.game)))
    worth = np.zeros((len(actions), len(worlds.states)), np.float32)
    run = specialize(play_out_rows, {"step": rules.step, "legal": rules.legal}, counts=False)
    run(worlds.states, worlds.luck, worlds.choices, actions, seat, rooms, worth)
    return worth
