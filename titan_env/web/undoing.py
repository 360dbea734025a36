"""Decisions that can be taken back outside practice games too: those that told nobody anything new."""

from __future__ import annotations

import numpy as np

from titan_env.contract import Game
from titan_env.engine.batch import Records
from titan_env.engine.determinization import Determinizations, agent_rng

WORLDS = 256
"""The number of imagined worlds in which a decision must come to the same."""


def tells_nothing(game: Game, before: Records, action: int, after: Records) -> bool:
    """Return whether a decision from `before` (1,) to `after` (1,) can be taken back without an advantage.

    It can if chance was not asked, the same seat decides next, and its view after the decision follows from the one
    before. That is judged in imagined worlds that fit the view before, so that the answer tells nothing hidden either.
    """
    seat = int(before["seat"][0])
    rng = agent_rng(int(before["decisions"][0]), action)
    worlds = Determinizations(game, before, rng).imagine(1 if game.rules.imagine is None else WORLDS, rng)
    log = np.zeros(1, game.rules.log).view(np.recarray)
    seen = _seen(game, after[0], seat)
    for state, luck in zip(worlds.states, worlds.luck, strict=True):
        log["count"] = 0
        game.rules.step(state, action, luck, log[0])
        if luck.asked or _seen(game, state, seat) != seen:
            return False
    return seen is not None


def _seen(game: Game, state: np.record, seat: int) -> bytes | None:
    """Return the view of a seat that is to decide; None where another one is, or the game is over."""
    if state["over"] or state["seat"] != seat:
        return None
    vector = np.zeros(game.rules.fields.size, np.float32)
    game.rules.observe(state, seat, vector)
    return vector.tobytes()
