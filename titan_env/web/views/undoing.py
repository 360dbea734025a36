"""Decisions that can be taken back outside practice games too: those that told nobody anything new."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from titan_env.contract import Game
from titan_env.engine.batch import Records
from titan_env.play.determinization import Determinizations, agent_rng
from titan_env.records.session import observation_of
from titan_env.web.views.game_view import NOBODY

WORLDS = 256
"""The number of imagined worlds in which a decision must come to the same."""


class UndoStep(NamedTuple):
    """The step to a moment, as undo needs it."""

    luck: Any
    """The luck (1,) after it."""
    is_own: bool = False
    """Undo in practice goes back behind it: a person decided it, or it is the first one of an agent in that seat."""
    is_safe: bool = False
    """Undo may go back behind it outside practice too."""
    seat: int = NOBODY
    """The seat that decided it."""


def tells_nothing(game: Game, before: Records, action: int, after: Records) -> bool:
    """Return whether a decision from `before` (1,) to `after` (1,) can be taken back without an advantage.

    It can if chance was not asked, the same seat decides next, and its view after the decision follows from the one
    before. That is judged in imagined worlds that fit the view before, so that the answer tells nothing hidden either.
    """
    seat = int(before["seat"][0])
    if after["over"][0] or after["seat"][0] != seat:
        return False
    rng = agent_rng(int(before["decisions"][0]), action)
    worlds = Determinizations(game, before, rng).imagine(1 if game.rules.imagine is None else WORLDS, rng)
    worlds.step(np.full(worlds.num_games, action))
    if worlds.luck["asked"].any() or worlds.over.any() or (worlds.states["seat"] != seat).any():
        return False
    return bool((worlds.observations == observation_of(game, after)).all())
