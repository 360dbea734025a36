"""The moments of a game that a seat may know of: private questions to other seats are left out.

A step interrupted by a private question is shown as one: its decision, and all events until the next question that
everybody may know. A question that is answered in the open is no longer private.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from titan_env.contract import Game
from titan_env.records.replay import ReplayStep


def visible(game: Game, moments: Sequence[ReplayStep], viewer: int | None) -> list[ReplayStep]:
    """Return the moments that `viewer` may know of (None: all), in order."""
    if viewer is None or game.rules.public_view is None:
        return list(moments)
    shown: list[ReplayStep] = []
    since: list[ReplayStep] = []
    for at, moment in enumerate(moments):
        since.append(moment)
        if at == 0 or not _is_hidden(game, moments, at, viewer):
            shown.append(_joined(since))
            since = []
    return shown


def _is_hidden(game: Game, moments: Sequence[ReplayStep], at: int, viewer: int) -> bool:
    """Return whether `viewer` may not know of the question at a moment, neither then nor later."""
    if not game.rules.is_private(moments[at].read, viewer):
        return False
    if at == len(moments) - 1:
        return True
    decision = moments[at + 1].decision
    assert decision is not None
    return game.action_text_for(moments[at].read, game.rules.actions.numbers[decision["action"]], viewer) is None


def _joined(moments: Sequence[ReplayStep]) -> ReplayStep:
    """Return successive moments as one: the first decision, all events, the last position."""
    if len(moments) == 1:
        return moments[0]
    events = np.concatenate([moment.events for moment in moments])
    return ReplayStep(moments[-1].states, moments[0].decision, events, moments)
